import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecords } from '../../src/cli/import/import-records.js';
import { withSite } from '../../src/cli/site-application.js';
import { readEnvironment } from '../../src/config/env.js';
import { StartError } from '../../src/database/start-error.js';
import type { ImportedRecord, ReadOptions } from '../../src/imports/file-record.js';
import { importEvents } from '../../src/imports/import-events.js';
import { startApp } from '../support/app.js';
import type { EventDates } from '../support/calendar-file-dates.js';
import { type Ask, brokenRows } from '../support/invariants.js';
import { describeEither, makeSite } from '../support/sites.js';

const FOLDER = join(__dirname, '../fixtures/calendar-files');
const { files } = JSON.parse(readFileSync(join(FOLDER, 'dates.json'), 'utf8')) as {
  files: Record<string, EventDates[]>;
};

/** Result of importing a file, twice. */
interface Imported {
  name: string;
  /** Why the whole file was rejected. */
  fault?: string;
  first: readonly ImportedRecord[];
  second: readonly ImportedRecord[];
  /** Whether the second import wrote nothing. */
  isUnchanged: boolean;
  /** Starts of the events that it created: instants as in dates.json, of whole days the days. */
  starts: readonly string[];
}

describeEither('calendar files of other programs', (database) => {
  it('are imported, with a reason for each skipped record, and change nothing again', async () => {
    const site = await makeSite(database);
    const app = await startApp({ databaseUrl: site.url });
    const rows: Ask = (statement) => app.dataSource.query(statement);
    try {
      const broken = await brokenRows(rows);
      const imported = await withSite(
        async (other) => {
          const list: Imported[] = [];
          const read = async (name: string) => {
            const records: ImportedRecord[] = [];
            const path = join(FOLDER, name);
            const read = (options: ReadOptions) => readRecords(path, options);
            for await (const one of importEvents(other, { as: 'admin', occurrences: 50 }, read))
              records.push(one);
            return records;
          };
          for (const name of Object.keys(files)) {
            try {
              const first = await read(name);
              const ids = first.flatMap(({ id, outcome }) => (id && outcome === 'created' ? [id] : []));
              const [starts, before] = [await startsOf(rows, ids), await stateOf(rows)];
              const second = await read(name);
              const isUnchanged = (await stateOf(rows)) === before;
              list.push({ name, first, second, isUnchanged, starts });
            } catch (error) {
              if (!(error instanceof StartError)) throw new Error(name, { cause: error });
              list.push({ name, fault: error.message, first: [], second: [], isUnchanged: true, starts: [] });
            }
          }
          return list;
        },
        readEnvironment({ DATABASE_URL: site.url }),
      );
      expect(imported.filter(({ name, fault }) => (fault === undefined) !== isCalendar(name))).toEqual([]);
      for (const { name, first, second, isUnchanged } of imported) {
        for (const one of [...first, ...second])
          if (one.outcome === 'left out' && !one.fault)
            throw new Error(`${name}, line ${one.line}: no reason`);
        const changed = second.filter(({ outcome }) => outcome !== 'unchanged' && outcome !== 'left out');
        expect({ name, changed, isUnchanged }).toEqual({ name, changed: [], isUnchanged: true });
      }
      expect(imported.flatMap(faultsOfDates)).toEqual([]);
      expect(imported.flatMap(({ starts }) => starts).length).toBeGreaterThan(1000);
      const isSeries = (row: string) => /^event \d+: \d+ occurrences$/.test(row);
      expect((await brokenRows(rows)).filter((row) => !isSeries(row))).toEqual(broken);
    } finally {
      await app.close();
      await site.drop();
    }
  });
});

/** Whether the first line of a file begins a calendar, or one of its components. */
function isCalendar(name: string): boolean {
  const [first = ''] = textOf(name).replace('\ufeff', '').trimStart().split(/\r?\n/, 1);
  return /^BEGIN:(?:VCALENDAR|VEVENT|VTODO|VJOURNAL|VFREEBUSY|VTIMEZONE)\s*$/i.test(first);
}

const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

/** The files whose dates differ, and those with changes: their dates may be events of their own. */
const isExact = (name: string): boolean =>
  !textOf('differences.tsv').includes(`${name}\t`) &&
  !/^RECURRENCE-ID/im.test(textOf(name)) &&
  (files[name] ?? []).every(({ error }) => error === undefined);

/** Dates that the first import of a file should have made and has not, or the other way round. */
function faultsOfDates({ name, first, starts }: Imported): string[] {
  // An event of an earlier file had the same id, or it is cancelled.
  if (first.some(({ outcome, fault }) => outcome !== 'created' && fault === undefined)) return [];
  const withdrawn =
    /^STATUS:CANCELLED/im.test(textOf(name)) || first.some(({ outcome }) => outcome === 'left out');
  const lists = (files[name] ?? []).map(({ dates = [] }) => dates.map((date) => date.split('/', 1)[0] ?? ''));
  const soon = new Date(Date.now() + 365 * 86_400_000).toISOString().replace(/-/g, '').slice(0, 8);
  const missing = lists.flatMap((dates) =>
    dates.slice(0, 20).filter((date) => date < soon && !starts.includes(date)),
  );
  const all = new Set(lists.flat());
  const last = [...all].toSorted().at(-1) ?? '';
  const others = isExact(name) ? starts.filter((date) => date <= last && !all.has(date)) : [];
  return [
    ...(withdrawn ? [] : missing.map((date) => `${name}: ${date} is missing`)),
    ...others.map((date) => `${name}: ${date} is none of its dates`),
  ];
}

async function stateOf(rows: Ask): Promise<string> {
  const last = (table: string, column: string) => `(SELECT MAX(${column}) FROM wp_${table}) AS ${table}`;
  return JSON.stringify(
    await rows(
      `SELECT ${last('posts', 'ID')}, ${last('postmeta', 'meta_id')}, ${last('terms', 'term_id')},
       ${last('tec_occurrences', 'occurrence_id')}, (SELECT COUNT(*) FROM wp_posts) AS count`,
    ),
  );
}

async function startsOf(rows: Ask, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = (await rows(
    `SELECT o.start_date, o.start_date_utc, m.meta_value AS all_day FROM wp_tec_occurrences o
     LEFT JOIN wp_postmeta m ON m.post_id = o.post_id AND m.meta_key = '_EventAllDay'
     WHERE o.post_id IN (${ids.join(', ')})`,
  )) as { start_date: string; start_date_utc: string; all_day: string | null }[];
  return found.map(({ start_date, start_date_utc, all_day }) =>
    all_day
      ? start_date.slice(0, 10).replaceAll('-', '')
      : `${start_date_utc.replace(/[-:]/g, '').replace(' ', 'T')}Z`,
  );
}
