import type { EventDates } from '../../resources/events/event-dates.js';
import { MetaWriter } from '../../wordpress/posts/meta-writer.js';
import { zoneDataAdvice, zoneDataAround, zoneDataName } from '../../wordpress/use-zone-data.js';
import { counted } from '../counted.js';
import { type Check } from './check.js';
import { eventIds, eventStates } from './event-states.js';
import { EXAMPLES } from './site-view.js';

export const datesCheck: Check = {
  kind: 'dates',
  title:
    'dates that cannot be: no date, an end before the start, times in UTC that are not those of the zone, or of other time zone data',
  tables: ['posts', 'postmeta'],
  fixSummary:
    'computes the times in UTC anew from the wall clock and the zone, in the meta and in the tables',
  async find(site) {
    const { unreadable, reversed, utc, disputed } = await eventIds(site);
    const around = zoneDataAround(site.facts.env);
    return [
      {
        name: 'dates-unreadable',
        severity: 'warning',
        what: `${counted(unreadable.length, 'event')} whose start or end is missing or no date (YYYY-MM-DD HH:MM:SS)`,
        examples: unreadable,
        why: 'It is unknown when such an event takes place, so the tables of the calendar cannot hold it.',
        advice: 'Open these events in the editor, or send them their dates with PATCH: only you know them.',
      },
      {
        name: 'dates-reversed',
        severity: 'warning',
        what: `${counted(reversed.length, 'event')} that ${reversed.length === 1 ? 'ends' : 'end'} before the start`,
        examples: reversed,
        why: 'Filters by the end leave such an event out, and its duration is below zero.',
        advice: 'Open these events in the editor, or send them their dates with PATCH: only you know them.',
      },
      {
        name: 'dates-utc',
        severity: 'warning',
        what: `${counted(utc.length, 'event')} whose time in UTC is missing or is not that of the wall clock in the event's zone`,
        examples: utc,
        why: 'Calendars that show the time zone of the site, and programs that read the times in UTC, have such an event at another hour.',
        advice: 'Compute them anew: almanac doctor --fix dates',
      },
      {
        name: 'dates-disputed',
        severity: 'warning',
        what: `${counted(disputed.size, 'event')} whose time in UTC follows other time zone data than ${zoneDataName(around.ours)}, which Almanac uses (${[...new Set(disputed.values())].slice(0, EXAMPLES).join(', ')})`,
        count: disputed.size,
        examples: [...disputed.keys()].sort((a, b) => a - b),
        why: 'Governments change their clocks: the program that computed these times may have newer data than Almanac. No fix changes them.',
        advice: zoneDataAdvice(around),
      },
    ];
  },
  async fix(site, { transaction, eventTables, calendarOptions }) {
    const { disputed } = await eventIds(site);
    let mended = 0;
    for await (const states of eventStates(site, disputed))
      for (const { id, status, fault, dates, rows } of states) {
        if (fault !== 'utc' || status === 'auto-draft') continue;
        await writeUtc(await MetaWriter.forExisting(transaction.manager, { id }), dates);
        if (rows === 'stale' || rows === 'missing') await eventTables.save(transaction, id, dates);
        mended++;
      }
    await calendarOptions.renewRange(transaction, site.facts.now);
    const left =
      disputed.size > 0 ? ` Left ${counted(disputed.size, 'event')} that other data may be right about.` : '';
    return `Computed the times in UTC of ${counted(mended, 'event')}.${left}`;
  },
};

async function writeUtc(meta: MetaWriter, { startUtc, endUtc, duration }: EventDates): Promise<void> {
  meta.set('_EventStartDateUTC', startUtc).set('_EventEndDateUTC', endUtc);
  if (meta.get('_EventDuration').length > 0) meta.set('_EventDuration', String(duration));
  await meta.save();
}
