import { contentSavePre, titleSavePre } from '../../src/lib/wordpress-text/formatting/sanitize.js';
import { safecssFilterAttr, wpKses, wpKsesPost } from '../../src/lib/wordpress-text/formatting/wp-kses.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface Row {
  in: string;
  out: string;
}

const uploadsUrl = 'http://events.example.test/wp-content/uploads';

describe('kses', () => {
  proveVectors('wp_kses_post', loadVectors<Row[]>('wp_kses_post'), (row) => ({
    expected: row.out,
    actual: wpKsesPost(row.in, uploadsUrl),
  }));

  proveVectors('title_save_pre_restricted', loadVectors<Row[]>('title_save_pre_restricted'), (row) => ({
    expected: row.out,
    actual: titleSavePre(row.in, false),
  }));

  proveVectors(
    'content_save_pre_restricted',
    loadVectors<(Row & { excerpt_save_pre: string })[]>('content_save_pre_restricted'),
    (row) => ({
      expected: [row.out, row.excerpt_save_pre],
      actual: Array(2).fill(contentSavePre(row.in, false, uploadsUrl)),
    }),
  );

  proveVectors(
    'save_pre_admin',
    loadVectors<{ in: string; title_save_pre: string; content_save_pre: string; excerpt_save_pre: string }[]>(
      'save_pre_admin',
    ),
    (row) => ({
      expected: [row.title_save_pre, row.content_save_pre, row.excerpt_save_pre],
      actual: [titleSavePre(row.in, true), ...Array(2).fill(contentSavePre(row.in, true))],
    }),
  );

  proveVectors(
    'sanitize_term, description',
    loadVectors<{ in: string; pre_term_description: string }[]>('sanitize_term'),
    (row) => ({ expected: row.pre_term_description, actual: wpKses(row.in, 'pre_term_description') }),
  );

  proveVectors('safecss_filter_attr', loadVectors<Row[]>('safecss_filter_attr'), (row) => ({
    expected: row.out,
    actual: safecssFilterAttr(row.in),
  }));
});
