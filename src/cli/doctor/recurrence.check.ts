import sql, { type Sql } from 'sql-template-tag';
import { OCCURRENCE_BASE_OPTION, occurrenceBase } from '../../calendar/calendar-settings.js';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { addOnColumns } from '../../resources/events/add-on-columns.js';
import { SERIES_META } from '../../resources/events/recurrence/stored-lines.js';
import { counted } from '../counted.js';
import type { Check } from './check.js';
import { EXAMPLES, type SiteView } from './site-view.js';

/** Events with several dates, and what has become of them. */
export const recurrenceCheck: Check = {
  kind: 'recurrence',
  title: 'events that take place on several dates',
  tables: ['posts', 'postmeta', 'tec_events', 'tec_occurrences'],
  async find(site) {
    const columns = await addOnColumns(site.database, site.manager);
    const dates = sql`(SELECT COUNT(*) FROM ${site.table('tec_occurrences')} o WHERE o.post_id = p.ID)`;
    const rules = sql`SELECT m.post_id FROM ${site.table('postmeta')} m WHERE m.meta_key = '_EventRecurrence' AND m.meta_value LIKE '%"type"%'`;
    const rsets = columns.has('tec_events.rset')
      ? sql`SELECT e.post_id FROM ${site.table('tec_events')} e WHERE e.rset LIKE '%RRULE%' OR e.rset LIKE '%RDATE%'`
      : sql`SELECT NULL`;
    const recurring = await events(site, sql`${dates} > 1`);
    const own = sql`SELECT m.post_id FROM ${site.table('postmeta')} m WHERE m.meta_key = ${SERIES_META.lines}`;
    const flattened = await events(
      site,
      sql`${dates} = 1 AND p.ID NOT IN (${own}) AND (p.ID IN (${rules}) OR p.ID IN (${rsets}))`,
    );
    const base = occurrenceBase(site.option(OCCURRENCE_BASE_OPTION));
    const beyond = await posts(site, sql`p.ID >= ${base}`);
    return [
      {
        name: 'recurrence-events',
        severity: 'note',
        what: `${counted(recurring.count, 'event')} on several dates (${columns.size > 0 ? `with ${[...columns].join(', ')}` : 'without columns of the premium add-on'})`,
        ...recurring,
        why: `Lists show each date with an id of its own, from ${base} on.`,
        advice: 'There is nothing to do: docs/recurrence.md says how they are read.',
      },
      {
        name: 'recurrence-flattened',
        severity: 'warning',
        what: `${counted(flattened.count, 'event')} with a rule by which to recur, but one date`,
        ...flattened,
        why: "The free plugin does not know the rule: saving an event's form there leaves its first date only.",
        advice:
          'Save the event in WordPress while the premium add-on is active, which makes its dates again.',
      },
      {
        name: 'recurrence-ids',
        severity: 'warning',
        what: `${counted(recurring.count > 0 ? beyond.count : 0, 'record')} with an id from ${base} on, where the ids of dates begin`,
        examples: beyond.examples,
        count: recurring.count > 0 ? beyond.count : 0,
        why: 'An id that stands for a date of an event does not lead to such a record.',
        advice: `Raise the option ${OCCURRENCE_BASE_OPTION} above all ids, such as to ${base + 10_000_000}: addresses and ids of dates move with it.`,
      },
    ];
  },
};

const events = (site: SiteView, where: Sql) =>
  posts(site, sql`p.post_type = ${EVENT_POST_TYPE} AND p.post_status <> 'auto-draft' AND ${where}`);

async function posts(site: SiteView, where: Sql): Promise<{ count: number; examples: number[] }> {
  const from = sql`FROM ${site.table('posts')} p WHERE ${where}`;
  const { count } = await site.row<{ count: number | string }>(sql`SELECT COUNT(*) AS count ${from}`);
  const rows = await site.rows<{ id: number }>(
    sql`SELECT p.ID AS id ${from} ORDER BY p.ID LIMIT ${EXAMPLES}`,
  );
  return { count: Number(count), examples: rows.map(({ id }) => Number(id)) };
}
