/** Rewrites JSON as PHP's `json_encode()` writes it: `/` escaped, non-ASCII as `\uXXXX`. */
export function asPhpJson(json: string): string {
  return json.replaceAll('/', '\\/').replace(/[\u007f-\uffff]+/g, unicodeEscape);
}

/** Hexadecimal digits by byte; a lookup, as a long non-ASCII text has half a million of them. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** UTF-16 units, each as `\uXXXX`. */
export function unicodeEscape(units: string): string {
  let escaped = '';
  for (let at = 0; at < units.length; at++) {
    const unit = units.charCodeAt(at);
    escaped += `\\u${HEX[unit >> 8]}${HEX[unit & 0xff]}`;
  }
  return escaped;
}
