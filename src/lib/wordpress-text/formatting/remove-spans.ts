/** Removes `open` to the next `close` of the same line, ends included, where at least one character lies between. */
export function removeSpans(text: string, open: '&' | '[', close: ';' | ']'): string {
  if (!text.includes(open)) return text;
  // Only up to the last `close` of a line, behind which it would be looked for in vain again and again.
  const lines = new RegExp(`(?<![^\\n])[^\\n]*\\${close}`, 'g');
  const span = new RegExp(`\\${open}[^][^\\${close}]*\\${close}`, 'g');
  return text.replace(lines, (line) => line.replace(span, ''));
}
