import { hash } from 'node:crypto';
import { toStoredUtc } from '../../src/lib/wordpress-text/dates/convert.js';
import type { Caller } from './calendar-client.js';
import type { WriteFixture } from './write-fixture.js';

/** An event with several occurrences. */
export interface Series {
  id: number;
  slug: string;
  /** The ids of its rows in `tec_occurrences`, in the order given. */
  rows: number[];
}

/** Adds an occurrence to an event, as another program does; returns its id. */
export async function addOccurrence(
  { ask }: Pick<WriteFixture, 'ask'>,
  id: number,
  [start, end]: readonly [string, string],
  zone = 'Europe/Berlin',
): Promise<number> {
  const [startUtc, endUtc] = [toStoredUtc(start, zone), toStoredUtc(end, zone)];
  const digest = hash('sha1', [id, start, end, startUtc, endUtc].join(':'));
  await ask(
    `INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, end_date, start_date_utc, end_date_utc, hash)
     SELECT event_id, post_id, '${start}', '${end}', '${startUtc}', '${endUtc}', '${digest}' FROM wp_tec_events WHERE post_id = ${id}`,
  );
  const [row] = await ask(`SELECT occurrence_id AS id FROM wp_tec_occurrences WHERE hash = '${digest}'`);
  return Number(row?.['id']);
}

/** Creates an event in Berlin by its first date, and adds the others. */
export async function makeSeries(
  fixture: WriteFixture,
  fields: Record<string, unknown>,
  [first, ...others]: readonly (readonly [string, string])[],
): Promise<Series> {
  const [start_date, end_date] = first ?? [];
  const created = await fixture.create({ timezone: 'Europe/Berlin', start_date, end_date, ...fields });
  const id = Number(created['id']);
  const [row] = await fixture.ask(`SELECT occurrence_id AS id FROM wp_tec_occurrences WHERE post_id = ${id}`);
  const rows = [Number(row?.['id'])];
  for (const dates of others) rows.push(await addOccurrence(fixture, id, dates));
  return { id, slug: String(created['slug']), rows };
}

/** Start and end on a day. */
export const at = (day: string, hour: number, hours = 2) =>
  [`${day} ${hour}:00:00`, `${day} ${hour + hours}:00:00`] as const;

/** The first id of occurrences by default. */
export const BASE = 10_000_000;

/** The ids of occurrences, of all or by their index. */
export const idsOf = ({ rows }: Series, ...which: number[]): number[] =>
  (which.length > 0 ? which : rows.map((_, index) => index)).map((index) => BASE + Number(rows[index]));

export type RecurringEvents = Awaited<ReturnType<typeof makeRecurringEvents>>;

/**
 * Events of 2095: `weekly` on Tuesdays, twice on one of them, with a clock change in between; `single` on one of these days;
 * others with two dates each; `past` in 2001.
 */
export async function makeRecurringEvents(fixture: WriteFixture) {
  const tags = { tags: ['Choir'] };
  const weekly = await makeSeries(fixture, { title: 'Choir', ...tags, featured: true }, [
    at('2095-03-22', 18),
    at('2095-03-29', 18),
    at('2095-03-29', 21),
    at('2095-04-05', 18),
  ]);
  const single = Number(
    (
      await fixture.create({
        title: 'Single',
        timezone: 'Europe/Berlin',
        start_date: '2095-03-29 19:00:00',
        end_date: '2095-03-29 20:00:00',
        ...tags,
      })
    )['id'],
  );
  const wholeDays = await makeSeries(fixture, { title: 'Market', all_day: true }, [
    ['2095-05-01 00:00:00', '2095-05-01 23:59:59'],
    ['2095-05-08 00:00:00', '2095-05-09 23:59:59'],
  ]);
  const draft = await makeSeries(fixture, { title: 'Draft', status: 'draft' }, [
    at('2095-06-01', 10),
    at('2095-06-02', 10),
  ]);
  const past = await makeSeries(fixture, { title: 'Past' }, [at('2001-06-01', 10), at('2001-06-08', 10)]);
  const secret = await makeSeries(fixture, { title: 'Secret' }, [at('2095-07-01', 10), at('2095-07-02', 10)]);
  await fixture.ask(`UPDATE wp_posts SET post_password = 'open' WHERE ID = ${secret.id}`);
  const hidden = await makeSeries(fixture, { title: 'Hidden', hide_from_listings: true }, [
    at('2095-08-01', 10),
    at('2095-08-02', 10),
  ]);
  const trashed = await makeSeries(fixture, { title: 'Trashed' }, [
    at('2095-09-01', 10),
    at('2095-09-02', 10),
  ]);
  await fixture.send('admin', 'DELETE', `/events/${trashed.id}`);
  return { weekly, single, wholeDays, draft, past, secret, hidden };
}

/** Reads from the interface of a fixture; throws unless it answers with 200. */
export function readerOf({ send }: Pick<WriteFixture, 'send'>) {
  const get = async (path: string, caller: Caller = 'anonymous') => {
    const { status, body } = await send(caller, 'GET', path);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const list = async (query: string, caller?: Caller) => {
    const body = await get(`/events?${query}`, caller);
    const events = body['events'] as Record<string, unknown>[];
    return { body, events, ids: events.map(({ id }) => Number(id)), total: body['total'] };
  };
  const ids = async (query: string, caller?: Caller) => (await list(query, caller)).ids;
  const status = async (method: string, id: number, caller: Caller = 'anonymous', body?: object) =>
    (await send(caller, method, `/events/${id}`, body)).status;
  return { get, list, ids, status };
}
