import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import sql from 'sql-template-tag';
import { DataSource } from 'typeorm';
import { Environment } from '../config/env.js';
import { runDetached } from '../common/context/abort.js';
import { executeStatement } from './execute-statement.js';
import { replicaOptions } from './data-source-options.js';

/** How far a replica may lag, in seconds. */
const MAX_LAG = 1;
/** How often that is looked at, and how long a look counts, in milliseconds. */
const LOOK_AFTER = 500;
const SOUND_FOR = 2000;

/** A plugin might count readers. */
const READ = /^\s*SELECT\b/i;
// Each server runs only what stands in the comments for it.
const POSITION = sql`SELECT /*M! @@GLOBAL.gtid_binlog_pos */ /*!80000 @@GLOBAL.gtid_executed */ AS position`;
const holds = (position: string) =>
  sql`SELECT /*M! MASTER_GTID_WAIT(${position}, ${MAX_LAG}) */ /*!80000 WAIT_FOR_EXECUTED_GTID_SET(${position}, ${MAX_LAG}) */ = 0 AS holds`;

/**
 * Knows which server anonymous reads are asked of: a read replica that is at most a second behind and holds all that Almanac
 * has committed, else the primary. At one time it is one server for all of this process, so that who asks it whether rows
 * have changed and who reads them see the same (docs/scaling.md#read-replicas).
 */
@Injectable()
export class Replicas implements OnApplicationShutdown {
  private readonly replicas: readonly DataSource[];
  private chosen = 0;
  /** When the chosen one was last found close behind. */
  private soundAt = Number.NEGATIVE_INFINITY;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private looking?: Promise<void>;
  /** Own commits so far: a look that was under way then says nothing. */
  private commits = 0;
  private trouble?: string;
  private readonly logger = new Logger('Replicas');

  constructor(
    private readonly primary: DataSource,
    env: Environment,
  ) {
    this.replicas = replicaOptions(env).map((options) => new DataSource(options));
  }

  /** Whether there are none, and all is read from the one server. */
  get isEmpty(): boolean {
    return this.replicas.length === 0;
  }

  /** Whether one is close enough behind to be read. */
  get isRead(): boolean {
    return this.reader !== this.primary;
  }

  /** The server that anonymous reads are asked of at this moment; looks anew in the background when that grows old. */
  get reader(): DataSource {
    if (this.isEmpty) return this.primary;
    const now = performance.now();
    if (now - this.lookedAt > LOOK_AFTER) this.look();
    return (now - this.soundAt < SOUND_FOR && this.replicas[this.chosen]) || this.primary;
  }

  /** Rows of a read for nobody in particular; what a replica fails at is asked of the primary, and so is what is no read. */
  query<Row>(text: string, values: unknown[]): Promise<Row[]> {
    const read = (source: DataSource) => executeStatement<Row[]>(source, { sql: text, values });
    return READ.test(text) ? this.read(read) : read(this.primary);
  }

  /** What is read for nobody in particular in another way, under the same rule: it may be begun again. */
  read<T>(read: (source: DataSource) => Promise<T>): Promise<T> {
    const { reader } = this;
    // No promise more where there are no replicas: each read would have it.
    return reader === this.primary ? read(reader) : this.ofReplica(reader, read);
  }

  private async ofReplica<T>(reader: DataSource, read: (source: DataSource) => Promise<T>): Promise<T> {
    try {
      return await read(reader);
    } catch (error) {
      if (this.replicas[this.chosen] === reader) this.drop(reasonOf(reader, error));
      return read(this.primary);
    }
  }

  /** After a commit of Almanac's, here or elsewhere: the primary is read until a replica holds it. */
  markStale(): void {
    if (this.isEmpty) return;
    this.commits += 1;
    this.soundAt = Number.NEGATIVE_INFINITY;
    this.look();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.looking;
    for (const replica of this.replicas) if (replica.isInitialized) await replica.destroy();
  }

  private look(): void {
    this.looking ??= runDetached(() => this.findLatest()).finally(() => {
      this.looking = undefined;
    });
  }

  private async findLatest(): Promise<void> {
    let commits: number;
    do {
      commits = this.commits;
      await this.find(commits).catch((error) => this.drop(String(error)));
    } while (commits !== this.commits);
  }

  /** Finds a replica that holds what the primary has committed, beginning with the one that did last time. */
  private async find(commits: number): Promise<void> {
    const begunAt = performance.now();
    this.lookedAt = begunAt;
    const [row] = await executeStatement<{ position: string }[]>(this.primary, POSITION);
    if (!row?.position) return this.drop('the primary has no positions (GTIDs)');
    let trouble = '';
    for (let tried = 0; tried < this.replicas.length; tried++) {
      const at = (this.chosen + tried) % this.replicas.length;
      trouble = await this.troubleOf(this.replicas[at] as DataSource, row.position);
      if (commits !== this.commits) return;
      if (trouble !== '') continue;
      this.chosen = at;
      this.soundAt = begunAt;
      if (this.trouble !== undefined) this.logger.log('A replica is close behind again.');
      this.trouble = undefined;
      return;
    }
    this.drop(trouble);
  }

  /** What keeps a replica from being read; empty when nothing does. */
  private async troubleOf(replica: DataSource, position: string): Promise<string> {
    try {
      if (!replica.isInitialized) await replica.initialize();
      const [row] = await executeStatement<{ holds: number }[]>(replica, holds(position));
      return Number(row?.holds) === 1 ? '' : reasonOf(replica, `it is more than ${MAX_LAG} s behind`);
    } catch (error) {
      return reasonOf(replica, error);
    }
  }

  private drop(trouble: string): void {
    this.soundAt = Number.NEGATIVE_INFINITY;
    if (this.trouble === undefined) this.logger.warn(`The primary is read, no replica: ${trouble}`);
    this.trouble = trouble;
  }
}

function reasonOf({ options }: DataSource, error: unknown): string {
  const { host, port } = options as { host?: string; port?: number };
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return `${host}:${port}: ${message || code || error}`;
}
