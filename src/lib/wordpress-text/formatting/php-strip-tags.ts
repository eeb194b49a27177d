import { execAt } from './regexp.js';

const OPENING = /<(?![\t-\r ])/g;
/** The significant characters in a tag, in `<?…?>`, in `<!…>` and in a comment. */
const MARKS = {
  tag: /["'>]|<(?![\t-\r ])/g,
  code: /["'()>]|(?<=<\?xm)l/gi,
  declaration: /["'>]|(?<=!-)-|(?<=<!doctyp)e/gi,
  comment: /(?<=--)>/g,
};

/**
 * PHP's `strip_tags`: `<` before a space is text, an unclosed tag removes the rest, quotes hide `>`, nested `<` need as
 * many `>`, NUL is dropped. Linear in the length of the text.
 */
export function phpStripTags(text: string): string {
  let out = '';
  let position = 0;
  for (let open = execAt(OPENING, text, 0); open; open = execAt(OPENING, text, position)) {
    out += text.slice(position, open.index);
    position = endOfTag(text, open.index + 1);
  }
  return (out + text.slice(position)).replaceAll('\0', '');
}

function endOfTag(text: string, start: number): number {
  let place: keyof typeof MARKS = 'tag';
  if (text[start] === '?') place = 'code';
  else if (text[start] === '!') place = 'declaration';
  let depth = 0;
  let parentheses = 0;
  let quote = '';
  let codeQuote = '';
  for (let at = start; ; at++) {
    const mark = execAt(MARKS[place], text, at);
    if (!mark) return text.length;
    at = mark.index;
    const [char] = mark;
    const before = text[at - 1];
    if (char === '"' || char === "'") {
      if (place !== 'tag' && before === '\\') continue;
      if (place === 'code') codeQuote = codeQuote === char ? '' : char;
      if (quote === '' || quote === char) quote = quote === '' ? char : '';
    } else if (char === '(' || char === ')') {
      if (codeQuote === '') parentheses += char === '(' ? 1 : -1;
    } else if (char === '-') place = 'comment';
    else if (char !== '<' && char !== '>') place = 'tag';
    else if (place === 'comment') return at + 1;
    else if (quote !== '') continue;
    else if (char === '<') depth++;
    else if (depth > 0) depth--;
    else if (place !== 'code' || (parentheses === 0 && before === '?')) return at + 1;
  }
}
