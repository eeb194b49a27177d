import type { Expiring } from '../../cache/expiring.js';
import type { RequestContext } from '../../http/request-context.js';
import type { RenderContext } from '../../lib/wordpress-text/formatting/render-context.js';
import { fileUrl } from '../../lib/wordpress-text/image-object.js';
import type { JsonLdTexts } from '../../wordpress/posts/json-ld-text.js';
import { thumbnailId } from '../../wordpress/posts/linked-ids.js';
import { permalink } from '../../wordpress/posts/permalink.js';
import { hasPassword, isPasswordRight } from '../../wordpress/posts/post-password.js';
import type { PostRecord } from '../../wordpress/posts/post-record.js';
import type { PostTexts, RenderedPosts, TextsOfPosts } from '../../wordpress/rendering/renderer.service.js';

/** What response functions need besides the rows: who asks and how, and what was rendered. */
export interface ResponseContext extends RequestContext {
  render: RenderContext;
  /** What was rendered of the records that are shown. */
  texts: TextsOfPosts;
  /** Parameter `password`: opens records that are protected by exactly this one. */
  password?: string;
  /** Parameter `context=edit`: opens records that the caller may edit. */
  editing: boolean;
  /** Rendered linked records by id, each made once per request. */
  embedded: Map<number, Expiring<object>>;
}

/** The parameters that open protected records. */
export interface UnlockQuery {
  /** The form of the answer. */
  _format?: string;
  /** Of one record: adds the texts as they are stored, for who may edit it. */
  _raw?: boolean;
  password?: unknown;
  context?: unknown;
}

/** Who reads, with what opens protected records. */
export type Reader = Pick<ResponseContext, 'access' | 'password' | 'editing'>;

/** Who reads, with what was sent to open protected records. */
export function readerOf({ access }: RequestContext, unlock: UnlockQuery): Reader {
  return {
    access,
    password: typeof unlock.password === 'string' ? unlock.password : undefined,
    editing: unlock.context === 'edit',
  };
}

/** The context that response functions take. */
export function responseContext(
  context: RequestContext,
  { render, texts }: RenderedPosts,
  unlock: UnlockQuery = {},
): ResponseContext {
  return { ...context, render, texts, embedded: new Map(), ...readerOf(context, unlock) };
}

/** The rendered texts of a record. */
export function textsOf(post: PostRecord, { texts }: ResponseContext): PostTexts {
  const found = texts.get(post.id);
  if (!found) throw new Error(`the texts of post ${post.id} were not rendered`);
  return found;
}

/** Whether a record's content stays hidden behind its password. */
export function isLocked(
  post: Pick<PostRecord, 'id' | 'type' | 'status' | 'author' | 'password' | 'meta'>,
  context: Reader,
): boolean {
  if (!hasPassword(post)) return false;
  if (context.editing && context.access.may('edit', post)) return false;
  return context.password === undefined || !isPasswordRight(context.password, post.password);
}

/**
 * Machine-readable data is for what is public, or readable by whoever asks, and not locked
 * (docs/behaviour/structured-data.md#when-it-is-there).
 */
export function hasJsonLd(post: PostRecord, context: Reader): boolean {
  const { access } = context;
  if (isLocked(post, context)) return false;
  if (!access.signedIn) return post.status === 'publish';
  return access.can(post.status === 'private' ? 'read_private_posts' : 'read');
}

/** What `make` makes of a record as structured data; false when this reader gets none. Without a thumbnail there is no image. */
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
