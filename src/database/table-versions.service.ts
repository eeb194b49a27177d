import { Injectable, Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { SingleFlight } from '../cache/single-flight.js';
import { canUseReplica, runInBackground, withinBudget } from '../common/context/abort.js';
import { PerRequest } from '../common/context/request-store.js';
import { endsWithin } from '../common/ends-within.js';
import { Environment } from '../config/env.js';
import { Database } from './database.js';
import { Replicas } from './replicas.js';
import {
  detectUntimedChange,
  type TableTime,
  tableTimes,
  type UntimedChange,
  untimedReason,
} from './table-versions.query.js';

/** Versions of the site's tables at one moment; they only increase. */
export interface TableSnapshot {
  /** Increases whenever rows may have changed that responses consist of; users are not content. */
  readonly contentVersion: number;
  /** Increases whenever rows of one of these tables, such as `posts`, may have changed. */
  version(...tables: string[]): number;
  /** The last change of any table; absent while tables are changing. */
  readonly lastModified?: Date;
}

/** Updates its own copy of rows when tables change, before others see the new snapshot. */
export interface ChangeListener {
  /** Expected duration of `catchUp`, in milliseconds; undefined while it needs no changes. */
  readonly expectedDelay: number | undefined;
  catchUp(snapshot: TableSnapshot): Promise<void>;
}

/** How long a snapshot is valid, in milliseconds; from `POLL_AHEAD` on the next poll runs in the background. */
const FRESH_FOR = 900;
const POLL_AHEAD = 600;
/** Factor by which a listener may exceed its expected delay. */
const MARGIN = 1.3;
/** After such a gap between polls, in milliseconds, the server may have restarted unnoticed and lost its recorded times. */
const MAX_GAP = 2_000;
/** How long polling pauses while the site's tables are missing, in milliseconds. */
const MISSING_FOR = 2_000;
/** How long polling continues after the last use, in milliseconds, where a gap would invalidate everything. */
const IDLE = 600_000;
/** Longer transactions, in milliseconds, may not look recent: MariaDB dates a change by the start of its transaction. */
const SHORT_TRANSACTION = 500;
/** A poll that ends within this time after an own commit, in milliseconds, must see it. */
const COMMIT_VISIBLE_FOR = 1000;
/** Settings are versioned by `options` alone (`SettingsService`), and nothing cached depends on users. */
const NOT_CONTENT = new Set([
  'options',
  'users',
  'usermeta',
  'almanac_changes',
  'almanac_records',
  'almanac_webhooks',
  'almanac_deliveries',
  'almanac_idempotency',
  'almanac_api_keys',
  'almanac_jobs',
]);

interface Table {
  version: number;
  /** State at the last poll. */
  seen: string;
  untimed?: UntimedChange;
  /** Upper bound of its last change, by the server's clock in epoch seconds. */
  changedAt: number;
  /** Changed so recently that a further change might have the same second. */
  isRecent: boolean;
}

/**
 * Detects changes of tables by any writer, by the time of each table's last change, which InnoDB records in seconds. The
 * times are polled on demand, at most once a second; own commits count at once. Nothing is cached on servers without such
 * times (docs/behaviour/caching.md#table-versions).
 */
@Injectable()
export class TableVersions {
  private readonly tables = new Map<string, Table>();
  /** Valid only for the server that was polled. */
  private last?: { polledAt: number; server: DataSource; snapshot: TableSnapshot };
  private readonly perRequest = new PerRequest<TableSnapshot | undefined>();
  // A slow poll misses commits that followed its start.
  private readonly polls = new SingleFlight<'poll', TableSnapshot | undefined>({
    retries: true,
    maxAge: FRESH_FOR,
  });
  /** Number of invalidations: results of polls that began before the last one are discarded. */
  private invalidations = 0;
  private lastCommitAt = Number.NEGATIVE_INFINITY;
  private lastServer?: DataSource;
  private lastUsedAt = Number.NEGATIVE_INFINITY;
  private timer?: NodeJS.Timeout;
  private lastPollAt = Number.NEGATIVE_INFINITY;
  private nextPollAt = Number.NEGATIVE_INFINITY;
  private isReliable: boolean;
  /** Whether a poll has seen an own commit. */
  private isVerified = false;
  private readonly commitListeners: (() => Promise<void>)[] = [];
  private readonly listeners: ChangeListener[] = [];
  private readonly logger = new Logger('TableVersions');

  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    env: Environment,
  ) {
    this.isReliable = env.cache > 0;
  }

  /** The last snapshot while it is valid; polls in the background when it is about to expire. */
  latest(): TableSnapshot | undefined {
    this.lastUsedAt = performance.now();
    const age = this.lastUsedAt - (this.last?.polledAt ?? Number.NEGATIVE_INFINITY);
    if (age >= FRESH_FOR || !this.isReliable || this.last?.server !== this.replicas.reader) return undefined;
    if (age >= this.pollAhead) this.poll().catch(() => undefined);
    return this.last?.snapshot;
  }

  /**
   * The snapshot of the request, at most a second old when it is first used; renewed by own commits. Undefined where changes
   * cannot be detected, or not on the server that the caller reads from. Rejects as any read does.
   */
  async snapshot(): Promise<TableSnapshot | undefined> {
    if (!this.replicas.isEmpty && !canUseReplica()) return undefined;
    return this.perRequest.get(async () => this.latest() ?? this.poll());
  }

  /** Renews the request's snapshot by a poll of its own that begins now: for reads of commits that the caller knows of. */
  async renew(): Promise<void> {
    if (this.isReliable) await withinBudget(this.read());
    this.perRequest.reset();
  }

  /**
   * Counts an own commit, before its response. `duration`: of the transaction, in milliseconds; undefined if the commit failed
   * and its outcome is unknown. What is known of other writers stays. Changed options are reported to `SettingsService`
   * instead.
   */
  async bump(duration?: number): Promise<void> {
    if (duration !== undefined && duration < SHORT_TRANSACTION) this.lastCommitAt = performance.now();
    const { last } = this;
    this.perRequest.reset();
    if (duration !== undefined && last && this.isVerified) {
      this.discardPolls();
      for (const [name, table] of this.tables) if (!NOT_CONTENT.has(name)) table.version += 1;
      this.last = { ...last, snapshot: this.createSnapshot() };
    } else this.invalidate();
    for (const notify of this.commitListeners) await notify();
  }

  /** Invalidates all versions; the next poll determines which tables changed. */
  invalidate(): void {
    this.discardPolls();
    this.last = undefined;
    this.polls.clear();
  }

  /** Calls the listener after each own commit, before its response. */
  onCommit(listener: () => Promise<void>): void {
    this.commitListeners.push(listener);
  }

  /**
   * Delays new snapshots until the listener has caught up, at most until the previous one expires; polls begin earlier by its
   * expected delay.
   */
  onChange(listener: ChangeListener): void {
    this.listeners.push(listener);
  }

  /** Age of a snapshot at which the next poll begins. */
  private get pollAhead(): number {
    let age = POLL_AHEAD;
    for (const { expectedDelay = 0 } of this.listeners)
      age = Math.min(age, FRESH_FOR - MARGIN * expectedDelay);
    return Math.max(0, age);
  }

  private async listenersCaughtUp(snapshot: TableSnapshot): Promise<void> {
    const { last } = this;
    const active = this.listeners.filter(({ expectedDelay }) => expectedDelay !== undefined);
    const left = last ? last.polledAt + FRESH_FOR - performance.now() : 0;
    if (left <= 0 || active.length === 0) return;
    await endsWithin(Promise.all(active.map((listener) => listener.catchUp(snapshot))), left);
  }

  private discardPolls(): void {
    this.invalidations += 1;
    this.replicas.markStale();
  }

  private async poll(): Promise<TableSnapshot | undefined> {
    if (!this.isReliable || performance.now() < this.nextPollAt) return undefined;
    return withinBudget(this.polls.run('poll', () => this.read()));
  }

  private read(): Promise<TableSnapshot | undefined> {
    return runInBackground(() => this.readVersions()).catch((error: unknown) => {
      // A server that was restarted has lost all recorded times.
      this.lastPollAt = Number.NEGATIVE_INFINITY;
      throw error;
    });
  }

  private async readVersions(): Promise<TableSnapshot | undefined> {
    const polledAt = performance.now();
    const { invalidations } = this;
    const server = this.replicas.reader;
    const rows = await tableTimes(this.database);
    // The rows may lack own commits since, or belong to another server.
    const isOutdated = () => invalidations !== this.invalidations || server !== this.replicas.reader;
    if (isOutdated()) return this.readVersions();
    // A backup is being restored, or a plugin's tables are still to be created.
    if (!rows.some(({ name }) => name === 'posts')) {
      if (polledAt - this.nextPollAt > MISSING_FOR)
        this.logger.warn('Responses are not cached: the server does not list the tables of this site.');
      this.invalidate();
      this.nextPollAt = performance.now() + MISSING_FOR;
      return undefined;
    }
    const reason = this.unreliabilityReason(rows);
    if (reason) {
      this.isReliable = false;
      this.logger.warn(`Responses are not cached: ${reason}.`);
      return undefined;
    }
    this.isVerified ||=
      polledAt > this.lastCommitAt && performance.now() - this.lastCommitAt < COMMIT_VISIBLE_FOR;
    if (server !== this.lastServer) for (const table of this.tables.values()) table.version += 1;
    const now = rows[0]?.now ?? 0;
    for (const row of [...rows, ...this.droppedTables(rows, now)]) this.update(row, polledAt);
    this.lastPollAt = polledAt;
    this.lastServer = server;
    if (rows.some(({ changedAt }) => changedAt === null)) this.keepPolling();
    const snapshot = this.createSnapshot(rows.every(({ recent }) => !recent));
    await this.listenersCaughtUp(snapshot);
    if (isOutdated()) return this.readVersions();
    this.last = { polledAt, server, snapshot };
    return snapshot;
  }

  /** Polls without gaps for a while: a restart clears recorded times, which is invisible where there were none. */
  private keepPolling(): void {
    clearTimeout(this.timer);
    if (performance.now() - this.lastUsedAt > IDLE) return;
    this.timer = setTimeout(() => this.poll().catch(() => undefined), MAX_GAP / 2);
    this.timer.unref();
  }

  private droppedTables(rows: readonly TableTime[], now: number): TableTime[] {
    const present = new Set(rows.map(({ name }) => name));
    return [...this.tables.keys()]
      .filter((name) => !present.has(name))
      .map((name) => ({ name, engine: null, changedAt: 0, recent: 0, now }));
  }

  private update(row: TableTime, polledAt: number): void {
    const { name, changedAt, shape, recent, now, open = '' } = row;
    const table: Table = this.tables.get(name) ?? { version: 0, seen: '', changedAt: 0, isRecent: false };
    const untimed = detectUntimedChange(row, table.untimed);
    const seen = `${changedAt} ${shape} ${untimed.mark} ${open}`;
    this.tables.set(name, table);
    const mayBeForgotten = changedAt === null && polledAt - this.lastPollAt > MAX_GAP;
    // A table that is recent but looks as before: the server's clock was set back.
    if (table.seen !== seen || table.isRecent || recent || mayBeForgotten) {
      table.version += 1;
      table.changedAt = now;
    }
    table.seen = seen;
    table.untimed = untimed;
    table.isRecent = Boolean(recent);
  }

  /** `isQuiet`: no table changed recently. */
  private createSnapshot(isQuiet = false): TableSnapshot {
    const versions = new Map([...this.tables].map(([name, { version }]) => [name, version]));
    const version = (...names: string[]) => names.reduce((sum, name) => sum + (versions.get(name) ?? 0), 0);
    const content = [...versions.keys()].filter((name) => !NOT_CONTENT.has(name));
    // Replicas apply a change at different times, so their times of changes are not comparable.
    const isComparable = this.database.dialect === 'mysql' && this.replicas.isEmpty;
    const changedAt = Math.max(...[...this.tables.values()].map((table) => table.changedAt));
    const lastModified = new Date(changedAt * 1000);
    return { contentVersion: version(...content), version, ...(isQuiet && isComparable && { lastModified }) };
  }

  /** Why the server's times cannot be relied upon; undefined if they can. */
  private unreliabilityReason(rows: readonly TableTime[]): string | undefined {
    const reason = untimedReason(rows);
    if (reason !== undefined) return reason;
    const isAfterCommit =
      this.database.dialect === 'mysql' && performance.now() - this.lastCommitAt < COMMIT_VISIBLE_FOR;
    if (isAfterCommit && rows.every(({ recent }) => !recent))
      return 'the server did not record the time of an own commit';
    return undefined;
  }
}
