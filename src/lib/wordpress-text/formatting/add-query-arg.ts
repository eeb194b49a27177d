import { decodedPart, splitOnce } from './uri-parts.js';

const ENCODED = /[+%]/;
const PLAIN = /^[\w.-]*$/;
/** What form-encoding leaves as it is once it is decoded: `%XX` of characters that have to be encoded, in ASCII. */
const FORM_ENCODED = /^(?:[\w.+-]|%(?:2[1-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-E]))*$/;

/** A value in a link's query; false leaves the pair out, lists become comma lists. */
export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/**
 * Adds pairs to a link as the recorded interface does: what the link had already is form-encoded anew, what is added
 * stays raw; pairs that are false or undefined are left out, an empty value loses its `=`, an empty list its name too.
 */
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

/** PHP's `urlencode`: everything but letters, digits, `-`, `_` and `.`; a blank becomes `+`. */
export function phpUrlencode(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
    .replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
