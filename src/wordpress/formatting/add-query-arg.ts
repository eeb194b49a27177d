const ENCODED = /[+%]/;
const PLAIN = /^[\w.-]*$/;

/** A value in a link's query; false leaves the pair out, lists become comma lists. */
export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/**
 * Adds pairs to a link as the recorded interface does: what the link had already is form-encoded anew, what is added
 * stays raw; pairs that are false or undefined are left out, an empty value loses its `=`, an empty list its name too.
 */
export function addQueryArg(url: string, pairs: Readonly<Record<string, QueryValue>>): string {
  const [whole = '', fragment] = splitOnce(url, '#');
  const [base = '', query] = splitOnce(whole, '?');
  const all = new Map<string, string>();
  for (const pair of (query ?? '').split('&').filter((text) => text !== '')) {
    const [name = '', value] = splitOnce(pair, '=');
    all.set(decode(name), phpUrlencode(decode(value ?? '')));
  }
  for (const [name, value] of Object.entries(pairs)) {
    if (value === false || value === undefined) all.delete(name);
    else all.set(name, value === true ? '1' : Array.isArray(value) ? value.join(',') : String(value));
  }
  const text = [...all]
    .map(([name, value]) => (value !== '' ? `${name}=${value}` : Array.isArray(pairs[name]) ? '' : name))
    .join('&');
  return `${base}${text === '' ? '' : `?${text}`}${fragment === undefined ? '' : `#${fragment}`}`;
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  if (!ENCODED.test(text)) return text;
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** PHP's `urlencode`: everything but letters, digits, `-`, `_` and `.`; a blank becomes `+`. */
export function phpUrlencode(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
    .replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
