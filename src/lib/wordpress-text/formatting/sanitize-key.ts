const NOT_IN_CLASSES = /[^A-Za-z0-9_-]/g;

/** Sanitizes an option or meta key: lower-case ASCII letters, digits, `_` and `-`. */
export function sanitizeKey(text: string): string {
  return text.replace(NOT_IN_CLASSES, '').toLowerCase();
}
