import sql from 'sql-template-tag';
import { In } from 'typeorm';
import { addOnColumns } from '../../resources/events/add-on-columns.js';
import { eventDates } from '../../resources/events/event-dates.js';
import { hasCurrentTask } from '../../resources/events/recurrence/php-beside.js';
import { hasSeveralDates } from '../../resources/events/recurrence/series-dates.js';
import { SERIES_META } from '../../resources/events/recurrence/stored-lines.js';
import { storedDates } from '../../resources/events/stored-dates.js';
import { PostMeta } from '../../wordpress/posts/post.entity.js';
import { firstMeta, type PostRecord } from '../../wordpress/posts/post-record.js';
import { metaOf } from '../../wordpress/posts/post-rows.js';
import { counted } from '../counted.js';
import type { Check } from './check.js';
import { batches, type SiteView } from './site-view.js';

const DATE_KEYS = ['_EventStartDate', '_EventEndDate', '_EventTimezone', '_EventAllDay'];

/** Events that recur by a rule of Almanac, and what PHP has made of them. */
export const seriesCheck: Check = {
  kind: 'series',
  title: 'events that recur by rules which Almanac has stored',
  tables: ['options', 'posts', 'postmeta', 'tec_events', 'tec_occurrences'],
  fixSummary: 'forgets the rules of events that PHP has made single ones',
  async find(site) {
    const all = await site.sample(
      sql`FROM ${site.table('postmeta')} m JOIN ${site.table('posts')} p ON p.ID = m.post_id WHERE m.meta_key = ${SERIES_META.lines}`,
      sql`m.post_id`,
    );
    const flattened = await flattenedEvents(site);
    const { isOn, reason } = writing(site);
    return [
      {
        name: 'series-flattened',
        severity: 'warning',
        what: `${counted(flattened.length, 'event')} with a rule, but one date in tec_occurrences`,
        examples: flattened,
        why: 'PHP has saved the form of the event, which made it a single one: its other dates are in no list.',
        advice:
          'Send the rule again as recurrence in an update of the event (docs/recurrence.md#beside-php). Where one date is right, forget the rules of all of them: almanac doctor --fix series',
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
  async fix(site, { transaction: { manager } }) {
    const ids = await flattenedEvents(site);
    const keys = Object.values(SERIES_META);
    const columns = await addOnColumns(site.database, manager);
    for (const id of ids) {
      if (columns.has('tec_events.rset'))
        await site.database.query(
          sql`UPDATE ${site.table('tec_events')} SET rset = NULL WHERE post_id = ${id} AND rset =
              (SELECT m.meta_value FROM ${site.table('postmeta')} m WHERE m.post_id = ${id} AND m.meta_key = ${SERIES_META.lines} LIMIT 1)`,
          manager,
        );
      await manager.delete(PostMeta, { postId: id, key: In(keys) });
    }
    return `Forgot the rules of ${counted(ids.length, 'event')}.`;
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

/** Events with one row, whose rules give several dates. */
async function flattenedEvents(site: SiteView): Promise<number[]> {
  const { database, manager } = site;
  const single = batches<{ id: number }>((after, most) =>
    site.rows(
      sql`SELECT p.ID AS id FROM ${site.table('posts')} p WHERE p.ID > ${after}
          AND p.ID IN (SELECT m.post_id FROM ${site.table('postmeta')} m WHERE m.meta_key = ${SERIES_META.lines})
          AND (SELECT COUNT(*) FROM ${site.table('tec_occurrences')} o WHERE o.post_id = p.ID) = 1
          ORDER BY p.ID LIMIT ${most}`,
    ),
  );
  const found: number[] = [];
  for await (const rows of single) {
    const ids = rows.map(({ id }) => Number(id));
    const keys = [...DATE_KEYS, ...Object.values(SERIES_META)];
    const metas = await metaOf(database, 'post', ids, { keys, manager });
    found.push(...ids.filter((id) => isFlattened(site, { meta: metas.get(id) ?? new Map() })));
  }
  return found;
}

function isFlattened(site: SiteView, event: Pick<PostRecord, 'meta'>): boolean {
  const dates = eventDates({}, storedDates(event), { zone: site.zone, cutoff: '', now: 0 });
  if (typeof dates === 'string') return false;
  const lines = (firstMeta(event, SERIES_META.lines) ?? '').split('\n');
  return hasSeveralDates(lines, dates, firstMeta(event, SERIES_META.until));
}
