import type { Expiring } from '../../cache/expiring.js';
import type { RequestContext } from '../../http/request-context.js';
import type { RenderContext } from '../../lib/wordpress-text/formatting/render-context.js';
import { fileUrl } from '../../lib/wordpress-text/image-object.js';
import { permalink } from '../../wordpress/posts/permalink.js';
import { isPasswordRight } from '../../wordpress/posts/post-passwords.service.js';
import {
  hasPassword,
  type JsonLdTexts,
  type PostRecord,
  thumbnailId,
} from '../../wordpress/posts/post-record.js';
import type { PostTexts, RenderedPosts, TextsOfPosts } from '../../wordpress/rendering/renderer.service.js';

/** The request context with everything else that response functions need. */
export interface ResponseContext extends RequestContext {
  render: RenderContext;
  /** The rendered texts of the records. */
  texts: TextsOfPosts;
  /** What declared fields refer to and the reader may see. */
  references: ReadonlySet<string>;
  /** Parameter `password`: opens records that are protected by exactly this one. */
  password?: string;
  /** Parameter `context=edit`: opens records that the caller may edit. */
  editing: boolean;
  /** Rendered linked records by id, each made once per request. */
  embedded: ReadonlyMap<number, Expiring<object>>;
}

/** The parameters of a read that change the JSON of its records. */
export interface ReadQuery {
  /** `clean` normalizes the JSON. */
  _format?: string;
  /** Adds the stored texts to a single record, for callers who may edit it. */
  _raw?: boolean;
  /** Adds how an event recurs. */
  recurrence?: boolean;
  /** Adds the records that relations name. */
  _embed?: unknown;
  /** Opens records that are protected by this password. */
  password?: unknown;
  /** `edit` opens protected records that the caller may edit. */
  context?: unknown;
}

/** The caller and what opens protected records. */
export type Reader = Pick<ResponseContext, 'access' | 'password' | 'editing'>;

/** Reads what opens protected records from a query. */
export function readerOf({ access }: RequestContext, query: ReadQuery): Reader {
  return {
    access,
    password: typeof query.password === 'string' ? query.password : undefined,
    editing: query.context === 'edit',
  };
}

/** Creates the context of response functions. */
export function responseContext(
  context: RequestContext,
  { render, texts }: RenderedPosts,
  references: ReadonlySet<string>,
  query: ReadQuery = {},
): ResponseContext {
  return { ...context, render, texts, references, embedded: new Map(), ...readerOf(context, query) };
}

/** The rendered texts of a record. */
export function textsOf(post: PostRecord, { texts }: ResponseContext): PostTexts {
  const found = texts.get(post.id);
  if (!found) throw new Error(`the texts of post ${post.id} were not rendered`);
  return found;
}

/** Whether a password hides a record's content from this reader. */
export function isLocked(
  post: Pick<PostRecord, 'id' | 'type' | 'status' | 'author' | 'password' | 'meta'>,
  context: Reader,
): boolean {
  if (!hasPassword(post)) return false;
  if (context.editing && context.access.may('edit', post)) return false;
  return context.password === undefined || !isPasswordRight(context.password, post.password);
}

/**
 * Whether this reader gets structured data: only of unlocked records that are public or readable by the caller
 * (docs/behaviour/structured-data.md#presence).
 */
export function hasJsonLd(post: PostRecord, context: Reader): boolean {
  const { access } = context;
  if (isLocked(post, context)) return false;
  if (!access.signedIn) return post.status === 'publish';
  return access.can(post.status === 'private' ? 'read_private_posts' : 'read');
}

/** The structured data of a record, or false if this reader gets none; the image is undefined without a thumbnail. */
export function jsonLdOf<T>(
  post: PostRecord,
  context: ResponseContext,
  make: (post: PostRecord, texts: JsonLdTexts, image: string | false | undefined) => T,
): T | false {
  if (!hasJsonLd(post, context)) return false;
  const { jsonLd } = textsOf(post, context);
  if (!jsonLd) throw new Error(`the structured data of post ${post.id} were not rendered`);
  const { attachments, site } = context.render;
  const id = thumbnailId(post);
  return make(post, jsonLd, id === 0 ? undefined : fileUrl(attachments.get(id), site.uploadsUrl));
}

/** The public address of a record for this reader. */
export function postUrl(post: PostRecord, { settings, access }: ResponseContext): string {
  return permalink(post, settings.links, {
    readable: post.status === 'private' && access.mayRead(post),
  });
}
