import { URL_ATTRIBUTES } from './data/kses-allowlist.js';
import { badProtocol } from './kses-bad-protocol.js';
import { safecssFilterAttr } from './safecss-filter-attr.js';

const BLANKS = '[ \\t\\r\\n]*';
const NAME = '[_a-z][\\w:.-]*';
const END = '(?=[ \\t\\r\\n]|/?$)';
const VALUE = `"([^"]*)"${END}|'([^']*)'${END}|([^ \\t\\r\\n"']+)(?=[ \\t\\r\\n]|$)`;
const JUNK = `"[^"]*(?:"|$)|'[^']*(?:'|$)|[^ \\t\\r\\n"']`;
/** An attribute, else what fits no form up to the next space, whose name may be one. */
const ATTRIBUTE = new RegExp(
  `(${NAME})(?:${BLANKS}=${BLANKS}(?:${VALUE})|(?!${BLANKS}=)${END})|${NAME}(?:${BLANKS}=${BLANKS})?(?:${JUNK})*|(?:${JUNK})+`,
  'gi',
);
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
  if (text === '') return '';
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

/** Reads attributes until the end; the first of a name counts. */
function parseAttributes(text: string): Iterable<Attribute> {
  const found = new Map<string, Attribute>();
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (key === '' || found.has(key)) continue;
    found.set(key, { name, value: double ?? single ?? bare, quote: single === undefined ? '"' : "'" });
  }
  return found.values();
}
