/** The text with one layer of backslashes removed: `\x` → `x`, `\\` → `\`, `\0` → NUL. */
export function wpUnslash(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\([\s\S]?)/g, (_, char: string) => (char === '0' ? '\0' : char));
}

/** The text with a backslash before quotes and backslashes, and NUL as `\0`. */
export function wpSlash(text: string): string {
  return text.replace(/[\\'"]/g, '\\$&').replaceAll('\0', '\\0');
}
