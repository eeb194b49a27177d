import { PROTOCOLS } from './data/kses-allowlist.js';
import { phpTrim } from './php-trim.js';

const CONTROLS = /[^\P{Cc}\t\n\r\x7f-\x9f]|(?<!\\)\\+0+/gu;
const COLON = /:|&#0*58;|&#x0*3a;|&colon;/gi;
const NUMERIC_ENTITY = /&#(?:x([\da-f]+)|(\d+));?/gi;
const INVISIBLE = /[\0-\x20\x7f]+/g;
const LEADING_ZEROS = /^0+/;

/**
 * Removes leading schemes that are not allowed from a URL, also those disguised by entities, white space or control
 * characters; an allowed one is normalized to lower case.
 */
export function badProtocol(url: string): string {
  const text = url.replace(CONTROLS, '');
  let allowed = '';
  let start = 0;
  for (const { 0: colon, index } of text.matchAll(COLON)) {
    const scheme = plainScheme(text.slice(start, index));
    start = index + colon.length;
    if (!PROTOCOLS.has(scheme)) continue;
    allowed += `${scheme}:`;
    // `feed:` wraps another URL with its own scheme.
    if (scheme !== 'feed') break;
  }
  return allowed + (start === 0 ? text : phpTrim(text.slice(start)));
}

function plainScheme(text: string): string {
  return text
    .replace(NUMERIC_ENTITY, (found, hex?: string, decimal?: string) => {
      // Longer numbers are no characters and are slow to parse.
      const digits = (hex ?? decimal ?? '').replace(LEADING_ZEROS, '');
      if (digits.length > 7) return found;
      const code = Number.parseInt(digits || '0', hex === undefined ? 10 : 16);
      return code < 128 ? String.fromCharCode(code) : found;
    })
    .replace(INVISIBLE, '')
    .toLowerCase();
}
