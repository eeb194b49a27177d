import { decodedPart, splitOnce } from './uri-parts.js';

const ENCODED = /[+%]/;
const PLAIN = /^[\w.-]*$/;
/** ASCII that is form-encoded already: decoding and encoding it again changes nothing. */
const FORM_ENCODED = /^(?:[\w.+-]|%(?:2[1-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-E]))*$/;

/** A value of a query parameter; false omits it, lists become comma lists. */
type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/** Adds query parameters as WordPress does: re-encodes existing pairs, adds raw ones, omits false. */
export function addQueryArg(url: string, pairs: Readonly<Record<string, QueryValue>>): string {
  const [whole, fragment] = splitOnce(url, '#');
  const [base, query] = splitOnce(whole, '?');
  const all = new Map<string, string>();
  for (const pair of query.split('&').filter((text) => text !== '')) {
    const [name, value] = splitOnce(pair, '=');
    all.set(decode(name), FORM_ENCODED.test(value) ? value : phpUrlencode(decode(value)));
  }
  for (const [name, value] of Object.entries(pairs)) {
    if (value === false || value === undefined) all.delete(name);
    else all.set(name, value === true ? '1' : Array.isArray(value) ? value.join(',') : String(value));
  }
  const text = [...all]
    .map(([name, value]) => (value !== '' ? `${name}=${value}` : Array.isArray(pairs[name]) ? '' : name))
    .join('&');
  return `${base}${text === '' ? '' : `?${text}`}${url.includes('#') ? `#${fragment}` : ''}`;
}

function decode(text: string): string {
  return ENCODED.test(text) ? decodedPart(text.replaceAll('+', ' ')) : text;
}

/** PHP's `urlencode`: encodes all but letters, digits, `-`, `_` and `.`; a space becomes `+`. */
export function phpUrlencode(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
    .replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
