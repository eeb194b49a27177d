import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../database/database.js';
import { EVENT } from '../../resources/events/event-type.js';
import { textOf } from '../../lib/wordpress-text/php-serialize.js';
import { IMPORT_META } from '../../resources/events/event-uids.js';

/** An imported event with the digest of its data in the file. */
export interface ImportedEvent {
  id: number;
  digest: string;
  status: string;
}

/** All imported events by their ids in files. */
export class ImportedEventIndex {
  private readonly known = new Map<string, ImportedEvent>();
  /** The last meta row that was read. */
  private last = 0;

  constructor(private readonly database: Database) {}

  get(key: string): ImportedEvent | undefined {
    return this.known.get(key);
  }

  set(key: string, event: ImportedEvent): void {
    this.known.set(key, event);
  }

  /** Reads imports since the last call. */
  async refresh(manager?: EntityManager): Promise<void> {
    const { database } = this;
    const meta = database.table('postmeta');
    const rows = await database.query<ImportedEvent & { uid: string; row: number }>(
      sql`SELECT m.meta_id AS ${database.column('row')}, m.meta_value AS uid, p.ID AS id, d.meta_value AS digest, p.post_status AS status
          FROM ${meta} m JOIN ${database.table('posts')} p ON p.ID = m.post_id AND p.post_type = ${EVENT.type}
          LEFT JOIN ${meta} d ON d.post_id = p.ID AND d.meta_key = ${IMPORT_META.digest}
          WHERE m.meta_key = ${IMPORT_META.uid} AND m.meta_id > ${this.last} ORDER BY p.ID`,
      manager,
    );
    for (const { uid, row, ...event } of rows) {
      const key = textOf(uid);
      if (!this.known.has(key)) this.known.set(key, event);
      this.last = Math.max(this.last, row);
    }
  }
}

/** Thrown if a concurrent import created the event first. */
export class ImportedConcurrently extends Error {}
