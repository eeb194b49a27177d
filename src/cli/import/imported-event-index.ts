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
  /** The `SEQUENCE` of the imported revision. */
  sequence?: number;
}

/** All imported events by their ids in files. */
export class ImportedEventIndex {
  private readonly known = new Map<string, ImportedEvent>();
  private readonly dates = new Map<string, Set<string>>();
  /** The last meta row that was read. */
  private last = 0;

  constructor(private readonly database: Database) {}

  get(key: string): ImportedEvent | undefined {
    return this.known.get(key);
  }

  set(key: string, event: ImportedEvent): void {
    this.known.set(key, event);
    const [, uid] = /^(.*)\/\d{8}(?:T\d{6})?$/.exec(key) ?? [];
    if (uid !== undefined) this.dates.set(uid, (this.dates.get(uid) ?? new Set()).add(key));
  }

  /** The keys of dates of a recurring event: `UID/20270310T190000`. */
  datesOf(uid: string): readonly string[] {
    return [...(this.dates.get(uid) ?? [])];
  }

  /** Reads imports since the last call. */
  async refresh(manager?: EntityManager): Promise<void> {
    const { database } = this;
    const meta = database.table('postmeta');
    const rows = await database.query<
      Omit<ImportedEvent, 'sequence'> & { uid: string; row: number; sequence: unknown }
    >(
      sql`SELECT m.meta_id AS ${database.column('row')}, m.meta_value AS uid, p.ID AS id, d.meta_value AS digest, s.meta_value AS sequence,
            p.post_status AS status
          FROM ${meta} m JOIN ${database.table('posts')} p ON p.ID = m.post_id AND p.post_type = ${EVENT.type}
          LEFT JOIN ${meta} d ON d.post_id = p.ID AND d.meta_key = ${IMPORT_META.digest}
          LEFT JOIN ${meta} s ON s.post_id = p.ID AND s.meta_key = ${IMPORT_META.sequence}
          WHERE m.meta_key = ${IMPORT_META.uid} AND m.meta_id > ${this.last} ORDER BY p.ID`,
      manager,
    );
    for (const { uid, row, sequence, ...event } of rows) {
      const key = textOf(uid);
      const number = Number(sequence ?? Number.NaN);
      if (!this.known.has(key))
        this.set(key, { ...event, ...(Number.isInteger(number) && { sequence: number }) });
      this.last = Math.max(this.last, row);
    }
  }
}

/** Thrown if a concurrent import created the event first. */
export class ImportedConcurrently extends Error {}
