import { htmlEntityDecode } from '../../lib/wordpress-text/formatting/html-entity-decode.js';
import type { Difference } from './difference.js';
import { isObject, isRecord, type JsonRecord } from './parsed-response.js';
import type { Places } from './places.js';

/** Maximum depth and differences per response. */
const DEEPEST = 40;
const MAX_COUNT = 500;

/** Kinds of the linked records in an event's members. */
const LINKED: Readonly<Record<string, string>> = {
  venue: 'venue',
  organizer: 'organizer',
  categories: 'category',
  tags: 'tag',
};

const DATE = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d:\d\d)?/;
const ADDRESS = /^(https?:\/\/|\{(api|rest|home)\})/;

interface Spot extends Pick<Difference, 'of' | 'path' | 'around'> {
  depth: number;
}

/** Records of two lists paired by id. */
export interface Pairing {
  pairs: { old: JsonRecord; new: JsonRecord }[];
  onlyOld: JsonRecord[];
  onlyNew: JsonRecord[];
}

/** Compares JSON semantically: member order is ignored and records are paired by id. */
export class JsonComparison {
  readonly differences: Difference[] = [];

  constructor(private readonly places: Places) {}

  records(kind: string, old: JsonRecord, now: JsonRecord): void {
    this.members(old, now, { of: kind, path: '', depth: 0, around: { old, new: now } });
  }

  /** Compares two values at `path`. */
  values(old: unknown, now: unknown, of: string, path = ''): void {
    this.value(old, now, { of, path, depth: 0 });
  }

  note(difference: Difference): void {
    if (this.differences.length < MAX_COUNT) this.differences.push(difference);
  }

  private value(old: unknown, now: unknown, spot: Spot): void {
    const linked = spot.of === 'event' && Object.hasOwn(LINKED, spot.path) ? LINKED[spot.path] : undefined;
    const areLists = Array.isArray(old) && Array.isArray(now);
    const holdRecords = linked !== undefined || (areLists && old.length + now.length > 0);
    const [oldRecords, newRecords] = holdRecords ? [recordsOf(old), recordsOf(now)] : [];
    if (spot.depth > DEEPEST) this.differ(spot, 'depth', undefined, undefined);
    else if (oldRecords && newRecords) {
      const isOtherShape =
        Array.isArray(old) !== Array.isArray(now) && oldRecords.length === newRecords.length;
      if (isOtherShape) this.differ(spot, 'type', old, now);
      else this.linked(oldRecords, newRecords, spot, linked);
    } else if (areLists) this.items(old, now, spot);
    else if (isObject(old) && isObject(now)) this.members(old, now, spot);
    else if (typeof old === 'string' && typeof now === 'string') this.texts(old, now, spot);
    else if (typeOf(old) !== typeOf(now)) this.differ(spot, 'type', old, now);
    else if (old !== now) this.differ(spot, typeof old === 'number' ? 'number' : 'value', old, now);
  }

  private members(
    old: Readonly<Record<string, unknown>>,
    now: Readonly<Record<string, unknown>>,
    spot: Spot,
  ): void {
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
      const inside = { ...spot, path: spot.path ? `${spot.path}.${name}` : name, depth: spot.depth + 1 };
      if (!Object.hasOwn(now, name)) this.differ(inside, 'onlyOld', old[name], undefined);
      else if (!Object.hasOwn(old, name)) this.differ(inside, 'onlyNew', undefined, now[name]);
      else this.value(old[name], now[name], inside);
    }
  }

  private items(old: unknown[], now: unknown[], spot: Spot): void {
    const inside = { ...spot, path: `${spot.path}[]`, depth: spot.depth + 1 };
    const arePlain = [...old, ...now].every((item) => typeof item !== 'object');
    const sorted = (items: unknown[]) => String(items.map(String).sort());
    if (old.length !== now.length) this.differ(spot, 'length', old, now);
    else if (arePlain && String(old) !== String(now) && sorted(old) === sorted(now))
      this.differ(spot, 'order', old, now);
    else for (const [at, item] of old.entries()) this.value(item, now[at], inside);
  }

  /** Compares one or more linked records in a member. */
  private linked(old: JsonRecord[], now: JsonRecord[], spot: Spot, kind?: string): void {
    const { pairs, onlyOld, onlyNew } = paired(old, now);
    for (const record of onlyOld) this.differ(spot, 'missingLink', record, undefined);
    for (const record of onlyNew) this.differ(spot, 'extraLink', undefined, record);
    if (isReordered(pairs, now)) this.differ(spot, 'order', idsOf(old), idsOf(now));
    for (const pair of pairs)
      this.members(pair.old, pair.new, {
        ...(kind ? { of: kind, path: '' } : { of: spot.of, path: `${spot.path}[]` }),
        depth: spot.depth + 1,
        around: kind ? pair : spot.around,
      });
  }

  private texts(sentOld: string, sentNew: string, spot: Spot): void {
    if (sentOld === sentNew) return;
    const [old, now] = [this.places.alike(sentOld), this.places.alike(sentNew)];
    if (old === now) return;
    this.differ(spot, sortOfTexts(old, now), sentOld, sentNew);
  }

  private differ({ of, path, around }: Spot, sort: Difference['sort'], old: unknown, now: unknown): void {
    this.note({ of, path, sort, old, new: now, ...(around && { around }) });
  }
}

/** Pairs the records of two lists; duplicates pair with all partners. */
export function paired(old: readonly JsonRecord[], now: readonly JsonRecord[]): Pairing {
  const waiting = new Map<string, JsonRecord[]>();
  for (const record of now) waiting.set(`${record.id}`, [...(waiting.get(`${record.id}`) ?? []), record]);
  const pairing: Pairing = { pairs: [], onlyOld: [], onlyNew: [] };
  for (const record of old) {
    const partner = waiting.get(`${record.id}`)?.shift();
    if (partner) pairing.pairs.push({ old: record, new: partner });
    else pairing.onlyOld.push(record);
  }
  pairing.onlyNew = [...waiting.values()].flat();
  return pairing;
}

/** Whether the common records have another order in the second list. */
export function isReordered(pairs: Pairing['pairs'], now: readonly JsonRecord[]): boolean {
  const position = new Map(now.map((record, at) => [record, at]));
  const positions = pairs.map((pair) => position.get(pair.new) ?? 0);
  return positions.some((at, index) => index > 0 && at < (positions[index - 1] ?? 0));
}

export const idsOf = (records: readonly JsonRecord[]): (number | string)[] => records.map(({ id }) => id);

/** The records in a value; undefined if it holds anything else. */
function recordsOf(value: unknown): JsonRecord[] | undefined {
  if (isRecord(value)) return [value];
  return Array.isArray(value) && value.every(isRecord) ? value : undefined;
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function sortOfTexts(old: string, now: string): Difference['sort'] {
  if (old.replace(/\s/g, '') === now.replace(/\s/g, '')) return 'spaces';
  if (withoutEntities(old) === withoutEntities(now)) return 'entities';
  if (DATE.test(old) && DATE.test(now)) return 'date';
  if (ADDRESS.test(old) && ADDRESS.test(now)) return 'address';
  return 'text';
}

/** Decodes character references, and makes quotation marks straight. */
export function withoutEntities(text: string): string {
  const decoded = htmlEntityDecode(text.replaceAll('&apos;', "'"));
  return decoded.replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"');
}
