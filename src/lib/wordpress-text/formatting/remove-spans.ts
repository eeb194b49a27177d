/** Removes each `open` up to the next `close` on the same line with at least one character in between. */
export function removeSpans(text: string, open: '&' | '[', close: ';' | ']'): string {
  if (!text.includes(open)) return text;
  // Only up to the last `close` of a line, which keeps the search linear.
  const lines = new RegExp(`(?<![^\\n])[^\\n]*\\${close}`, 'g');
  const span = new RegExp(`\\${open}[^][^\\${close}]*\\${close}`, 'g');
  return text.replace(lines, (line) => line.replace(span, ''));
}
