import { URL_ATTRIBUTES } from './data/kses-allowlist.js';
import { badProtocol } from './kses-bad-protocol.js';
import { safecssFilterAttr } from './safecss-filter-attr.js';

const SPACE = /[ \t\r\n]*/y;
const NAME = /[_a-z][\w:.-]*/iy;
const EQUALS = /[ \t\r\n]*=[ \t\r\n]*/y;
const VALUELESS_END = /(?=[ \t\r\n]|\/?$)/y;
const VALUE = /"([^"]*)"(?=[ \t\r\n]|\/?$)|'([^']*)'(?=[ \t\r\n]|\/?$)|([^ \t\r\n"']+)(?=[ \t\r\n]|$)/y;
const JUNK = /(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^ \t\r\n"'])*/y;
const DATA_NAME = /^data-[a-z\d_.:-]+$/;

interface Attribute {
  name: string;
  /** Undefined for an attribute without `=`. */
  value: string | undefined;
  quote: string;
}

/** The attributes of one start tag that are allowed, each with a space before it, quoted as they were. */
export function ksesAttributes(
  element: string,
  text: string,
  allowed: ReadonlySet<string>,
  uploadsUrl: string,
): string {
  const kept: Attribute[] = [];
  for (const attribute of parseAttributes(text)) {
    const name = attribute.name.toLowerCase();
    if (!allowed.has(name) && !(allowed.has('data-*') && DATA_NAME.test(name))) continue;
    const value = safeValue(name, attribute.value);
    if (value !== null) kept.push({ ...attribute, value });
  }
  if (element === 'object' && !isUploadedPdf(kept, uploadsUrl)) return '';
  return kept
    .map(({ name, value, quote }) => (value === undefined ? ` ${name}` : ` ${name}=${quote}${value}${quote}`))
    .join('');
}

/** Null drops the attribute. */
function safeValue(name: string, value: string | undefined): string | undefined | null {
  if (name === 'download') return value === undefined ? value : null;
  if (name === 'style') return safecssFilterAttr(value ?? '') || null;
  return value !== undefined && URL_ATTRIBUTES.has(name) ? badProtocol(value) : value;
}

/** An embedded object must be a PDF file of this site; without both attributes it keeps none. */
function isUploadedPdf(attributes: readonly Attribute[], uploadsUrl: string): boolean {
  const valueNamed = (wanted: string) => attributes.find(({ name }) => name.toLowerCase() === wanted)?.value;
  const url = valueNamed('data') ?? '';
  return (
    valueNamed('type')?.toLowerCase() === 'application/pdf' &&
    uploadsUrl !== '' &&
    url.startsWith(`${uploadsUrl}/`) &&
    url.endsWith('.pdf') &&
    !/[?#]/.test(url)
  );
}

/** Reads attributes until the end; what fits no form is skipped up to the next space. The first of a name counts. */
function parseAttributes(text: string): Iterable<Attribute> {
  const found = new Map<string, Attribute>();
  let position = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const result = pattern.exec(text);
    if (result) position = pattern.lastIndex;
    return result;
  };
  for (match(SPACE); position < text.length; match(SPACE)) {
    const name = match(NAME)?.[0];
    if (name === undefined) {
      match(JUNK);
      continue;
    }
    const value = match(EQUALS) ? match(VALUE) : match(VALUELESS_END);
    if (!value) {
      match(JUNK);
      continue;
    }
    const key = name.toLowerCase();
    if (found.has(key)) continue;
    const quote = value[2] === undefined ? '"' : "'";
    found.set(key, { name, value: value[1] ?? value[2] ?? value[3], quote });
  }
  return found.values();
}
