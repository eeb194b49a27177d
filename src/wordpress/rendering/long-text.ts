/** Characters that are rendered or cleaned in place: about 10 ms of the worst kind. */
const MAX_CHARACTERS = 8_192;
/** One item of a gallery or playlist takes as long as so many characters. */
const ITEM = 32;
const LISTS = /\[(?:gallery|playlist)/g;

/** Whether a text is long, or may become so by what is shown in its galleries. */
export function mayGrowLong(text: string): boolean {
  return isLong(text, MAX_CHARACTERS);
}

/** Whether all that is made of a record's texts is made in one go: it takes no longer than one of them may. */
export function areShort(texts: readonly string[], attachments: number): boolean {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  // An excerpt may be made of the content as well.
  return 2 * length <= MAX_CHARACTERS && (attachments === 0 || !texts.some((text) => text.includes('[')));
}

/** Whether a text is dealt with on another thread; galleries count by how many attachments they may show. */
export function isLong(text: string, attachments = 0): boolean {
  if (text.length > MAX_CHARACTERS) return true;
  if (attachments === 0 || !text.includes('[')) return false;
  const lists = text.match(LISTS)?.length ?? 0;
  return text.length + lists * attachments * ITEM > MAX_CHARACTERS;
}
