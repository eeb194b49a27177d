import { normalizeEntities } from './esc-html.js';
import { badProtocol } from './wp-kses.js';

const LEADING_SPACE = /^[ \t\n\r\0\v]+/;
const NOT_URL_CHARACTER = /[^a-z\d~+_.?#=!&;,/:%@$|*'()[\]\x80-\u{10ffff}-]/giu;
const LINE_BREAK = /^0[da]$/i;
const LOCAL_PATH = /^(?:[/#?]|[a-z\d-]+\.php)/i;
const ORIGIN = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i;

/** Escapes a URL for HTML (`&` as `&#038;`, `'` as `&#039;`); empty when its scheme is not allowed. */
export function escUrl(url: string): string {
  let text = url.replace(LEADING_SPACE, '').replaceAll(' ', '%20').replace(NOT_URL_CHARACTER, '');
  if (text === '') return '';
  if (!/^mailto:/i.test(text)) text = deletePercentEscapes(text, LINE_BREAK);
  text = text.replaceAll(';//', '://');
  if (!text.includes(':') && !LOCAL_PATH.test(text)) text = `http://${text}`;
  text = normalizeEntities(text).replaceAll('&amp;', '&#038;').replaceAll("'", '&#039;');
  // Square brackets stay in the host (IPv6).
  const origin = ORIGIN.exec(text)?.[0] ?? '';
  text = origin + text.slice(origin.length).replaceAll('[', '%5B').replaceAll(']', '%5D');
  if (text.startsWith('/')) return text;
  const allowed = badProtocol(text);
  return allowed.toLowerCase() === text.toLowerCase() ? allowed : '';
}

/** Deletes percent escapes whose digits match, also those that a deletion creates: `%%4141` leaves nothing. */
export function deletePercentEscapes(text: string, digits: RegExp): string {
  if (!text.includes('%')) return text;
  const result: string[] = [];
  for (const char of text) {
    if (result.at(-2) === '%' && digits.test(`${result.at(-1)}${char}`)) result.length -= 2;
    else result.push(char);
  }
  return result.join('');
}
