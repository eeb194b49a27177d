import { hash } from 'node:crypto';
import { HttpException } from '@nestjs/common';
import { errorLine } from '../common/errors/error-line.js';
import { RestException } from '../common/errors/rest-exception.js';
import type { Losses } from '../lib/ical/losses.js';
import type { CostRows } from '../resources/events/cost-write.js';
import { EVENT } from '../resources/events/event-type.js';
import type { CreateEventDto } from '../resources/events/event-write.dto.js';
import { readStoredCost } from '../resources/events/stored-cost.js';
import type { ImportedRecord } from './file-record.js';

/** Fields that an event can do without. */
const OPTIONAL_FIELDS: readonly string[] = [
  ...['title', 'description', 'excerpt', 'cost', 'website', 'image'],
  ...['categories', 'tags', 'venue', 'organizer'],
];
/** Error codes of rejected terms. */
const TERM_ERROR_CODES: readonly string[] = ['db_insert_error', 'empty_term_name', 'invalid_term_name'];

/** Writes the values, dropping optional fields that are rejected as long as nothing else is. */
export async function writeAccepted<T>(
  values: Record<string, unknown>,
  line: number,
  losses: Losses,
  write: (values: Record<string, unknown>) => Promise<T>,
): Promise<T> {
  try {
    return await write(values);
  } catch (error) {
    if (!(error instanceof RestException)) throw error;
    const faults = rejectedFields(error, values);
    const names = Object.keys(faults);
    if (names.length === 0 || !names.every((name) => OPTIONAL_FIELDS.includes(name) && name in values))
      throw error;
    for (const [name, why] of Object.entries(faults)) losses.add(line, name, why);
    const accepted = Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
    return writeAccepted(accepted, line, losses, write);
  }
}

/** The rejected fields with reasons. */
function rejectedFields(error: RestException, values: Record<string, unknown>): Record<string, string> {
  if (TERM_ERROR_CODES.includes(error.code)) {
    const named = EVENT.taxonomies.map(({ plural }) => plural).filter((plural) => plural in values);
    return Object.fromEntries(named.map((plural) => [plural, error.message]));
  }
  const params = Object.entries(error.details.data?.['params'] ?? {});
  return Object.fromEntries(params.map(([name, why]) => [name, String(why)]));
}

/** Parses the stored cost into rows, or drops it if it is invalid. */
export function withStoredCost({ cost_stored: stored, ...fields }: Readonly<Record<string, unknown>>) {
  const rows = stored === undefined ? undefined : readStoredCost(stored, fields['cost']);
  return rows ? { ...fields, cost_stored: rows } : fields;
}

/** Stores cost rows unchanged instead of parsing the text. */
export function withCost<Fields extends Pick<CreateEventDto, 'cost'>>(
  fields: Fields,
  { cost_stored: stored }: Readonly<Record<string, unknown>>,
): Fields {
  return stored === undefined ? fields : { ...fields, cost: stored as CostRows };
}

/** Treats all terms as names: a file has no term ids, and a number may be a year. */
export function withTermNames<Fields extends Pick<CreateEventDto, 'categories' | 'tags'>>(
  fields: Fields,
): Fields {
  for (const { plural } of EVENT.taxonomies)
    fields[plural] = fields[plural]?.map((item) =>
      typeof item === 'object' ? item : { name: String(item) },
    );
  return fields;
}

/** Adds a layer of backslashes, since a write removes one from all texts but term names (W21). */
export function escapeBackslashes({
  categories,
  tags,
  ...texts
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy = JSON.parse(
    JSON.stringify(texts, (_, value) => (typeof value === 'string' ? value.replaceAll('\\', '\\\\') : value)),
  );
  return { ...copy, ...(categories !== undefined && { categories }), ...(tags !== undefined && { tags }) };
}

/** The id as stored; long or unsafe ids are stored as digests. */
export function importKey(uid: string): string {
  return /^[\w.@:+/={}-]{1,150}$/.test(uid) ? uid : `sha256:${hash('sha256', uid)}`;
}

export function fieldsDigest(fields: Record<string, unknown>): string {
  return hash('sha256', JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** The result of a record whose write was rejected; throws other errors. */
export function rejected(
  error: unknown,
  faultIn = errorLine,
): Pick<ImportedRecord, 'outcome' | 'fault' | 'isTemporary'> {
  if (!(error instanceof HttpException)) throw error;
  return {
    outcome: 'left out',
    fault: error instanceof RestException ? faultIn(error) : error.message,
    ...(error.getStatus() >= 500 && { isTemporary: true }),
  };
}

/** The reason of a rejection; rules that cannot be stored may be imported date by date. */
export function faultOf(error: RestException): string {
  const params = error.details.data?.['params'];
  const isRule = typeof params === 'object' && params !== null && 'recurrence' in params;
  return isRule
    ? `${errorLine(error)} --single-events imports its first dates one by one.`
    : errorLine(error);
}
