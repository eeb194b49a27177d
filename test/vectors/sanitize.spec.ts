import { wpSlash, wpUnslash } from '../../src/lib/wordpress-text/formatting/esc-html.js';
import { wpStripAllTags } from '../../src/lib/wordpress-text/formatting/php-strings.js';
import {
  isEmail,
  sanitizeEmail,
  sanitizeFileName,
  sanitizeKey,
  sanitizeTextField,
  sanitizeUser,
  tecSanitizeString,
} from '../../src/lib/wordpress-text/formatting/sanitize.js';
import { sanitizeTitle } from '../../src/lib/wordpress-text/formatting/sanitize-title.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface Row {
  in: string;
  out: string;
}

describe('scalar sanitisers', () => {
  // A string cannot contain invalid UTF-8.
  const fields = loadVectors<Row[]>('sanitize_text_field').filter((row) => typeof row.in === 'string');
  proveVectors('sanitize_text_field', fields, (row) => ({
    expected: row.out,
    actual: sanitizeTextField(row.in),
  }));
  proveVectors(
    'sanitize_email',
    loadVectors<Array<Row & { is_email: string | false }>>('sanitize_email'),
    (row) => ({
      expected: [row.out, row.is_email],
      actual: [sanitizeEmail(row.in), isEmail(row.in) && row.in],
    }),
  );
  proveVectors('sanitize_misc', loadVectors<Array<{ in: string }>>('sanitize_misc'), (row) => {
    const all = {
      in: row.in,
      sanitize_key: sanitizeKey(row.in),
      sanitize_user: sanitizeUser(row.in, 'en_US'),
      sanitize_file_name: sanitizeFileName(row.in, 'en_US'),
    };
    const columns = Object.keys(all).filter((column) => column in row) as (keyof typeof all)[];
    const pick = (values: Partial<typeof all>) => columns.map((column) => values[column]);
    return { expected: pick(row), actual: pick(all) };
  });
  proveVectors('tec_sanitize_string', loadVectors<Row[]>('tec_sanitize_string'), (row) => ({
    expected: row.out,
    actual: tecSanitizeString(row.in),
  }));
  proveVectors(
    'slashes',
    loadVectors<Array<{ in: string; wp_unslash: string; wp_slash: string }>>('slashes'),
    (row) => ({
      expected: [row.wp_unslash, row.wp_slash],
      actual: [wpUnslash(row.in), wpSlash(row.in)],
    }),
  );
  proveVectors(
    'wp_strip_all_tags',
    loadVectors<Array<Row & { args: { remove_breaks: boolean } }>>('wp_strip_all_tags').filter(
      (row) => !row.args.remove_breaks,
    ),
    (row) => ({ expected: row.out, actual: wpStripAllTags(row.in) }),
  );

  const sanitisers: Readonly<Record<string, (text: string) => string>> = {
    sanitizeTextField,
    tecSanitizeString,
    sanitizeEmail,
    sanitizeFileName: (text) => sanitizeFileName(text, 'de_DE'),
    sanitizeUser: (text) => sanitizeUser(text, 'de_DE'),
    sanitizeTitle: (text) => sanitizeTitle(text, { locale: 'de_DE' }),
    wpStripAllTags,
    wpUnslash,
  };
  it.each(Object.keys(sanitisers))('%s takes linear time on hostile text', (name) => {
    const pieces = [
      '<',
      '>',
      '[',
      '"',
      '-',
      '&',
      '%',
      '%%41',
      '.',
      ' ',
      '\\',
      '\t ',
      '<!--',
      '<?(',
      "<a '",
      'é',
    ];
    const texts = [...pieces, '<script', '<script>', '<style><script>', '@.', '&amp', '&#', '<!doctype'].map(
      (piece) => `a${piece.repeat(100_000 / piece.length)}b`,
    );
    const start = performance.now();
    for (const text of texts) sanitisers[name]?.(text);
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
