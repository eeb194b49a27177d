import { badProtocol } from './kses-bad-protocol.js';
import { normalizeEntities } from './normalize-entities.js';

const LEADING_SPACE = /^[ \t\n\r\0\v]+/;
const NOT_URL_CHARACTER = /[^a-z\d~+_.?#=!&;,/:%@$|*'()[\]\x80-\u{10ffff}-]/giu;
const LOCAL_PATH = /^(?:[/#?]|[a-z\d-]+\.php)/i;
const ORIGIN = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i;
const BRACKET = /[[\]]/g;

/** The URL made safe to print in HTML (`&` as `&#038;`, `'` as `&#039;`); empty when its scheme is not allowed. */
export function escUrl(url: string): string {
  let text = url.replace(LEADING_SPACE, '').replace(/ /g, '%20').replace(NOT_URL_CHARACTER, '');
  if (text === '') return '';
  if (!/^mailto:/i.test(text)) text = withoutEncodedLineBreaks(text);
  text = text.replace(/;\/\//g, '://');
  if (!text.includes(':') && !LOCAL_PATH.test(text)) text = `http://${text}`;
  text = normalizeEntities(text).replace(/&amp;/g, '&#038;').replace(/'/g, '&#039;');
  text = encodeBrackets(text);
  if (text.startsWith('/')) return text;
  const allowed = badProtocol(text);
  return allowed.toLowerCase() === text.toLowerCase() ? allowed : '';
}

/** Deletes `%0d` and `%0a`, also those that a deletion brings together (`%%0d0a`). */
function withoutEncodedLineBreaks(text: string): string {
  if (!/%0[da]/i.test(text)) return text;
  const kept: string[] = [];
  for (const char of text) {
    if (/[da]/i.test(char) && kept.at(-1) === '0' && kept.at(-2) === '%') kept.length -= 2;
    else kept.push(char);
  }
  return kept.join('');
}

/** Square brackets belong in the host only (IPv6). */
function encodeBrackets(url: string): string {
  if (!/[[\]]/.test(url)) return url;
  const origin = ORIGIN.exec(url)?.[0] ?? '';
  return origin + url.slice(origin.length).replace(BRACKET, (char) => (char === '[' ? '%5B' : '%5D'));
}
