import sql from 'sql-template-tag';
import { formatWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { EVENT } from '../../resources/events/event-type.js';
import { inList } from '../../wordpress/posts/post-rows.js';
import { counted } from '../counted.js';
import { type Check } from './check.js';
import { EXAMPLES } from './site-view.js';

/** Tolerated delay in seconds: publishers poll. */
const GRACE = 300;

export const scheduleCheck: Check = {
  kind: 'schedule',
  title: 'scheduled records whose time has passed',
  tables: ['posts'],
  async find(site) {
    const due = formatWallClock(Math.floor(site.facts.now / 1000) - GRACE);
    const types = [EVENT, ...EVENT.linked].map(({ type }) => type);
    const late = sql`FROM ${site.table('posts')} WHERE ${inList(sql`post_type`, types)} AND post_status = 'future'
        AND post_date_gmt > '0001-01-01 00:00:00' AND post_date_gmt <= ${due}`;
    const { count } = await site.row<{ count: number }>(sql`SELECT COUNT(*) AS count ${late}`);
    const rows = await site.rows<{ id: number }>(
      sql`SELECT ID AS id ${late} ORDER BY post_date_gmt LIMIT ${EXAMPLES}`,
    );
    return {
      name: 'schedule-late',
      severity: 'warning',
      what: `${counted(count, 'scheduled record')} whose time has passed`,
      count,
      examples: rows.map(({ id }) => id),
      why: 'They should be public by now, but no program has published them.',
      advice:
        'Start Almanac with the right to write and without SCHEDULER=off, or see to it that WordPress runs its tasks (wp cron event run --due-now).',
    };
  },
};
