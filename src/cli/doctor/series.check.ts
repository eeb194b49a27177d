import sql, { type Sql } from 'sql-template-tag';
import { SERIES_META } from '../../resources/events/recurrence/event-series.service.js';
import { hasCurrentTask } from '../../resources/events/recurrence/php-beside.js';
import { counted } from '../counted.js';
import type { Check } from './check.js';
import { EXAMPLES, type SiteView } from './site-view.js';

/** Events that recur by a rule of Almanac, and what PHP has made of them. */
export const seriesCheck: Check = {
  kind: 'series',
  title: 'events that recur by rules which Almanac has stored',
  tables: ['options', 'posts', 'postmeta', 'tec_occurrences'],
  async find(site) {
    const rule = sql`m.meta_key = ${SERIES_META.lines}`;
    const dates = sql`(SELECT COUNT(*) FROM ${site.table('tec_occurrences')} o WHERE o.post_id = m.post_id)`;
    // A rule with one date left excludes all others.
    const isFlattened = sql`${rule} AND m.meta_value NOT LIKE '%EXDATE%' AND ${dates} < 2
        AND m.meta_value NOT LIKE '%COUNT=1;%' AND m.meta_value NOT LIKE '%COUNT=1'`;
    const all = await found(site, rule);
    const flattened = await found(site, isFlattened);
    const { isOn, reason } = writing(site);
    return [
      {
        name: 'series-flattened',
        severity: 'warning',
        what: `${counted(flattened.count, 'event')} with a rule, but one date in tec_occurrences`,
        ...flattened,
        why: 'PHP has saved the form of the event, which made it a single one: its other dates are in no list.',
        advice:
          'Send the rule again as recurrence in an update of the event, or null where one date is right (docs/recurrence.md#beside-php).',
      },
      {
        name: isOn ? 'series-written' : 'series-off',
        severity: 'note',
        what: `${counted(all.count, 'event')} that ${all.count === 1 ? 'recurs' : 'recur'}; writing such events is ${isOn ? 'on' : 'off'}: ${reason}`,
        ...all,
        why: 'PHP of the free plugin leaves one date of such an event when its form is saved.',
        advice: 'RECURRENCE=on and RECURRENCE=off decide it whatever runs beside Almanac.',
      },
    ];
  },
};

function writing(site: SiteView): { isOn: boolean; reason: string } {
  const { env, now } = site.facts;
  if (env.recurrence !== 'auto')
    return { isOn: env.recurrence === 'on', reason: `RECURRENCE=${env.recurrence}` };
  return hasCurrentTask(site.option('cron'), now)
    ? { isOn: false, reason: 'PHP runs on this database' }
    : { isOn: true, reason: 'no PHP runs on this database' };
}

async function found(site: SiteView, where: Sql): Promise<{ count: number; examples: number[] }> {
  const from = sql`FROM ${site.table('postmeta')} m JOIN ${site.table('posts')} p ON p.ID = m.post_id WHERE ${where}`;
  const { count } = await site.row<{ count: number | string }>(sql`SELECT COUNT(*) AS count ${from}`);
  const rows = await site.rows<{ id: number }>(
    sql`SELECT m.post_id AS id ${from} ORDER BY m.post_id LIMIT ${EXAMPLES}`,
  );
  return { count: Number(count), examples: rows.map(({ id }) => Number(id)) };
}
