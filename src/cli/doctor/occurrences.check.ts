import sql, { join, raw, type Sql } from 'sql-template-tag';
import { TecEvent } from '../../resources/events/tec-event.entity.js';
import { TecOccurrence } from '../../resources/events/tec-occurrence.entity.js';
import { counted } from '../counted.js';
import { type Check, type Found, type Repair } from './check.js';
import { eventIds, eventStates } from './event-states.js';
import type { SiteView } from './site-view.js';

const TABLES = ['tec_occurrences', 'tec_events'] as const;
/** How orphaned rows are found and deleted. */
const ROWS = [
  { name: 'tec_occurrences', entity: TecOccurrence, id: raw('t.occurrence_id') },
  { name: 'tec_events', entity: TecEvent, id: raw('t.event_id') },
] as const;
/** Events per INSERT statement. */
const BATCH_SIZE = 500;

export const occurrencesCheck: Check = {
  kind: 'occurrences',
  title: "events that the calendar's own tables do not hold, or hold with other dates",
  tables: ['posts', 'postmeta', ...TABLES],
  fixSummary: 'writes the rows from the meta of the events, and removes rows of events that are gone',
  async find(site) {
    const { missing, stale, several, unknown } = await eventIds(site);
    const isEmpty = missing.length > 0 && unknown.length === missing.length && (await holdNothing(site));
    const orphans = await orphaned(site);
    return [
      isEmpty ? notMigrated(missing) : missingRows(missing),
      {
        name: 'occurrences-stale',
        severity: 'error',
        what: `${counted(stale.length, 'event')} with other dates, durations or hashes in the calendar's tables than in the meta`,
        examples: stale,
        why: 'Lists filter and sort by the tables, records show the meta: such an event is at the wrong place in lists, or in lists of days on which it does not take place.',
        advice: 'Write the rows anew from the meta: almanac doctor --fix occurrences',
      },
      {
        name: 'occurrences-orphaned',
        severity: 'warning',
        what: `${counted(orphans.count, 'event')} in the calendar's tables that ${orphans.count === 1 ? 'does' : 'do'} not exist`,
        ...orphans,
        why: 'They are invisible, but every list reads them.',
        advice: 'Remove them: almanac doctor --fix occurrences',
      },
      {
        name: 'occurrences-several',
        severity: 'note',
        what: `${counted(several.length, 'event')} with several occurrences, but no rule by which they repeat`,
        examples: several,
        why: 'Lists show the event once for each. The premium add-on makes such rows; without it they are leftovers.',
        advice: 'Look at tec_occurrences of these events, and delete what is not a date of theirs.',
      },
    ];
  },
  async fix(site, repair) {
    const written = await writeRows(site, repair);
    const removed = await removeOrphans(site, repair);
    await repair.calendarOptions.renewRange(repair.transaction, site.facts.now);
    return `Wrote the rows of ${counted(written, 'event')}, removed ${counted(removed, 'row')} of events that are gone.`;
  },
};

function missingRows(missing: readonly number[]): Found {
  return {
    name: 'occurrences-missing',
    severity: 'error',
    what: `${counted(missing.length, 'event')} without rows in tec_events or tec_occurrences`,
    examples: missing,
    why: 'Lists are made from these tables: they do not show such an event, although it can be read by its id.',
    advice: 'Build the rows from the meta: almanac doctor --fix occurrences',
  };
}

function notMigrated(missing: readonly number[]): Found {
  return {
    name: 'occurrences-none',
    severity: 'error',
    what: `The tables tec_events and tec_occurrences are empty, but there are ${counted(missing.length, 'event')}: the plugin's migration to custom tables was not done`,
    examples: missing,
    why: 'Lists are made from these tables: they show no event at all.',
    advice:
      'Finish the migration in the plugin (version 6.0 or later: Events, Settings, Upgrade), or build the rows from the meta: almanac doctor --fix occurrences',
  };
}

async function holdNothing(site: SiteView): Promise<boolean> {
  for (const name of TABLES)
    if ((await site.rows(sql`SELECT 1 FROM ${site.table(name)} LIMIT 1`)).length > 0) return false;
  return true;
}

function without(site: SiteView, name: string): Sql {
  return sql`FROM ${site.table(name)} t LEFT JOIN ${site.table('posts')} p ON p.ID = t.post_id WHERE p.ID IS NULL`;
}

function orphaned(site: SiteView): Promise<{ count: number; examples: number[] }> {
  const posts = TABLES.map((name) => sql`SELECT t.post_id AS id ${without(site, name)}`);
  return site.sample(sql`FROM (${join(posts, ' UNION ')}) g`, sql`id`);
}

async function writeRows(site: SiteView, { transaction, eventTables }: Repair): Promise<number> {
  let written = 0;
  const { disputed } = await eventIds(site);
  for await (const states of eventStates(site, disputed)) {
    const wanted = states.flatMap(({ id: postId, dates, rows, fault, isUnknown }) =>
      dates && (rows === 'missing' || (rows === 'stale' && !fault)) ? [{ postId, dates, isUnknown }] : [],
    );
    const unknown = wanted.filter(({ isUnknown }) => isUnknown);
    for (let at = 0; at < unknown.length; at += BATCH_SIZE)
      await eventTables.saveNew(transaction, unknown.slice(at, at + BATCH_SIZE));
    for (const { postId, dates, isUnknown } of wanted)
      if (!isUnknown) await eventTables.save(transaction, postId, dates);
    written += wanted.length;
  }
  return written;
}

async function removeOrphans(site: SiteView, { transaction }: Repair): Promise<number> {
  let removed = 0;
  for (const { name, entity, id } of ROWS)
    removed += await site.remove(entity, without(site, name), id, transaction);
  return removed;
}
