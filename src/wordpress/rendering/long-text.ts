/** Characters that are rendered or cleaned in place, in at most about 10 ms. */
const MAX_CHARACTERS = 8_192;
/** Characters that take as long as one item of a gallery or playlist. */
const ITEM = 32;
const LISTS = /\[(?:gallery|playlist)/g;

/** Whether a text is long, or may become so by its galleries. */
export function mayGrowLong(text: string): boolean {
  return isLong(text, MAX_CHARACTERS);
}

/** Whether all texts of a record together are short enough to be rendered without yielding. */
export function areShort(texts: readonly string[], attachments: number): boolean {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  // An excerpt may be generated from the content.
  return 2 * length <= MAX_CHARACTERS && (attachments === 0 || !texts.some((text) => text.includes('[')));
}

/** Whether a text is processed on another thread; galleries count by the attachments that they may show. */
export function isLong(text: string, attachments = 0): boolean {
  if (text.length > MAX_CHARACTERS) return true;
  if (attachments === 0 || !text.includes('[')) return false;
  const lists = text.match(LISTS)?.length ?? 0;
  return text.length + lists * attachments * ITEM > MAX_CHARACTERS;
}
