/** What of a text may stand in a class name or id: ASCII letters, digits, `_` and `-`; percent codes are dropped. */
export function htmlClass(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, '').replace(/[^\w-]/g, '');
}
