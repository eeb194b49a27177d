import type { Ask } from './invariants.js';
import { SeededRandom } from './unusual-values.js';

const FIRST_ID = 100_000;
const ROWS_PER_INSERT = 200;
/** Few of each, so that many events tie and share them. */
const DAYS = 90;
const LINKED = 12;

/** The terms, venues and organizers of the events. */
export const CROWD = {
  terms: Array.from({ length: 20 }, (_, at) => 900 + at),
  venues: Array.from({ length: LINKED }, (_, at) => 5000 + at),
  organizers: Array.from({ length: LINKED }, (_, at) => 6000 + at),
  from: Date.UTC(2091, 0, 1),
  days: DAYS,
};

/**
 * Writes events with everything that lists depend on: equal start and publication times, events over weeks, several
 * occurrences, missing or zero dates, hidden, protected and draft events, duplicate links.
 */
export async function crowd(ask: Ask, events: number, seed = 1): Promise<void> {
  const random = new SeededRandom(seed);
  const dice = (sides: number) => random.roll(sides);
  const chance = (part: number) => dice(1000) < part * 1000;
  const rows = {
    posts: [] as string[],
    postmeta: [] as string[],
    term_relationships: [] as string[],
    tec_occurrences: [] as string[],
  };
  const stamp = (ms: number) => `'${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}'`;
  const hour = 3_600_000;
  for (let at = 0; at < events; at++) {
    const id = FIRST_ID + ((at * 7919) % events);
    const posted = chance(0.02) ? `'0000-00-00 00:00:00'` : stamp(Date.UTC(2090, 0, 1 + dice(40)));
    const status = chance(0.1) ? 'draft' : 'publish';
    rows.posts.push(
      `(${id}, 1, ${posted}, ${posted}, 'Text', 'Event ${id}', '', '${status}', '${chance(0.05) ? 'secret' : ''}', 'event-${id}', '', '', ${posted}, ${posted}, '', 'tribe_events')`,
    );
    const meta = (key: string, value: string | number) => rows.postmeta.push(`(${id}, '${key}', '${value}')`);
    if (chance(0.8)) meta('_EventVenueID', 5000 + dice(LINKED));
    if (chance(0.1)) meta('_EventVenueID', '0');
    for (let count = dice(3); count > 0; count--) meta('_EventOrganizerID', 6000 + dice(LINKED));
    if (chance(0.2)) meta('_tribe_featured', chance(0.5) ? '1' : '');
    if (chance(0.05)) meta('_EventHideFromUpcoming', 'yes');
    for (const term of new Set(Array.from({ length: dice(4) }, () => 900 + dice(20))))
      rows.term_relationships.push(`(${id}, ${term})`);
    const times = chance(0.02) ? 0 : chance(0.1) ? 2 + dice(5) : 1;
    for (let time = 0; time < times; time++) {
      const start = CROWD.from + dice(DAYS) * 24 * hour + dice(6) * 4 * hour;
      const end = start + (chance(0.05) ? dice(40) * 24 : dice(4)) * hour;
      const shift = (dice(27) - 12) * hour;
      const dates = chance(0.02)
        ? Array.from({ length: 4 }, () => `'0000-00-00 00:00:00'`)
        : [start, start + shift, end, end + shift].map(stamp);
      rows.tec_occurrences.push(`(${id}, ${id}, ${dates.join(', ')}, 'crowd-${id}-${time}')`);
    }
  }
  // Ids of metas may have gaps.
  await ask(`INSERT INTO wp_postmeta (meta_id, post_id, meta_key) VALUES (5000000, ${FIRST_ID}, 'note')`);
  const columns = {
    posts:
      'ID, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, post_password, post_name, to_ping, pinged, post_modified, post_modified_gmt, post_content_filtered, post_type',
    postmeta: 'post_id, meta_key, meta_value',
    term_relationships: 'object_id, term_taxonomy_id',
    tec_occurrences: 'event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, hash',
  };
  for (const [table, values] of Object.entries(rows))
    for (let from = 0; from < values.length; from += ROWS_PER_INSERT)
      await ask(
        `INSERT INTO wp_${table} (${columns[table as keyof typeof columns]}) VALUES ${values.slice(from, from + ROWS_PER_INSERT).join(', ')}`,
      );
}
