import type { EntityManager } from 'typeorm';
import { asInteger, asMap, type PhpArray, serialize, unserialize } from '../options/php-serialize.js';
import { localSeconds } from './post-dates.js';
import { PostMeta } from './post-meta.entity.js';
import type { WriteSite } from './write-site.js';

const BOOKKEEPING = '_tribe_modified_fields';

/** What changed of a post before its meta did. */
export interface OtherChanges {
  taxonomies?: readonly string[];
  /** Columns under their names in the table, such as `post_title`. */
  columns?: readonly string[];
}

/**
 * Gathers the changes of one post's meta and writes them together. Rules of the original: setting a value rewrites all rows
 * of its key, an equal value is no change, a list replaces all rows by one per value.
 */
export class MetaWriter {
  private readonly rows: PostMeta[];
  private readonly added: PostMeta[] = [];
  private readonly changed = new Set<PostMeta>();
  private readonly removed = new Set<PostMeta>();
  /** Keys whose rows changed, in order. */
  readonly touched = new Set<string>();

  private constructor(
    private readonly manager: EntityManager,
    private readonly postId: number,
    rows: PostMeta[],
  ) {
    this.rows = rows;
  }

  /** For a post that was just inserted. */
  static forNew(manager: EntityManager, postId: number): MetaWriter {
    return new MetaWriter(manager, postId, []);
  }

  /** For a post that has rows already. */
  static async forExisting(manager: EntityManager, postId: number): Promise<MetaWriter> {
    const rows = await manager.find(PostMeta, { where: { postId }, order: { id: 'ASC' } });
    return new MetaWriter(manager, postId, rows);
  }

  /** The values of a key, in row order. */
  get(key: string): string[] {
    return this.rows.filter((row) => row.key === key).map((row) => row.value ?? '');
  }

  /** Writes a value to every row of the key, or adds the first one. */
  set(key: string, value: string): this {
    const rows = this.rows.filter((row) => row.key === key);
    if (rows.length === 0) return this.add(key, value);
    for (const row of rows)
      if (row.value !== value) {
        row.value = value;
        this.changed.add(row);
        this.touched.add(key);
      }
    return this;
  }

  /** Adds a row. */
  add(key: string, value: string): this {
    const row = this.manager.create(PostMeta, { postId: this.postId, key, value });
    this.rows.push(row);
    this.added.push(row);
    this.touched.add(key);
    return this;
  }

  /** Replaces all rows of a key by one per value; equal rows are left alone. */
  setAll(key: string, values: readonly string[]): this {
    const before = this.get(key);
    if (before.length === values.length && before.every((value, at) => value === values[at])) return this;
    this.remove(key);
    for (const value of values) this.add(key, value);
    return this;
  }

  /** Removes all rows of a key, or those with one value. */
  remove(key: string, value?: string): this {
    for (const row of this.rows.filter((r) => r.key === key && (value === undefined || r.value === value))) {
      this.rows.splice(this.rows.indexOf(row), 1);
      this.touched.add(key);
      const at = this.added.indexOf(row);
      if (at >= 0) this.added.splice(at, 1);
      else this.removed.add(row);
    }
    return this;
  }

  /**
   * Notes when the touched keys, and what else is named, changed last: the importer's bookkeeping. Times are epoch
   * seconds, those of keys and columns plus the site's offset (docs/behaviour/storage.md#rules-of-meta).
   */
  noteChanges(site: WriteSite, { taxonomies = [], columns = [] }: OtherChanges = {}): this {
    const keys = [...this.touched].filter((key) => key !== BOOKKEEPING && key !== '_edit_lock');
    const others = taxonomies.length + columns.length;
    if (others + keys.length === 0) return this;
    const noted: PhpArray = new Map(asMap(unserialize(this.get(BOOKKEEPING)[0] ?? '')));
    for (const name of taxonomies) noted.set(name, asInteger(Math.floor(site.now / 1000)));
    for (const name of [...columns, ...keys]) noted.set(name, asInteger(localSeconds(site)));
    const isNew = this.get(BOOKKEEPING).length === 0;
    this.set(BOOKKEEPING, serialize(noted));
    // The row comes with the first change: before all others, or right after the meta row that was it.
    const place = others === 0 && this.added[0]?.key === keys[0] ? 1 : 0;
    if (isNew) this.added.splice(place, 0, ...this.added.splice(-1));
    return this;
  }

  /** Writes everything. */
  async save(): Promise<void> {
    for (const row of this.changed)
      if (!this.removed.has(row)) await this.manager.update(PostMeta, row.id, { value: row.value });
    if (this.removed.size > 0)
      await this.manager.delete(
        PostMeta,
        [...this.removed].map((row) => row.id),
      );
    if (this.added.length > 0)
      await this.manager.insert(
        PostMeta,
        this.added.map(({ postId, key, value }) => ({ postId, key, value })),
      );
    this.added.length = 0;
    this.changed.clear();
    this.removed.clear();
  }
}
