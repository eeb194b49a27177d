import type { JsonRecord } from './parsed-response.js';

/** Descriptions that follow the member's name. */
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

/** A difference at one place of two responses. */
export interface Difference {
  /** Owner of the member: `event`, `venue`, `events list`, `headers` … */
  of: string;
  /** Path of the member without positions: `cost_details.values[]`; empty for the whole. */
  path: string;
  sort: keyof typeof SORTS;
  old: unknown;
  new: unknown;
  around?: { old: JsonRecord; new: JsonRecord };
}

/** The key by which differences are counted. */
export function causeOf({ of, path, sort, old, new: now }: Difference): string {
  const statuses = sort === 'status' ? `, ${now} in place of ${old}` : '';
  return `${of}${path && ` · ${path}`}: ${SORTS[sort]}${statuses}`;
}
