import sql, { type Sql } from 'sql-template-tag';
import { asInteger, asMap, serialize, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import { EVENT } from '../../resources/events/event-type.js';
import { PostMeta } from '../../wordpress/posts/post.entity.js';
import { linkedIds } from '../../wordpress/posts/post-record.js';
import { inList } from '../../wordpress/posts/post-rows.js';
import { counted } from '../counted.js';
import { type Check, type Found } from './check.js';
import { batches, type SiteView } from './site-view.js';

/** A meta row of an event with ids of records that do not exist. */
interface DeadLink {
  id: number;
  eventId: number;
  /** The list without these ids; undefined if it becomes empty. */
  rest?: string;
}

export const linksCheck: Check = {
  kind: 'links',
  title: 'events that name a venue or organizer which does not exist',
  tables: ['posts', 'postmeta'],
  fixSummary: 'takes the ids that do not exist out of the events; their other links stay',
  async find(site) {
    const findings: Found[] = [];
    for (const { singular, linkKey, type } of EVENT.linked) {
      const events: number[] = [];
      for await (const links of deadLinks(site, linkKey, type))
        events.push(...links.map((link) => link.eventId));
      findings.push({
        name: `links-${singular}`,
        severity: 'warning',
        what: `${counted(events.length, 'link')} of events to ${events.length === 1 ? `a ${singular}` : `${singular}s`} that ${events.length === 1 ? 'does' : 'do'} not exist`,
        count: events.length,
        examples: [...new Set(events)],
        why: `Such an event is shown without its ${singular}; the id may go to something else when rows are imported.`,
        advice: `Choose another ${singular} for these events, or take the links out: almanac doctor --fix links`,
      });
    }
    return findings;
  },
  async fix(site, { transaction: { manager } }) {
    let count = 0;
    for (const { linkKey, type } of EVENT.linked)
      for await (const links of deadLinks(site, linkKey, type)) {
        const gone = links.filter(({ rest }) => rest === undefined).map(({ id }) => id);
        if (gone.length > 0) await manager.delete(PostMeta, gone);
        for (const { id, rest } of links)
          if (rest !== undefined) await manager.update(PostMeta, id, { value: rest });
        count += links.length;
      }
    return `Took ${counted(count, 'link')} out.`;
  },
};

/** Rows with ids that are not records of the type, in batches; non-numeric texts are ignored. */
async function* deadLinks(site: SiteView, linkKey: string, type: string): AsyncGenerator<DeadLink[]> {
  const candidates = batches<{ id: number; eventId: number; value: string }>((after, most) =>
    site.rows(candidateRows(site, { linkKey, type, after, most })),
  );
  for await (const rows of candidates) {
    // Only the few candidates are checked, not every link of the site.
    const events = await existing(site, EVENT.type, [...new Set(rows.map(({ eventId }) => eventId))]);
    const idsOf = rows.map(({ value }) => linkedIds({ meta: new Map([[linkKey, [value]]]) }, linkKey));
    const there = await existing(site, type, [...new Set(idsOf.flat())]);
    yield rows.flatMap(({ id, eventId, value }, at) => {
      const ids = idsOf[at] ?? [];
      if (!events.has(eventId) || ids.every((one) => there.has(one))) return [];
      const rest = value.startsWith('a:') ? restOf(value, there) : undefined;
      return [{ id, eventId, ...(rest && { rest }) }];
    });
  }
}

/** Rows whose single id does not exist, and serialized lists, which SQL cannot check. */
function candidateRows(
  site: SiteView,
  { linkKey, type, after, most }: { linkKey: string; type: string; after: number; most: number },
): Sql {
  const named = site.isServer ? sql`CAST(m.meta_value AS UNSIGNED)` : sql`CAST(m.meta_value AS INTEGER)`;
  return sql`SELECT m.meta_id AS id, m.post_id AS eventId, m.meta_value AS value FROM ${site.table('postmeta')} m
      LEFT JOIN ${site.table('posts')} l ON l.ID = ${named} AND l.post_type = ${type}
      WHERE m.meta_key = ${linkKey} AND m.meta_id > ${after} AND l.ID IS NULL AND m.meta_value NOT IN ('', '0')
      ORDER BY m.meta_id LIMIT ${most}`;
}

async function existing(site: SiteView, type: string, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await site.rows<{ id: number }>(
    sql`SELECT ID AS id FROM ${site.table('posts')} WHERE ${inList(sql`ID`, ids)} AND post_type = ${type}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Removes ids that do not exist from a serialized list; undefined if it becomes empty. */
function restOf(value: string, there: ReadonlySet<number>): string | undefined {
  const entries = [...asMap(unserialize(value)).values()];
  const remaining = entries.filter((entry) => asInteger(entry) <= 0 || there.has(asInteger(entry)));
  return remaining.length === 0 ? undefined : serialize(new Map(remaining.entries()));
}
