import {
  removeAccents,
  sanitizeTitle,
  sanitizeTitleForQuery,
  sanitizeTitleWithDashes,
} from '../../src/lib/wordpress-text/formatting/sanitize-title.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface Row<A> {
  in: string;
  args: A;
  out: string;
}

const INVALID_UTF8 = 'a string cannot contain invalid UTF-8';
const exceptions = (first: number, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [first + i, INVALID_UTF8]));

describe('slugs', () => {
  proveVectors(
    'remove_accents',
    loadVectors<Row<undefined>[]>('remove_accents'),
    (row) => ({ expected: row.out, actual: removeAccents(row.in) }),
    exceptions(292, 3),
  );
  proveVectors(
    'remove_accents_locale',
    loadVectors<Row<{ locale: string }>[]>('remove_accents_locale'),
    (row) => ({ expected: row.out, actual: removeAccents(row.in, row.args.locale) }),
  );
  proveVectors(
    'sanitize_title_with_dashes',
    loadVectors<Row<{ context: 'save' | 'display' }>[]>('sanitize_title_with_dashes'),
    (row) => ({ expected: row.out, actual: sanitizeTitleWithDashes(row.in, row.args.context) }),
    exceptions(584, 6),
  );
  proveVectors(
    'sanitize_title',
    loadVectors<Row<{ fallback: string; context?: 'query' } | undefined>[]>('sanitize_title'),
    (row) => ({
      expected: row.out,
      actual:
        row.args?.context === 'query'
          ? sanitizeTitleForQuery(row.in)
          : sanitizeTitle(row.in, { locale: 'en_US', fallback: row.args?.fallback }),
    }),
    exceptions(292, 3),
  );
});
