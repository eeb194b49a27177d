/** At most so many UTF-16 units from the beginning of a text, never half of a pair: that would be no character. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  const isPairCut = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(most - 1, most + 1));
  return text.slice(0, isPairCut ? most - 1 : most);
}
