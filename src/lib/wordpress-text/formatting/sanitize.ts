import { UPLOAD_EXTENSIONS } from './data/upload-extensions.js';
import { convertInvalidEntities, escHtml, wpSlash } from './esc-html.js';
import { deletePercentEscapes } from './esc-url.js';
import { htmlEntityDecode } from './html-entity-decode.js';
import { BLANK, edges, phpStripTags, phpTrim, wpStripAllTags } from './php-strings.js';
import { removeAccents, removeSpans, sanitizeTitle } from './sanitize-title.js';
import { wpKses, wpKsesPost } from './wp-kses.js';

const LINE_BREAKS = /[\r\n\t ]+/g;
const SPACES = / +/g;
const TAG = /<[^<>]*>?/g;
const HEX = /^[0-9a-f]{2}$/i;

/** Sanitizes a text to one trimmed line without tags and percent escapes; a stray `<` becomes `&lt;`. */
export function sanitizeTextField(text: string): string {
  const plain = phpTrim(withoutTags(text).replace(LINE_BREAKS, ' '));
  const result = deletePercentEscapes(plain, HEX);
  return result === plain ? result : phpTrim(result.replace(SPACES, ' '));
}

function withoutTags(text: string): string {
  if (!text.includes('<')) return text;
  return wpStripAllTags(text.replace(TAG, (tag) => (tag.endsWith('>') ? tag : escHtml(tag))));
}

const NOT_IN_CLASSES = /[^A-Za-z0-9_-]/g;

/** Sanitizes an option or meta key: lower-case ASCII letters, digits, `_` and `-`. */
export function sanitizeKey(text: string): string {
  return text.replace(NOT_IN_CLASSES, '').toLowerCase();
}

const PERCENT_ESCAPE = /%[a-f0-9]{2}/gi;
const BLANKS = new RegExp(`${BLANK}+`, 'g');

/** Sanitizes a login name for storage: no tags, accents, percent escapes, entities. */
export function sanitizeUser(login: string, locale: string): string {
  const text = removeAccents(wpStripAllTags(login), locale).replace(PERCENT_ESCAPE, '');
  return phpTrim(removeSpans(text, '&', ';')).replace(BLANKS, ' ');
}

const MIN_BYTES = 6;

const NOT_IN_LOCAL = /[^A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]/g;
const NOT_IN_LABEL = /[^A-Za-z0-9-]/g;
const DOMAIN_EDGES = edges('[ \\t\\n\\r\\0\\v.]');
const LABEL_EDGES = edges('[ \\t\\n\\r\\0\\v-]');

/** Removes invalid characters from an e-mail address; `''` when no `x@y.z` remains. */
export function sanitizeEmail(text: string): string {
  const at = text.indexOf('@', 1);
  if (Buffer.byteLength(text) < MIN_BYTES || at === -1) return '';
  const local = text.slice(0, at).replace(NOT_IN_LOCAL, '');
  const domain = text.slice(at + 1);
  if (local === '' || domain.includes('..')) return '';
  const labels = domain
    .replace(DOMAIN_EDGES, '')
    .split('.')
    .map((label) => label.replace(LABEL_EDGES, '').replace(NOT_IN_LABEL, ''))
    .filter((label) => label !== '');
  return labels.length < 2 ? '' : `${local}@${labels.join('.')}`;
}

/** Whether the text is an ASCII e-mail address with a dot in its domain. */
export function isEmail(text: string): boolean {
  return text !== '' && sanitizeEmail(text) === text;
}

/** Characters with a meaning in URLs, shells or file systems. */
const SPECIAL = /[?[\]/\\=<>:;,'"&$#*()|~`!{}%+’«»”“\0]/g;
const GAPS = /[\r\n\t -]+/g;
const EDGES = edges('[._-]');
const LIKE_AN_EXTENSION = /^[a-z]{2,5}\d?$/i;

/** Sanitizes a file name for the uploads folder: no special characters, `-` for white space, no inner extension that a server might execute. */
export function sanitizeFileName(name: string, locale: string): string {
  const clean = removeAccents(name, locale).replace(SPECIAL, '').replace(GAPS, '-').replace(EDGES, '');
  if (UPLOAD_EXTENSIONS.has(clean.toLowerCase())) return `unnamed-file.${clean}`;
  const parts = clean.split('.');
  const isHarmful = (part: string, i: number) =>
    i > 0 &&
    i < parts.length - 1 &&
    LIKE_AN_EXTENSION.test(part) &&
    !UPLOAD_EXTENSIONS.has(part.toLowerCase());
  return parts.map((part, i) => (isHarmful(part, i) ? `${part}_` : part)).join('.');
}

/** In characters. */
export const MAX_TERM_NAME_LENGTH = 200;

/** Sanitizes a term's name for storage: one line without tags and percent escapes, `& < >` as entities; quotes stay. */
export function preTermName(name: string): string {
  return wpKses(sanitizeTextField(name), 'data').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Sanitizes a term's description for storage: links and inline tags only, for every author. */
export function preTermDescription(description: string): string {
  return wpKses(description, 'pre_term_description');
}

/** Sanitizes a term's slug for storage; WordPress slashes the text first, which turns NUL into `0`. */
export function preTermSlug(slug: string, locale: string): string {
  return sanitizeTitle(wpSlash(slug), { locale });
}

/** Sanitizes a scalar event meta (cost, URL, currency) as the plugin does: decodes entities, then removes tags. */
export function tecSanitizeString(text: string): string {
  return phpStripTags(htmlEntityDecode(text));
}

/** Sanitizes a title for storage: trimmed and, unless the author may write `unfiltered` HTML, inline HTML only. */
export function titleSavePre(text: string, unfiltered: boolean): string {
  const title = phpTrim(text);
  return unfiltered ? title : wpKses(title, 'data');
}

/** Sanitizes a content or excerpt for storage: repairs entities, filters HTML unless `unfiltered`. */
export function contentSavePre(text: string, unfiltered: boolean, uploadsUrl = ''): string {
  const repaired = convertInvalidEntities(text);
  return unfiltered ? repaired : wpKsesPost(repaired, uploadsUrl);
}
