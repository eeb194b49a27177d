import { edges } from './php-trim.js';

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
