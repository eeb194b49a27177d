import { forbidden, type RestException } from '../common/errors/rest-exception.js';
import { coreUrl } from '../http/core-links.js';
import { sentTexts } from '../http/params/check-context.js';
import type { RequestContext } from '../http/request-context.js';
import { withHeaders } from '../http/rest-response.js';
import { addQueryArg } from '../lib/wordpress-text/formatting/add-query-arg.js';
import { linkHeader, pageLinks } from '../resources/base/page.js';
import type { PostRecord } from '../wordpress/posts/post-record.js';
import type { View } from './list.dto.js';
import type { Discussion } from './post-list.query.js';

/** The requested page of a list, and the total. */
interface CorePage {
  /** URL of the list without parameters. */
  url: string;
  query: { page: number; per_page: number };
  total: number;
}

/** Adds totals and the links to neighbouring pages as headers. */
export function withCorePageHeaders<T>(body: T, { url, query, total }: CorePage): T {
  const totalPages = Math.ceil(total / query.per_page);
  const sent = Object.fromEntries(sentTexts(query, []));
  // With an offset, pages have no neighbours.
  const links =
    'offset' in sent
      ? {}
      : pageLinks(addQueryArg(url, sent), Math.min(query.page, totalPages + 1), totalPages);
  const link = linkHeader(links);
  return withHeaders(body, {
    'X-WP-Total': total,
    'X-WP-TotalPages': totalPages,
    ...(link && { Link: link }),
  });
}

/** The error for `context=edit` without the right to edit. */
export const forbiddenContext = (): RestException =>
  forbidden('You may not see this with context=edit.', 'rest_forbidden_context');

/** The date as stored, without a zone; null for a zero date. */
const isoDate = (date: string): string | null => (date.startsWith('0000') ? null : date.replace(' ', 'T'));

/** Restores the final line break of WordPress, which rendered texts lack here. */
export const paragraphs = (html: string | undefined): string => (html ? `${html}\n` : '');

/** The rendered text, and the stored one with `context=edit`. */
export const viewedText = (view: View) => (raw: string, rendered: string) => ({
  ...(view === 'edit' && { raw }),
  rendered,
});

/** The members of a post up to its type; `more` follows the dates. */
export function leadingMembers(post: PostRecord, view: View, more: object = {}) {
  const isFull = view !== 'embed';
  return {
    id: post.id,
    date: isoDate(post.date),
    ...(isFull && {
      date_gmt: isoDate(post.dateGmt),
      guid: viewedText(view)(post.guid, post.guid),
      modified: isoDate(post.modified),
      modified_gmt: isoDate(post.modifiedGmt),
    }),
    ...more,
    slug: post.name,
    ...(isFull && { status: post.status }),
    type: post.type,
  };
}

/** The members of a post that WordPress's themes and comments use. */
export const discussionMembers = (discussion: Discussion | undefined) => ({
  comment_status: discussion?.comments ?? '',
  ping_status: discussion?.pings ?? '',
  template: '',
  meta: [],
});

/** The first `_links` of a post of the route `path`. */
export function postLinks({ id, type, author }: PostRecord, path: string, context: RequestContext) {
  const href = (to: string) => coreUrl(context, to);
  return {
    self: [{ href: href(`${path}/${id}`) }],
    collection: [{ href: href(path) }],
    about: [{ href: href(`types/${type}`) }],
    author: [{ embeddable: true, href: href(`users/${author}`) }],
    replies: [{ embeddable: true, href: href(`comments?post=${id}`) }],
  };
}
