import { fromUtc, toUtc } from '../../src/lib/wordpress-text/dates/convert.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Caller, credentials } from '../support/calendar-client.js';
import { IndexQueries } from '../support/index-queries.js';
import { FACTS, type MixedDate, type MixedEvent, makeMixedCalendar, NOW } from '../support/mixed-calendar.js';
import { BASE } from '../support/recurring-events.js';
import { describeDatabases, makeSite, type Site } from '../support/sites.js';
import { SeededRandom } from '../support/unusual-values.js';

const REQUESTS = process.env['ALMANAC_LONG_TESTS'] === '1' ? 250 : 100;
const SEED = Number(process.env['SEED'] ?? 20_261_127);
const ZONE = 'America/New_York';

interface Entry {
  id: number;
  event: MixedEvent;
  date: MixedDate;
}
type Value = (entry: Entry) => string | number;
type Json = Record<string, unknown>;

const stamp = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const entriesOf = (event: MixedEvent): Entry[] =>
  event.dates.map((date) => ({ event, date, id: event.dates.length > 1 ? BASE + date.row : event.id }));
const compareBy = (of: Value) => (a: Entry, b: Entry) => (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0);
const byId = (a: Entry, b: Entry) => a.event.id - b.event.id || a.date.row - b.date.row;

/** What `include` shows of an event. */
function nextOf(event: MixedEvent): MixedDate | undefined {
  const byStart = compareBy(({ date }) => date.startUtc);
  const sorted = entriesOf(event).toSorted((a, b) => byStart(a, b) || byId(a, b));
  const ahead = sorted.find(({ date }) => date.endUtc > stamp(Date.parse(NOW)));
  const last = sorted.find(({ date }) => date.startUtc === sorted.at(-1)?.date.startUtc);
  return (ahead ?? last)?.date;
}

/** The members of an entry; the address only where the post is published or private. */
function membersOf({ event, date, id }: Entry): Json {
  const day = date.start.slice(0, 10);
  const earlier = event.dates.filter(
    ({ start, row }) =>
      start.startsWith(day) && (start < date.start || (start === date.start && row < date.row)),
  ).length;
  const dated = event.dates.length > 1 ? `${day}/${earlier > 0 ? `${earlier + 1}/` : ''}` : '';
  return {
    id,
    ...(['publish', 'private'].includes(event.status) && {
      url: `http://calendar.example.org/event/${event.slug}/${dated}`,
    }),
    start_date: date.start,
    end_date: date.end,
    utc_start_date: date.startUtc,
    utc_end_date: date.endUtc,
  };
}

describeDatabases('lists of single and recurring events', (database) => {
  describe.each(['event', 'site'] as const)('in %s mode', (mode) => {
    const dice = new SeededRandom(SEED);
    const chance = (sides: number) => dice.roll(sides) === 0;
    let site: Site;
    let events: MixedEvent[];
    /** One answers from memory, the other one by SQL. */
    let [caching, bare]: TestApp[] = [];

    beforeAll(async () => {
      site = await makeSite(database);
      const options = { databaseUrl: site.url, now: NOW, clockStands: true };
      const first = await startApp(options);
      const ask = (text: string) => first.dataSource.query(text);
      events = await makeMixedCalendar(ask, dice);
      const value = mode === 'site' ? 'a:1:{s:26:"tribe_events_timezone_mode";s:4:"site";}' : 'a:0:{}';
      await ask(
        `UPDATE wp_options SET option_value = '${value}' WHERE option_name = 'tribe_events_calendar_options'`,
      );
      await first.close();
      caching = await startApp(options);
      bare = await startApp({ ...options, env: { CACHE: 'off' } });
      await (await IndexQueries.of(caching)).ready();
    });
    afterAll(async () => {
      await caching?.close();
      await bare?.close();
      await site?.drop();
    });

    const read = async (path: string, caller: Caller) => {
      const headers = caller === 'anonymous' ? undefined : credentials(caller);
      const get = async (app: TestApp | undefined) => {
        const response = await fetch(`${app?.url}/cal/events/v1${path}`, { headers });
        return `${response.status} ${await response.text()}`;
      };
      const [one, other] = await Promise.all([get(caching), get(bare)]);
      return {
        status: Number(one.slice(0, 3)),
        body: JSON.parse(one.slice(4)) as Json,
        isSame: one === other,
      };
    };

    const startOf: Value = ({ date }) => (mode === 'site' ? date.startUtc : date.start);
    const endOf: Value = ({ date }) => (mode === 'site' ? date.endUtc : date.end);
    const orders: Record<string, Value> = {
      start_date: startOf,
      end_date: endOf,
      date: ({ event }) => event.posted,
      modified: ({ event }) => event.modified,
      title: ({ event }) => event.title,
      id: ({ event }) => event.id,
    };
    const edges: Record<string, (entry: Entry, at: string) => boolean> = {
      start_date: (entry, at) => startOf(entry) >= at,
      end_date: (entry, at) => endOf(entry) <= at,
      starts_before: (entry, at) => startOf(entry) < at,
      starts_after: (entry, at) => startOf(entry) > at,
      ends_before: (entry, at) => endOf(entry) < at,
      ends_after: (entry, at) => endOf(entry) > at,
    };

    const randomDates = () => {
      const isStrict = chance(2);
      const moment = () =>
        stamp(FACTS.from + dice.roll(FACTS.days * 24) * 3_600_000 - (chance(3) ? 1000 : 0));
      const dates: Record<string, string> = {
        start_date: chance(3) ? moment() : '2000-01-01 00:00:00',
        end_date: chance(4) ? moment() : '2099-12-31 00:00:00',
      };
      const others = chance(3) ? Object.keys(edges).slice(2) : [];
      for (const name of others.filter(() => chance(3))) dates[name] = moment();
      const sent = Object.entries(dates).map(([name, at]): [string, string] => [
        name,
        isStrict ? at : at.slice(0, 10),
      ]);
      const tests = sent.flatMap(([name, text]) => {
        if (name === 'start_date' && dates['starts_after']) return [];
        if (name === 'end_date' && dates['ends_before']) return [];
        const time = name === 'start_date' ? '00:00:00' : '23:59:59';
        // As recorded, exact times are read in UTC.
        const wall = isStrict ? fromUtc(text, ZONE) : `${text} ${time}`;
        const at = mode === 'site' ? toUtc(wall, ZONE) : wall;
        return [(entry: Entry) => edges[name]?.(entry, at) ?? true];
      });
      return { sent: [...sent, ...(isStrict ? [['strict_dates', 'true'] as [string, string]] : [])], tests };
    };

    /** The dates that some ids name, by the parameter. */
    const randomInclude = () => {
      const rows = events.flatMap(({ dates }) => dates.map(({ row }) => BASE + row));
      const every = [...events.map(({ id }) => id), ...rows, 999_999, BASE, BASE + 77_777_777];
      const ids = dice.some(1 + dice.roll(12), every);
      const all = events.filter(({ dates }) => dates.length > 1).flatMap(entriesOf);
      const named = ids.map((id) => {
        const event = events.find((one) => one.id === id);
        return all.find((entry) => entry.id === id)?.date ?? (event && nextOf(event));
      });
      return { text: ids.join(','), dates: new Set(named) };
    };

    const randomRequest = () => {
      const caller: Caller = chance(4) ? 'admin' : 'anonymous';
      const { sent: params, tests } = randomDates();
      const include = chance(5) ? randomInclude() : undefined;
      if (include) {
        params.push(['include', include.text]);
        tests.splice(0, tests.length, ({ date }) => include.dates.has(date));
      }
      const filter = (name: string, value: unknown, test: (event: MixedEvent) => boolean) => {
        params.push([name, String(value)]);
        tests.push(({ event }) => test(event));
      };
      const oneOf = (name: string, all: readonly number[], of: (event: MixedEvent) => readonly number[]) => {
        const some = dice.some(1 + dice.roll(3), all);
        const [parent, child = 0] = FACTS.categories;
        const found = some.flatMap((id) => (id === parent ? [id, child] : [id]));
        filter(name, some, (event) => found.some((id) => of(event).includes(id)));
      };
      if (chance(5)) oneOf('venue', FACTS.venues, ({ venues }) => venues);
      if (chance(5)) oneOf('organizer', FACTS.organizers, ({ organizers }) => organizers);
      if (chance(6)) oneOf('tags', FACTS.tags, ({ terms }) => terms);
      if (chance(5)) oneOf('categories', FACTS.categories, ({ terms }) => terms);
      const isWanted = chance(2);
      if (chance(5)) filter('featured', isWanted, ({ isFeatured }) => isFeatured === isWanted);
      const parent = dice.pick(events.filter(({ status, password }) => status === 'publish' && !password));
      if (chance(12)) filter('post_parent', parent.id, (event) => event.parent === parent.id);
      const words = dice.some(1 + dice.roll(2), FACTS.words);
      const mayFind = ({ password }: MixedEvent) => caller === 'admin' || password === '';
      const holds = ({ title, text }: MixedEvent) => words.every((word) => `${title} ${text}`.includes(word));
      if (chance(5)) filter('search', words.join(' '), (event) => mayFind(event) && holds(event));
      const statuses = caller === 'admin' ? dice.some(1 + dice.roll(3), FACTS.statuses) : ['publish'];
      filter('status', statuses, ({ status }) => statuses.includes(status));
      const areHiddenAsked = chance(6);
      if (areHiddenAsked) params.push(['with_hidden', 'true']);
      if (!areHiddenAsked || caller !== 'admin') tests.push(({ event }) => !event.isHidden);
      if (chance(4)) params.push(['recurrence', 'true']);
      const found = events.flatMap(entriesOf).filter((entry) => tests.every((test) => test(entry)));
      const isCursor = chance(3);
      const sort = sortOf(include !== undefined, isCursor);
      params.push(...sort.params);
      const query = params.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
      return { caller, path: `/events?${query}`, found: found.toSorted(sort.compare), isCursor };
    };

    const sortOf = (isInclude: boolean, isCursor: boolean) => {
      const orderby = chance(2) ? dice.pick(Object.keys(orders)) : undefined;
      const order = orderby && dice.pick(['asc', 'desc', undefined]);
      const posted = compareBy(({ event }) => event.posted);
      const start = compareBy(startOf);
      const compare = (a: Entry, b: Entry) => (isInclude ? 0 : start(a, b)) || posted(a, b) || byId(a, b);
      // A cursor needs one sort key.
      if (!orderby && !isCursor) return { params: [], compare };
      const name = orderby ?? (isInclude ? 'date' : 'start_date');
      const isDown = order === 'desc' || (order === undefined && ['date', 'modified'].includes(name));
      const by = compareBy(orders[name] ?? startOf);
      const params: [string, string][] = [
        ...(orderby ? [['orderby', orderby] as [string, string]] : []),
        ...(order ? [['order', order] as [string, string]] : []),
      ];
      return { params, compare: (a: Entry, b: Entry) => (isDown ? -by(a, b) : by(a, b)) || byId(a, b) };
    };

    /** What is wrong with a page. */
    const faultOf = ({ status, body, isSame }: Awaited<ReturnType<typeof read>>, wanted: Json) => {
      if (!isSame) return 'memory and SQL differ';
      if (wanted['events'] === undefined) return status === 404 ? undefined : { status };
      const entries = wanted['events'] as Json[];
      const listed = (body['events'] ?? []) as Json[];
      const events = listed.map((event, at) =>
        Object.fromEntries(Object.keys(entries[at] ?? event).map((name) => [name, event[name]])),
      );
      const { total, total_pages } = body;
      const got = JSON.stringify({ events, total, total_pages });
      return got === JSON.stringify(wanted) ? undefined : { status, got, wanted };
    };

    it(`are those of a naive model, from memory and by SQL, with seed ${SEED}`, async () => {
      const wrong: unknown[] = [];
      let seen = 0;
      for (let count = 0; count < REQUESTS; count++) {
        const { caller, path, found, isCursor } = randomRequest();
        const size = dice.pick([1, 3, 10, 50, 50, 80]);
        const perPage = Math.min(size, 50);
        const total_pages = Math.ceil(found.length / perPage);
        const page = dice.pick([1, 1, 1 + dice.roll(total_pages + 1), total_pages + 1, 1_000_000]);
        let next: string | undefined = isCursor ? 'cursor=*' : `page=${page}`;
        for (let at = isCursor ? 0 : (page - 1) * perPage; next !== undefined; at += perPage) {
          const whole = `${path}&per_page=${size}&${next}`;
          const reply = await read(whole, caller);
          const events = found.slice(at, at + perPage).map(membersOf);
          const isPast = events.length === 0 && at > 0;
          const fault = faultOf(reply, isPast ? {} : { events, total: found.length, total_pages });
          const cursor = reply.body['next_cursor'];
          next = isCursor && typeof cursor === 'string' && !fault ? `cursor=${cursor}` : undefined;
          const isCut = isCursor && next === undefined && at + perPage < found.length;
          if (fault ?? isCut) wrong.push({ caller, whole, fault, isCut });
          seen += events.length;
        }
      }
      expect(wrong.slice(0, 3)).toEqual([]);
      expect(seen).toBeGreaterThan(REQUESTS * 10);
    });

    it('have the members that each id has by itself', async () => {
      const wrong: unknown[] = [];
      for (const entry of events.filter(({ dates }) => dates.length > 1).flatMap(entriesOf)) {
        const { status, body, isSame } = await read(`/events/${entry.id}`, 'admin');
        const own = status === 200 ? undefined : await read(`/events/${entry.event.id}`, 'admin');
        const members = Object.entries(own ? {} : membersOf(entry));
        const areSame = members.every(([name, value]) => body[name] === value);
        if (!isSame || !areSame || (own && own.status !== status)) wrong.push({ entry, status, body });
      }
      expect(wrong.slice(0, 3)).toEqual([]);
    });
  });
});
