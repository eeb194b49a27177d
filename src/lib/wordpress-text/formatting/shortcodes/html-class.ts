/** What of a text may stand in a class name or id: ASCII letters, digits, `_` and `-`. */
export function htmlClass(text: string): string {
  return text.replace(/[^\w-]/g, '');
}
