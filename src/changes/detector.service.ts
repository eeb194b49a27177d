import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import sql from 'sql-template-tag';
import { runDetached } from '../common/context/abort.js';
import { firstLine } from '../common/errors/first-line.js';
import { WakeablePause } from '../common/wakeable-pause.js';
import { Environment } from '../config/env.js';
import { Database } from '../database/database.js';
import { Lease } from '../database/lease.service.js';
import { type TableSnapshot, TableVersions } from '../database/table-versions.service.js';
import { ForeignChanges } from './foreign-changes.service.js';
import { JournalTrim } from './journal-trim.service.js';
import { JournalWriter } from './journal-writer.service.js';
import { LinkedChanges } from './linked-changes.service.js';

/** How often table versions are compared, in milliseconds. */
const PERIOD_MS = 1000;
/** The pause after a failure, and between looks for missing tables, in milliseconds. */
const RETRY_MS = 10_000;
/** A walk pauses so many times as long as its last step took; longer while this process writes. */
const REST = 4;
const REST_BESIDE_WRITES = 9;
/** This process counts as writing for so long after a write, in milliseconds. */
const WRITING_MS = 2000;
/** Where table versions are unknown, a walk begins after this time, in milliseconds. */
const UNKNOWN_MS = 5000;
/** On SQLite statements of plugins on the own connection are found by a walk after this time, in milliseconds. */
const OWN_CONNECTION_MS = 600_000;

/** The tables that records are made of. */
const TABLES = [
  ...['posts', 'postmeta', 'tec_occurrences', 'terms', 'termmeta', 'term_taxonomy', 'term_relationships'],
];

/**
 * Journals changes of other programs, in one process of all, while its server listens. When table versions have changed, it
 * compares what changes usually leave, then all records in steps, for a fifth of the time.
 */
@Injectable()
export class Detector implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stop = new AbortController();
  private running?: Promise<void>;
  /** Ends early when this process writes entries of records that others show, or stops. */
  private readonly pause = new WakeablePause();
  /** The state of the tables when the last walk began. */
  private walked = '';
  private hinted = '';
  /** The walk that is going on. */
  private walk?: AsyncGenerator<void>;
  private lastFailure = '';
  /** When records are compared next, by `performance.now()`. */
  private nextAt = Number.NEGATIVE_INFINITY;
  private wroteAt = Number.NEGATIVE_INFINITY;
  private hintedAt = Number.NEGATIVE_INFINITY;
  private readonly logger = new Logger('Journal');

  constructor(
    private readonly env: Environment,
    private readonly adapter: HttpAdapterHost,
    private readonly database: Database,
    private readonly versions: TableVersions,
    private readonly lease: Lease,
    private readonly writer: JournalWriter,
    private readonly foreign: ForeignChanges,
    private readonly linked: LinkedChanges,
    private readonly trim: JournalTrim,
  ) {
    writer.onWrite((types) => {
      this.wroteAt = performance.now();
      if (this.linked.concerns(types)) this.pause.wake();
    });
  }

  onApplicationBootstrap(): void {
    if (this.env.changes === 'off' || this.env.readOnly) return;
    // Commands journal their own writes only.
    this.adapter.listen$.subscribe(() => {
      this.running ??= runDetached(() => this.run());
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.stop.abort();
    this.pause.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stop;
    while (!signal.aborted)
      try {
        if (await this.writer.enable()) await this.lease.run('changes', (held) => this.follow(held), signal);
        else await this.pause.wait(RETRY_MS);
      } catch (error) {
        this.logFailure(error);
        await this.pause.wait(RETRY_MS);
      }
  }

  /** Follows the tables until the signal aborts. */
  private async follow(signal: AbortSignal): Promise<void> {
    this.linked.restart();
    this.foreign.restart();
    this.walked = '';
    this.walk = undefined;
    while (!signal.aborted) {
      const begun = performance.now();
      const hasMore = await this.linked.follow();
      // Own writes wake it for their linked records only.
      const isDue = begun >= this.nextAt;
      if (isDue) await this.compareNext();
      this.lastFailure = '';
      const isWriting = performance.now() - this.wroteAt < WRITING_MS;
      const rest = (isWriting ? REST_BESIDE_WRITES : REST) * (performance.now() - begun);
      if (isDue) this.nextAt = performance.now() + (this.walk ? rest : Math.max(rest, PERIOD_MS));
      await this.pause.wait(hasMore ? 0 : this.nextAt - performance.now());
    }
  }

  /** Compares hints at most once a period, then the next step of a walk. */
  private async compareNext(): Promise<void> {
    const versions = this.database.dialect === 'mysql' ? await this.versions.snapshot() : undefined;
    const state = await this.tableState(versions);
    if (state !== this.hinted && performance.now() - this.hintedAt > PERIOD_MS / 2) {
      await this.foreign.compareHints();
      this.hinted = state;
      this.hintedAt = performance.now();
    }
    if (!this.walk && state !== this.walked) {
      this.walk = this.foreign.compareAll(versions);
      this.walked = state;
    }
    if (!this.walk) return this.trim.run();
    if (!(await this.walk.next()).done) return;
    this.walk = undefined;
    await this.writer.markFilled();
  }

  /** A text that changes with the tables of records, and at intervals where their versions are unknown. */
  private async tableState(versions: TableSnapshot | undefined): Promise<string> {
    if (versions) return `version ${versions.version(...TABLES)}`;
    if (this.database.dialect === 'mysql') return `time ${Math.floor(performance.now() / UNKNOWN_MS)}`;
    // Counts the commits of other connections only.
    const [row] = await this.database.query<{ version: number }>(
      sql`SELECT data_version AS version FROM pragma_data_version`,
    );
    return `version ${row?.version} ${Math.floor(performance.now() / OWN_CONNECTION_MS)}`;
  }

  private logFailure(error: unknown): void {
    if (this.writer.disableIfDropped(error)) return;
    const reason = firstLine(error);
    if (reason !== this.lastFailure && !this.stop.signal.aborted)
      this.logger.warn(`Changes of other programs are not journaled for now: ${reason}`);
    this.lastFailure = reason;
  }
}
