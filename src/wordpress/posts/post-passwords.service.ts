import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { TableVersions } from '../../database/table-versions.service.js';
import { Database } from '../../database/database.js';
import { VersionedCache } from '../../cache/versioned-cache.js';

/** Most different passwords that are kept. */
const MAX_ENTRIES = 10_000;

/** Knows which passwords open posts: any other one changes no answer. */
@Injectable()
export class PostPasswords {
  private readonly kept: VersionedCache<ReadonlySet<string>>;

  constructor(database: Database, changes: TableVersions) {
    const read = async (): Promise<ReadonlySet<string>> => {
      const rows = await database.query<{ password: string }>(
        sql`SELECT DISTINCT post_password AS password FROM ${database.table('posts')} WHERE post_password <> ''`,
      );
      return new Set(rows.map(({ password }) => password));
    };
    const version = async () => (await changes.current())?.of('posts');
    this.kept = new VersionedCache(version, read, ({ size }) => size <= MAX_ENTRIES);
  }

  /** Whether a password may open a post; also true where that can not be known. */
  async mayOpen(password: string): Promise<boolean> {
    return (await this.kept.get())?.has(password) ?? true;
  }
}
