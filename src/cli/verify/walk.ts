import { type ComparedRequest, LISTS } from './parsed-response.js';
import type { SeenRecord, SeenRecords } from './seen-records.js';

/** A date window that contains all events. */
const ALWAYS = 'start_date=1950-01-01&end_date=2150-12-31';

/** Lists that are walked page by page: all visible records of a site. */
export const WHOLE_LISTS: Readonly<Record<string, string>> = {
  events: `/events?${ALWAYS}&per_page=50`,
  venues: '/venues?per_page=50',
  organizers: '/organizers?per_page=50',
  categories: '/categories?hide_empty=0&per_page=50',
  tags: '/tags?hide_empty=0&per_page=50',
};

/** Pages of a list between waits for pending responses. */
const SETTLED_PAGES = 20;

/** An id without a record. */
const NO_ID = 99_999_999;

/** The next request; `settle` first waits for pending responses, at the end of that list if `isEnd`. */
export type Step = ComparedRequest | { settle: string; isEnd: boolean };

/** Yields all requests in an order that depends only on the records seen, so that a walk can resume. */
export async function* walk(seen: SeenRecords, sample?: number): AsyncGenerator<Step> {
  for (const path of ['', '/doc', ...Object.keys(LISTS).map((list) => `/${list}`)]) yield { path };
  for (const [list, path] of Object.entries(WHOLE_LISTS)) {
    yield { path, list };
    yield { settle: list, isEnd: false };
    for (let page = 2; page <= seen.pagesOf(list); page++) {
      yield { path: `${path}&page=${page}`, list };
      if (page % SETTLED_PAGES > 0) continue;
      // A list's total is not trusted for long if it returns nothing new.
      yield { settle: list, isEnd: false };
      if (seen.isOver(list, page)) break;
    }
    yield { path: `${path}&page=${seen.pagesOf(list) + 1}`, list };
    yield { settle: list, isEnd: true };
  }
  for (const path of filtered(seen)) yield { path };
  const days = new Set<string>();
  for await (const record of seen.records(sample)) {
    yield* single(record);
    if (record.list !== 'events' || days.has(record.day)) continue;
    days.add(record.day);
    yield* startingOn(record.day);
  }
  for (const path of mistakes()) yield { path };
}

function* single({ list, id, slug }: SeenRecord): Generator<ComparedRequest> {
  yield { path: `/${list}/${id}` };
  if (slug !== '' && list in { events: 1, venues: 1, organizers: 1 })
    yield { path: `/${list}/by-slug/${/^[\w%.~-]+$/.test(slug) ? slug : encodeURIComponent(slug)}` };
}

/** Events that start on a day by their occurrences; records show the dates of their meta. */
function* startingOn(day: string): Generator<ComparedRequest> {
  const time = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(time)) return;
  // Both bounds are ends of days.
  const before = new Date(time - 86_400_000).toISOString().slice(0, 10);
  yield { path: `/events?starts_after=${before}&starts_before=${day}&per_page=50` };
}

function* filtered(seen: SeenRecords): Generator<string> {
  const events = `/events?${ALWAYS}&per_page=20`;
  for (const list of ['categories', 'tags'] as const)
    for (const { id, slug } of seen.sample(list)) {
      yield `${events}&${list}=${id}`;
      yield `${events}&${list}=${encodeURIComponent(slug)}`;
      yield `/${list}?slug=${encodeURIComponent(slug)}`;
    }
  for (const { id } of seen.sample('venues')) yield `${events}&venue=${id}`;
  for (const { id } of seen.sample('organizers')) yield `${events}&organizer=${id}`;
  for (const { id, day, word } of seen.sample('events')) {
    yield `${events}&search=${encodeURIComponent(word)}`;
    yield `/events?start_date=${day}&end_date=${day}`;
    yield `/events?start_date=${day}&end_date=${day}&strict_dates=true`;
    yield `/events?starts_after=${day}&per_page=5`;
    yield `/events?ends_before=${day}&per_page=5&page=2`;
    for (const list of ['venues', 'organizers', 'categories', 'tags']) yield `/${list}?event=${id}`;
  }
  yield `${events}&featured=true`;
  yield `${events}&search=${encodeURIComponent('no such words anywhere')}`;
  yield `${events}&include=${seen.sample('events').map(({ id }) => id)}`;
  yield '/events?per_page=3&page=2';
  for (const list of ['venues', 'organizers'] as const) {
    for (const { word } of seen.sample(list)) yield `/${list}?search=${encodeURIComponent(word)}`;
    yield `/${list}?search=no-such-word-anywhere`;
    yield `/${list}?per_page=3&page=2`;
    yield `/${list}?has_events=true&per_page=50`;
    yield `/${list}?only_with_upcoming=true&per_page=50`;
  }
  for (const list of ['categories', 'tags'] as const) {
    for (const { word } of seen.sample(list)) yield `/${list}?search=${encodeURIComponent(word)}`;
    yield `/${list}?orderby=count&order=desc&per_page=50`;
    yield `/${list}?orderby=slug&per_page=5&page=2`;
  }
  for (const { id } of seen.sample('categories')) yield `/categories?parent=${id}&hide_empty=0`;
}

function* mistakes(): Generator<string> {
  for (const list of Object.keys(LISTS)) {
    yield `/${list}/${NO_ID}`;
    yield `/${list}/0`;
    yield `/${list}?page=none`;
    yield `/${list}?per_page=0`;
  }
  for (const list of ['events', 'venues', 'organizers']) yield `/${list}/by-slug/no-such-record-${NO_ID}`;
  yield '/events?start_date=no-date';
  yield '/events?categories=no-such-category';
  yield `/events?venue=${NO_ID}`;
  yield '/events?status=draft';
  yield '/events?search=';
  yield '/no-such-route';
  yield '/events/1/2/3';
}
