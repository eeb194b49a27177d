import {
  CSS_FUNCTIONS,
  CSS_PROPERTIES,
  GRADIENT_PROPERTIES,
  KSES_CONTEXTS,
  type KsesAllowlist,
  type KsesContext,
  PROTOCOLS,
  URL_ATTRIBUTES,
  URL_PROPERTIES,
} from './data/kses-allowlist.js';
import { escHtml, normalizeEntities } from './esc-html.js';
import { phpTrim, unicodeEscape } from './php-strings.js';

/** ASCII control characters except tab and line breaks. */
const CONTROLS = /[^\P{Cc}\t\n\r\x7f-\x9f]/gu;
const MARKUP = /[<>&]/;
const FROM_LESS_THAN = /<[^<>]*>?/g;
const TAG = /^<[ \t\r\n]*(\/?)([a-z\d-]+)([^>]*)>$/i;
/** `</` before a non-letter, which browsers parse as a comment. */
const BOGUS_COMMENT = /^<\/[^a-z>]/i;
const BRACKET = /<[^>]*>?|>/g;
const COMMENT_OR_BRACKET = /<!--([\s\S]*?)-->|<[^>]*>?|>/g;
const DASHES = /--+/g;

interface Rules {
  allowlist: KsesAllowlist;
  uploadsUrl: string;
}

/**
 * Filters HTML to the elements, attributes, URL schemes and style properties that the context (or an own allow-list)
 * allows; the text of a removed element stays. An `<object>` keeps its attributes only for a PDF below `uploadsUrl`
 * (without a trailing slash).
 */
export function wpKses(text: string, context: KsesContext | KsesAllowlist, uploadsUrl = ''): string {
  const allowlist = typeof context === 'string' ? KSES_CONTEXTS[context] : context;
  const clean = text.replace(CONTROLS, '');
  if (!MARKUP.test(clean)) return clean;
  const closed = escapeUnclosed(normalizeEntities(clean));
  const blocks = ksesBlocks(closed, (string) => wpKses(string, allowlist, uploadsUrl));
  return filterTags(blocks, { allowlist, uploadsUrl });
}

/** Filters HTML to what posts may contain; `uploadsUrl` as in `wpKses`. */
export function wpKsesPost(text: string, uploadsUrl = ''): string {
  return wpKses(text, 'post', uploadsUrl);
}

/** Escapes each `<` without a `>` before the next `<` or the end. */
function escapeUnclosed(text: string): string {
  return text.replace(FROM_LESS_THAN, (run) => (run.endsWith('>') ? run : escHtml(run)));
}

function filterTags(text: string, rules: Rules): string {
  const filter = (token: string, comment: unknown) => {
    if (typeof comment === 'string') return filterComment(comment, rules);
    return token === '>' ? '&gt;' : filterTag(token, rules);
  };
  // No comment ends after the last `-->`; skipping that part keeps the search linear.
  const end = text.includes('-->') ? text.lastIndexOf('-->') + 3 : 0;
  return text.slice(0, end).replace(COMMENT_OR_BRACKET, filter) + text.slice(end).replace(BRACKET, filter);
}

/** Filters a comment so that nothing inside looks like its end. */
function filterComment(inner: string, rules: Rules): string {
  const text = filterTags(escapeUnclosed(inner), rules).replace(DASHES, '-').replace(/-$/, '');
  return text === '' ? '' : `<!--${text}-->`;
}

/** Removes a tag unless it is a well-formed tag of an allowed element or a bogus comment. */
function filterTag(tag: string, { allowlist, uploadsUrl }: Rules): string {
  if (BOGUS_COMMENT.test(tag)) return tag;
  const [, slash, name = '', attributes = ''] = TAG.exec(tag) ?? [];
  const element = name.toLowerCase();
  const allowed = allowlist.get(element);
  if (!allowed) return '';
  if (slash === '/') return `</${name}>`;
  const selfClosing = attributes.trimEnd().endsWith('/') ? ' /' : '';
  return `<${name}${ksesAttributes(element, attributes, allowed, uploadsUrl)}${selfClosing}>`;
}

const COMMENT = /<!--([\s\S]*?)-->/g;
const DELIMITER = /^\s+\/?wp:[a-z][a-z\d_-]*(?:\/[a-z][a-z\d_-]*)?(?=[\s/])/;
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|\{\s*\}|\s+/g;
const UNSAFE_IN_COMMENT = /[<>&\u2028\u2029]|--|\\[\\"]/g;

/** Filters every string in the attributes of block comments; invalid JSON is dropped. */
function ksesBlocks(text: string, filter: (text: string) => string): string {
  if (!text.includes('wp:')) return text;
  // No comment ends after the last `-->`; skipping that part keeps the search linear.
  const end = text.lastIndexOf('-->') + 3;
  const filtered = text
    .slice(0, end)
    .replace(COMMENT, (_, inner: string) => `<!--${filterDelimiter(inner, filter)}-->`);
  return filtered + text.slice(end);
}

function filterDelimiter(comment: string, filter: (text: string) => string): string {
  const head = DELIMITER.exec(comment)?.[0];
  if (head === undefined) return comment;
  const close = comment.endsWith('/') ? '/' : '';
  const attributes = comment.slice(head.length, comment.length - close.length).trim();
  if (!attributes.startsWith('{') || !attributes.endsWith('}')) return comment;
  const filtered = filterJson(attributes, filter);
  return `${head}${filtered === '' ? '' : ` ${filtered}`} ${close}`;
}

/** Filters the JSON text, so that numbers and the order of keys stay unchanged; PHP writes an empty object as a list. */
function filterJson(json: string, filter: (text: string) => string): string {
  try {
    JSON.parse(json);
  } catch {
    return '';
  }
  const filtered = json.replace(JSON_TOKEN, (token) => {
    if (token.startsWith('"')) return encodeString(filter(JSON.parse(token) as string));
    return token.startsWith('{') ? '[]' : '';
  });
  return filtered === '[]' ? '' : filtered;
}

/** Encodes a JSON string without anything that could end the comment or start a tag. */
function encodeString(text: string): string {
  return JSON.stringify(text).replace(UNSAFE_IN_COMMENT, (found) => {
    if (found === '\\\\') return found;
    if (found === '\\"') return '\\u0022';
    return found.replace(/[\s\S]/g, unicodeEscape);
  });
}

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

const IGNORED_IN_URLS = /[^\P{Cc}\t\n\r\x7f-\x9f]|(?<!\\)\\+0+/gu;
const COLON = /:|&#0*58;|&#x0*3a;|&colon;/gi;
const NUMERIC_ENTITY = /&#(?:x([\da-f]+)|(\d+));?/gi;
const INVISIBLE = /[\0-\x20\x7f]+/g;
const LEADING_ZEROS = /^0+/;

/** Removes leading schemes that are not allowed, also disguised ones; an allowed one gets lower case. */
export function badProtocol(url: string): string {
  const text = url.replace(IGNORED_IN_URLS, '');
  let allowed = '';
  let start = 0;
  for (const { 0: colon, index } of text.matchAll(COLON)) {
    const scheme = plainScheme(text.slice(start, index));
    start = index + colon.length;
    if (!PROTOCOLS.has(scheme)) continue;
    allowed += `${scheme}:`;
    // `feed:` wraps another URL with its own scheme.
    if (scheme !== 'feed') break;
  }
  return allowed + (start === 0 ? text : phpTrim(text.slice(start)));
}

function plainScheme(text: string): string {
  return text
    .replace(NUMERIC_ENTITY, (found, hex?: string, decimal?: string) => {
      // Longer numbers are no characters and are slow to parse.
      const digits = (hex ?? decimal ?? '').replace(LEADING_ZEROS, '');
      if (digits.length > 7) return found;
      const code = Number.parseInt(digits || '0', hex === undefined ? 10 : 16);
      return code < 128 ? String.fromCharCode(code) : found;
    })
    .replace(INVISIBLE, '')
    .toLowerCase();
}

const CUSTOM_PROPERTY = /^--[\w-]+$/;
const URL_CALL = /\burl\(([^()]*)\)/g;
const URL_QUOTES = /^['"]|['"]$/g;
const GRADIENT =
  /\b(?:repeating-)?(?:linear|radial|conic)-gradient\((?:[^()\\&=}]|\brgba?\([^()\\&=}]*\))*\)/g;
const CALL_OR_END = /(?<![\w-])([\w-]*)\(|\)/g;
const FORBIDDEN = /[\\&=}]|\/\*/;

/** Filters the declarations of a style attribute to the allowed ones; names are case-sensitive. */
export function safecssFilterAttr(css: string): string {
  const items = phpTrim(css).split(';');
  const declarations = items.flatMap((item) => (item === '' ? [] : phpTrim(item))).filter(isSafe);
  return declarations.reduce((safe, one) => (safe === '' ? one : `${safe};${one}`), '');
}

/** Whether a declaration is allowed; text without a colon sets nothing and passes without forbidden characters. */
function isSafe(declaration: string): boolean {
  const colon = declaration.indexOf(':');
  const property = phpTrim(declaration.slice(0, Math.max(colon, 0)));
  const custom = CUSTOM_PROPERTY.test(property);
  if (colon >= 0 && !custom && !CSS_PROPERTIES.has(property)) return false;
  let rest = declaration.slice(colon + 1);
  if (GRADIENT_PROPERTIES.has(property)) rest = rest.replace(GRADIENT, '');
  if (custom || URL_PROPERTIES.has(property))
    rest = rest.replace(URL_CALL, (call, text: string) => {
      const url = phpTrim(phpTrim(text).replace(URL_QUOTES, '')).toLowerCase();
      return badProtocol(url) === url && !url.includes('\\') ? '' : call;
    });
  return !FORBIDDEN.test(rest) && callsOnlyKnownFunctions(rest);
}

/** Whether a value calls known functions only; bare parentheses may only group inside one. */
function callsOnlyKnownFunctions(value: string): boolean {
  let depth = 0;
  for (const [, name] of value.matchAll(CALL_OR_END)) {
    if (name === undefined) depth = Math.max(0, depth - 1);
    else if (CSS_FUNCTIONS.has(name) || (name === '' && depth > 0)) depth++;
    else return false;
  }
  return depth === 0;
}
