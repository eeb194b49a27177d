const SPACE = /[ \t\n\v\f\r]/;

/** Where the scanner is: in text, in a tag, in `<?…?>`, in `<!…>` or in a comment. */
type Place = 'text' | 'tag' | 'code' | 'declaration' | 'comment';

/**
 * Removes tags as PHP's `strip_tags` does: `<` before a space is text, an unclosed tag swallows the rest,
 * quotes hide `>`, nested `<` need as many `>`, NUL is dropped. Linear in the length of the text.
 */
export function phpStripTags(text: string): string {
  if (!text.includes('<')) return text.includes('\0') ? text.replaceAll('\0', '') : text;
  let out = '';
  let place: Place = 'text';
  let depth = 0;
  let quote = '';
  let parentheses = 0;
  let codeQuote = '';

  const leave = (): void => {
    place = 'text';
    quote = '';
  };

  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    const previous = text.charAt(i - 1);
    const opens = c === '<' && !SPACE.test(text.charAt(i + 1));
    const toggles = (c === '"' || c === "'") && (quote === '' || quote === c);

    switch (place) {
      case 'text':
        if (opens) {
          place = 'tag';
        } else if (c !== '\0') {
          out += c;
        }
        break;
      case 'tag':
        if (toggles) quote = quote === '' ? c : '';
        else if (quote !== '') break;
        else if (opens) depth++;
        else if (c === '>' && depth > 0) depth--;
        else if (c === '>') leave();
        else if (c === '!' && previous === '<' && depth === 0) place = 'declaration';
        else if (c === '?' && previous === '<' && depth === 0) {
          place = 'code';
          parentheses = 0;
          codeQuote = '';
        }
        break;
      case 'code':
        if ((c === '"' || c === "'") && previous !== '\\') {
          codeQuote = codeQuote === c ? '' : c;
          if (toggles) quote = quote === '' ? c : '';
        } else if (c === '(' && codeQuote === '') parentheses++;
        else if (c === ')' && codeQuote === '') parentheses--;
        else if (c === '>' && quote === '' && parentheses === 0 && previous === '?') leave();
        else if ((c === 'l' || c === 'L') && /<\?xm$/i.test(text.slice(Math.max(0, i - 4), i))) place = 'tag';
        break;
      case 'declaration':
        if (c === '-' && text.slice(i - 2, i) === '!-') place = 'comment';
        else if (toggles && previous !== '\\') quote = quote === '' ? c : '';
        else if (c === '>' && quote === '') leave();
        else if ((c === 'e' || c === 'E') && /<!doctyp$/i.test(text.slice(Math.max(0, i - 8), i)))
          place = 'tag';
        break;
      case 'comment':
        if (c === '>' && text.slice(i - 2, i) === '--') leave();
        break;
    }
  }
  return out;
}
