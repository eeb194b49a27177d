import type { Type } from '@nestjs/common';
import type { Expiring } from '../../cache/expiring.js';
import type { Post } from '../../wordpress/posts/post.entity.js';
import type { PostRecord } from '../../wordpress/posts/post-record.js';
import type { PostType } from '../../wordpress/types/post-type.js';
import type { Taxonomy } from '../../wordpress/types/taxonomy.js';
import type { ResponseContext } from './response-context.js';

/**
 * How much a role may: `all` is what editors may with events, `own` what authors may, `drafts` what contributors may. Of terms `all` is
 * to manage them, the others are to give them to records.
 */
export type Grant = 'all' | 'own' | 'drafts';

/** By the name of the role; administrators may all, in any case. */
export type Grants = Readonly<Record<string, Grant>>;

/** What every resource says: where its records are found, what they are called, sent and shown as. */
interface Named<Fields extends object, Json extends object> {
  /** First segment of its routes. */
  path: string;
  /** Its singular, as error codes and messages have it. */
  one: string;
  /** Its plural, which is the member of lists too. */
  many: string;
  /** What its records are, in a sentence for /openapi.json. */
  about?: string;
  /** What a create or an update may send: the class of its parameters, or a base of it. */
  body: Type<Fields>;
  /** What roles of the site may do with its records: written into the roles once, when a server first starts with it. */
  grants?: Grants;
  /** What is shown of a record, and its schema. Of a post: what of it goes on being shown while a password locks it, too. */
  json: Type<Json>;
}

/** A record with whatever else is shown of it. */
export interface LoadedPost {
  post: PostRecord;
}

/** A resource whose records are posts of a type. */
export interface PostResource<
  Fields extends object = object,
  Json extends object = object,
  Shown extends LoadedPost = LoadedPost,
> extends PostType,
    Named<Fields, Json> {
  kind: 'post';
  entity: Type<Post>;
  /** Where WordPress has its records in `wp/v2`; without it they are in the calendar's namespace alone. */
  corePath?: string;
  /** Whether the plugin hears of every save of a record: its caches hold what it shows of them. */
  notesSaves?: boolean;
  /** How a record is shown that no password locks. */
  toJson(loaded: Shown, context: ResponseContext, options: { jsonLd: boolean }): Json | Expiring<Json>;
  /** Every record whose texts it shows, in the order in which they are rendered; without it the post alone. */
  records?(loaded: Shown): readonly PostRecord[];
  /** Ids of the posts that it shows besides where they exist and the reader may see them; undefined where it may depend on more. */
  linkedIds?(loaded: Shown): readonly number[];
}

/** A resource whose records are terms of a taxonomy. */
export interface TermResource extends Taxonomy, Named<object, object> {
  kind: 'term';
  /** What is shown of a term inside a post, and its schema. */
  embedded?: Type<object>;
  /** Path of its terms in `wp/v2`. */
  corePath?: string;
  /** What `wp/v2` asks of a caller who changes its terms. */
  coreCapability?: string;
}

/** What a module serves: its post type or taxonomy, its routes' first segment, its words. */
export type Resource = PostResource | TermResource;

/** A resource's definition with its own types kept: `export const VENUE = defineResource({ kind: 'post', … })`. */
export function defineResource<const R extends Resource>(resource: R): R {
  return resource;
}
