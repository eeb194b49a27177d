import { CSS_FUNCTIONS, CSS_PROPERTIES, GRADIENT_PROPERTIES, URL_PROPERTIES } from './data/kses-allowlist.js';
import { badProtocol } from './kses-bad-protocol.js';
import { phpTrim } from './php-trim.js';

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
    rest = rest.replace(URL_CALL, (call, url: string) => (isAllowedUrl(url) ? '' : call));
  return !FORBIDDEN.test(rest) && callsOnlyKnownFunctions(rest);
}

function isAllowedUrl(text: string): boolean {
  const url = phpTrim(phpTrim(text).replace(URL_QUOTES, '')).toLowerCase();
  return badProtocol(url) === url && !url.includes('\\');
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
