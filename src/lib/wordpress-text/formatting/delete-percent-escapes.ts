/** Deletes percent escapes whose digits match, also those that a deletion creates: `%%4141` leaves nothing. */
export function deletePercentEscapes(text: string, digits: RegExp): string {
  if (!text.includes('%')) return text;
  const kept: string[] = [];
  for (const char of text) {
    if (kept.at(-2) === '%' && digits.test(`${kept.at(-1)}${char}`)) kept.length -= 2;
    else kept.push(char);
  }
  return kept.join('');
}
