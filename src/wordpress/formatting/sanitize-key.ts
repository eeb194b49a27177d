const NOT_IN_CLASSES = /[^A-Za-z0-9_-]/g;
const PERCENT_ESCAPE = /%[a-f0-9]{2}/gi;

/** An option or meta key: ASCII letters in lower case, digits, `_` and `-`. */
export function sanitizeKey(text: string): string {
  return text.replace(NOT_IN_CLASSES, '').toLowerCase();
}

/** A CSS class name: percent escapes removed, then all but ASCII letters, digits, `_` and `-`. */
export function sanitizeHtmlClass(text: string): string {
  return text.replace(PERCENT_ESCAPE, '').replace(NOT_IN_CLASSES, '');
}
