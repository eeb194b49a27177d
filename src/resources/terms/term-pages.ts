import {
  keepInhabited,
  slugPath,
  type TermListQuery,
  type TermsService,
} from '../../wordpress/terms/terms.service.js';
import type { ShownTerm } from './term.response.js';

/** The terms of a page, and how many there are on all pages. */
export interface SelectedTerms {
  shown: ShownTerm[];
  total: number;
}

interface TermPage {
  hideEmpty: boolean;
  limit: number;
  offset: number;
}

/** A page of the terms of a tree, where a term that nothing carries stays for the sake of those below it. */
export async function pageOfTree(
  reader: TermsService,
  wanted: TermListQuery,
  { hideEmpty, limit, offset }: TermPage,
): Promise<SelectedTerms> {
  const [terms, all] = await Promise.all([reader.list(wanted), reader.all(wanted.taxonomy, wanted.reading)]);
  const kept = hideEmpty ? keepInhabited(terms, all) : terms;
  return {
    shown: kept.slice(offset, offset + limit).map((term) => ({ term, path: slugPath(all, term) })),
    // Parents kept for their children's sake do not count, as recorded.
    total: hideEmpty ? terms.filter(({ count }) => count > 0).length : terms.length,
  };
}

/** A page of the terms of a taxonomy without a tree. */
export async function pageOfFlat(
  reader: TermsService,
  wanted: TermListQuery,
  { hideEmpty, limit, offset }: TermPage,
): Promise<SelectedTerms> {
  const narrowed = { ...wanted, inhabited: hideEmpty };
  const [terms, total] = await Promise.all([
    reader.list({ ...narrowed, limit, offset }),
    reader.total(narrowed),
  ]);
  return { shown: terms.map((term) => ({ term, path: [term.slug] })), total };
}
