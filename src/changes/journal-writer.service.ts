import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import sql, { bulk, raw, type Sql } from 'sql-template-tag';
import { Clock } from '../common/clock.js';
import { Environment } from '../config/env.js';
import { Database } from '../database/database.js';
import { isMissingTable } from '../database/database-errors.js';
import { type TouchedKind, type Transaction, Transactions } from '../database/transactions.js';
import { hasTable } from '../database/with-runner.js';
import { Resources } from '../resources/base/resources.js';
import { inList } from '../wordpress/posts/post-rows.js';
import type { ChangeKind, ChangeSource } from './change.js';
import type { ChangeRow } from './change-row.entity.js';
import { headOf } from './changes.query.js';
import {
  type ComparedState,
  isChanged,
  lastEntry,
  type RecordState,
  RecordStates,
} from './record-states.query.js';

type Entry = Omit<ChangeRow, 'seq' | 'changedAt' | 'source'>;

/** Is called with the types of the written entries. */
type WriteListener = (types: readonly string[]) => void;

/** Ids of written records by kind. */
type Touched = Readonly<Record<TouchedKind, Iterable<number>>>;

/** Rows of one statement. */
const MAX_ROWS = 1000;
const RECORD_COLUMNS = raw('record_type, record_id, slug, status, author, modified');
const ENTRY_COLUMNS = sql`${RECORD_COLUMNS}, status_before, change_kind, changed_at, source`;

/** Journals the differences between records and their last known states, within the transaction that wrote them. */
@Injectable()
export class JournalWriter implements OnApplicationBootstrap {
  /** Set while the tables are there. */
  states?: RecordStates;
  private isHooked = false;
  private readonly logger = new Logger('Journal');
  private readonly listeners: WriteListener[] = [];

  constructor(
    private readonly env: Environment,
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly resources: Resources,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.enable();
  }

  /** Begins to journal if the configuration asks for it and the tables are there; returns whether it does. */
  async enable(): Promise<boolean> {
    if (this.env.changes === 'off') return false;
    if (this.states) return true;
    if (!(await hasTable(this.database.source, 'almanac_records'))) return false;
    this.states ??= this.readsStates();
    for (const listener of this.listeners) listener([]);
    return true;
  }

  /** The types of all resources. */
  get types(): Readonly<Record<TouchedKind, readonly string[]>> {
    const all = this.resources.all();
    return {
      post: all.flatMap((one) => (one.kind === 'post' ? [one.type] : [])),
      term: all.flatMap((one) => (one.kind === 'term' ? [one.taxonomy] : [])),
    };
  }

  /** Calls the listener after each commit of this process with its own entries, and once the journal is enabled. */
  onWrite(listener: WriteListener): void {
    this.listeners.push(listener);
  }

  /** Compares the records and writes entries and states; returns the number of changed states. */
  async compare(
    transaction: Transaction,
    touched: Touched,
    source: ChangeSource,
    extended: ReadonlySet<number> = new Set(),
  ): Promise<number> {
    const { states } = this;
    if (!states) return 0;
    const { manager } = transaction;
    const entries: Entry[] = [];
    const stored: RecordState[] = [];
    const removed: RecordState[] = [];
    let head: number | undefined;
    for (const [kind, ids] of chunksOf(touched)) {
      const found = await states.read(kind, (id) => inList(id, ids), { manager, isSingle: ids.length === 1 });
      head ??= found[0]?.head;
      for (const state of found.filter(isChanged)) {
        const change = changeOf(state, extended.has(Number(state.id)));
        if (change) entries.push({ ...entryOf(state), change, statusBefore: state.knownStatus ?? '' });
        stored.push(state);
      }
      // Programs may change the type of a post.
      const known = new Set(found.map(({ id }) => Number(id)));
      if (source === 'almanac' && ids.every((id) => known.has(id))) continue;
      const gone = await states.gone(kind, (id) => inList(id, ids), manager);
      for (const state of gone)
        entries.push({ ...entryOf(state), change: 'deleted', statusBefore: state.status });
      removed.push(...gone);
    }
    // One after the other: after a conflict, which ends the transaction, a statement sent ahead would be committed by itself.
    await this.store(transaction, stored);
    await this.forget(transaction, removed);
    await this.append(transaction, entries, source, head);
    return stored.length + removed.length;
  }

  private async forget({ manager }: Transaction, gone: readonly RecordState[]): Promise<void> {
    for (const { type, id } of gone)
      await this.database.query(
        sql`DELETE FROM ${this.table('almanac_records')} WHERE record_id = ${id} AND record_type = ${type}`,
        manager,
      );
  }

  /** Stores states without entries. */
  async store({ manager }: Transaction, states: readonly RecordState[]): Promise<void> {
    const rows = states.map(({ type, id, slug, status, author, modified, dates, checksum }) =>
      [type, id, slug, status, author, modified, dates, checksum].map((value) => value ?? ''),
    );
    for (const some of chunk(rows)) {
      const statement = sql`REPLACE INTO ${this.table('almanac_records')} (${RECORD_COLUMNS}, dates, checksum)
          VALUES ${bulk(some)}`;
      await this.database.query(statement, manager, { isPrepared: some.length === 1 });
    }
  }

  /** The types whose records are not all known yet: changes of some of them are not journaled. */
  async unfilledTypes(): Promise<string[]> {
    const rows = await this.database.query<{ type: string }>(
      sql`SELECT record_type AS type FROM ${this.table('almanac_records')} WHERE record_id = 0`,
    );
    const filled = new Set(rows.map(({ type }) => type));
    return [...this.types.post, ...this.types.term].filter((type) => !filled.has(type));
  }

  /** Records that the records of all types are stored, so that unknown ones are new from now on. */
  async markFilled(): Promise<void> {
    const types = await this.unfilledTypes();
    if (types.length === 0) return;
    await this.transactions.run(async (transaction) => {
      transaction.keepsCaches = true;
      const none = { id: 0, slug: '', status: '', author: 0, modified: '', dates: '', checksum: '' };
      await this.store(
        transaction,
        types.map((type) => ({ ...none, type })),
      );
    });
  }

  /** Appends entries of posts that show a changed record, made of their known states. */
  async appendLinked(transaction: Transaction, ids: readonly number[]): Promise<void> {
    const known = sql`SELECT ${RECORD_COLUMNS}, ROW_NUMBER() OVER (ORDER BY record_id, record_type) AS place
        FROM ${this.table('almanac_records')}
        WHERE ${inList(sql`record_type`, this.types.post)} AND ${inList(sql`record_id`, ids)}`;
    await this.database.query(
      sql`INSERT INTO ${this.table('almanac_changes')}
          (seq, ${ENTRY_COLUMNS})
          SELECT h.head + k.place, ${RECORD_COLUMNS}, k.status, 'updated', ${this.clock.now()}, 'linked'
          FROM (${known}) k CROSS JOIN (${lastEntry(this.database)}) h`,
      transaction.manager,
    );
    this.notifyAfter(transaction, []);
  }

  /** Ends the journal, with a warning, if an error tells that its tables were dropped; returns whether it does. */
  disableIfDropped(error: unknown): boolean {
    if (!isMissingTable(error, 'almanac_')) return false;
    if (this.states)
      this.logger.warn('Changes are not journaled any more, as the tables of the journal were dropped.');
    this.states = undefined;
    return true;
  }

  private readsStates(): RecordStates {
    if (!this.isHooked) this.transactions.beforeCommit((transaction) => this.compareTouched(transaction));
    this.isHooked = true;
    return new RecordStates(this.database, this.types);
  }

  private async compareTouched(transaction: Transaction): Promise<void> {
    const { touched, extended } = transaction;
    if (touched.post.size + touched.term.size === 0) return;
    try {
      await this.compare(transaction, touched, 'almanac', extended);
    } catch (error) {
      // The first statement reads both tables, and none is dropped before the commit: only the entries are missing.
      if (!this.disableIfDropped(error)) throw error;
    }
  }

  private async append(
    transaction: Transaction,
    entries: readonly Entry[],
    source: ChangeSource,
    known?: number,
  ): Promise<void> {
    if (entries.length === 0) return;
    const { manager } = transaction;
    const head = Number(known ?? (await headOf(this.database, manager)));
    const changedAt = this.clock.now();
    const rows = entries.map((entry, at) => [
      ...[head + at + 1, entry.type, entry.id, entry.slug, entry.status, entry.author, entry.modified],
      ...[entry.statusBefore, entry.change, changedAt, source],
    ]);
    for (const some of chunk(rows)) {
      const statement = sql`INSERT INTO ${this.table('almanac_changes')} (seq, ${ENTRY_COLUMNS}) VALUES ${bulk(some)}`;
      await this.database.query(statement, manager, { isPrepared: some.length === 1 });
    }
    this.notifyAfter(
      transaction,
      entries.map(({ type }) => type),
    );
  }

  private notifyAfter(transaction: Transaction, types: readonly string[]): void {
    transaction.afterCommit(() => {
      for (const listener of this.listeners) listener(types);
    });
  }

  private table(name: string): Sql {
    return this.database.table(name);
  }
}

/** The ids of each kind, as many together as one statement compares. */
function* chunksOf({ post, term }: Touched): Generator<[kind: TouchedKind, ids: number[]]> {
  for (const [kind, all] of [
    ['post', [...post]],
    ['term', [...term]],
  ] as const)
    for (const ids of chunk(all)) yield [kind, ids];
}

/** As many together as one statement takes. */
function* chunk<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += MAX_ROWS) yield all.slice(at, at + MAX_ROWS);
}

/** What happened to a record; undefined for the first states of a type, and for the further dates of a series. */
function changeOf(state: ComparedState, isExtended: boolean): ChangeKind | undefined {
  const { status, knownStatus, knownChecksum } = state;
  if (knownChecksum === null) return state.isFilled ? 'created' : undefined;
  if (status === 'trash' && knownStatus !== 'trash') return 'trashed';
  if (status !== 'trash' && knownStatus === 'trash') return 'restored';
  if (state.dates !== state.knownDates && !isExtended) return 'rescheduled';
  return state.checksum === knownChecksum ? undefined : 'updated';
}

function entryOf({ type, id, slug, status, author, modified }: RecordState) {
  return { type, id: Number(id), slug, status, author: Number(author), modified };
}
