import type { PostRecord } from '../wordpress/posts/post-record.js';
import type { ResponseContext } from './response-context.js';

/** A record with whatever else is shown of it. */
export interface ShownPost {
  post: PostRecord;
}
/** TEMP until types lands */
export interface PostResource<
  Fields = unknown,
  Json extends object = object,
  Shown extends ShownPost = ShownPost,
> {
  kind: 'post';
  type: string;
  capabilities: string;
  path: string;
  one: string;
  many: string;
  /** How a record is shown. */
  toJson(shown: Shown, context: ResponseContext, options?: { jsonLd?: boolean }): Json;
  /** Never set: holds the type of what writes take. */
  readonly fieldsType?: Fields;
}
export interface TermResource<Fields = unknown, Json extends object = object> {
  kind: 'term';
  taxonomy: string;
  path: string;
  one: string;
  many: string;
  readonly types?: readonly [Fields, Json];
}
