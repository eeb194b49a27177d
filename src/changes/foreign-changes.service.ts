import { Injectable } from '@nestjs/common';
import sql, { type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import type { TableSnapshot } from '../database/table-versions.service.js';
import { type TouchedKind, Transactions } from '../database/transactions.js';
import { inList } from '../wordpress/posts/post-rows.js';
import { JournalWriter } from './journal-writer.service.js';
import { chunkOf, type DigestKind, isInChunks, RecordDigests } from './record-digests.query.js';
import type { RecordStates } from './record-states.query.js';

/** Records that one transaction writes. */
const CHUNK = 500;
/** Posts that were modified within this time count as hints, in seconds. */
const RECENT_SECONDS = 60;

/** Chunks of ids whose records one statement compares. */
const BATCH = 8;
/** How often all records are compared whatever their digests, in milliseconds. */
const COMPLETE_MS = 3_600_000;

/** The digests of chunks of ids that hold no changes. */
type GoodDigests = Record<DigestKind, Map<number, string>>;

/** Finds records that other programs have changed, and journals them. */
@Injectable()
export class ForeignChanges {
  /** The greatest ids that hints have seen. */
  private lastPost?: number;
  private lastMeta?: number;
  private digests?: RecordDigests;
  private good: GoodDigests = emptyDigests();
  private completeAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly writer: JournalWriter,
  ) {}

  /** Compares what most changes leave: new posts, new meta rows, and times of modification. */
  async compareHints(): Promise<void> {
    const { states } = this.writer;
    if (!states) return;
    const [posts, metaRows] = [this.database.table('posts'), this.database.table('postmeta')];
    const [last] = await this.database.query<{ post: number | null; meta: number | null }>(
      sql`SELECT (SELECT MAX(ID) FROM ${posts}) AS post, (SELECT MAX(meta_id) FROM ${metaRows}) AS meta`,
    );
    const [post, meta] = [Number(last?.post ?? 0), Number(last?.meta ?? 0)];
    const { lastPost = post, lastMeta = meta } = this;
    const ofTypes = inList(sql`post_type`, this.writer.types.post);
    const rows = await this.database.query<{ id: number }>(
      sql`SELECT ID AS id FROM ${posts} WHERE ID > ${lastPost} AND ${ofTypes}
          UNION SELECT post_id FROM ${metaRows} WHERE meta_id > ${lastMeta}
          UNION SELECT ID FROM ${posts} WHERE ${ofTypes} AND post_modified_gmt > ${this.recently()} LIMIT ${CHUNK}`,
    );
    const ids = rows.map(({ id }) => Number(id));
    if (ids.length > 0)
      await this.journal('post', await this.changedIds(states, 'post', (id) => inList(id, ids)));
    // What is beyond the limit is left to the walk.
    this.lastPost = post;
    this.lastMeta = meta;
  }

  /** Forgets what was compared, as another process may have journaled meanwhile. */
  restart(): void {
    this.digests = undefined;
    this.good = emptyDigests();
    this.lastPost = undefined;
    this.lastMeta = undefined;
  }

  /**
   * Compares all records, a few statements at a time: first cheap digests of the tables that have changed, then the records of
   * chunks whose digest is not known to be good.
   */
  async *compareAll(versions?: TableSnapshot): AsyncGenerator<void> {
    const { states } = this.writer;
    if (!states) return;
    this.digests ??= new RecordDigests(this.database, this.writer.types);
    const { digests } = this;
    const now = performance.now();
    const isComplete = !(now - this.completeAt < COMPLETE_MS) || this.good.post.size === 0;
    if (isComplete) {
      this.completeAt = now;
      this.good = emptyDigests();
    }
    const images = digests.areComparable ? yield* digests.all('image', versions) : undefined;
    yield* this.compareKind(states, digests, 'post', versions);
    const changed = isComplete ? [] : differing(this.good.image, images ?? new Map());
    for (let at = 0; at < changed.length; at += BATCH) {
      const isShown = this.showsImage(changed.slice(at, at + BATCH));
      await this.journal('post', await this.changedIds(states, 'post', isShown));
      yield;
    }
    this.good.image = images ?? new Map();
    yield* this.compareKind(states, digests, 'term', versions);
  }

  private async *compareKind(
    states: RecordStates,
    digests: RecordDigests,
    kind: TouchedKind,
    versions?: TableSnapshot,
  ): AsyncGenerator<void> {
    const good = this.good[kind];
    const chunks = differing(good, yield* digests.all(kind, versions));
    for (let at = 0; at < chunks.length; at += BATCH) {
      const batch = chunks.slice(at, at + BATCH);
      const { ids, found } = await this.database.readSnapshot(async (manager) => ({
        ids: await this.changedIds(states, kind, (id) => isInChunks(id, batch), manager),
        found: digests.areComparable ? await digests.ofChunks(kind, batch, manager) : undefined,
      }));
      // A digest is good if it was read in the same moment as records that are as known.
      const changed = new Set(ids.map(chunkOf));
      for (const chunk of batch) {
        const digest = found?.get(chunk);
        if (digest !== undefined && !changed.has(chunk)) good.set(chunk, digest);
        else good.delete(chunk);
      }
      await this.journal(kind, ids);
      yield;
    }
  }

  /** Posts whose featured image is in one of these chunks of ids. */
  private showsImage(chunks: readonly number[]): (id: Sql) => Sql {
    const isImage = isInChunks(sql`CAST(f.meta_value AS UNSIGNED)`, chunks);
    return (id) =>
      sql`${id} IN (SELECT f.post_id FROM ${this.database.table('postmeta')} f WHERE f.meta_key = '_thumbnail_id' AND ${isImage})`;
  }

  /** The ids of records within a condition that are not as known. */
  private async changedIds(
    states: RecordStates,
    kind: TouchedKind,
    among: (id: Sql) => Sql,
    manager?: EntityManager,
  ): Promise<number[]> {
    const changed = await states.read(kind, among, { manager, changedOnly: true });
    const gone = await states.gone(kind, among, manager);
    return [...new Set([...changed, ...gone].map(({ id }) => Number(id)))];
  }

  /** Journals the records of these ids that are not as known. */
  private async journal(kind: TouchedKind, ids: readonly number[]): Promise<void> {
    for (let at = 0; at < ids.length; at += CHUNK)
      await this.transactions.run(async (transaction) => {
        const touched = { post: [], term: [], [kind]: ids.slice(at, at + CHUNK) };
        // The lock may have been waited for: the records are compared again.
        transaction.isNoop = (await this.writer.compare(transaction, touched, 'foreign')) === 0;
        transaction.keepsCaches = true;
      });
  }

  /** The UTC date since which a modification is recent, by the database's clock. */
  private recently(): Sql {
    return this.database.dialect === 'mysql'
      ? sql`DATE_FORMAT(UTC_TIMESTAMP() - INTERVAL ${RECENT_SECONDS} SECOND, '%Y-%m-%d %H:%i:%s')`
      : sql`datetime('now', ${`-${RECENT_SECONDS} seconds`})`;
  }
}

const emptyDigests = (): GoodDigests => ({ post: new Map(), term: new Map(), image: new Map() });

/** The chunks whose digests differ, in order. */
function differing(good: ReadonlyMap<number, string>, found: ReadonlyMap<number, string>): number[] {
  const all = new Set([...good.keys(), ...found.keys()]);
  return [...all].filter((chunk) => good.get(chunk) !== found.get(chunk)).sort((a, b) => a - b);
}
