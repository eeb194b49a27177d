import sql from 'sql-template-tag';
import type { Database } from '../database/database.js';
import { formatWallClock } from '../lib/wordpress-text/dates/wall-clock.js';
import { EVENT } from '../resources/events/event-type.js';
import { IMPORT_META } from '../resources/events/event-uids.js';
import { ORIGIN_META } from '../resources/events/recurrence/series-copy.service.js';
import { hasSeveral } from '../resources/events/several-occurrences.js';
import type { ImportedEvent } from './imported-event-index.js';
import type { ImportMarks } from './imported-events.js';

/** An event of this site that was exported under its own id. */
export async function ownEvent(
  database: Database,
  uid: string,
  ownHost: string,
): Promise<ImportedEvent | undefined> {
  const [, id, host] = /^(\d{1,15})@(.+)$/.exec(uid) ?? [];
  if (host !== ownHost) return undefined;
  const [row] = await database.query<{ id: number; status: string }>(
    sql`SELECT p.ID AS id, p.post_status AS status FROM ${database.table('posts')} p
        WHERE p.ID = ${Number(id)} AND p.post_type = ${EVENT.type}`,
  );
  return row && { ...row, digest: '' };
}

/** The event of this site of which a file has one of several dates, exported under its own id. */
export async function ownEventOfDate(
  database: Database,
  uid: string,
  ownHost: string,
): Promise<number | undefined> {
  const [, id, host, day, time = '%'] = /^(\d{1,15})@([^/]+)\/(\d{8})(?:T(\d{6}))?$/.exec(uid) ?? [];
  if (host !== ownHost || day === undefined) return undefined;
  const start = `${day.replace(/(....)(..)(..)/, '$1-$2-$3')} ${time.replace(/(..)(..)(..)/, '$1:$2:$3')}`;
  const [row] = await database.query<{ id: number | string }>(
    sql`SELECT o.post_id AS id FROM ${database.table('tec_occurrences')} o
        WHERE o.post_id = ${Number(id)} AND (o.start_date LIKE ${start} OR o.start_date_utc LIKE ${start})
          AND ${hasSeveral(database, sql`o.post_id`)} LIMIT 1`,
  );
  return row && Number(row.id);
}

/** The event of this site that replaces a date of a recurring one. */
export async function ownDate(
  database: Database,
  { origin }: Pick<ImportMarks, 'origin'>,
): Promise<ImportedEvent | undefined> {
  if (!origin) return undefined;
  const meta = database.table('postmeta');
  const [row] = await database.query<{ id: number; status: string }>(
    sql`SELECT p.ID AS id, p.post_status AS status FROM ${meta} s
        JOIN ${meta} d ON d.post_id = s.post_id AND d.meta_key = ${ORIGIN_META.date} AND d.meta_value = ${origin.date}
        JOIN ${database.table('posts')} p ON p.ID = s.post_id AND p.post_type = ${EVENT.type}
        WHERE s.meta_key = ${ORIGIN_META.series} AND s.meta_value = ${String(origin.series)} ORDER BY p.ID LIMIT 1`,
  );
  return row && { ...row, digest: '' };
}

/** The ids of the events of a feed that are not over at a time in epoch milliseconds. */
export async function upcomingOf(
  database: Database,
  feed: string,
  now: number,
): Promise<ReadonlySet<number>> {
  const rows = await database.query<{ id: number | string }>(
    sql`SELECT DISTINCT o.post_id AS id FROM ${database.table('tec_occurrences')} o
        JOIN ${database.table('postmeta')} m ON m.post_id = o.post_id AND m.meta_key = ${IMPORT_META.feed}
        WHERE m.meta_value = ${feed} AND o.end_date_utc > ${formatWallClock(Math.floor(now / 1000))}`,
  );
  return new Set(rows.map(({ id }) => Number(id)));
}
