/**
 * Percent-encodes everything beyond ASCII in lower case, ending before the character that would make the
 * result longer than `maxLength` (0: no limit). ASCII characters, `%` among them, stay and count one each.
 */
export function utf8UriEncode(text: string, maxLength = 0): string {
  let out = '';
  for (const char of text) {
    const piece = char <= '\x7f' ? char : percentEncode(char);
    if (maxLength > 0 && out.length + piece.length > maxLength) break;
    out += piece;
  }
  return out;
}

/** Every UTF-8 byte of the text as `%xx` in lower case. */
export function percentEncode(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex').replace(/../g, '%$&');
}
