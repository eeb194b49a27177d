import { RestException } from '../common/errors/rest-exception.js';
import { sentTexts } from '../http/params/check-context.js';
import { withHeaders } from '../http/rest-response.js';
import { linkHeader, pageLinks } from '../resources/base/page.js';
import { addQueryArg } from '../lib/wordpress-text/formatting/add-query-arg.js';

/** Which page of a list was asked for, and how many records there are on all pages. */
interface CorePage {
  /** Address of the list without parameters. */
  url: string;
  query: { page: number; per_page: number };
  total: number;
}

/** A page of a list in WordPress's shape: its totals and the addresses of its neighbours are headers. */
export function withPageHeaders<T>(body: T, { url, query, total }: CorePage): T {
  const totalPages = Math.ceil(total / query.per_page);
  const sent = Object.fromEntries(sentTexts(query, []));
  // An offset counts instead of the page: no page has neighbours.
  const links = 'offset' in sent ? {} : pageLinks(addQueryArg(url, sent), query.page, totalPages);
  const link = linkHeader(links);
  return withHeaders(body, {
    'X-WP-Total': total,
    'X-WP-TotalPages': totalPages,
    ...(link && { Link: link }),
  });
}

/** A list has fewer pages. */
export const invalidPage = (page: number): RestException =>
  new RestException('invalid', 'rest_post_invalid_page_number', `There is no page ${page} of this list.`);
