/** Regular expression source of PHP's white space: ASCII only, without NBSP. */
export const BLANK = '[\\t-\\r ]';

const TRIMMED = new Set(' \t\n\r\0\v');

/** PHP's `trim`: removes leading and trailing space, tab, LF, CR, NUL and vertical tab; NBSP stays. */
export function phpTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && TRIMMED.has(text.charAt(start))) start += 1;
  while (end > start && TRIMMED.has(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A pattern for leading and trailing characters of a set; linear, as an inner run is tried from its start only. */
export function edges(set: string): RegExp {
  return new RegExp(`^${set}+|(?<!${set})${set}+$`, 'g');
}

/** Regular expression source equivalent to `(?<=before)mark`, but V8 searches for the mark instead of looking back from every character. */
export function behind(before: string, mark: string): string {
  return `${mark}(?<=(?:${before})${mark})`;
}

/** Executes a global or sticky pattern from a position on. */
export function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const OPENING = /<(?![\t-\r ])/g;
/** The significant characters in a tag, in `<?…?>`, in `<!…>` and in a comment. */
const MARKS = {
  tag: /["'>]|<(?![\t-\r ])/g,
  code: /["'()>]|(?<=<\?xm)l/gi,
  declaration: /["'>]|(?<=!-)-|(?<=<!doctyp)e/gi,
  comment: /(?<=--)>/g,
};

/** PHP's `strip_tags` in linear time: `<` before a space is text, an unclosed tag removes the rest. */
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

/** Removes tags, also scripts and styles with their content, and trims. */
export function wpStripAllTags(text: string): string {
  return phpTrim(phpStripTags(withoutScriptsAndStyles(text)));
}

/** Removes scripts and styles with their content, in linear time; an unclosed one stays. */
export function withoutScriptsAndStyles(text: string): string {
  const opening = /<(script|style)/gi;
  const closing = { script: /<\/script>/gi, style: /<\/style>/gi };
  const unclosed = new Set<string>();
  let out = '';
  let position = 0;
  for (let open = opening.exec(text); open !== null; open = opening.exec(text)) {
    const name = open[1]?.toLowerCase() === 'script' ? 'script' : 'style';
    if (unclosed.has(name)) continue;
    const tagEnd = text.indexOf('>', opening.lastIndex);
    if (tagEnd === -1) break;
    const close = closing[name];
    close.lastIndex = tagEnd;
    if (close.test(text)) {
      out += text.slice(position, open.index);
      position = close.lastIndex;
      opening.lastIndex = position;
    } else {
      unclosed.add(name);
    }
  }
  return out + text.slice(position);
}

/** Rewrites JSON as PHP's `json_encode()` writes it: `/` escaped, non-ASCII as `\uXXXX`. */
export function asPhpJson(json: string): string {
  return json.replaceAll('/', '\\/').replace(/[\u007f-\uffff]+/g, unicodeEscape);
}

/** Hexadecimal digits by byte; a lookup, as a long non-ASCII text has half a million of them. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** UTF-16 units, each as `\uXXXX`. */
export function unicodeEscape(units: string): string {
  let escaped = '';
  for (let at = 0; at < units.length; at++) {
    const unit = units.charCodeAt(at);
    escaped += `\\u${HEX[unit >> 8]}${HEX[unit & 0xff]}`;
  }
  return escaped;
}

const ESCAPED = /\\ud[89a-f]/i;
/** `JSON.stringify` escapes a lone surrogate but not a pair. */
const WRITTEN = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** Whether a JSON text escapes a lone surrogate, which PHP's parser rejects; `value` is the parsed JSON. */
export function hasLoneSurrogate(json: string, value: unknown): boolean {
  return ESCAPED.test(json) && WRITTEN.test(JSON.stringify(value));
}
