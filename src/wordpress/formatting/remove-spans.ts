/** Removes `open` to the next `close` of the same line, ends included, where at least one character lies between. */
export function removeSpans(text: string, open: string, close: string): string {
  return text.includes(open) ? text.replace(/[^\n]+/g, (line) => withoutSpans(line, open, close)) : text;
}

function withoutSpans(line: string, open: string, close: string): string {
  let out = '';
  let kept = 0;
  for (let start = line.indexOf(open); start !== -1; start = line.indexOf(open, kept)) {
    const end = line.indexOf(close, start + 2);
    if (end === -1) break;
    out += line.slice(kept, start);
    kept = end + 1;
  }
  return out + line.slice(kept);
}
