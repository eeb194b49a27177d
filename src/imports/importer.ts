import { Database } from '../database/database.js';
import { isReadOnlyException } from '../database/database-errors.js';
import { StartError } from '../database/start-error.js';
import type { Services } from '../http/services.js';
import type { SiteCaller } from '../http/site-caller.js';
import { Losses } from '../lib/ical/losses.js';
import type { ReadEvent } from '../lib/ical/read-event.js';
import { hostOf } from '../resources/events/event-entry.js';
import { withStartInId } from './calendar-records.js';
import type { Cancellation, FileRecord, ImportedRecord, Outcome } from './file-record.js';
import {
  escapeBackslashes,
  faultOf,
  fieldsDigest,
  importKey,
  rejected,
  withStoredCost,
  writeAccepted,
} from './import-values.js';
import { ImportWrites, type WriteOptions } from './import-writes.js';
import { ImportedConcurrently, type ImportedEvent, ImportedEventIndex } from './imported-event-index.js';
import { ImportedEvents, type ImportMarks } from './imported-events.js';
import { ownDate, ownEvent, ownEventOfDate, upcomingOf } from './own-events.js';
import { exclusionIn, formerDates, linesOf, mergedRecurrence } from './recurring-fields.js';
import { isOutdated, type Withdrawal, Withdrawals } from './withdrawals.js';

type Result = Omit<ImportedRecord, 'line' | 'uid'>;

const NO_DATES: ReadonlyMap<string, string> = new Map();

/** Writes the records of a file as a user. */
export class Importer {
  private readonly database: Database;
  private readonly withdrawals: Withdrawals;
  private readonly writes: ImportWrites;
  /** The UIDs of the recurring events that are written. */
  private readonly takenSeries = new Set<string>();

  private constructor(
    services: Services,
    private readonly events: ImportedEvents,
    private readonly index: ImportedEventIndex,
    private readonly caller: SiteCaller,
    private readonly input: WriteOptions,
    private readonly host: string,
  ) {
    this.database = services.get(Database);
    this.withdrawals = new Withdrawals(index);
    this.writes = new ImportWrites(services, events, caller, input);
  }

  static async of(services: Services, caller: SiteCaller, input: WriteOptions): Promise<Importer> {
    const index = new ImportedEventIndex(services.get(Database));
    await index.refresh();
    const events = await ImportedEvents.of(services, index);
    const { settings } = await caller.context();
    return new Importer(services, events, index, caller, input, hostOf(settings.links.home));
  }

  /** Imports a batch of records. */
  async takeAll(records: readonly FileRecord[]): Promise<ImportedRecord[]> {
    const { now } = await this.caller.context();
    const done = await this.events.writeTogether(records, now, async (record): Promise<ImportedRecord[]> => {
      const { line, event, fault, cancelled, series } = record;
      if (cancelled) return this.cancel(cancelled, line);
      if (event?.seriesUid && this.skipsDatesOf(event.seriesUid))
        return series
          ? [{ line, uid: event.uid, outcome: 'left out', fault: `it recurs: ${this.input.seriesOff}` }]
          : [];
      const own = event ? this.ownDates(event) : NO_DATES;
      const result = event && (await this.take(event, own, line));
      const isLeftOut = event?.exclusions && (result?.outcome === 'left out' || this.isTrashed(series?.uid));
      if (series && !isLeftOut && !this.skipsDatesOf(series.uid)) {
        this.takenSeries.add(series.uid);
        this.withdrawals.takeSeries(series, [...own.keys()], line);
      }
      if (event && result) return [{ line, uid: event.uid, ...result }];
      return fault === undefined ? [] : [{ line, uid: '', outcome: 'left out', fault }];
    });
    return done.flat();
  }

  /** Withdraws the dates that recurring events of the file no longer have. */
  async *withdrawMissing(): AsyncGenerator<ImportedRecord> {
    for (const one of this.withdrawals.missingDates())
      if (!this.isOfOther(one.known)) yield await this.withdraw(one);
  }

  /** The events of a feed that it has no more, and how many of it are not over; `uids` are those of the feed. */
  async vanished(feed: string, uids: ReadonlySet<string>): Promise<{ gone: Withdrawal[]; upcoming: number }> {
    const keys = new Set([...uids].map(importKey));
    const { now } = await this.caller.context();
    const ids = await upcomingOf(this.database, feed, now);
    const upcoming = this.index.ofFeed(feed).filter(([, { id }]) => ids.has(Number(id)));
    const isThere = (key: string, { series }: ImportedEvent) =>
      this.withdrawals.isTaken(key) ||
      [key, series ?? key, key.replace(/\/\d{8}(?:T\d{6})?$/, '')].some((one) => keys.has(one));
    const gone = upcoming.filter(([key, known]) => !isThere(key, known));
    return { gone: gone.map(([key, known]) => ({ key, known, line: 0 })), upcoming: upcoming.length };
  }

  /** Withdraws the imported events of a cancelled event or date. */
  private async cancel(cancelled: Cancellation, line: number): Promise<ImportedRecord[]> {
    const found: ImportedRecord[] = [];
    for (const one of this.withdrawals.cancelled(cancelled, line))
      if (!this.isOfOther(one.known)) found.push(await this.withdraw(one));
    if (found.length > 0 || cancelled.isExcluded) return found;
    const { uid, ids = [], sequence } = cancelled;
    const whole = this.wholeOf(uid, sequence);
    try {
      const date = whole && (await this.exclude(whole, ids, line));
      if (!whole || !date) return [{ line, uid: '', outcome: 'left out', fault: 'it is cancelled' }];
      return [{ line, uid: ids[0] ?? '', outcome: 'withdrawn', id: whole.id }];
    } catch (error) {
      return [{ line, uid: '', ...rejected(error) }];
    }
  }

  /** Withdraws an event. */
  async withdraw({ key, known, line, sequence }: Withdrawal): Promise<ImportedRecord> {
    try {
      if (!this.input.dryRun)
        await this.events.withdraw(known.id, sequence, await this.caller.context(), line);
      this.index.set(key, { ...known, status: 'trash', isWithdrawn: true });
      return { line, uid: key, outcome: 'withdrawn', id: known.id };
    } catch (error) {
      return { line, uid: key, id: known.id, ...rejected(error) };
    }
  }

  /** The dates of an event that recurs, as `EXDATE` lines by their ids, if some may be imported as single events. */
  private ownDates({ uid, exclusions }: ReadEvent): ReadonlyMap<string, string> {
    return exclusions && this.index.mayHaveDatesOf(importKey(uid)) ? exclusions() : NO_DATES;
  }

  private async take(event: ReadEvent, own: ReadonlyMap<string, string>, line: number): Promise<Result> {
    const { uid, fields, sequence, seriesUid, replaces } = event;
    const key = this.keyOf(event);
    this.withdrawals.take(key);
    if (replaces !== undefined && this.input.keepsSeries && !this.takenSeries.has(seriesUid ?? ''))
      return { outcome: 'left out', fault: 'its series is left out' };
    const ofSite = this.input.feed === undefined ? undefined : await ownEvent(this.database, uid, this.host);
    if (ofSite) return { outcome: 'left out', id: ofSite.id, fault: 'it is an event of this site' };
    const { image, ...rest } = fields;
    const said = this.input.images && image !== undefined ? fields : rest;
    const digest = fieldsDigest(said);
    const former = formerDates(own, this.index);
    const known =
      this.index.get(key) ??
      this.asOnlyOne(event, digest) ??
      former.first?.event ??
      (await ownEvent(this.database, uid, this.host)) ??
      (await ownDate(this.database, this.originOf(event)));
    const ofDate = known ? undefined : await ownEventOfDate(this.database, uid, this.host);
    if (ofDate !== undefined)
      return { outcome: 'left out', id: ofDate, fault: 'it is one of several dates of this event here' };
    const whole = replaces === undefined ? this.wholeOf(seriesUid, sequence) : undefined;
    const losses = new Losses(
      whole ? event.losses?.filter(({ property }) => property !== 'RECURRENCE-ID') : event.losses,
    );
    const outcome = (one: Outcome, id: number) => ({
      outcome: one,
      ...(id > 0 && { id }),
      ...(losses.list.length > 0 && { lost: losses.list }),
    });
    if (known?.digest === digest && !known.isWithdrawn) {
      await this.claim(key, known);
      return outcome('unchanged', known.id);
    }
    const fault = this.rejectionOf(event, known);
    if (known && fault !== undefined) return { outcome: 'left out', id: known.id, fault };
    if (known?.status === 'trash' && !known.isWithdrawn)
      return { outcome: 'left out', id: known.id, fault: 'it is in the trash' };
    const lines = linesOf(said);
    const marks: ImportMarks = {
      uid: key,
      digest,
      sequence: sequence === undefined ? undefined : String(sequence),
      series: seriesUid ? importKey(seriesUid) : undefined,
      recurrence: lines?.join('\n'),
      feed: this.input.feed,
      ...this.originOf(event),
    };
    try {
      const dates = [uid, ...(event.aliases ?? [])];
      const exclusion = whole && !known ? await exclusionIn(this.database, whole, dates) : undefined;
      if (whole && exclusion) marks.origin = { series: whole.id, date: exclusion.start };
      const full = lines ? { ...said, recurrence: [...lines, ...former.excluded] } : said;
      const merged = known ? await mergedRecurrence(this.database, known, full) : { fields: full };
      if (merged.loss) losses.add(line, merged.loss.property, merged.loss.why);
      const values = escapeBackslashes(withStoredCost(merged.fields));
      const id = await writeAccepted(values, line, losses, (accepted) =>
        known
          ? this.writes.update(known, accepted, marks, line)
          : this.writes.create(accepted, marks, line, exclusion),
      );
      if (whole && exclusion) this.index.set(exclusion.marks.uid, { ...whole, digest: '' });
      if (former.first?.event === known && former.first) this.index.delete(former.first.key);
      const { series } = marks;
      this.index.set(key, {
        id,
        digest,
        status: '',
        ...(sequence !== undefined && { sequence }),
        ...(series !== undefined && { series }),
        ...(lines && { recurs: true }),
        ...(this.input.feed !== undefined && { feed: this.input.feed }),
      });
      if (!seriesUid && !event.sharedUid && !lines)
        this.withdrawals.takeSingle(importKey(uid), sequence, line);
      return outcome(known ? 'updated' : 'created', id);
    } catch (error) {
      if (error instanceof ImportedConcurrently) return this.take(event, own, line);
      if (isReadOnlyException(error))
        throw new StartError('The user of the database may only read it: nothing can be imported.');
      return rejected(error, faultOf);
    }
  }

  /** Records that an event is in the feed, unless another one has it. */
  private async claim(key: string, known: ImportedEvent): Promise<void> {
    const { feed, dryRun } = this.input;
    if (feed === undefined || known.feed !== undefined || dryRun) return;
    await this.events.storeFeed(known.id, feed);
    this.index.set(key, { ...known, feed });
  }

  /** Why a record does not change what is known of it. */
  private rejectionOf({ sequence, isRow }: ReadEvent, known?: ImportedEvent): string | undefined {
    if (known && isOutdated(sequence, known))
      return `an older revision: its SEQUENCE is ${sequence}, that of the imported one ${known.sequence}`;
    if (known && this.isOfOther(known)) return 'another feed that is followed has it';
    if (isRow && known?.recurs) return 'it recurs, which a table does not hold';
    if (known?.recurs && this.input.seriesOff) return `it recurs: ${this.input.seriesOff}`;
    return undefined;
  }

  /** The stored event that recurs, of which a file without it names a date. */
  private wholeOf(uid = '', sequence?: number): ImportedEvent | undefined {
    const whole = this.input.keepsSeries ? this.index.get(importKey(uid)) : undefined;
    const isUsable = whole?.recurs && whole.status !== 'trash' && !isOutdated(sequence, whole);
    return isUsable && !this.isOfOther(whole) ? whole : undefined;
  }

  /** Leaves a date out of a stored event; returns whether it had it. */
  private async exclude(whole: ImportedEvent, ids: readonly string[], line: number): Promise<boolean> {
    const exclusion = await exclusionIn(this.database, whole, ids);
    if (!exclusion) return false;
    await this.writes.update(whole, exclusion.fields, exclusion.marks, line);
    this.index.set(exclusion.marks.uid, { ...whole, digest: '' });
    return true;
  }

  /** Whether an event was imported from another feed, which is followed. */
  private isOfOther({ feed }: ImportedEvent): boolean {
    return feed !== undefined && this.input.otherFeeds?.has(feed) === true;
  }

  /** Whether dates of a recurring event are left alone, as it is stored as a whole and cannot be written. */
  private skipsDatesOf(uid: string): boolean {
    const whole = this.index.get(importKey(uid));
    return this.input.seriesOff !== undefined && whole?.recurs === true && whole.status !== 'trash';
  }

  /** Whether somebody trashed an event, or its source withdrew it. */
  private isTrashed(uid = ''): boolean {
    return this.index.get(importKey(uid))?.status === 'trash';
  }

  /** The key of an event; it includes the start if events of the file once shared the `UID`. */
  private keyOf(event: ReadEvent): string {
    const own = importKey(event.uid);
    if (event.exclusions || this.index.get(own)?.recurs) return own;
    const keys = [withStartInId(event).uid, event.uid, ...(event.aliases ?? [])].map(importKey);
    return keys.find((key) => this.index.get(key)) ?? own;
  }

  /** The event as imported while its `UID` was unique in the file. */
  private asOnlyOne({ sharedUid }: ReadEvent, digest: string): ImportedEvent | undefined {
    const known = sharedUid === undefined ? undefined : this.index.get(importKey(sharedUid));
    return known?.digest === digest ? known : undefined;
  }

  /** The recurring event whose date an event replaces. */
  private originOf({ seriesUid = '', replaces }: ReadEvent): Pick<ImportMarks, 'origin'> {
    const whole = replaces === undefined ? undefined : this.index.get(importKey(seriesUid));
    return whole && replaces !== undefined ? { origin: { series: whole.id, date: replaces } } : {};
  }
}
