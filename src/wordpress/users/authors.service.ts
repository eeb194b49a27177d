import { Injectable } from '@nestjs/common';
import sql, { join, type Sql } from 'sql-template-tag';
import { VersionedCache } from '../../cache/versioned-cache.js';
import { Database } from '../../database/database.js';
import { TableVersions } from '../../database/table-versions.service.js';
import { containing, inList } from '../posts/post-rows.js';
import { capabilitiesOf, type Roles } from './capabilities.js';

/** A user as others may see it: the id and the display name. */
export interface Author {
  id: number;
  name: string;
}

/** An author with the name in the form that searches compare. */
interface ListedAuthor extends Author {
  folded: string;
}

/** Users beyond these are not listed; they are still found by id. */
const MAX_LISTED = 100_000;

/** Reads the names of authors. */
@Injectable()
export class Authors {
  /** Lists by the roles and capabilities that make authors: one scan per change of users, none per search. */
  private readonly lists = new VersionedCache<string, readonly ListedAuthor[]>({
    tables: ['users', 'usermeta'],
    maxSize: 2 * MAX_LISTED,
    sizeOf: ({ length }) => length + 1,
    isSerial: true,
  });

  constructor(
    private readonly database: Database,
    private readonly versions: TableVersions,
  ) {}

  /** The display names by id, of users that exist. */
  async namesOf(ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<Author>(
      sql`SELECT ID AS id, display_name AS name FROM ${this.database.table('users')}
          WHERE ${inList(sql`ID`, [...new Set(ids)])}`,
    );
    return new Map(rows.map(({ id, name }) => [Number(id), name]));
  }

  /** Users who have one of the capabilities, by name; `search` is a part of the name. */
  async list(capabilities: readonly string[], roles: Roles, search = ''): Promise<readonly Author[]> {
    const granting = [...roles].flatMap(([name, own]) =>
      capabilities.some((one) => own.get(one)) ? [name] : [],
    );
    const words = [...granting, ...capabilities];
    const all = await this.lists.get(JSON.stringify(words), await this.versions.snapshot(), () =>
      this.load(words, capabilities, roles),
    );
    const part = fold(search);
    return part === '' ? all : all.filter(({ folded }) => folded.includes(part));
  }

  /** Those of the users who are the author of a record of one of the post types. */
  async withRecords(ids: readonly number[], types: readonly string[]): Promise<Author[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.query<Author>(
      sql`SELECT u.ID AS id, u.display_name AS name FROM ${this.database.table('users')} u
          WHERE ${inList(sql`u.ID`, ids)} AND EXISTS (SELECT 1 FROM ${this.database.table('posts')} p
            WHERE p.post_author = u.ID AND p.post_type IN (${join([...types])})) ORDER BY u.display_name, u.ID`,
    );
    return rows.map(({ id, name }) => ({ id: Number(id), name }));
  }

  private async load(
    words: readonly string[],
    capabilities: readonly string[],
    roles: Roles,
  ): Promise<readonly ListedAuthor[]> {
    const { database } = this;
    const named: Sql[] = words.map((word) => sql`m.meta_value LIKE ${containing(`"${word}"`)} ESCAPE '|'`);
    const rows = await database.query<Author & { value: string | null }>(
      sql`SELECT u.ID AS id, u.display_name AS name, m.meta_value AS value FROM ${database.table('usermeta')} m
          JOIN ${database.table('users')} u ON u.ID = m.user_id
          WHERE m.meta_key = ${`${database.tablePrefix}capabilities`} AND (${join(named, ' OR ')})
          ORDER BY u.display_name, u.ID LIMIT ${MAX_LISTED}`,
    );
    // Many users share few values.
    const known = new Map<string, boolean>();
    const authors = new Map<number, ListedAuthor>();
    for (const { id, name, value } of rows) {
      const stored = value ?? '';
      const may = known.get(stored) ?? capabilities.some((one) => capabilitiesOf(stored, roles).has(one));
      known.set(stored, may);
      if (may) authors.set(Number(id), { id: Number(id), name, folded: fold(name) });
    }
    return [...authors.values()];
  }
}

/** Whether a name has a text in it, whatever the case and the accents. */
export const hasPart = (name: string, text: string): boolean => fold(name).includes(fold(text));

/** A text without case and accents. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
