import type { Place } from '../../wordpress/posts/list-order.js';

/** Which order a list is read in, and how far it was read; without a place it begins. */
export interface Cursor {
  /** Such as `title asc`. */
  order: string;
  place: Place;
}

/** Begins a list. */
export const FIRST = '*';
const MAX_LENGTH = 1000;

/** A cursor as clients hand it back; they need not know what is in it, nor is it a secret: it says what its last record shows. */
export function writeCursor({ order, place: { value, id } }: Cursor): string {
  return Buffer.from(JSON.stringify([order, value, id])).toString('base64url');
}

/** What was written so; undefined for anything else. */
export function readCursor(text: string): Cursor | undefined {
  if (text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) return undefined;
  const json = Buffer.from(text, 'base64url');
  const parsed = parse(json.toString());
  if (!Array.isArray(parsed) || parsed.length !== 3) return undefined;
  const [order, value, id]: unknown[] = parsed;
  const isValue = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
  if (typeof order !== 'string' || !isValue || typeof id !== 'number' || !Number.isSafeInteger(id))
    return undefined;
  return { order, place: { value, id } };
}

/** Whether a value is one of ours, or begins a list. */
export function isCursor(value: unknown): boolean {
  return typeof value === 'string' && (value === FIRST || readCursor(value) !== undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
