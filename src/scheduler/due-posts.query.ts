import sql, { empty, type Sql } from 'sql-template-tag';
import type { Database } from '../database/database.js';
import { addSeconds } from '../lib/wordpress-text/dates/wall-clock.js';
import { nowInZone, TRASH_TIME } from '../wordpress/posts/post-dates.js';

/** A position in the order of posts by date. */
export interface Place {
  id: number;
  date: string;
}

export interface ScheduledPost extends Place {
  dateGmt: string;
}

export interface TrashedPost extends Place {
  /** Meta `_wp_trash_meta_time`; null if it is missing. */
  trashedAt: string | null;
}

/** Maximum distance of local and UTC dates in seconds, whatever the site's earlier time zones. */
const FARTHEST_ZONES = 27 * 3600;

/** The posts of a type due by a time (epoch milliseconds), by date; reads the index up to the next day. */
export function scheduledPosts(
  database: Database,
  type: string,
  { by, zone, after, most }: { by: number; zone: string; after?: Place; most: number },
): Sql {
  const { local, utc } = nowInZone(by, zone);
  return sql`SELECT p.ID AS id, p.post_date AS date, p.post_date_gmt AS dateGmt FROM ${database.table('posts')} p
      WHERE p.post_type = ${type} AND p.post_status = 'future' AND p.post_date <= ${addSeconds(local, FARTHEST_ZONES)}
        AND p.post_date_gmt <= ${utc}${beyond(after)} ORDER BY p.post_date, p.ID LIMIT ${most}`;
}

/** The posts of a type in the trash; no index has the time of trashing. */
export function trashedPosts(
  database: Database,
  type: string,
  { after, most }: { after?: Place; most: number },
): Sql {
  return sql`SELECT p.ID AS id, p.post_date AS date,
        (SELECT MIN(m.meta_value) FROM ${database.table('postmeta')} m
         WHERE m.post_id = p.ID AND m.meta_key = ${TRASH_TIME}) AS trashedAt
      FROM ${database.table('posts')} p
      WHERE p.post_type = ${type} AND p.post_status = 'trash'${beyond(after)} ORDER BY p.post_date, p.ID LIMIT ${most}`;
}

function beyond(place: Place | undefined): Sql {
  if (!place) return empty;
  const { id, date } = place;
  return sql` AND p.post_date >= ${date} AND (p.post_date > ${date} OR p.ID > ${id})`;
}
