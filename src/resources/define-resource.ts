import type { Type } from '@nestjs/common';
import type { Post } from '../wordpress/posts/post.entity.js';
import type { PostRecord } from '../wordpress/posts/post-record.js';
import type { PostType } from '../wordpress/types/post-type.js';
import type { Taxonomy } from '../wordpress/types/taxonomy.js';
import type { ResponseContext } from './response-context.js';

/** Where the records of a resource are found, and what they are called. */
interface Named {
  /** First segment of its routes. */
  path: string;
  /** Its singular, as error codes and messages have it. */
  one: string;
  /** Its plural, which is the member of lists too. */
  many: string;
  /** Name of the schema of one record, in both documents. */
  schema: string;
}

/** A record with whatever else is shown of it. */
export interface ShownPost {
  post: PostRecord;
}

/** A resource whose records are posts of a type; what it takes and how it is shown. */
export interface PostResource<
  Fields = unknown,
  Json extends object = object,
  Shown extends ShownPost = ShownPost,
> extends PostType,
    Named {
  kind: 'post';
  entity: Type<Post>;
  /** How a record is shown. */
  toJson(shown: Shown, context: ResponseContext, options?: { jsonLd?: boolean }): Json;
  /** Never set: holds the type of what writes take. */
  readonly fieldsType?: Fields;
}

/** A resource whose records are terms of a taxonomy. */
export interface TermResource<Fields = unknown, Json extends object = object> extends Taxonomy, Named {
  kind: 'term';
  /** Never set: holds the types of what writes take and of what is shown. */
  readonly types?: readonly [Fields, Json];
}

/** What a module serves: its post type or taxonomy, its routes' first segment, its words. */
export type Resource = PostResource | TermResource;
