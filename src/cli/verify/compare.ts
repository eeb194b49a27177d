import { idsOf, isReordered, JsonComparison, type Pairing, paired } from './compare-json.js';
import type { Difference } from './difference.js';
import {
  type ComparedRequest,
  isObject,
  isRecord,
  type Json,
  type JsonRecord,
  kindOf,
  LISTS,
  listMember,
  MAX_LIST_LENGTH,
  type ParsedResponse,
  partsOf,
} from './parsed-response.js';
import type { Places } from './places.js';

export interface Comparison {
  /** `bytes`: identical except for URLs; `json`: the same values in another notation. */
  level: 'bytes' | 'json' | 'different';
  differences: Difference[];
  /** Records on only one server's page of a walked list; they may be on other pages. */
  onlyOld: JsonRecord[];
  onlyNew: JsonRecord[];
}

/** Compared headers, besides those with totals. */
const HEADERS = ['content-type', 'link', 'location', 'allow', 'x-robots-tag', 'x-content-type-options'];
const TOTALS = [
  ['total', 'x-tec-total'],
  ['total_pages', 'x-tec-totalpages'],
] as const;

/** Compares the responses of two servers to the same request. */
export function compare(
  ask: ComparedRequest,
  ...[old, now, places]: [ParsedResponse, ParsedResponse, Places]
): Comparison {
  const isWrapped = partsOf(ask.path).query.has('_envelope');
  return isWrapped
    ? new ResponseComparison(ask, unwrapped(old), unwrapped(now), places).run()
    : new ResponseComparison(ask, old, now, places).run();
}

class ResponseComparison {
  private readonly kind = kindOf(this.ask.path);
  private readonly json = new JsonComparison(this.places);
  private onlyOld: JsonRecord[] = [];
  private onlyNew: JsonRecord[] = [];

  constructor(
    private readonly ask: ComparedRequest,
    private readonly old: ParsedResponse,
    private readonly now: ParsedResponse,
    private readonly places: Places,
  ) {}

  run(): Comparison {
    const { ask, old, now, places } = this;
    const { differences } = this.json;
    const hasEnded = isPastTheEnd(old) !== isPastTheEnd(now) && (old.status === 200 || now.status === 200);
    if (ask.list !== undefined && hasEnded) {
      // A shorter list lacks all records of the page; they are reported at its end.
      this.onlyOld = recordsIn(old, ask.list);
      this.onlyNew = recordsIn(now, ask.list);
    } else if (now.failure !== undefined) this.note('failed', old.status, now.failure);
    else if (old.status !== now.status) this.note('status', describe(old), describe(now));
    else {
      this.compareBodies();
      this.compareHeaders();
    }
    const { onlyOld, onlyNew } = this;
    const isEqual = differences.length + onlyOld.length + onlyNew.length === 0;
    const areEqualBytes = isEqual && places.alikeBytes(old.text) === places.alikeBytes(now.text);
    return { level: areEqualBytes ? 'bytes' : isEqual ? 'json' : 'different', differences, onlyOld, onlyNew };
  }

  private note(sort: Difference['sort'], old: unknown, now: unknown, path = '', of = this.kind): void {
    this.json.note({ of, path, sort, old, new: now });
  }

  private compareBodies(): void {
    const { kind, json, old, now } = this;
    if (!isObject(old.json) || !isObject(now.json)) {
      if (old.json === undefined || now.json === undefined) json.values(old.text, now.text, kind, 'body');
      else json.values(old.json, now.json, kind, 'body');
    } else if (old.status >= 400) json.values(errorOf(old.json), errorOf(now.json), 'error');
    else if (kind === 'index' || kind === 'document')
      json.values(routesOf(old.json), routesOf(now.json), kind);
    else if (listMember(this.ask.path) !== undefined) this.compareLists(old.json, now.json);
    else if (isRecord(old.json) && isRecord(now.json) && old.json.id === now.json.id)
      json.records(kind.replace(' by slug', ''), old.json, now.json);
    else json.values(old.json, now.json, kind);
  }

  private compareLists(old: Json, now: Json): void {
    const member = listMember(this.ask.path) ?? '';
    const { [member]: oldRecords, ...oldRest } = old;
    const { [member]: newRecords, ...newRest } = now;
    this.json.values(...withoutConsequences(oldRest, newRest), this.kind);
    if (!areRecords(oldRecords) || !areRecords(newRecords))
      this.json.values(oldRecords, newRecords, this.kind, member);
    else if (Math.max(oldRecords.length, newRecords.length) > MAX_LIST_LENGTH)
      this.note('length', oldRecords.length, newRecords.length, member);
    else this.compareRecordLists(member, oldRecords, newRecords, old['total'] !== now['total']);
  }

  private compareRecordLists(member: string, old: JsonRecord[], now: JsonRecord[], isShifted: boolean): void {
    const { ask } = this;
    const { pairs, onlyOld, onlyNew } = paired(old, now);
    if (isReordered(pairs, now)) {
      const before = pairs.map((pair) => pair.old);
      const after = now.filter((record) => pairs.some((pair) => pair.new === record));
      this.note('order', idsOf(before), idsOf(after), areTied(before, after, ask.path) ? 'ties' : '');
    }
    for (const pair of pairs) this.json.records(LISTS[member] ?? member, pair.old, pair.new);
    if (ask.list !== undefined) {
      this.onlyOld = onlyOld;
      this.onlyNew = onlyNew;
      return;
    }
    const page = Number(partsOf(ask.path).query.get('page') ?? 1);
    for (const lost of unexplained(old, onlyOld, onlyNew, isShifted, page))
      this.note('missing', lost, undefined);
    for (const further of unexplained(now, onlyNew, onlyOld, isShifted, page))
      this.note('extra', undefined, further);
  }

  private compareHeaders(): void {
    const { old, now, places } = this;
    for (const name of HEADERS) {
      const [before, after] = [old, now].map(({ headers }) => alike(name, headers.get(name), places));
      if (before === after) continue;
      const sort = before === undefined ? 'onlyNew' : after === undefined ? 'onlyOld' : 'text';
      this.note(sort, old.headers.get(name), now.headers.get(name), name, 'headers');
    }
    for (const [member, name] of TOTALS) {
      const [before, after] = [old, now].map(({ headers }) => headers.get(name));
      const isSaid = [old, now].every(
        (one) => isObject(one.json) && `${one.json[member]}` === one.headers.get(name),
      );
      if (before === after || isSaid) continue;
      const sort = before === null ? 'onlyNew' : after === null ? 'onlyOld' : 'number';
      this.note(sort, before, after, name, 'headers');
    }
  }
}

/** Unwraps an `_envelope` response to its inner status and headers. */
function unwrapped(answer: ParsedResponse): ParsedResponse {
  const { json } = answer;
  if (!isObject(json) || typeof json['status'] !== 'number' || !('body' in json)) return answer;
  const headers = new Headers(answer.headers);
  for (const [name, value] of Object.entries(isObject(json['headers']) ? json['headers'] : {}))
    if (/^[\w-]+$/.test(name) && /^[\x20-\x7e]*$/.test(`${value}`)) headers.set(name, `${value}`);
  return { ...answer, status: json['status'], headers, json: json['body'] };
}

function isPastTheEnd({ status, json }: ParsedResponse): boolean {
  return status === 404 && isObject(json) && `${json['code']}`.endsWith('-archive-page-not-found');
}

function recordsIn({ json }: ParsedResponse, member: string): JsonRecord[] {
  const records = isObject(json) ? json[member] : undefined;
  return areRecords(records) ? records.slice(0, MAX_LIST_LENGTH) : [];
}

/** Compares records that were on different pages of a list. */
export function compareRecords(list: string, pairs: Pairing['pairs'], places: Places): Difference[] {
  const json = new JsonComparison(places);
  for (const pair of pairs) json.records(LISTS[list] ?? list, pair.old, pair.new);
  return json.differences;
}

/** Describes a status with the error code and its parameters. */
function describe({ status, json }: ParsedResponse): string {
  const { code, params } = isObject(json) ? errorOf(json) : {};
  const names = Array.isArray(params) && params.length > 0 ? ` (${params.slice(0, 5).join(', ')})` : '';
  return `${status}${typeof code === 'string' ? ` ${code}${names}` : ''}`;
}

/** The parts of an error that programs read: code, status and parameter names. */
function errorOf({ code, message, data }: Json): Json {
  const { status, params, details } = isObject(data) ? data : {};
  const names = Array.isArray(params)
    ? [...params].sort()
    : isObject(params)
      ? Object.keys(params).sort()
      : undefined;
  const codes = isObject(details)
    ? Object.fromEntries(
        Object.entries(details).map(([name, one]) => [name, isObject(one) ? one['code'] : one]),
      )
    : undefined;
  return { code, message, status, ...(names && { params: names }), ...(codes && { details: codes }) };
}

/** The routes and methods of a document. */
function routesOf({ namespace, routes, paths }: Json): Json {
  const place = typeof namespace === 'string' && namespace ? namespace : undefined;
  const named = (pattern: string) => (place ? pattern.replace(`/${place}`, '/{namespace}') : pattern);
  const methods = (route: unknown) =>
    (isObject(route) && Array.isArray(route['methods'])
      ? [...route['methods']]
      : Object.keys(isObject(route) ? route : {})
    ).sort();
  const all = isObject(routes) ? routes : isObject(paths) ? paths : {};
  return Object.fromEntries(
    Object.entries(all).map(([pattern, route]) => [named(pattern), methods(route).join(', ')]),
  );
}

/** Ignores what follows from a different total: the number of pages and the next link. */
function withoutConsequences(old: Json, now: Json): [Json, Json] {
  const drop = new Set<string>();
  if (old['total'] !== now['total']) drop.add('total_pages');
  if (old['total_pages'] !== now['total_pages']) {
    for (const name of ['next_rest_url', 'previous_rest_url'])
      if (name in old !== name in now) drop.add(name);
  }
  const withoutDropped = (all: Json) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !drop.has(name)));
  return [withoutDropped(old), withoutDropped(now)];
}

/**
 * Records on one page only. Additional records push others across the page's edges: those are ignored as far as a
 * difference within the page or in the total explains them.
 */
function unexplained(
  page: readonly JsonRecord[],
  lone: readonly JsonRecord[],
  others: readonly JsonRecord[],
  isShifted: boolean,
  number: number,
): JsonRecord[] {
  const isLone = page.map((record) => lone.includes(record));
  const first = isLone.indexOf(false);
  const last = isLone.lastIndexOf(false);
  let pushed = others.length;
  return page.filter((record, at) => {
    if (!lone.includes(record)) return false;
    const isAtHead = number > 1 && at < first;
    const isAtTail = at > last && page.length > 1;
    if (pushed > 0 && isShifted && (isAtHead || isAtTail)) {
      pushed -= 1;
      return false;
    }
    return true;
  });
}

/** Whether the two orders differ only among records that tie in the list's order (R11). */
function areTied(before: readonly JsonRecord[], after: readonly JsonRecord[], path: string): boolean {
  const orderby = partsOf(path).query.get('orderby') ?? 'name';
  const keys: Readonly<Record<string, string[][]>> = {
    events: [
      ['start_date', 'date'],
      ['utc_start_date', 'date'],
    ],
    venues: [['date']],
    organizers: [['date']],
  };
  const same = (names: string[]) =>
    before.every((record, at) => names.every((name) => record[name] === after[at]?.[name]));
  return (keys[listMember(path) ?? ''] ?? [[orderby]]).some(same);
}

function areRecords(value: unknown): value is JsonRecord[] {
  return Array.isArray(value) && value.every(isRecord);
}

/** Normalizes a header: case of types and order of methods are ignored. */
function alike(name: string, value: string | null | undefined, places: Places): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (name === 'content-type') return value.toLowerCase().replace(/\s/g, '');
  if (name === 'allow')
    return value
      .split(/\s*,\s*/)
      .sort()
      .join(', ');
  return places.alike(value);
}
