import type { JsonRecord } from './answer.js';

/** How two values differ, in words that follow the name of the member. */
const SORTS = {
  status: 'another status',
  onlyOld: 'only the old server shows it',
  onlyNew: 'only Almanac shows it',
  type: 'another type',
  date: 'another date',
  number: 'another number',
  spaces: 'other blanks',
  entities: 'written with other HTML entities',
  address: 'another address',
  text: 'another text',
  value: 'another value',
  order: 'another order',
  length: 'another number of items',
  depth: 'nested too deep to compare',
  missing: 'Almanac lacks a record',
  extra: 'Almanac shows a further record',
  missingLink: 'Almanac lacks a linked record',
  extraLink: 'Almanac shows a further linked record',
  failed: 'no answer from Almanac',
} as const;

/** One place where two answers differ. */
export interface Difference {
  /** What the member belongs to: `event`, `venue`, `events list`, `headers` … */
  of: string;
  /** The member's path in there, without positions: `cost_details.values[]`; empty for the whole. */
  path: string;
  sort: keyof typeof SORTS;
  old: unknown;
  new: unknown;
  /** The nearest records around it. */
  around?: { old: JsonRecord; new: JsonRecord };
}

/** What differences are counted by. */
export function causeOf({ of, path, sort, old, new: now }: Difference): string {
  const statuses = sort === 'status' ? `, ${now} in place of ${old}` : '';
  return `${of}${path && ` · ${path}`}: ${SORTS[sort]}${statuses}`;
}
