import { hash } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Database } from '../../database/database.js';
import { isReadOnlyRefusal } from '../../database/database-errors.js';
import { StartError } from '../../database/start-error.js';
import { Refusal } from '../../errors/refusal.js';
import type { CostRows } from '../../events/cost-write.js';
import { eventDates } from '../../events/event-dates.js';
import { EVENT } from '../../events/event-type.js';
import { CreateEventDto, UpdateEventDto } from '../../events/event-write.dto.js';
import { hostOf } from '../../events/event-entry.js';
import { readStoredCost } from '../../events/stored-cost.js';
import type { RequestContext } from '../../http/request-context.js';
import type { ReadEvent } from '../../ical/read-event.js';
import { type BroughtEvent, BroughtEvents, BroughtMeanwhile, ImportedEvents } from './brought-events.js';
import { readRecords } from './import-records.js';
import { refusalLine } from '../refusal-text.js';
import { SiteCaller } from '../site-caller.js';

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
}

/** What is imported, and by whose rights. */
export interface ImportWish {
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

/**
 * Brings the events of a file into the calendar, one transaction each, through the same checks and rights as a request of that user;
 * markup is cleaned whoever it is. What an earlier import brought is known by its id: it is changed where the file says something
 * else now, and left alone where it does not. Yields what became of each record; a `StartError` ends it.
 */
export async function* importEvents(
  app: INestApplicationContext,
  wish: ImportWish,
): AsyncGenerator<ImportedRecord> {
  const caller = await SiteCaller.of(app, wish.as, { isFiltered: true });
  const context = await caller.context();
  if (!context.access.canOfType('edit', EVENT.type))
    throw new StartError(`"${wish.as}" may not create events.`);
  const brought = new BroughtEvents(app.get(Database));
  await brought.look();
  const events = await ImportedEvents.of(app, brought);
  const importer = new Importer(app, events, brought, caller, wish, hostOf(context.settings.links.home));
  const { occurrences = 0, note = () => undefined } = wish;
  for await (const { line, event, fault } of readRecords(wish.path, {
    zone: context.settings.zone,
    occurrences,
    note,
  })) {
    if (event) yield { line, uid: event.uid, ...(await importer.take(event)) };
    else yield { line, uid: '', outcome: 'left out', ...(fault !== undefined && { fault }) };
  }
}

class Importer {
  constructor(
    private readonly app: INestApplicationContext,
    private readonly events: ImportedEvents,
    private readonly brought: BroughtEvents,
    private readonly caller: SiteCaller,
    private readonly wish: ImportWish,
    private readonly host: string,
  ) {}

  async take(event: ReadEvent): Promise<Omit<ImportedRecord, 'line' | 'uid'>> {
    const { uid, fields } = event;
    const key = keyOf(uid);
    const { image, ...rest } = fields;
    const said = this.wish.images && image !== undefined ? fields : rest;
    const digest = digestOf(said);
    const known = this.brought.get(key) ?? (await this.ownEvent(uid));
    if (known?.digest === digest) return { outcome: 'unchanged', ...(known.id > 0 && { id: known.id }) };
    if (known?.status === 'trash') return { outcome: 'left out', id: known.id, fault: 'it is in the trash' };
    try {
      const values = {
        ...keptWhole(withStoredCost(said)),
        almanac_import_uid: key,
        almanac_import_digest: digest,
      };
      const id = known ? await this.update(known.id, values) : await this.create(values);
      this.brought.set(key, { id, digest, status: '' });
      return { outcome: known ? 'updated' : 'created', ...(id > 0 && { id }) };
    } catch (error) {
      if (error instanceof BroughtMeanwhile) return this.take(event);
      if (!(error instanceof Refusal)) throw error;
      if (isReadOnlyRefusal(error))
        throw new StartError('The user of the database may only read it: nothing can be imported.');
      return { outcome: 'left out', fault: refusalLine(error) };
    }
  }

  /** The id; 0 where nothing is written. */
  private async create(values: Record<string, unknown>): Promise<number> {
    const context = await this.caller.context();
    const status = this.wish.status ?? values['status'];
    const raw = { ...values, ...(status !== undefined && { status }) };
    const fields = withCost(withNames(await this.caller.read(CreateEventDto, raw, context)), values);
    if (!this.wish.dryRun) return (await this.events.create(fields, context)).id;
    this.checkDates(fields, context);
    return 0;
  }

  private async update(id: number, values: Record<string, unknown>): Promise<number> {
    const context = await this.caller.context();
    const { status, ...rest } = values;
    // What was asked of new events is for whoever looks after them to change.
    const said = this.wish.status === undefined && status !== undefined ? values : rest;
    const fields = withCost(withNames(await this.caller.read(UpdateEventDto, said, context)), values);
    if (this.wish.dryRun) this.checkDates(fields, context);
    else await this.events.update(id, fields, context);
    return id;
  }

  /** What a write would refuse only once it has begun. */
  private checkDates(fields: CreateEventDto | UpdateEventDto, { settings, now }: RequestContext): void {
    const site = { zone: settings.zone, cutoff: settings.dayCutoff, now: Math.floor(now / 1000) };
    const dates = eventDates(fields, undefined, site);
    if (typeof dates === 'string')
      throw new Refusal(
        'invalid',
        'rest_invalid_param',
        `${dates} is out of range, or the end is before the start.`,
      );
  }

  /** An event of this very site, which went out from here under its own id. */
  private async ownEvent(uid: string): Promise<BroughtEvent | undefined> {
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
