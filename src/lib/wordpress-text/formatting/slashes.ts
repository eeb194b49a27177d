/** Removes one level of backslashes: `\x` → `x`, `\\` → `\`, `\0` → NUL. */
export function wpUnslash(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\([\s\S]?)/g, (_, char: string) => (char === '0' ? '\0' : char));
}

/** Adds a backslash before quotes and backslashes, and writes NUL as `\0`. */
export function wpSlash(text: string): string {
  return text.replace(/[\\'"]/g, '\\$&').replaceAll('\0', '\\0');
}
