import { Injectable } from '@nestjs/common';
import sql, { type Sql } from 'sql-template-tag';
import { Database } from '../database/database.js';
import { type TouchedKind, Transactions } from '../database/transactions.js';
import { inList } from '../wordpress/posts/post-rows.js';
import { JournalWriter } from './journal-writer.service.js';
import type { RecordStates } from './record-states.query.js';

/** Records of one chunk, which one transaction may write. */
const CHUNK = 500;
/** Posts that were modified within this time count as hints, in seconds. */
const RECENT_SECONDS = 60;

/** The beginning of the next chunk: records with a greater id. */
interface Place {
  kind: TouchedKind;
  after: number;
}

/** Finds records that other programs have changed, and journals them. */
@Injectable()
export class ForeignChanges {
  /** The greatest ids that hints have seen. */
  private lastPost?: number;
  private lastMeta?: number;

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
    await this.compare(states, 'post', (id) => inList(id, ids));
    // What is beyond the limit is left to the walk.
    this.lastPost = post;
    this.lastMeta = meta;
  }

  /** Compares one chunk of all records; returns where the next one begins, undefined after the last one. */
  async compareChunk({ kind, after }: Place): Promise<Place | undefined> {
    const { states } = this.writer;
    if (!states) return undefined;
    const end = await this.endOfChunk(kind, after);
    const isWithin = (id: Sql) =>
      end === undefined ? sql`${id} > ${after}` : sql`${id} > ${after} AND ${id} <= ${end}`;
    await this.compare(states, kind, isWithin);
    if (end !== undefined) return { kind, after: end };
    return kind === 'post' ? { kind: 'term', after: 0 } : undefined;
  }

  /** Journals the records within a condition that are not as known. */
  private async compare(states: RecordStates, kind: TouchedKind, among: (id: Sql) => Sql): Promise<void> {
    const changed = await states.read(kind, among, { changedOnly: true });
    const gone = await states.gone(kind, among);
    const ids = [...new Set([...changed, ...gone].map(({ id }) => Number(id)))];
    for (let at = 0; at < ids.length; at += CHUNK)
      await this.transactions.run(async (transaction) => {
        const touched = { post: [], term: [], [kind]: ids.slice(at, at + CHUNK) };
        // The lock may have been waited for: the records are compared again.
        transaction.isNoop = (await this.writer.compare(transaction, touched, 'foreign')) === 0;
        transaction.keepsCaches = true;
      });
  }

  private async endOfChunk(kind: TouchedKind, after: number): Promise<number | undefined> {
    const chunk =
      kind === 'post'
        ? sql`SELECT ID AS id FROM ${this.database.table('posts')} WHERE ID > ${after}
              AND ${inList(sql`post_type`, this.writer.types.post)} ORDER BY ID LIMIT ${CHUNK}`
        : sql`SELECT DISTINCT term_id AS id FROM ${this.database.table('term_taxonomy')} WHERE term_id > ${after}
              ORDER BY term_id LIMIT ${CHUNK}`;
    const [row] = await this.database.query<{ last: number | null; count: number }>(
      sql`SELECT MAX(id) AS last, COUNT(*) AS count FROM (${chunk}) c`,
    );
    return Number(row?.count ?? 0) < CHUNK ? undefined : Number(row?.last);
  }

  /** The UTC date since which a modification is recent, by the database's clock. */
  private recently(): Sql {
    return this.database.dialect === 'mysql'
      ? sql`DATE_FORMAT(UTC_TIMESTAMP() - INTERVAL ${RECENT_SECONDS} SECOND, '%Y-%m-%d %H:%i:%s')`
      : sql`datetime('now', ${`-${RECENT_SECONDS} seconds`})`;
  }
}
