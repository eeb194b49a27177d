import { UPLOAD_EXTENSIONS } from './data/upload-extensions.js';
import { edges } from './php-trim.js';
import { removeAccents } from './remove-accents.js';

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
  return parts.map((part, i) => (i > 0 && i < parts.length - 1 ? defuseExtension(part) : part)).join('.');
}

function defuseExtension(part: string): string {
  return LIKE_AN_EXTENSION.test(part) && !UPLOAD_EXTENSIONS.has(part.toLowerCase()) ? `${part}_` : part;
}
