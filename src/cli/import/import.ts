import type { INestApplicationContext } from '@nestjs/common';
import sql from 'sql-template-tag';
import { RestException } from '../../common/errors/rest-exception.js';
import { Database } from '../../database/database.js';
import { isReadOnlyException } from '../../database/database-errors.js';
import { StartError } from '../../database/start-error.js';
import type { WriteContext } from '../../http/request-context.js';
import { Losses, type Loss } from '../../lib/ical/losses.js';
import type { ReadEvent } from '../../lib/ical/read-event.js';
import { titleFor } from '../../lib/ical/read-texts.js';
import { eventDates } from '../../resources/events/event-dates.js';
import { hostOf } from '../../resources/events/event-entry.js';
import { EVENT } from '../../resources/events/event-type.js';
import { CreateEventDto, UpdateEventDto } from '../../resources/events/event-write.dto.js';
import { errorLine } from '../exception-text.js';
import { SiteCaller } from '../site-caller.js';
import {
  escapeBackslashes,
  fieldsDigest,
  importKey,
  withCost,
  withStoredCost,
  withTermNames,
  writeAccepted,
} from './import-values.js';
import { withStartInId } from './calendar-records.js';
import type { Cancellation, FileRecord } from './file-record.js';
import { readRecords } from './import-records.js';
import { ImportedConcurrently, type ImportedEvent, ImportedEventIndex } from './imported-event-index.js';
import { ImportedEvents } from './imported-events.js';
import { isOutdated, type Withdrawal, Withdrawals } from './withdrawals.js';

/** Result of a record. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'withdrawn' | 'left out';

/** A record with its result. */
export interface ImportedRecord {
  line: number;
  uid: string;
  outcome: Outcome;
  /** Id of the event; undefined if it was not created. */
  id?: number;
  /** Why the record was skipped. */
  fault?: string;
  /** Properties that were lost. */
  lost?: readonly Loss[];
}

/** Options of an import. */
export interface ImportOptions {
  path: string;
  /** Login of the importing user. */
  as: string;
  /** Whether nothing is written. */
  dryRun?: boolean;
  /** Maximum events from a recurring one; by default recurring events are skipped. */
  occurrences?: number;
  /** Status of new events, in place of the file's. */
  status?: string;
  /** Whether images in the file are downloaded. */
  images?: boolean;
  note?: (line: string) => void;
}

/** Maximum events per transaction. */
const MAX_GROUP = 100;
/** Maximum milliseconds for which a transaction may hold the write lock. */
const MAX_GROUP_TIME = 1000;

/**
 * Imports the events of a file in batches, one transaction each, with the checks and rights of a request by that user;
 * markup is always cleaned. Events of an earlier import are recognized by id and updated only if the file changed.
 * Yields the result of each record; a `StartError` ends it.
 */
export async function* importEvents(
  app: INestApplicationContext,
  input: ImportOptions,
): AsyncGenerator<ImportedRecord> {
  const caller = await SiteCaller.of(app, input.as, { isFiltered: true });
  const context = await caller.context();
  if (!context.access.canOfType('edit', EVENT.type))
    throw new StartError(`"${input.as}" may not create events.`);
  const brought = new ImportedEventIndex(app.get(Database));
  await brought.refresh();
  const events = await ImportedEvents.of(app, brought);
  const importer = new Importer(app, events, brought, caller, input, hostOf(context.settings.links.home));
  const { occurrences = 0, note = () => undefined } = input;
  const { zone } = context.settings;
  let group: FileRecord[] = [];
  let size = 1;
  const write = async () => {
    const [records, begun] = [group, Date.now()];
    group = [];
    const done = await importer.takeAll(records);
    // An image that several events share is found only after the first event was committed.
    const isSlow = input.images || Date.now() - begun > MAX_GROUP_TIME;
    size = isSlow ? 1 : Math.min(size * 2, MAX_GROUP);
    return done;
  };
  try {
    for await (const record of readRecords(input.path, { zone, occurrences, note })) {
      // A duplicate id, or a cancellation, must see the result of the first record.
      if (record.cancelled || group.some(({ event }) => event && event.uid === record.event?.uid))
        yield* await write();
      group.push(record);
      if (group.length >= size) yield* await write();
    }
  } catch (error) {
    if (error instanceof StartError) yield* await write();
    throw error;
  }
  yield* await write();
  yield* importer.withdrawMissing();
}

class Importer {
  private readonly withdrawals: Withdrawals;

  constructor(
    private readonly app: INestApplicationContext,
    private readonly events: ImportedEvents,
    private readonly brought: ImportedEventIndex,
    private readonly caller: SiteCaller,
    private readonly input: ImportOptions,
    private readonly host: string,
  ) {
    this.withdrawals = new Withdrawals(brought);
  }

  /** Imports a batch of records. */
  async takeAll(records: readonly FileRecord[]): Promise<ImportedRecord[]> {
    const { now } = await this.caller.context();
    for (const { line, series } of records) if (series) this.withdrawals.takeSeries(series, line);
    const done = await this.events.writeTogether(records, now, async (record): Promise<ImportedRecord[]> => {
      const { line, event, fault, cancelled } = record;
      if (cancelled) return this.cancel(cancelled, line);
      if (event) return [{ line, uid: event.uid, ...(await this.take(event, line)) }];
      return fault === undefined ? [] : [{ line, uid: '', outcome: 'left out', fault }];
    });
    return done.flat();
  }

  /** Withdraws the dates that recurring events of the file no longer have. */
  async *withdrawMissing(): AsyncGenerator<ImportedRecord> {
    for (const one of this.withdrawals.missingDates()) yield await this.withdraw(one);
  }

  /** Withdraws what an earlier import brought of a cancelled event or date. */
  private async cancel(cancelled: Cancellation, line: number): Promise<ImportedRecord[]> {
    const found: ImportedRecord[] = [];
    for (const one of this.withdrawals.cancelled(cancelled, line)) found.push(await this.withdraw(one));
    return found.length > 0 ? found : [{ line, uid: '', outcome: 'left out', fault: 'it is cancelled' }];
  }

  private async withdraw({ key, known, line }: Withdrawal): Promise<ImportedRecord> {
    try {
      if (!this.input.dryRun) await this.events.removeEvent(known.id, await this.caller.context(), line);
      this.brought.set(key, { ...known, status: 'trash' });
      return { line, uid: key, outcome: 'withdrawn', id: known.id };
    } catch (error) {
      if (!(error instanceof RestException)) throw error;
      return { line, uid: key, outcome: 'left out', id: known.id, fault: errorLine(error) };
    }
  }

  private async take(event: ReadEvent, line: number): Promise<Omit<ImportedRecord, 'line' | 'uid'>> {
    const { uid, fields } = event;
    const key = this.keyOf(event);
    this.withdrawals.take(key);
    const { image, ...rest } = fields;
    const said = this.input.images && image !== undefined ? fields : rest;
    const digest = fieldsDigest(said);
    const known = this.brought.get(key) ?? this.asOnlyOne(event, digest) ?? (await this.ownEvent(uid));
    const losses = new Losses(event.losses);
    const outcome = (one: Outcome, id: number) => ({
      outcome: one,
      ...(id > 0 && { id }),
      ...(losses.list.length > 0 && { lost: losses.list }),
    });
    if (known?.digest === digest) return outcome('unchanged', known.id);
    const { sequence } = event;
    if (known && isOutdated(sequence, known)) {
      const fault = `an older revision: its SEQUENCE is ${sequence}, that of the imported one ${known.sequence}`;
      return { outcome: 'left out', id: known.id, fault };
    }
    if (known?.status === 'trash') return { outcome: 'left out', id: known.id, fault: 'it is in the trash' };
    try {
      const values = {
        ...escapeBackslashes(withStoredCost(said)),
        almanac_import_uid: key,
        almanac_import_digest: digest,
        ...(sequence !== undefined && { almanac_import_sequence: String(sequence) }),
      };
      const id = await writeAccepted(values, line, losses, (accepted) =>
        known ? this.update(known.id, accepted, line) : this.create(accepted, line),
      );
      this.brought.set(key, { id, digest, status: '', ...(sequence !== undefined && { sequence }) });
      return outcome(known ? 'updated' : 'created', id);
    } catch (error) {
      if (error instanceof ImportedConcurrently) return this.take(event, line);
      if (!(error instanceof RestException)) throw error;
      if (isReadOnlyException(error))
        throw new StartError('The user of the database may only read it: nothing can be imported.');
      return { outcome: 'left out', fault: errorLine(error) };
    }
  }

  /** The key of an event; it includes the start if events of the file once shared the `UID`. */
  private keyOf(event: ReadEvent): string {
    const keys = [withStartInId(event).uid, event.uid, ...(event.aliases ?? [])].map(importKey);
    return keys.find((key) => this.brought.get(key)) ?? importKey(event.uid);
  }

  /** The event as imported while its `UID` was unique in the file. */
  private asOnlyOne({ sharedUid }: ReadEvent, digest: string): ImportedEvent | undefined {
    const known = sharedUid === undefined ? undefined : this.brought.get(importKey(sharedUid));
    return known?.digest === digest ? known : undefined;
  }

  /** Returns the id, or 0 in a dry run. */
  private async create(values: Record<string, unknown>, line: number): Promise<number> {
    const context = await this.caller.context();
    const status = this.input.status ?? values['status'];
    const title = values['title'] ?? titleFor(values['description']);
    const raw = { ...values, title, ...(status !== undefined && { status }) };
    const fields = withCost(withTermNames(await this.caller.read(CreateEventDto, raw, context)), values);
    if (!this.input.dryRun) return this.events.createEvent(fields, context, line);
    this.checkDates(fields, context);
    return 0;
  }

  private async update(id: number, values: Record<string, unknown>, line: number): Promise<number> {
    const context = await this.caller.context();
    const { status, ...rest } = values;
    // A requested status applies to new events only: users may have changed it since.
    const said = this.input.status === undefined && status !== undefined ? values : rest;
    const fields = withCost(withTermNames(await this.caller.read(UpdateEventDto, said, context)), values);
    if (this.input.dryRun) this.checkDates(fields, context);
    else await this.events.updateEvent(id, fields, context, line);
    return id;
  }

  /** Checks in a dry run that a write makes within its transaction. */
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

  /** An event of this site, exported under its own id. */
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
