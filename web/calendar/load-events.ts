import { type CalendarQuery, filterParameters } from '../../src/pages/calendar/calendar-query.js';
import type { InlinedEvents, ListedEvent } from '../../src/pages/calendar/script-settings.js';
import { wallText } from '../../src/pages/calendar/shown-time.js';

/** The events of a range, as far as they are shown, and how many there are. */
export interface Loaded {
  events: readonly ListedEvent[];
  total: number;
}

/** Why events could not be loaded. */
export class LoadError extends Error {
  constructor(readonly kind: 'busy' | 'offline' | 'failed') {
    super(kind);
  }
}

interface Page {
  events: ListedEvent[];
  total: number;
  total_pages: number;
}

const PER_PAGE = 50;
/** More than these no month can show, and no visitor can read. */
const MAX_PAGES = 10;
/** How long what was loaded is shown again without asking. */
const FRESH_FOR = 60_000;
const MAX_ENTRIES = 30;
let inlined: (Omit<InlinedEvents, 'events'> & { filters: string; loaded: Loaded }) | undefined;
const cache = new Map<string, { at: number; loaded: Loaded }>();

const parametersOf = (query: CalendarQuery) => new URLSearchParams(filterParameters(query));

/** Uses the events in the page for its filters, as long as loaded ones would be used again. */
export function useInlined(query: CalendarQuery, { from, to, events }: InlinedEvents): void {
  inlined = { from, to, filters: String(parametersOf(query)), loaded: { events, total: events.length } };
  setTimeout(() => {
    inlined = undefined;
  }, FRESH_FOR);
}

/** The first event after a range that the filters find, or else the last before it; the range ends at midnight. */
export async function nearestEvent(
  api: string,
  query: CalendarQuery,
  range: { start: Date; end: Date; zone: string },
  signal: AbortSignal,
): Promise<{ event: ListedEvent; isNext: boolean } | undefined> {
  // The interface reads dates without a zone as UTC.
  const wall = (date: Date, seconds: number) =>
    `${wallText(new Date(date.getTime() + seconds * 1000))} ${range.zone}`;
  for (const isNext of [true, false]) {
    const params = parametersOf(query);
    // The interface leaves out events at exactly these times.
    if (isNext) params.set('starts_after', wall(range.end, -1));
    else params.set('ends_before', wall(range.start, 1));
    params.set('order', isNext ? 'asc' : 'desc');
    params.set('strict_dates', 'true');
    params.set('per_page', '1');
    const { events } = await loadPage(`${api}/events?${params}`, 1, signal);
    if (events[0]) return { event: events[0], isNext };
  }
  return undefined;
}

/** The events that touch a range, both ends `YYYY-MM-DD HH:MM:SS`; throws `LoadError`, or what aborts it. */
export async function loadEvents(
  api: string,
  query: CalendarQuery,
  range: { from: string; to: string },
  signal: AbortSignal,
): Promise<Loaded> {
  const params = parametersOf(query);
  if (inlined && inlined.filters === String(params) && inlined.from <= range.from && range.to <= inlined.to)
    return within(inlined.loaded, range);
  params.set('ends_after', range.from);
  params.set('starts_before', range.to);
  params.set('strict_dates', 'true');
  params.set('per_page', String(PER_PAGE));
  const address = `${api}/events?${params}`;
  const known = cache.get(address);
  if (known && Date.now() - known.at < FRESH_FOR) return known.loaded;
  const first = await loadPage(address, 1, signal);
  const pages = Math.min(first.total_pages, MAX_PAGES);
  const events = [...first.events];
  // One after the other: a calendar that thousands look at asks for little at a time.
  for (let page = 2; page <= pages; page++) events.push(...(await loadPage(address, page, signal)).events);
  const loaded = { events, total: Math.max(first.total, events.length) };
  cache.delete(address);
  cache.set(address, { at: Date.now(), loaded });
  for (const oldest of cache.keys()) if (cache.size > MAX_ENTRIES) cache.delete(oldest);
  return loaded;
}

/** Those of the events that touch a range. */
function within({ events }: Loaded, { from, to }: { from: string; to: string }): Loaded {
  const touching = events.filter(
    ({ start_date: start, end_date: end }) => (start ?? '') <= to && (end ?? start ?? '') >= from,
  );
  return { events: touching, total: touching.length };
}

async function loadPage(address: string, page: number, signal: AbortSignal): Promise<Page> {
  let response: Response;
  try {
    response = await fetch(`${address}&page=${page}`, { signal, headers: { Accept: 'application/json' } });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new LoadError('offline');
  }
  // Events may have gone since the first page was read.
  if (response.status === 404 && page > 1) return { events: [], total: 0, total_pages: 0 };
  // A shared address may filter by what is gone.
  if (response.status === 400) return { events: [], total: 0, total_pages: 0 };
  if (response.status === 429 || response.status === 503) throw new LoadError('busy');
  if (!response.ok) throw new LoadError('failed');
  return (await response.json()) as Page;
}
