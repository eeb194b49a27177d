/** Deletes percent escapes whose digits match, also those that a deletion creates: `%%4141` leaves nothing. */
export function deletePercentEscapes(text: string, digits: RegExp): string {
  if (!text.includes('%')) return text;
  const result: string[] = [];
  for (const char of text) {
    if (result.at(-2) === '%' && digits.test(`${result.at(-1)}${char}`)) result.length -= 2;
    else result.push(char);
  }
  return result.join('');
}
