import { Answer } from '../http/answer.js';
import { addQueryArg } from '../wordpress/formatting/add-query-arg.js';
import { ADDRESS, INTEGER, Member } from './member.js';

/** What every list says besides its records. */
export class PageInfo {
  @Member(ADDRESS) rest_url: string;
  @Member({ ...ADDRESS, optional: true }) next_rest_url?: string;
  @Member({ ...ADDRESS, optional: true }) previous_rest_url?: string;
  @Member(INTEGER) total: number;
  @Member(INTEGER) total_pages: number;
}

/** A page of records under the name of their resource, such as `venues`. */
export type Page<Many extends string, Json> = PageInfo & Record<Many, Json[]>;

/** `next_rest_url` and `previous_rest_url` of a list, each only when that page exists. */
export function pageLinks(restUrl: string, page: number, totalPages: number) {
  const bare = addQueryArg(restUrl, { page: undefined });
  return {
    ...(page < totalPages ? { next_rest_url: addQueryArg(bare, { page: page + 1 }) } : {}),
    ...(page > 1 ? { previous_rest_url: page === 2 ? bare : addQueryArg(bare, { page: page - 1 }) } : {}),
  };
}

/** A list as an answer: its totals are headers too, as numbers, which `_envelope` shows. */
export async function paged<T extends PageInfo>(page: Promise<T>): Promise<Answer> {
  const body = await page;
  return new Answer(body, 200, { 'X-TEC-Total': body.total, 'X-TEC-TotalPages': body.total_pages });
}

/** A new record as an answer whose `Location` is what it links to as itself. */
export async function created<T extends { _links?: SelfLink }>(record: Promise<T>): Promise<Answer> {
  const body = await record;
  const location = body._links?.self[0]?.href;
  return new Answer(body, 201, location === undefined ? {} : { Location: location });
}

/** `_links` of a record. */
export interface SelfLink {
  self: readonly { href: string }[];
}
