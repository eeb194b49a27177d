const NOT_IN_CLASSES = /[^A-Za-z0-9_-]/g;

/** An option or meta key: ASCII letters in lower case, digits, `_` and `-`. */
export function sanitizeKey(text: string): string {
  return text.replace(NOT_IN_CLASSES, '').toLowerCase();
}
