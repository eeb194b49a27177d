import { unicodeEscape } from './as-php-json.js';

const COMMENT = /<!--([\s\S]*?)-->/g;
const DELIMITER = /^\s+\/?wp:[a-z][a-z\d_-]*(?:\/[a-z][a-z\d_-]*)?(?=[\s/])/;
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|\{\s*\}|\s+/g;
const UNSAFE_IN_COMMENT = /[<>&\u2028\u2029]|--|\\[\\"]/g;

/** Filters every string in the attributes of block comments; invalid JSON is dropped. */
export function ksesBlocks(text: string, filter: (text: string) => string): string {
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
