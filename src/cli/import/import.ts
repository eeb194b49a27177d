import { hash } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import sql from 'sql-template-tag';
import { RestException } from '../../common/errors/rest-exception.js';
import { Database } from '../../database/database.js';
import { isReadOnlyException } from '../../database/database-errors.js';
import { StartError } from '../../database/start-error.js';
import type { WriteContext } from '../../http/request-context.js';
import { type Loss, Losses } from '../../lib/ical/losses.js';
import type { ReadEvent } from '../../lib/ical/read-event.js';
import { titleFor } from '../../lib/ical/read-texts.js';
import type { CostRows } from '../../resources/events/cost-write.js';
import { eventDates } from '../../resources/events/event-dates.js';
import { hostOf } from '../../resources/events/event-entry.js';
import { EVENT } from '../../resources/events/event-type.js';
import { CreateEventDto, UpdateEventDto } from '../../resources/events/event-write.dto.js';
import { readStoredCost } from '../../resources/events/stored-cost.js';
import { errorLine } from '../exception-text.js';
import { SiteCaller } from '../site-caller.js';
import { apart } from './calendar-records.js';
import type { FileRecord } from './file-record.js';
import { readRecords } from './import-records.js';
import { ImportedConcurrently, type ImportedEvent, ImportedEventIndex } from './imported-event-index.js';
import { ImportedEvents } from './imported-events.js';

/** What became, or would become, of a record. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'left out';

/** A record and what became of it. */
export interface ImportedRecord {
  line: number;
  uid: string;
  outcome: Outcome;
  /** Of the event; undefined for one that is not made. */
  id?: number;
  /** Why it was left out. */
  fault?: string;
  /** What of it was left out. */
  lost?: readonly Loss[];
}

/** What is imported, and by whose rights. */
export interface ImportOptions {
  path: string;
  /** Login of who imports. */
  as: string;
  /** Whether nothing is written. */
  dryRun?: boolean;
  /** How many events a recurring one becomes; by default it is left out. */
  occurrences?: number;
  /** Status of what is new, in place of what the file says. */
  status?: string;
  /** Whether the images that the file names are fetched. */
  images?: boolean;
  note?: (line: string) => void;
}

/** Most events that are written in one transaction. */
const MAX_GROUP = 100;
/** How long the others that write may be kept waiting by one transaction, in milliseconds. */
const MAX_GROUP_TIME = 1000;

/**
 * Brings the events of a file into the calendar, groups of them in one transaction, through the same checks and rights as a request
 * of that user; markup is cleaned for all users. What an earlier import brought is known by its id: it is changed where the file
 * says something else now, and left alone where it does not. Yields what became of each record; a `StartError` ends it.
 */
export async function* importEvents(
  app: INestApplicationContext,
  wish: ImportOptions,
): AsyncGenerator<ImportedRecord> {
  const caller = await SiteCaller.of(app, wish.as, { isFiltered: true });
  const context = await caller.context();
  if (!context.access.canOfType('edit', EVENT.type))
    throw new StartError(`"${wish.as}" may not create events.`);
  const brought = new ImportedEventIndex(app.get(Database));
  await brought.look();
  const events = await ImportedEvents.of(app, brought);
  const importer = new Importer(app, events, brought, caller, wish, hostOf(context.settings.links.home));
  const { occurrences = 0, note = () => undefined } = wish;
  const { zone } = context.settings;
  let group: FileRecord[] = [];
  let size = 1;
  const write = async () => {
    const [records, begun] = [group, Date.now()];
    group = [];
    const done = await importer.takeAll(records);
    // An image that several events name is found by the second one once the first one is written.
    const isSlow = wish.images || Date.now() - begun > MAX_GROUP_TIME;
    size = isSlow ? 1 : Math.min(size * 2, MAX_GROUP);
    return done;
  };
  try {
    for await (const record of readRecords(wish.path, { zone, occurrences, note })) {
      // The second one of an id has to see what became of the first one.
      if (group.some(({ event }) => event && event.uid === record.event?.uid)) yield* await write();
      group.push(record);
      if (group.length >= size) yield* await write();
    }
  } catch (error) {
    if (error instanceof StartError) yield* await write();
    throw error;
  }
  yield* await write();
}

class Importer {
  constructor(
    private readonly app: INestApplicationContext,
    private readonly events: ImportedEvents,
    private readonly brought: ImportedEventIndex,
    private readonly caller: SiteCaller,
    private readonly wish: ImportOptions,
    private readonly host: string,
  ) {}

  /** What becomes of each record. */
  async takeAll(records: readonly FileRecord[]): Promise<ImportedRecord[]> {
    const { now } = await this.caller.context();
    return this.events.together(records, now, async ({ line, event, fault = '' }) =>
      event
        ? { line, uid: event.uid, ...(await this.take(event, line)) }
        : { line, uid: '', outcome: 'left out' as const, fault },
    );
  }

  private async take(event: ReadEvent, line: number): Promise<Omit<ImportedRecord, 'line' | 'uid'>> {
    const { uid, fields } = event;
    const key = this.keyOf(event);
    const { image, ...rest } = fields;
    const said = this.wish.images && image !== undefined ? fields : rest;
    const digest = digestOf(said);
    const known = this.brought.get(key) ?? this.asOnlyOne(event, digest) ?? (await this.ownEvent(uid));
    const losses = new Losses(event.losses);
    const outcome = (one: Outcome, id: number) => ({
      outcome: one,
      ...(id > 0 && { id }),
      ...(losses.list.length > 0 && { lost: losses.list }),
    });
    if (known?.digest === digest) return outcome('unchanged', known.id);
    if (known?.status === 'trash') return { outcome: 'left out', id: known.id, fault: 'it is in the trash' };
    try {
      const values = {
        ...keptWhole(withStoredCost(said)),
        almanac_import_uid: key,
        almanac_import_digest: digest,
      };
      const id = await withoutRefused(values, line, losses, (kept) =>
        known ? this.update(known.id, kept, line) : this.create(kept, line),
      );
      this.brought.set(key, { id, digest, status: '' });
      return outcome(known ? 'updated' : 'created', id);
    } catch (error) {
      if (error instanceof ImportedConcurrently) return this.take(event, line);
      if (!(error instanceof RestException)) throw error;
      if (isReadOnlyException(error))
        throw new StartError('The user of the database may only read it: nothing can be imported.');
      return { outcome: 'left out', fault: errorLine(error) };
    }
  }

  /** The id by which an event is known: that with its start where other events of the file had the same `UID` once. */
  private keyOf(event: ReadEvent): string {
    const key = keyOf(apart(event).uid);
    return this.brought.get(key) ? key : keyOf(event.uid);
  }

  /** The event as it was brought while no other event of the file had its `UID`. */
  private asOnlyOne({ sharedUid }: ReadEvent, digest: string): ImportedEvent | undefined {
    const known = sharedUid === undefined ? undefined : this.brought.get(keyOf(sharedUid));
    return known?.digest === digest ? known : undefined;
  }

  /** The id; 0 where nothing is written. */
  private async create(values: Record<string, unknown>, line: number): Promise<number> {
    const context = await this.caller.context();
    const status = this.wish.status ?? values['status'];
    const title = values['title'] ?? titleFor(values['description']);
    const raw = { ...values, title, ...(status !== undefined && { status }) };
    const fields = withCost(withNames(await this.caller.read(CreateEventDto, raw, context)), values);
    if (!this.wish.dryRun) return this.events.make(fields, context, line);
    this.checkDates(fields, context);
    return 0;
  }

  private async update(id: number, values: Record<string, unknown>, line: number): Promise<number> {
    const context = await this.caller.context();
    const { status, ...rest } = values;
    // What was asked of new events may have been changed by people since.
    const said = this.wish.status === undefined && status !== undefined ? values : rest;
    const fields = withCost(withNames(await this.caller.read(UpdateEventDto, said, context)), values);
    if (this.wish.dryRun) this.checkDates(fields, context);
    else await this.events.edit(id, fields, context, line);
    return id;
  }

  /** What a write would refuse only once it has begun. */
  private checkDates(fields: CreateEventDto | UpdateEventDto, { settings, now }: WriteContext): void {
    const site = { zone: settings.zone, cutoff: settings.dayCutoff, now: Math.floor(now / 1000) };
    const dates = eventDates(fields, undefined, site);
    if (typeof dates === 'string')
      throw new RestException(
        'invalid',
        'rest_invalid_param',
        `${dates} is out of range, or the end is before the start.`,
      );
  }

  /** An event of this very site, which went out from here under its own id. */
  private async ownEvent(uid: string): Promise<ImportedEvent | undefined> {
    const [, id, host] = /^(\d{1,15})@(.+)$/.exec(uid) ?? [];
    if (host !== this.host) return undefined;
    const database = this.app.get(Database);
    const [row] = await database.query<{ id: number; status: string }>(
      sql`SELECT p.ID AS id, p.post_status AS status FROM ${database.table('posts')} p
          WHERE p.ID = ${Number(id)} AND p.post_type = ${EVENT.type}`,
    );
    return row && { ...row, digest: '' };
  }
}

/** Fields without which an event is still the same event. */
const DISPENSABLE: readonly string[] = [
  ...['title', 'description', 'excerpt', 'cost', 'website', 'image'],
  ...['categories', 'tags', 'venue', 'organizer'],
];
/** Codes of terms that are refused. */
const TERM_CODES: readonly string[] = ['db_insert_error', 'empty_term_name', 'invalid_term_name'];

/** Writes values without those fields that are refused, as long as nothing else is. */
async function withoutRefused<T>(
  values: Record<string, unknown>,
  line: number,
  losses: Losses,
  write: (values: Record<string, unknown>) => Promise<T>,
): Promise<T> {
  try {
    return await write(values);
  } catch (error) {
    if (!(error instanceof RestException)) throw error;
    const faults = faultsOf(error, values);
    const names = Object.keys(faults);
    if (names.length === 0 || !names.every((name) => DISPENSABLE.includes(name) && name in values))
      throw error;
    for (const [name, why] of Object.entries(faults)) losses.add(line, name, why);
    const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
    return withoutRefused(kept, line, losses, write);
  }
}

/** The fields that are refused, and why. */
function faultsOf(error: RestException, values: Record<string, unknown>): Record<string, string> {
  if (TERM_CODES.includes(error.code)) {
    const named = EVENT.taxonomies.map(({ many }) => many).filter((many) => many in values);
    return Object.fromEntries(named.map((many) => [many, error.message]));
  }
  const params = Object.entries(error.details.data?.['params'] ?? {});
  return Object.fromEntries(params.map(([name, why]) => [name, String(why)]));
}

/** Fields whose stored cost is rows; what is none is left out. */
function withStoredCost({ cost_stored: stored, ...fields }: Readonly<Record<string, unknown>>) {
  const rows = stored === undefined ? undefined : readStoredCost(stored, fields['cost']);
  return rows ? { ...fields, cost_stored: rows } : fields;
}

/** Rows of a cost go in as they are, in place of those that its text would become. */
function withCost<Fields extends Pick<CreateEventDto, 'cost'>>(
  fields: Fields,
  { cost_stored: stored }: Readonly<Record<string, unknown>>,
): Fields {
  return stored === undefined ? fields : { ...fields, cost: stored as CostRows };
}

/** A file knows no ids of terms: what looks like one is the name of a year. */
function withNames<Fields extends Pick<CreateEventDto, 'categories' | 'tags'>>(fields: Fields): Fields {
  for (const { many } of EVENT.taxonomies)
    fields[many] = fields[many]?.map((item) => (typeof item === 'object' ? item : { name: String(item) }));
  return fields;
}

/** Fields with a layer of backslashes more, which a write takes off all texts but names of terms (W21). */
function keptWhole({
  categories,
  tags,
  ...texts
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = JSON.parse(
    JSON.stringify(texts, (_, value) => (typeof value === 'string' ? value.replaceAll('\\', '\\\\') : value)),
  );
  return { ...kept, ...(categories !== undefined && { categories }), ...(tags !== undefined && { tags }) };
}

/** The id as it is stored; one that is long, or that the cleaning of texts would change, by its digest. */
function keyOf(uid: string): string {
  return /^[\w.@:+/={}-]{1,150}$/.test(uid) ? uid : `sha256:${hash('sha256', uid)}`;
}

function digestOf(fields: Record<string, unknown>): string {
  return hash('sha256', JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))));
}
