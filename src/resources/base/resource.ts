import type { Type } from '@nestjs/common';
import type { Expiring } from '../../cache/expiring.js';
import type { RequestContext } from '../../http/request-context.js';
import type { Post } from '../../wordpress/posts/post.entity.js';
import type { PostCache } from '../../wordpress/posts/post-cache.service.js';
import type { PostRecord, PostRow } from '../../wordpress/posts/post-record.js';
import type { TextToClean } from '../../wordpress/rendering/cleaning.service.js';
import type { TermCache } from '../../wordpress/terms/term-cache.service.js';
import type { PostType, Taxonomy } from '../../wordpress/types/content-types.js';
import type { ResponseContext } from './response-context.js';

/**
 * Rights of a role: `all` like editors, `own` like authors, `drafts` like contributors. For terms, `all` includes
 * managing them, the others only assigning them.
 */
export type Grant = 'all' | 'own' | 'drafts';

/** Grants by role name; administrators always have all rights. */
export type Grants = Readonly<Record<string, Grant>>;

/** The members that every resource definition has. */
interface ResourceBase<Fields extends object, Json extends object> {
  /** First segment of its routes. */
  path: string;
  /** Singular, as used in error codes and messages. */
  singular: string;
  /** Plural, as used in messages and as the member of lists. */
  plural: string;
  /** Description of the records for /openapi.json. */
  description?: string;
  /** Parameter class of a create or update, or a base of it. */
  body: Type<Fields>;
  /** Rights of the site's roles, stored once when a server first starts with this resource. */
  grants?: Grants;
  /** Response class: its members, their schema and which of them a password-locked post shows. */
  json: Type<Json>;
}

/** A post with everything else that its JSON is built from. */
export interface LoadedPost {
  post: PostRecord;
}

/** Reads what records are made of besides their rows: from caches, or from the database for JSON that is compared by checksums. */
export interface RecordSource {
  readonly posts: Pick<PostCache, 'load'>;
  readonly terms: Pick<TermCache, 'ofPosts'>;
}

/** Loads the records of rows, in their order; posts and terms come from the source alone. */
export interface RecordLoader<Loaded> {
  load(rows: readonly PostRow[], context: RequestContext, source: RecordSource): Promise<Loaded[]>;
}

/** A post whose JSON is part of that of another record. */
export interface LinkedRecord {
  resource: PostResource;
  post: PostRecord;
}

/** A resource whose records are posts of one type. */
export interface PostResource<
  Fields extends object = object,
  Json extends object = object,
  Loaded extends LoadedPost = LoadedPost,
  Values = object,
> extends PostType,
    ResourceBase<Fields, Json> {
  kind: 'post';
  /** Other records that its records name by their ids. */
  relations?: Relations;
  /** Never set; carries the type of the values that plugins validate. */
  readonly values?: Values;
  entity: Type<Post>;
  /** Path of its records in `wp/v2`; without one they are only in the calendar's namespace. */
  corePath?: string;
  /** Whether saves are recorded for the plugin, whose caches hold data of these records. */
  tracksSaves?: boolean;
  /** Makes the JSON of an unlocked record. */
  toJson(loaded: Loaded, context: ResponseContext, options: { jsonLd: boolean }): Json | Expiring<Json>;
  /** Other records inside the JSON; they are rendered first, into `context.embedded`. */
  linkedRecords?(loaded: Loaded): readonly LinkedRecord[];
  /** Ids of other posts that the JSON depends on; undefined where it may depend on more. */
  linkedIds?(loaded: Loaded): readonly number[];
  /** Texts of the input; long ones are cleaned before the write lock. */
  textsToClean?(fields: Fields): readonly TextToClean[];
  /** Images of the input, each the id of an attachment or a URL; `image` alone by default. */
  images?(fields: Fields): readonly (string | undefined)[];
}

/** Other records that a record names by their ids; meta rows hold these, as those of references (docs/extending.md#relations). */
export interface Relation {
  /** The resource of the other records. */
  to: PostResource;
  /** Whether there may be several, whose order is kept; up to 100. */
  many?: boolean;
  /** Meta key with a row per record. */
  meta: string;
  description: string;
  /** Whether new records need it, and updates must not remove it. */
  required?: boolean;
  /**
   * When the other record goes to the trash: `keep` hides it until it is restored, `clear` removes it for good, `refuse`
   * forbids that with 409. Its final deletion always removes it.
   */
  onTrash?: 'keep' | 'clear' | 'refuse';
  /** Whether a password-locked record still shows it. */
  visibleWhenLocked?: boolean;
  /** Capability needed to see it and to filter by it. */
  readableBy?: string;
  /** Capability needed to write it. */
  writableBy?: string;
}

/** Relations by their names in responses and request bodies. */
export type Relations = Readonly<Record<string, Relation>>;

/** A resource whose records are terms of one taxonomy. */
export interface TermResource extends Taxonomy, ResourceBase<object, object> {
  kind: 'term';
  /** Response class of a term inside a post. */
  embedded?: Type<object>;
  /** Path of its terms in `wp/v2`. */
  corePath?: string;
  /** Capability that `wp/v2` requires to change its terms. */
  coreCapability?: string;
}

export type Resource = PostResource | TermResource;

/** Types a resource definition precisely: `export const VENUE = defineResource({ kind: 'post', … })`. */
export function defineResource<const R extends Resource>(resource: R): R {
  return resource;
}

/** The definition of a category or tag resource. */
export interface TermType extends TermResource {
  /** Path of the terms in `wp/v2`, for `_links`. */
  corePath: string;
  /** Query parameter of the post routes in `wp/v2`, and those routes. */
  coreParameter: string;
  corePostTypes: readonly string[];
  /** Capability that `wp/v2` requires to write terms. */
  coreCapability: string;
}
