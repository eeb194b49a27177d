import { utcText } from './utc-dates.js';

/**
 * Replaces a statement's question marks by values. Quotes are doubled, never escaped by a backslash, so that no text can
 * leave its quotes, with or without `NO_BACKSLASH_ESCAPES`. Throws for anything but a scalar, bytes or a date.
 */
export function formatStatement(text: string, values: readonly unknown[] = []): string {
  if (values.length === 0) return text;
  let at = 0;
  return text.replace(/\?/g, (mark) => (at < values.length ? literal(values[at++]) : mark));
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString('hex')}'`;
  if (value instanceof Date) return `'${utcText(value)}'`;
  throw new TypeError(`No value of a statement: ${typeof value}`);
}
