import type { Place } from '../../wordpress/posts/list-order.js';

/** The order of a list and the position of its last record read. */
interface Cursor {
  /** Such as `title asc`. */
  order: string;
  place: Place;
}

/** The cursor of the first page. */
export const FIRST = '*';
const MAX_LENGTH = 1000;

/** Serializes a cursor; it is opaque but no secret, as its last record shows the same. */
export function writeCursor({ order, place: { value, id, row } }: Cursor): string {
  const place = row === undefined ? [value, id] : [value, id, row];
  return Buffer.from(JSON.stringify([order, ...place])).toString('base64url');
}

/** Parses a cursor; undefined if it is invalid. */
export function readCursor(text: string): Cursor | undefined {
  if (text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) return undefined;
  const json = Buffer.from(text, 'base64url');
  const parsed = parse(json.toString());
  if (!Array.isArray(parsed) || parsed.length < 3 || parsed.length > 4) return undefined;
  const [order, value, id, row]: unknown[] = parsed;
  const isValue = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
  if (typeof order !== 'string' || !isValue || !isInteger(id)) return undefined;
  if (row === undefined) return { order, place: { value, id } };
  return isInteger(row) ? { order, place: { value, id, row } } : undefined;
}

export function isCursor(value: unknown): boolean {
  return typeof value === 'string' && (value === FIRST || readCursor(value) !== undefined);
}

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
