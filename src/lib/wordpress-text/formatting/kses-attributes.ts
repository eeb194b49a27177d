import { URL_ATTRIBUTES } from './data/kses-allowlist.js';
import { badProtocol } from './kses-bad-protocol.js';
import { safecssFilterAttr } from './safecss-filter-attr.js';

const BLANKS = '[ \\t\\r\\n]*';
const NAME = '[_a-z][\\w:.-]*';
const END = '(?=[ \\t\\r\\n]|/?$)';
const VALUE = `"([^"]*)"${END}|'([^']*)'${END}|([^ \\t\\r\\n"']+)(?=[ \\t\\r\\n]|$)`;
const JUNK = `"[^"]*(?:"|$)|'[^']*(?:'|$)|[^ \\t\\r\\n"']`;
/** An attribute, else malformed text up to the next space. */
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

/** Filters the attributes of a start tag, each with a leading space and its own quotes. */
export function ksesAttributes(
  element: string,
  text: string,
  allowed: ReadonlySet<string>,
  uploadsUrl: string,
): string {
  if (text === '') return '';
  const filtered: Attribute[] = [];
  for (const attribute of parseAttributes(text)) {
    const name = attribute.name.toLowerCase();
    if (!allowed.has(name) && !(allowed.has('data-*') && DATA_NAME.test(name))) continue;
    const value = safeValue(name, attribute.value);
    if (value !== null) filtered.push({ ...attribute, value });
  }
  if (element === 'object' && !isUploadedPdf(filtered, uploadsUrl)) return '';
  return filtered
    .map(({ name, value, quote }) => (value === undefined ? ` ${name}` : ` ${name}=${quote}${value}${quote}`))
    .join('');
}

/** The sanitized value; null drops the attribute. */
function safeValue(name: string, value: string | undefined): string | undefined | null {
  if (name === 'download') return value === undefined ? value : null;
  if (name === 'style') return safecssFilterAttr(value ?? '') || null;
  return value !== undefined && URL_ATTRIBUTES.has(name) ? badProtocol(value) : value;
}

/** Whether an `<object>` embeds a PDF file of this site; any other keeps no attributes. */
function isUploadedPdf(attributes: readonly Attribute[], uploadsUrl: string): boolean {
  const get = (key: string) => attributes.find(({ name }) => name.toLowerCase() === key)?.value;
  const url = get('data') ?? '';
  return (
    get('type')?.toLowerCase() === 'application/pdf' &&
    uploadsUrl !== '' &&
    url.startsWith(`${uploadsUrl}/`) &&
    url.endsWith('.pdf') &&
    !/[?#]/.test(url)
  );
}

/** Parses attributes; the first one of a name wins. */
function parseAttributes(text: string): Iterable<Attribute> {
  const found = new Map<string, Attribute>();
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (key === '' || found.has(key)) continue;
    found.set(key, { name, value: double ?? single ?? bare, quote: single === undefined ? '"' : "'" });
  }
  return found.values();
}
