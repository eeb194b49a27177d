import sql, { join, raw } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { getStore } from '../../common/context/request-store.js';
import { executeStatement } from '../../database/execute-statement.js';
import { insertRows } from '../../database/insert-rows.js';
import { type PhpArray, serialize, storedText, textOf } from '../../lib/wordpress-text/php-serialize.js';
import { PostMeta } from './post.entity.js';
import type { PostRecord } from './post-record.js';
import { inList, metaRowsOf } from './post-rows.js';

type MetaValue = string | PhpArray;

const stored = (value: MetaValue): string =>
  typeof value === 'string' ? storedText(value) : serialize(value);

/** Collects and writes changes of a post's meta; setting a value rewrites all rows of its key. */
export class MetaWriter {
  private readonly added: PostMeta[] = [];
  private readonly changed = new Set<PostMeta>();
  private readonly removed = new Set<PostMeta>();
  /** The changed keys, in order. */
  readonly touched = new Set<string>();

  private constructor(
    private readonly manager: EntityManager,
    private readonly postId: number,
    private readonly rows: PostMeta[],
  ) {}

  static forNew(manager: EntityManager, postId: number): MetaWriter {
    return new MetaWriter(manager, postId, []);
  }

  /** Creates a writer for an existing post, whose rows it locks until the transaction ends. */
  static async forExisting(
    manager: EntityManager,
    { id, metaRows }: Pick<PostRecord, 'id' | 'metaRows'>,
  ): Promise<MetaWriter> {
    const rows = metaRows?.map((row) => ({ ...row })) ?? (await metaRowsOf(manager, id));
    return new MetaWriter(manager, id, rows);
  }

  /** The texts of a key's rows, in order. */
  get(key: string): string[] {
    return this.rowsOf(key).map(({ value }) => textOf(value ?? ''));
  }

  /** Sets the value of every row of the key, or adds a row. */
  set(key: string, value: MetaValue): this {
    const rows = this.rowsOf(key);
    if (rows.length === 0) return this.add(key, value);
    const written = stored(value);
    for (const row of rows)
      if (row.value !== written) {
        row.value = written;
        this.changed.add(row);
        this.touched.add(key);
      }
    return this;
  }

  /** Adds a row, by default after the other added ones. */
  add(key: string, value: MetaValue, place = this.added.length): this {
    const row = Object.assign(new PostMeta(), { postId: this.postId, key, value: stored(value) });
    this.rows.push(row);
    this.added.splice(place, 0, row);
    this.touched.add(key);
    return this;
  }

  get firstAdded(): string | null | undefined {
    return this.added[0]?.key;
  }

  /** Replaces all rows of a key by one per value, unless they are equal. */
  setAll(key: string, values: readonly string[]): this {
    const rows = this.rowsOf(key);
    const written = values.map(stored);
    if (rows.length === written.length && rows.every(({ value }, at) => (value ?? '') === written[at]))
      return this;
    this.remove(key);
    for (const value of values) this.add(key, value);
    return this;
  }

  /** Removes all rows of a key, or those with one value. */
  remove(key: string, value?: string): this {
    const matches = (row: PostMeta) => value === undefined || row.value === stored(value);
    for (const row of this.rowsOf(key).filter(matches)) {
      this.rows.splice(this.rows.indexOf(row), 1);
      this.touched.add(key);
      const at = this.added.indexOf(row);
      if (at >= 0) this.added.splice(at, 1);
      else this.removed.add(row);
    }
    return this;
  }

  async save(): Promise<void> {
    const { manager } = this;
    const changed = [...this.changed].filter((row) => !this.removed.has(row));
    if (changed.length > 0) {
      const table = manager.connection.driver.escape(manager.connection.getMetadata(PostMeta).tablePath);
      const cases = changed.map(({ id, value }) => sql`WHEN ${id} THEN ${value}`);
      const ids = changed.map(({ id }) => id);
      const statement = sql`UPDATE ${raw(table)} SET meta_value = CASE meta_id ${join(cases, ' ')} END
          WHERE ${inList(sql`meta_id`, ids)}`;
      await executeStatement(manager.connection, statement, manager.queryRunner);
    }
    const removed = [...this.removed].map(({ id }) => id);
    if (removed.length > 0) await manager.delete(PostMeta, removed);
    const added = this.added.map(({ postId, key, value }) => ({ postId, key, value }));
    if (added.length > 0) await insertRows(manager, PostMeta, ...added);
    if (changed.length + removed.length + added.length > 0) getStore()?.write?.touch('post', this.postId);
    this.added.length = 0;
    this.changed.clear();
    this.removed.clear();
  }

  private rowsOf(key: string): PostMeta[] {
    return this.rows.filter((row) => row.key === key);
  }
}

/** Writes the featured image: undefined keeps it, 0 removes it. */
export function writeThumbnail(meta: MetaWriter, { imageId }: { imageId?: number }): void {
  if (imageId === 0) meta.remove('_thumbnail_id');
  else if (imageId !== undefined) meta.set('_thumbnail_id', String(imageId));
}
