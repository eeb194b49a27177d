import {
  type ParsedResponse,
  type ComparedRequest,
  isObject,
  isRecord,
  type Json,
  type JsonRecord,
  kindOf,
  LISTS,
  listMember,
  MAX_LIST_LENGTH,
  partsOf,
} from './parsed-response.js';
import { idsOf, isReordered, JsonComparison, type Pairing, paired } from './compare-json.js';
import type { Difference } from './difference.js';
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
  ...[sentOld, sentNow, places]: [ParsedResponse, ParsedResponse, Places]
): Comparison {
  const isWrapped = partsOf(ask.path).query.has('_envelope');
  const [old, now] = isWrapped ? [unwrapped(sentOld), unwrapped(sentNow)] : [sentOld, sentNow];
  const json = new JsonComparison(places);
  const comparison: Comparison = {
    level: 'different',
    differences: json.differences,
    onlyOld: [],
    onlyNew: [],
  };
  if (
    ask.list !== undefined &&
    isPastTheEnd(old) !== isPastTheEnd(now) &&
    (old.status === 200 || now.status === 200)
  ) {
    // A shorter list lacks all records of the page; they are reported at its end.
    comparison.onlyOld = recordsIn(old, ask.list);
    comparison.onlyNew = recordsIn(now, ask.list);
  } else if (now.failure !== undefined) json.note(whole(kindOf(ask.path), 'failed', old.status, now.failure));
  else if (old.status !== now.status)
    json.note(whole(kindOf(ask.path), 'status', describe(old), describe(now)));
  else {
    compareBodies(ask, old, now, json, comparison);
    compareHeaders(old, now, json, places);
  }
  const { onlyOld, onlyNew, differences } = comparison;
  if (differences.length + onlyOld.length + onlyNew.length === 0)
    comparison.level = places.alikeBytes(old.text) === places.alikeBytes(now.text) ? 'bytes' : 'json';
  return comparison;
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

function whole(of: string, sort: Difference['sort'], old: unknown, now: unknown): Difference {
  return { of, path: '', sort, old, new: now };
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

function compareBodies(
  ask: ComparedRequest,
  old: ParsedResponse,
  now: ParsedResponse,
  json: JsonComparison,
  to: Comparison,
): void {
  const kind = kindOf(ask.path);
  if (!isObject(old.json) || !isObject(now.json)) {
    if (old.json === undefined || now.json === undefined) json.values(old.text, now.text, kind, 'body');
    else json.values(old.json, now.json, kind, 'body');
  } else if (old.status >= 400) json.values(errorOf(old.json), errorOf(now.json), 'error');
  else if (kind === 'index' || kind === 'document') json.values(routesOf(old.json), routesOf(now.json), kind);
  else if (listMember(ask.path) !== undefined) compareLists(ask, old.json, now.json, json, to);
  else if (isRecord(old.json) && isRecord(now.json) && old.json.id === now.json.id)
    json.records(kind.replace(' by slug', ''), old.json, now.json);
  else json.values(old.json, now.json, kind);
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

function compareLists(
  ask: ComparedRequest,
  old: Json,
  now: Json,
  json: JsonComparison,
  to: Comparison,
): void {
  const member = listMember(ask.path) ?? '';
  const kind = kindOf(ask.path);
  const [oldRecords, newRecords] = [old[member], now[member]];
  const { [member]: _old, ...oldRest } = old;
  const { [member]: _new, ...newRest } = now;
  json.values(...withoutConsequences(oldRest, newRest), kind);
  if (!areRecords(oldRecords) || !areRecords(newRecords)) json.values(oldRecords, newRecords, kind, member);
  else if (Math.max(oldRecords.length, newRecords.length) > MAX_LIST_LENGTH)
    json.note({ of: kind, path: member, sort: 'length', old: oldRecords.length, new: newRecords.length });
  else compareRecordLists(ask, member, [oldRecords, newRecords], old['total'] !== now['total'], json, to);
}

function compareRecordLists(
  ask: ComparedRequest,
  member: string,
  [old, now]: [old: JsonRecord[], now: JsonRecord[]],
  isShifted: boolean,
  json: JsonComparison,
  to: Comparison,
): void {
  const of = kindOf(ask.path);
  const { pairs, onlyOld, onlyNew } = paired(old, now);
  if (isReordered(pairs, now)) {
    const before = pairs.map((pair) => pair.old);
    const after = now.filter((record) => pairs.some((pair) => pair.new === record));
    const path = areTied(before, after, ask.path) ? 'ties' : '';
    json.note({ of, path, sort: 'order', old: idsOf(before), new: idsOf(after) });
  }
  for (const pair of pairs) json.records(LISTS[member] ?? member, pair.old, pair.new);
  if (ask.list !== undefined) {
    to.onlyOld = onlyOld;
    to.onlyNew = onlyNew;
    return;
  }
  const page = Number(partsOf(ask.path).query.get('page') ?? 1);
  for (const lost of unexplained(old, onlyOld, onlyNew, isShifted, page))
    json.note({ of, path: '', sort: 'missing', old: lost, new: undefined });
  for (const further of unexplained(now, onlyNew, onlyOld, isShifted, page))
    json.note({ of, path: '', sort: 'extra', old: undefined, new: further });
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

function compareHeaders(
  old: ParsedResponse,
  now: ParsedResponse,
  json: JsonComparison,
  places: Places,
): void {
  for (const name of HEADERS) {
    const [before, after] = [old, now].map(({ headers }) => alike(name, headers.get(name), places));
    if (before === after) continue;
    const sort = before === undefined ? 'onlyNew' : after === undefined ? 'onlyOld' : 'text';
    json.note({ of: 'headers', path: name, sort, old: old.headers.get(name), new: now.headers.get(name) });
  }
  for (const [member, name] of TOTALS) {
    const [before, after] = [old, now].map(({ headers }) => headers.get(name));
    const isSaid = [old, now].every(
      (one) => isObject(one.json) && `${one.json[member]}` === one.headers.get(name),
    );
    if (before === after || isSaid) continue;
    const sort = before === null ? 'onlyNew' : after === null ? 'onlyOld' : 'number';
    json.note({ of: 'headers', path: name, sort, old: before, new: after });
  }
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
