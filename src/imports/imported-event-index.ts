import sql, { type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../database/database.js';
import { textOf } from '../lib/wordpress-text/php-serialize.js';
import { EVENT } from '../resources/events/event-type.js';
import { IMPORT_META } from '../resources/events/event-uids.js';
import { TRASH_TIME } from '../wordpress/posts/post-dates.js';

/** An imported event with the digest of its data in the file. */
export interface ImportedEvent {
  id: number;
  digest: string;
  status: string;
  /** The `SEQUENCE` of the imported revision. */
  sequence?: number;
  /** Whether it was imported as an event that recurs. */
  recurs?: boolean;
  /** Whether it is in the trash because the source withdrew it. */
  isWithdrawn?: boolean;
  /** The key of the recurring event that it is a date of. */
  series?: string;
  /** The address that it was imported from, as a digest. */
  feed?: string;
}

/** All imported events by their ids in files. */
export class ImportedEventIndex {
  private readonly known = new Map<string, ImportedEvent>();
  private readonly dates = new Map<string, Set<string>>();
  /** Whether an id is only known as a digest, which does not say which event it is a date of. */
  private hasDigests = false;
  /** The last meta row that was read. */
  private last = 0;

  constructor(private readonly database: Database) {}

  get(key: string): ImportedEvent | undefined {
    return this.known.get(key);
  }

  set(key: string, event: ImportedEvent): void {
    this.known.set(key, event);
    this.hasDigests ||= key.startsWith('sha256:') && event.series === undefined;
    // Dates that earlier versions imported are known by their keys only: `UID/20270310T190000`.
    const [, uid = event.series] = event.series ? [] : (/^(.*)\/\d{8}(?:T\d{6})?$/.exec(key) ?? []);
    if (uid !== undefined) this.dates.set(uid, (this.dates.get(uid) ?? new Set()).add(key));
  }

  /** Forgets the key of an event that has another one now. */
  delete(key: string): void {
    this.known.delete(key);
  }

  /** The keys of the events that are dates of a recurring one. */
  datesOf(series: string): readonly string[] {
    return [...(this.dates.get(series) ?? [])];
  }

  /** Whether there may be events that are dates of a recurring one. */
  mayHaveDatesOf(series: string): boolean {
    return this.hasDigests || this.dates.has(series);
  }

  /** The events of a feed that are not in the trash, with their keys. */
  ofFeed(feed: string): [key: string, event: ImportedEvent][] {
    return [...this.known].filter(([, event]) => event.feed === feed && event.status !== 'trash');
  }

  /** Reads imports since the last call. */
  async refresh(manager?: EntityManager): Promise<void> {
    const { database } = this;
    const meta = database.table('postmeta');
    const value = (key: string): Sql =>
      sql`(SELECT MIN(v.meta_value) FROM ${meta} v WHERE v.post_id = p.ID AND v.meta_key = ${key})`;
    const rows = await database.query<Record<string, unknown> & { uid: string; row: number; id: number }>(
      sql`SELECT m.meta_id AS ${database.column('row')}, m.meta_value AS uid, p.ID AS id, p.post_status AS status,
            ${value(IMPORT_META.digest)} AS digest, ${value(IMPORT_META.sequence)} AS sequence, ${value(IMPORT_META.series)} AS series,
            ${value(IMPORT_META.feed)} AS feed, ${value(IMPORT_META.recurrence)} AS recurrence,
            ${value(IMPORT_META.withdrawn)} AS withdrawn, ${value(TRASH_TIME)} AS trashed
          FROM ${meta} m JOIN ${database.table('posts')} p ON p.ID = m.post_id AND p.post_type = ${EVENT.type}
          WHERE m.meta_key = ${IMPORT_META.uid} AND m.meta_id > ${this.last} ORDER BY p.ID`,
      manager,
    );
    for (const { uid, row, ...event } of rows) {
      const key = textOf(uid);
      if (!this.known.has(key)) this.set(key, eventOf(event));
      this.last = Math.max(this.last, row);
    }
  }
}

function eventOf(row: Record<string, unknown> & { id: number }): ImportedEvent {
  const text = (name: string) => textOf(String(row[name] ?? ''));
  const sequence = Number(row['sequence'] ?? Number.NaN);
  const [series, feed, withdrawn, status] = [text('series'), text('feed'), text('withdrawn'), text('status')];
  return {
    id: row.id,
    digest: text('digest'),
    status,
    ...(Number.isInteger(sequence) && { sequence }),
    ...(text('recurrence') && { recurs: true }),
    ...(status === 'trash' && withdrawn && withdrawn === text('trashed') && { isWithdrawn: true }),
    ...(series && { series }),
    ...(feed && { feed }),
  };
}

/** Thrown if a concurrent import created the event first. */
export class ImportedConcurrently extends Error {}
