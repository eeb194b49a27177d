import {
  keepInhabited,
  slugPath,
  type TermListQuery,
  type TermsService,
} from '../../wordpress/terms/terms.service.js';
import type { ListTermsQuery } from './term.dto.js';
import type { LoadedTerm } from './term.response.js';

/** The filters and order of a list of terms. */
export type TermSelection = ListTermsQuery & { slugs?: readonly string[] };

/** The terms of a page and the total of all pages. */
export interface SelectedTerms {
  terms: LoadedTerm[];
  total: number;
}

interface TermPage {
  hideEmpty: boolean;
  limit: number;
  offset: number;
}

/** A page of a hierarchical taxonomy, where a term without posts stays if a descendant has some. */
export async function pageOfTree(
  reader: TermsService,
  filtered: TermListQuery,
  { hideEmpty, limit, offset }: TermPage,
): Promise<SelectedTerms> {
  const [terms, all] = await Promise.all([
    reader.list(filtered),
    reader.all(filtered.taxonomy, filtered.reading),
  ]);
  const visible = hideEmpty ? keepInhabited(terms, all) : terms;
  return {
    terms: visible.slice(offset, offset + limit).map((term) => ({ term, path: slugPath(all, term) })),
    // Ancestors without posts of their own do not count, as recorded.
    total: hideEmpty ? terms.filter(({ count }) => count > 0).length : terms.length,
  };
}

/** A page of a flat taxonomy. */
export async function pageOfFlat(
  reader: TermsService,
  filtered: TermListQuery,
  { hideEmpty, limit, offset }: TermPage,
): Promise<SelectedTerms> {
  const narrowed = { ...filtered, inhabited: hideEmpty };
  const [terms, total] = await Promise.all([
    reader.list({ ...narrowed, limit, offset }),
    reader.total(narrowed),
  ]);
  return { terms: terms.map((term) => ({ term, path: [term.slug] })), total };
}
