import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Environment } from '../config/env.js';
import { singleFlight, canUseReplica, runInBackground } from '../common/context/abort.js';
import { Database } from './database.js';
import { Replicas } from './replicas.js';
import {
  type UntimedChange,
  detectUntimedChange,
  type TableTime,
  tableTimes,
} from './table-versions.query.js';

/** What is known of the site's tables at one moment. */
export interface TableSnapshot {
  /** Another number whenever rows that answers are made of may have changed; what depends on users is not kept. */
  content: number;
  /** Another number whenever rows of one of these tables, such as `posts`, may have changed. */
  of(...tables: string[]): number;
  /** When anything last changed, in epoch seconds; unknown while it is changing. */
  changedAt?: number;
}

/** How long a look counts, in milliseconds; the next one is sent in time for nobody to wait for it. */
const FRESH_FOR = 900;
const LOOK_AHEAD = 600;
/** A follower may take so much longer than it did the last time. */
const MARGIN = 1.3;
/** A look after such a silence, in milliseconds, may have missed that a server forgot when a table changed: it restarted. */
const SILENCE = 2_000;
/** How long tables that are not there are not looked for, in milliseconds. */
const AWAY = 2_000;
/** How long after the last use looks go on where a silence would cost what is kept, in milliseconds. */
const IDLE = 600_000;
/** A transaction that takes longer, in milliseconds, may not look recent: MariaDB notes when it began. */
const QUICK = 500;
/** A commit of ours is recent to a look that ends so much later, in milliseconds. */
const SEEN_FOR = 1000;
/** Settings have a version of their own (`SettingsService`), and nothing that is kept depends on users. */
const NOT_CONTENT = new Set(['options', 'users', 'usermeta']);
/** Aria notes a change when its pages are written, which is some time later. */
const KEEPS_TIMES = new Set(['InnoDB', 'MyISAM']);
/** Servers that speak MySQL and may have no times for ever. */
const KEEPS_NONE = /TiDB|Vitess|OceanBase|SingleStore|MemSQL/i;

interface Table {
  version: number;
  /** What the last look saw. */
  seen: string;
  hidden?: UntimedChange;
  /** No later than its last change, by the server's clock in epoch seconds. */
  changedAt: number;
  /** Changed so lately that a further change might bear the same second. */
  isRecent: boolean;
}

/** Brings what it keeps to what the tables hold, so that it is there when others hear of a change. */
export interface ChangeListener {
  /** How long that will take, in milliseconds; undefined while it does not want to. */
  readonly takes: number | undefined;
  follow(versions: TableSnapshot): Promise<void>;
}

interface Look {
  askedAt: number;
  versions: Promise<TableSnapshot | undefined>;
}

/**
 * Knows whether rows have changed, whoever wrote them: InnoDB notes the second of each table's last change. At most once a
 * second, and only when somebody asks, it is looked at; own commits count at once. Where the server keeps no such times
 * nothing can be known, and nothing may be kept (docs/behaviour/caching.md#knowing-that-something-changed).
 */
@Injectable()
export class TableVersions {
  private readonly tables = new Map<string, Table>();
  /** With the server that was asked: what it says holds for what is read there. */
  private last?: { askedAt: number; server: DataSource; versions: TableSnapshot };
  private looking?: Look;
  /** Own commits so far: a look that was under way then says nothing. */
  private commits = 0;
  /** When a commit of ours ended that a look must have seen. */
  private lastCommit = Number.NEGATIVE_INFINITY;
  private lastServer?: DataSource;
  private lastUse = Number.NEGATIVE_INFINITY;
  private next?: NodeJS.Timeout;
  private lastLookAt = Number.NEGATIVE_INFINITY;
  private isReliable: boolean;
  /** No look is made before. */
  private nextLookAt = Number.NEGATIVE_INFINITY;
  /** Whether a look has seen a commit of ours. */
  private isVerified = false;
  private readonly listeners: (() => Promise<void>)[] = [];
  private follower?: ChangeListener;
  private readonly logger = new Logger('Changes');

  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    env: Environment,
  ) {
    this.isReliable = env.cache > 0;
  }

  /** What is known, when a look was made within the last second; looks anew in the background when it grows old. */
  get latest(): TableSnapshot | undefined {
    this.lastUse = performance.now();
    const age = this.lastUse - (this.last?.askedAt ?? Number.NEGATIVE_INFINITY);
    if (age >= FRESH_FOR || !this.isReliable || this.last?.server !== this.replicas.reader) return undefined;
    if (age >= this.lookAhead) this.look().catch(() => undefined);
    return this.last?.versions;
  }

  /**
   * The same, after a look when there was none; undefined where nothing can be known, or not of the server that this caller
   * reads from. Fails as any read does.
   */
  async current(): Promise<TableSnapshot | undefined> {
    if (!this.replicas.isEmpty && !canUseReplica()) return undefined;
    return this.latest ?? this.look();
  }

  /**
   * After a commit of our own, before its answer: who writes sees what was written at once. `took`: how many milliseconds the
   * transaction took; undefined where it failed, after which the rows may be there or not. Of what others did as much is known as before,
   * and whoever changes a setting tells `SettingsService`.
   */
  async committed(took?: number): Promise<void> {
    if (took !== undefined && took < QUICK) this.lastCommit = performance.now();
    const { last } = this;
    if (took !== undefined && last && this.isVerified) {
      this.overtake();
      for (const [name, table] of this.tables) if (!NOT_CONTENT.has(name)) table.version += 1;
      this.last = { ...last, versions: this.versions() };
    } else this.invalidate();
    for (const tell of this.listeners) await tell();
  }

  /** Somebody else said that rows have changed: the next look says which. */
  invalidate(): void {
    this.overtake();
    this.last = undefined;
    this.looking = undefined;
  }

  /** Has others told of each own commit, before its answer. */
  onCommit(tell: () => Promise<void>): void {
    this.listeners.push(tell);
  }

  /**
   * Has somebody follow changes of others: what a look has found is told once he has followed, or when the look before grows too
   * old. Looks are made as much earlier.
   */
  subscribe(follower: ChangeListener): void {
    this.follower = follower;
  }

  private get lookAhead(): number {
    const takes = this.follower?.takes;
    return takes === undefined ? LOOK_AHEAD : Math.max(0, Math.min(LOOK_AHEAD, FRESH_FOR - MARGIN * takes));
  }

  /** Waits for the follower for as long as the look before counts. */
  private async followed(versions: TableSnapshot): Promise<void> {
    const { last, follower } = this;
    const left = last ? last.askedAt + FRESH_FOR - performance.now() : 0;
    if (left <= 0 || follower?.takes === undefined) return;
    const timer = new AbortController();
    const late = sleep(left, undefined, { signal: timer.signal, ref: false }).catch(() => undefined);
    await Promise.race([follower.follow(versions), late]).finally(() => timer.abort());
  }

  /** Looks that are under way say nothing. */
  private overtake(): void {
    this.commits += 1;
    this.replicas.markStale();
  }

  private look(): Promise<TableSnapshot | undefined> {
    if (!this.isReliable || performance.now() < this.nextLookAt) return Promise.resolve(undefined);
    // One that takes long does not tell what was committed since it began.
    const isYoung = ({ askedAt }: Look) => performance.now() - askedAt < FRESH_FOR;
    return singleFlight(
      () => (this.looking && isYoung(this.looking) ? this.looking.versions : undefined),
      () => this.begin(),
    );
  }

  private begin(): Promise<TableSnapshot | undefined> {
    const askedAt = performance.now();
    const looking = { askedAt, versions: runInBackground(() => this.ask()) };
    this.looking = looking;
    const done = () => {
      if (this.looking === looking) this.looking = undefined;
    };
    looking.versions.then(done, () => {
      // A server that went away has forgotten all times.
      this.lastLookAt = Number.NEGATIVE_INFINITY;
      done();
    });
    return looking.versions;
  }

  private async ask(): Promise<TableSnapshot | undefined> {
    const askedAt = performance.now();
    const { commits } = this;
    const server = this.replicas.reader;
    const rows = await tableTimes(this.database);
    // Own rows that were committed meanwhile may be missing in what was seen, and another server says nothing of this one.
    if (commits !== this.commits || server !== this.replicas.reader) return this.ask();
    // Somebody puts a backup back; a plugin's tables may not be there yet.
    if (!rows.some(({ name }) => name === 'posts')) {
      if (askedAt - this.nextLookAt > AWAY)
        this.logger.warn('Nothing is kept as long as the server does not show the tables of this site.');
      this.invalidate();
      this.nextLookAt = performance.now() + AWAY;
      return undefined;
    }
    const unreliabilityReason = this.unreliabilityReason(rows);
    if (unreliabilityReason) {
      this.isReliable = false;
      this.logger.warn(`Answers are not kept: ${unreliabilityReason}.`);
      return undefined;
    }
    this.isVerified ||= askedAt > this.lastCommit && performance.now() - this.lastCommit < SEEN_FOR;
    if (server !== this.lastServer) for (const table of this.tables.values()) table.version += 1;
    const now = rows[0]?.now ?? 0;
    for (const row of [...rows, ...this.gone(rows, now)]) this.note(row, askedAt);
    this.lastLookAt = askedAt;
    this.lastServer = server;
    if (rows.some(({ changedAt }) => changedAt === null)) this.goOnLooking();
    const versions = this.versions(rows.every(({ recent }) => !recent));
    await this.followed(versions);
    if (commits !== this.commits || server !== this.replicas.reader) return this.ask();
    this.last = { askedAt, server, versions };
    return versions;
  }

  /** What a server has not seen change since it started it could forget unseen: there is no silence for a while. */
  private goOnLooking(): void {
    clearTimeout(this.next);
    if (performance.now() - this.lastUse > IDLE) return;
    this.next = setTimeout(() => this.look().catch(() => undefined), SILENCE / 2);
    this.next.unref();
  }

  /** Tables that were there before. */
  private gone(rows: readonly TableTime[], now: number): TableTime[] {
    const there = new Set(rows.map(({ name }) => name));
    return [...this.tables.keys()]
      .filter((name) => !there.has(name))
      .map((name) => ({ name, engine: null, changedAt: 0, recent: 0, now }));
  }

  private note(row: TableTime, askedAt: number): void {
    const { name, changedAt, shape, recent, now, open = '' } = row;
    const table: Table = this.tables.get(name) ?? { version: 0, seen: '', changedAt: 0, isRecent: false };
    const hidden = detectUntimedChange(row, table.hidden);
    const seen = `${changedAt} ${shape} ${hidden.mark} ${open}`;
    this.tables.set(name, table);
    const mayHaveBeenForgotten = changedAt === null && askedAt - this.lastLookAt > SILENCE;
    // Recent now, and the same as before: the server's clock was set back.
    if (table.seen !== seen || table.isRecent || recent || mayHaveBeenForgotten) {
      table.version += 1;
      table.changedAt = now;
    }
    table.seen = seen;
    table.hidden = hidden;
    table.isRecent = Boolean(recent);
  }

  /** `isQuiet`: no table was changed lately. */
  private versions(isQuiet = false): TableSnapshot {
    const numbers = new Map([...this.tables].map(([name, { version }]) => [name, version]));
    const of = (...names: string[]) => names.reduce((sum, name) => sum + (numbers.get(name) ?? 0), 0);
    const content = [...numbers.keys()].filter((name) => !NOT_CONTENT.has(name));
    // Servers do not apply a change at the same time: what one says of when can not be compared with another's.
    const isComparable = this.database.dialect === 'mysql' && this.replicas.isEmpty;
    const changedAt = Math.max(...[...this.tables.values()].map((table) => table.changedAt));
    return { content: of(...content), of, ...(isQuiet && isComparable && { changedAt }) };
  }

  /** Why these times can not be relied upon, if so. */
  private unreliabilityReason(rows: readonly TableTime[]): string | undefined {
    const odd = rows.find(({ engine }) => engine !== null && !KEEPS_TIMES.has(engine));
    if (odd) return `the server does not note when ${odd.name} changes`;
    if (rows.every(({ changedAt }) => changedAt === null) && KEEPS_NONE.test(rows[0]?.server ?? ''))
      return 'the server notes no times of changes';
    // A look so soon after a commit of ours must have seen a change.
    const isAfterCommit = this.database.dialect === 'mysql' && performance.now() - this.lastCommit < SEEN_FOR;
    if (isAfterCommit && rows.every(({ recent }) => !recent))
      return 'the server did not note a change of ours';
    return undefined;
  }
}
