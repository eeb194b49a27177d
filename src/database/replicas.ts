import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import sql from 'sql-template-tag';
import { DataSource } from 'typeorm';
import { runDetached } from '../common/context/abort.js';
import { Environment } from '../config/env.js';
import { replicaOptions } from './data-source-options.js';
import { executeStatement } from './execute-statement.js';

/** The maximum replication lag in seconds. */
const MAX_LAG = 1;
/** How often to check the lag, and how long a check is valid, in milliseconds. */
const CHECK_INTERVAL_MS = 500;
const VALID_FOR_MS = 2000;

/** Plugins may write by `query` too. */
const READ = /^\s*SELECT\b/i;
// Each server runs only what stands in the comments for it.
const POSITION = sql`SELECT /*M! @@GLOBAL.gtid_binlog_pos */ /*!80000 @@GLOBAL.gtid_executed */ AS position`;
const holds = (position: string) =>
  sql`SELECT /*M! MASTER_GTID_WAIT(${position}, ${MAX_LAG}) */ /*!80000 WAIT_FOR_EXECUTED_GTID_SET(${position}, ${MAX_LAG}) */ = 0 AS holds`;

/**
 * Chooses the server for anonymous reads: a read replica that is at most a second behind and has all commits of Almanac,
 * else the primary. The process uses one server at a time, so that table versions and rows agree
 * (docs/scaling.md#read-replicas).
 */
@Injectable()
export class Replicas implements OnApplicationShutdown {
  private readonly replicas: readonly DataSource[];
  private chosen = 0;
  /** When the chosen replica was last found up to date. */
  private validAt = Number.NEGATIVE_INFINITY;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private checking?: Promise<void>;
  /** The number of commits of Almanac; a check that overlaps one is discarded. */
  private commits = 0;
  private problem?: string;
  private readonly logger = new Logger('Replicas');

  constructor(
    private readonly primary: DataSource,
    env: Environment,
  ) {
    this.replicas = replicaOptions(env).map((options) => new DataSource(options));
  }

  get isEmpty(): boolean {
    return this.replicas.length === 0;
  }

  get isRead(): boolean {
    return this.reader !== this.primary;
  }

  /** The server for anonymous reads; rechecks the replicas in the background. */
  get reader(): DataSource {
    if (this.isEmpty) return this.primary;
    const now = performance.now();
    if (now - this.checkedAt > CHECK_INTERVAL_MS) this.check();
    return (now - this.validAt < VALID_FOR_MS && this.replicas[this.chosen]) || this.primary;
  }

  /** Executes a statement of an anonymous request; anything but a read, and failed reads, go to the primary. */
  query<Row>(text: string, values: unknown[]): Promise<Row[]> {
    const read = (source: DataSource) => executeStatement<Row[]>(source, { sql: text, values });
    return READ.test(text) ? this.read(read) : read(this.primary);
  }

  /** Reads for an anonymous request; `read` is called again on the primary if a replica fails. */
  read<T>(read: (source: DataSource) => Promise<T>): Promise<T> {
    const { reader } = this;
    // Without replicas each read would have an extra promise.
    return reader === this.primary ? read(reader) : this.readReplica(reader, read);
  }

  private async readReplica<T>(reader: DataSource, read: (source: DataSource) => Promise<T>): Promise<T> {
    try {
      return await read(reader);
    } catch (error) {
      if (this.replicas[this.chosen] === reader) this.usePrimary(describe(reader, error));
      return read(this.primary);
    }
  }

  /** Called after a commit of Almanac, in any process: reads use the primary until a replica has it. */
  markStale(): void {
    if (this.isEmpty) return;
    this.commits += 1;
    this.validAt = Number.NEGATIVE_INFINITY;
    this.check();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.checking;
    for (const replica of this.replicas) if (replica.isInitialized) await replica.destroy();
  }

  private check(): void {
    this.checking ??= runDetached(() => this.checkUntilStable()).finally(() => {
      this.checking = undefined;
    });
  }

  /** Repeats the check while commits overlap it. */
  private async checkUntilStable(): Promise<void> {
    let commits: number;
    do {
      commits = this.commits;
      await this.choose(commits).catch((error) => this.usePrimary(String(error)));
    } while (commits !== this.commits);
  }

  /** Chooses a replica that has all commits of the primary, starting with the last chosen one. */
  private async choose(commits: number): Promise<void> {
    const begunAt = performance.now();
    this.checkedAt = begunAt;
    const [row] = await executeStatement<{ position: string }[]>(this.primary, POSITION);
    if (!row?.position) return this.usePrimary('the primary has no positions (GTIDs)');
    let problem = '';
    for (let tried = 0; tried < this.replicas.length; tried++) {
      const at = (this.chosen + tried) % this.replicas.length;
      problem = await this.problemOf(this.replicas[at] as DataSource, row.position);
      if (commits !== this.commits) return;
      if (problem !== '') continue;
      this.chosen = at;
      this.validAt = begunAt;
      if (this.problem !== undefined) this.logger.log('Reading from replicas again.');
      this.problem = undefined;
      return;
    }
    this.usePrimary(problem);
  }

  /** Why a replica cannot be used; empty if it can. */
  private async problemOf(replica: DataSource, position: string): Promise<string> {
    try {
      if (!replica.isInitialized) await replica.initialize();
      const [row] = await executeStatement<{ holds: number }[]>(replica, holds(position));
      return Number(row?.holds) === 1 ? '' : describe(replica, `it is more than ${MAX_LAG} s behind`);
    } catch (error) {
      return describe(replica, error);
    }
  }

  private usePrimary(problem: string): void {
    this.validAt = Number.NEGATIVE_INFINITY;
    if (this.problem === undefined)
      this.logger.warn(`Reading from the primary, not from a replica: ${problem}`);
    this.problem = problem;
  }
}

function describe({ options }: DataSource, error: unknown): string {
  const { host, port } = options as { host?: string; port?: number };
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return `${host}:${port}: ${message || code || error}`;
}
