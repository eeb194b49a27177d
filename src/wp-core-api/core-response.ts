import { RestException } from '../common/errors/rest-exception.js';
import { sentTexts } from '../http/params/check-context.js';
import { withHeaders } from '../http/rest-response.js';
import { addQueryArg } from '../lib/wordpress-text/formatting/add-query-arg.js';
import { linkHeader, pageLinks } from '../resources/base/page.js';
import type { View } from './list.dto.js';

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
  const links = 'offset' in sent ? {} : pageLinks(addQueryArg(url, sent), query.page, totalPages);
  const link = linkHeader(links);
  return withHeaders(body, {
    'X-WP-Total': total,
    'X-WP-TotalPages': totalPages,
    ...(link && { Link: link }),
  });
}

/** The error for a page past the end. */
export const invalidPage = (page: number): RestException =>
  new RestException('invalid', 'rest_post_invalid_page_number', `There is no page ${page} of this list.`);

/** The date as stored, without a zone; null for a zero date. */
export const isoDate = (date: string): string | null =>
  date.startsWith('0000') ? null : date.replace(' ', 'T');

/** Restores the final line break of WordPress, which rendered texts lack here. */
export const paragraphs = (html: string | undefined): string => (html ? `${html}\n` : '');

/** The rendered text, and the stored one with `context=edit`. */
export const viewedText = (view: View) => (raw: string, rendered: string) => ({
  ...(view === 'edit' && { raw }),
  rendered,
});
