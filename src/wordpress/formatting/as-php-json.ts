/** JSON as PHP's `json_encode()` writes it, made of JSON: `/` escaped, everything outside ASCII as `\uXXXX`. */
export function asPhpJson(json: string): string {
  return json.replaceAll('/', '\\/').replace(/[\u007f-\uffff]/g, unicodeEscape);
}

/** One UTF-16 unit as `\uXXXX`. */
export function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
