import { addQueryArg } from '../wordpress/formatting/add-query-arg.js';

/** `next_rest_url` and `previous_rest_url` of a list, each only when that page exists. */
export function pageLinks(restUrl: string, page: number, totalPages: number): Record<string, string> {
  const bare = addQueryArg(restUrl, { page: undefined });
  return {
    ...(page < totalPages ? { next_rest_url: addQueryArg(bare, { page: page + 1 }) } : {}),
    ...(page > 1 ? { previous_rest_url: page === 2 ? bare : addQueryArg(bare, { page: page - 1 }) } : {}),
  };
}

/** The headers that carry a list's totals: numbers, which `_envelope` shows. */
export function totalHeaders(total: number, totalPages: number): Record<string, number> {
  return { 'X-TEC-Total': total, 'X-TEC-TotalPages': totalPages };
}
