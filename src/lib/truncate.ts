/** Truncates a text to `most` UTF-16 units, never within a surrogate pair. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  const isPairCut = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(most - 1, most + 1));
  return text.slice(0, isPairCut ? most - 1 : most);
}
