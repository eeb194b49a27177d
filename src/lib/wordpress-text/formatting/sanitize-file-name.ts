import { UPLOAD_EXTENSIONS } from './data/upload-extensions.js';
import { edges } from './php-trim.js';
import { removeAccents } from './remove-accents.js';

/** What URLs, shells or file systems give a meaning. */
const SPECIAL = /[?[\]/\\=<>:;,'"&$#*()|~`!{}%+’«»”“\0]/g;
const GAPS = /[\r\n\t -]+/g;
const EDGES = edges('[._-]');
const LIKE_AN_EXTENSION = /^[a-z]{2,5}\d?$/i;

/** A file name for the uploads folder: no special characters, `-` for gaps, no extension inside that a server might run. */
export function sanitizeFileName(name: string, locale: string): string {
  const clean = removeAccents(name, locale).replace(SPECIAL, '').replace(GAPS, '-').replace(EDGES, '');
  if (UPLOAD_EXTENSIONS.has(clean.toLowerCase())) return `unnamed-file.${clean}`;
  const parts = clean.split('.');
  return parts.map((part, i) => (i > 0 && i < parts.length - 1 ? defused(part) : part)).join('.');
}

function defused(part: string): string {
  return LIKE_AN_EXTENSION.test(part) && !UPLOAD_EXTENSIONS.has(part.toLowerCase()) ? `${part}_` : part;
}
