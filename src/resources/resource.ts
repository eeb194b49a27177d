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
}

/** A record with whatever else is shown of it. */
export interface ShownPost {
  post: PostRecord;
}

/** A resource whose records are posts of a type. */
export interface PostResource<
  Fields extends object = object,
  Json extends object = object,
  Shown extends ShownPost = ShownPost,
> extends PostType,
    Named {
  kind: 'post';
  entity: Type<Post>;
  /** What a create or an update may send: the class of its parameters, or a base of it. */
  body: Type<Fields>;
  /** Whether the plugin hears of every save of a record: its caches hold what it shows of them. */
  notesSaves?: boolean;
  /** What is shown of a record; what of it goes on being shown while a password locks it, and its schema. */
  json: Type<Json>;
  /** How a record is shown that no password locks. */
  toJson(shown: Shown, context: ResponseContext, options: { jsonLd: boolean }): Json;
}

/** A resource whose records are terms of a taxonomy. */
export interface TermResource extends Taxonomy, Named {
  kind: 'term';
  /** What is shown of a term, and its schema. */
  json: Type<object>;
}

/** What a module serves: its post type or taxonomy, its routes' first segment, its words. */
export type Resource = PostResource | TermResource;

/** A resource's definition with its own types kept: `export const VENUE = defineResource({ kind: 'post', … })`. */
export function defineResource<const R extends Resource>(resource: R): R {
  return resource;
}
