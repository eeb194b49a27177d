import { hash } from 'node:crypto';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import sql, { empty } from 'sql-template-tag';
import { calendarSettings } from '../calendar/calendar-settings.js';
import { Environment } from '../config/env.js';
import { Database } from '../database/database.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { inList } from '../wordpress/posts/post-rows.js';
import type { Change } from './change.js';
import { entries, headOf } from './changes.query.js';
import { JournalWriter } from './journal-writer.service.js';

/** How often entries of other processes are looked for while somebody listens, in milliseconds. */
const POLL_MS = 1000;

/** Reads the journal of changes (docs/behaviour/journal.md). */
@Injectable()
export class Journal implements OnModuleDestroy {
  private readonly listeners = new Set<() => void>();
  private timer?: NodeJS.Timeout;
  private lastHead?: number;
  /** What the journal was ready with: another one after its tables were made again. */
  private readyStates?: JournalWriter['states'];

  constructor(
    private readonly env: Environment,
    private readonly database: Database,
    private readonly settings: SettingsService,
    private readonly writer: JournalWriter,
  ) {
    writer.onWrite(() => this.notify());
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Whether changes are journaled: `CHANGES=on`, and `almanac migrate` has made the tables. */
  isEnabled(): boolean {
    return this.writer.states !== undefined;
  }

  /** Whether all records are known: before that, changes of some are not journaled. */
  async isReady(): Promise<boolean> {
    const { states } = this.writer;
    if (!states || this.readyStates === states) return states !== undefined;
    const isReady = (await this.writer.unfilledTypes()).length === 0;
    if (isReady) this.readyStates = states;
    return isReady;
  }

  /** The number of the last entry; 0 while there is none. */
  head(): Promise<number> {
    return headOf(this.database);
  }

  /** The number of the oldest kept entry; 0 while there is none. */
  async oldest(): Promise<number> {
    const [row] = await this.database.query<{ seq: number | null }>(
      sql`SELECT MIN(seq) AS seq FROM ${this.database.table('almanac_changes')}`,
    );
    return Number(row?.seq ?? 0);
  }

  /** Entries after a number, oldest first, of all types by default. */
  async after(
    seq: number,
    { limit, types }: { limit: number; types?: readonly string[] },
  ): Promise<Change[]> {
    const ofTypes = types ? sql` AND ${inList(sql`c.record_type`, types)}` : empty;
    return entries(this.database, { where: sql`c.seq > ${seq}${ofTypes}`, limit });
  }

  /** Another one for each journal that was made anew. */
  async id(): Promise<string | undefined> {
    const [journal] = await this.database.query<{ id: string }>(
      sql`SELECT checksum AS id FROM ${this.database.table('almanac_records')} WHERE record_id = 0 AND record_type = ''`,
    );
    return journal?.id;
  }

  /**
   * A short text that changes when numbers lose their meaning: with a new journal, other types of records, and settings that
   * change every response, such as addresses, time zone and currency.
   */
  async epoch(): Promise<string> {
    const id = await this.id();
    const settings = calendarSettings(await this.settings.current());
    const { links, render, zone, media, singleEventSlug, eventsSlug, timezoneMode } = settings;
    const { dayCutoff, currency, customFields, occurrenceBase } = settings;
    const all = [
      ...[id, this.writer.types, this.env.restBaseUrl],
      ...[links, render, zone, media, singleEventSlug, eventsSlug, timezoneMode],
      ...[dayCutoff, currency, customFields, occurrenceBase],
    ];
    const plain = JSON.stringify(all, (_name, value) =>
      value instanceof Map || value instanceof Set ? [...value] : value,
    );
    return hash('sha256', plain).slice(0, 12);
  }

  /** Calls the listener soon after new entries, also of other processes; returns what ends that. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    this.timer ??= setInterval(
      () => this.poll().catch((error) => this.writer.disableIfDropped(error)),
      POLL_MS,
    ).unref();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  private async poll(): Promise<void> {
    if (!this.isEnabled()) return;
    const head = await this.head();
    // The first time there may have been entries since somebody began to listen.
    if (head !== this.lastHead) this.notify();
    this.lastHead = head;
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}
