import { hash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { VersionedCache } from '../../cache/versioned-cache.js';
import { Database } from '../../database/database.js';
import { TableVersions } from '../../database/table-versions.service.js';

/** Compares a sent password with `post_password` in constant time. */
export function isPasswordRight(sent: string, stored: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(sent), digest(stored));
}

/** Maximum number of cached passwords. */
const MAX_SIZE = 10_000;

/** The passwords of all posts; any other password changes no response. */
@Injectable()
export class PostPasswords {
  private readonly cache = new VersionedCache<'passwords', ReadonlySet<string>>({
    tables: ['posts'],
    maxSize: MAX_SIZE,
    sizeOf: ({ size }) => Math.max(1, size),
    isSerial: true,
  });

  constructor(
    private readonly database: Database,
    private readonly versions: TableVersions,
  ) {}

  /** Whether a password may open a post; true where that is unknown. */
  async mayOpen(password: string): Promise<boolean> {
    const snapshot = await this.versions.snapshot();
    if (!snapshot) return true;
    return (await this.cache.get('passwords', snapshot, () => this.read())).has(password);
  }

  private async read(): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ password: string }>(
      sql`SELECT DISTINCT post_password AS password FROM ${this.database.table('posts')} WHERE post_password <> ''`,
    );
    return new Set(rows.map(({ password }) => password));
  }
}
