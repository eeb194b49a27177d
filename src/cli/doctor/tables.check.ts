import { SITE_TABLES } from '../../database/migrations/1700000000000-create-site.js';
import { counted } from '../counted.js';
import { type Check } from './check.js';

/** The tables that the plugin's migration makes. */
export const CALENDAR_TABLES = ['tec_events', 'tec_occurrences'];

/** The tables that `CHANGES` asks for. */
const JOURNAL_TABLES = ['almanac_changes', 'almanac_records'];

/** Whether all tables of a site are there; the calendar's own two can be made here, beside the transaction of a fix. */
export const tablesCheck: Check = {
  kind: 'tables',
  title: 'tables that are missing',
  fixSummary: "makes the calendar's own two tables, empty, as the plugin does",
  async find(site) {
    const missing = SITE_TABLES.filter((name) => !site.has(name));
    const ofCalendar = missing.filter((name) => CALENDAR_TABLES.includes(name));
    const others = missing.filter((name) => !CALENDAR_TABLES.includes(name));
    const ofJournal = site.facts.env.changes === 'on' ? JOURNAL_TABLES.filter((name) => !site.has(name)) : [];
    const named = (names: readonly string[]) => names.map((name) => site.nameOf(name));
    return [
      {
        name: 'tables-calendar',
        severity: 'error',
        what: `${counted(ofCalendar.length, 'table')} of the calendar missing (${named(ofCalendar).join(', ')}): the plugin's migration to custom tables was not done`,
        examples: named(ofCalendar),
        why: 'Lists of events are made from these tables: Almanac does not start without them.',
        advice:
          'Update the plugin to version 6.0 or later and finish its migration. If WordPress is gone, make the tables, then fill them: almanac doctor --fix tables, then almanac doctor --fix occurrences',
      },
      {
        name: 'tables-site',
        severity: 'error',
        what: `${counted(others.length, 'table')} of the site missing (${named(others).join(', ')})`,
        examples: named(others),
        why: 'Almanac does not start without them, and what they held is not in this database.',
        advice: 'Restore them from a backup; if the site uses another prefix, say so with TABLE_PREFIX.',
      },
      {
        name: 'tables-changes',
        severity: 'warning',
        what: `${counted(ofJournal.length, 'table')} of the journal of changes missing (${named(ofJournal).join(', ')}), which CHANGES=on asks for`,
        examples: named(ofJournal),
        why: 'No change is journaled: programs that follow the calendar hear of nothing.',
        advice: 'Make them: almanac migrate. Or set CHANGES=off.',
      },
    ];
  },
};
