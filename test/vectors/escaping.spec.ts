import { escAttr, escHtml, escJs } from '../../src/lib/wordpress-text/formatting/esc-html.js';
import { escUrl } from '../../src/lib/wordpress-text/formatting/esc-url.js';
import { filterValidateUrl } from '../../src/lib/wordpress-text/formatting/php-filter-url.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface EscapeRow {
  in: string | { __base64: string };
  esc_html: string;
  esc_attr: string;
  esc_js: string;
}

interface UrlRow {
  in: string;
  esc_url: string;
  filter_validate_url: string | false;
}

const INVALID_UTF8 = 'bytes that are not UTF-8 cannot be held in a JavaScript string';

describe('escaping', () => {
  proveVectors(
    'esc_html_attr_js',
    loadVectors<EscapeRow[]>('esc_html_attr_js'),
    ({ in: input, ...row }) => {
      const text = typeof input === 'string' ? input : Buffer.from(input.__base64, 'base64').toString();
      return {
        expected: [row.esc_html, row.esc_attr, row.esc_js],
        actual: [escHtml(text), escAttr(text), escJs(text)],
      };
    },
    { 32: INVALID_UTF8, 33: INVALID_UTF8 },
  );

  proveVectors('esc_url', loadVectors<UrlRow[]>('esc_url'), ({ in: input, ...row }) => ({
    expected: [row.esc_url, row.filter_validate_url],
    actual: [escUrl(input), filterValidateUrl(input)],
  }));

  it.each(['<', '&', '&#', '&#0', '%', '%0', '%%0d0a', ':', 'feed:', 'x:', '/', '[', '\\', '"', ' ', 'a.'])(
    'takes linear time for 100 kB of %j',
    (piece) => {
      const text = piece.repeat(100_000 / piece.length);
      const start = performance.now();
      for (const run of [escHtml, escJs, escUrl, filterValidateUrl]) {
        run(text);
        run(`http://${text}`);
      }
      expect(performance.now() - start).toBeLessThan(20_000);
    },
  );

  it.each([
    'java\u00adscript:x',
    'jav\u0001ascript:x',
    '\u00a0javascript:x',
    'javascript\t:x',
    'x:javascript:x',
    '&#x6a;avascript:x',
  ])('reduces the URL %j to an empty text', (url) => {
    expect(escUrl(url)).toBe('');
  });
});
