import type { INestApplicationContext } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Database } from '../../database/database.js';
import { calendarOf, calendarPieces } from '../../feeds/calendar-file.js';
import {
  type FileEvent,
  FileEvents,
  type FileOptions,
  type LoadEvents,
} from '../../feeds/file-events.service.js';
import { declaredArgs } from '../../http/params/rest-arg.js';
import type { RequestContext } from '../../http/request-context.js';
import { SiteCaller } from '../../http/site-caller.js';
import { UsedZones } from '../../lib/ical/write-time-zone.js';
import { compactDate } from '../../lib/wordpress-text/dates/wall-clock.js';
import { ListEventsQuery } from '../../resources/events/event.dto.js';
import { hostOf } from '../../resources/events/event-entry.js';
import type { EventJson } from '../../resources/events/event-json.js';
import { eventUids } from '../../resources/events/event-uids.js';
import { EventsService } from '../../resources/events/events.service.js';
import { Occurrences } from '../../resources/events/occurrences.service.js';
import { SERIES_META } from '../../resources/events/recurrence/stored-lines.js';
import { hasSeveral } from '../../resources/events/several-occurrences.js';
import { storedCost } from '../../resources/events/stored-cost.js';
import { writtenCosts } from '../../resources/events/written-costs.js';
import type { ListEntry } from '../../wordpress/posts/list-order.js';
import { hasPassword } from '../../wordpress/posts/post-record.js';
import { PostsService } from '../../wordpress/posts/posts.service.js';
import { csvEvent, csvHead } from './event-csv.js';

/** Events loaded at a time. */
const BATCH_SIZE = 50;

export const FORMATS = ['ics', 'csv', 'json'] as const;

/** The filters of an event list, which an export takes too. */
export const FILTERS = declaredArgs(ListEventsQuery).filter(
  ({ name, undeclared }) => !undeclared && !['page', 'per_page'].includes(name),
);

export interface ExportOptions {
  format: (typeof FORMATS)[number];
  /** Login of the reader; anonymous by default. */
  as?: string;
  filters: Readonly<Record<string, string>>;
  /** Whether events hidden from lists are included. */
  hidden?: boolean;
  /** Whether a table begins with a byte order mark. */
  bom?: boolean;
  /** Whether texts are exported as stored, if the reader may edit them and they are not locked. */
  raw?: boolean;
}

export interface Export {
  /** Events of the file: a series of a calendar file counts once if its rule is known, else each date. */
  total: number;
  /** Number of further events that lists hide. */
  leftOut: number;
  /** Ids of events that could not be written, known at the end: deleted ones, and dates that a calendar file cannot express. */
  unwritten: Set<number>;
  /** Yields the file in chunks; `read` is called with the number of finished events. */
  pieces(read: (done: number) => void): AsyncGenerator<string>;
}

/** Exports the events that are listed at the start, in batches; throws `RestException` for invalid filters. */
export async function exportEvents(app: INestApplicationContext, input: ExportOptions): Promise<Export> {
  const caller = await SiteCaller.of(app, input.as);
  const context = await caller.context();
  const events = app.get(EventsService);
  const isDated = Object.keys(input.filters).some((name) => /_date$|_before$|_after$/.test(name));
  // Without dates a list covers the next two years, an export all times.
  const all = { starts_after: '0001-01-01', ...input.filters };
  const query = await caller.read(ListEventsQuery, isDated ? input.filters : all, context);
  const listed = await events.entries(query, context);
  const isWhole = Object.keys(input.filters).every((name) => name === 'status');
  const hidden = isWhole ? await events.hiddenIds(query, context) : [];
  const known = new Set(listed.map(({ id }) => id));
  const others = input.hidden ? hidden.filter((id) => !known.has(id)) : [];
  const entries = [...listed, ...(await app.get(Occurrences).entriesOf(others))];
  const chosen = await FILE_EVENTS[input.format](app, entries, context, { isRaw: input.raw === true });

  const unwritten = new Set(chosen.map(({ id }) => id));
  async function* batches(read: (done: number) => void): AsyncGenerator<FileEvent[]> {
    for (let at = 0; at < chosen.length; at += BATCH_SIZE) {
      yield chosen.slice(at, at + BATCH_SIZE);
      read(Math.min(at + BATCH_SIZE, chosen.length));
    }
  }
  const pieces = (read: (done: number) => void) =>
    FORMAT[input.format]({
      batches: batches(read),
      load: async (ids) => {
        const now = await caller.context();
        const rendered = await events.some(ids, now);
        return input.raw ? withStoredTexts(app, rendered, now) : rendered;
      },
      app,
      settings: context.settings,
      hasBom: input.bom === true,
      wrote: ({ id }) => unwritten.delete(id),
    });
  return { total: chosen.length, leftOut: input.hidden ? 0 : hidden.length, unwritten, pieces };
}

/** The events of a table: each date is one. */
const datesAlone: FileEventsOf = async (_, entries, { settings }) =>
  entries
    .map(({ id, row }) => (row === undefined ? id : settings.occurrenceBase + row))
    .sort((a, b) => a - b)
    .map((id) => ({ id, listed: new Set([id]) }));

type FileEventsOf = (
  app: INestApplicationContext,
  entries: readonly ListEntry[],
  context: RequestContext,
  options: FileOptions,
) => Promise<FileEvent[]>;

const FILE_EVENTS: Readonly<Record<ExportOptions['format'], FileEventsOf>> = {
  json: datesAlone,
  csv: datesAlone,
  ics: (app, ...input) => app.get(FileEvents).of(...input),
};

type Settings = Awaited<ReturnType<SiteCaller['context']>>['settings'];
interface Writing {
  batches: AsyncGenerator<FileEvent[]>;
  load: LoadEvents;
  app: INestApplicationContext;
  settings: Settings;
  hasBom: boolean;
  /** Called for each event in the file. */
  wrote(event: { id: number }): void;
}
type Writer = (writing: Writing) => AsyncGenerator<string>;

const FORMAT: Readonly<Record<ExportOptions['format'], Writer>> = {
  async *json({ batches, load, wrote }) {
    let separator = '[\n';
    for await (const batch of batches)
      for (const event of await load(idsOf(batch))) {
        yield separator + JSON.stringify(event);
        wrote(event);
        separator = ',\n';
      }
    yield separator === '[\n' ? '[]\n' : '\n]\n';
  },

  async *csv({ batches, load, app, settings, hasBom, wrote }) {
    const { links, render } = settings;
    yield csvHead(hasBom);
    for await (const batch of batches) {
      const page = await load(idsOf(batch));
      const ids = idsOf(page);
      const database = app.get(Database);
      const postOf = await app.get(Occurrences).postOf(ids, settings);
      const uidOf = await eventUids(database, ids, hostOf(links.home), postOf);
      const costOf = await writtenCosts(database, page, render.locale, postOf);
      // Rows do not say that they are dates of one event: an import takes each for one.
      const idOf = ({ id, start_date, all_day }: EventJson) =>
        postOf(id) === id ? uidOf(id) : dateId(uidOf(id), start_date ?? '', all_day === true);
      yield page.map((event) => csvEvent(event, { uid: idOf(event), cost: costOf(event) })).join('');
      page.forEach(wrote);
    }
  },

  async *ics({ batches, load, app, settings, wrote }) {
    async function* entries() {
      for await (const batch of batches) {
        const written = await app.get(FileEvents).read(batch, load, settings);
        yield written;
        written.forEach(wrote);
      }
    }
    yield* calendarPieces(calendarOf(settings), entries(), await zonesIn(app.get(Database)));
  },
};

/** The id of one date of an event, as imports have it. */
const dateId = (uid: string, start: string, isDay: boolean): string =>
  `${uid}/${compactDate(start).slice(0, isDay ? 8 : undefined)}`;

const idsOf = (events: readonly { id: number }[]): number[] => events.map(({ id }) => id);

async function withStoredTexts(
  app: INestApplicationContext,
  events: readonly EventJson[],
  { access, settings }: RequestContext,
) {
  const ids = events.map(({ id }) => id);
  const postOf = await app.get(Occurrences).postOf(ids, settings);
  const posts = await app.get(PostsService).load([...new Set(ids.map(postOf))]);
  const byId = new Map(posts.map((post) => [post.id, post]));
  const costOf = await writtenCosts(app.get(Database), events, settings.render.locale, postOf);
  return events.map((event) => {
    const post = byId.get(postOf(event.id));
    const isOpen = post !== undefined && !hasPassword(post) && access.may('edit', post);
    if (!isOpen) return event;
    const cost = storedCost(post, costOf(event), settings.currency, settings.render.locale);
    const texts = { title: post.title, description: post.content, excerpt: post.excerpt };
    return { ...event, ...texts, ...(cost !== undefined && { cost_stored: cost }) };
  });
}

/** The zones of a calendar with the years of their events; those of series may go on for ever. */
async function zonesIn(database: Database): Promise<UsedZones> {
  const column = (name: string) => database.column(name);
  const rows = await database.query<{ zone: string; start: string; end: string; isOpen: number | string }>(
    sql`SELECT e.timezone AS ${column('zone')}, MIN(e.start_date) AS ${column('start')}, MAX(e.end_date) AS ${column('end')},
          MAX(CASE WHEN m.meta_id IS NOT NULL OR ${hasSeveral(database, sql`e.post_id`)} THEN 1 ELSE 0 END) AS isOpen
        FROM ${database.table('tec_events')} e
        LEFT JOIN ${database.table('postmeta')} m ON m.post_id = e.post_id AND m.meta_key = ${SERIES_META.lines}
        GROUP BY e.timezone`,
  );
  const zones = new UsedZones();
  for (const { zone, start, end, isOpen } of rows)
    if (zone)
      zones.cover(zone, Number.parseInt(start, 10), Number(isOpen) ? Infinity : Number.parseInt(end, 10));
  return zones;
}
