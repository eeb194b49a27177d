import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { doctor, fix } from '../src/cli/doctor.js';
import { readEnvironment } from '../src/config/env.js';
import { StartError } from '../src/database/start-error.js';
import { useZoneData } from '../src/lib/wordpress-text/dates/zone-data.js';
import { startApp } from './support/app.js';
import { clientOf } from './support/calendar-client.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const FOLDER = join(__dirname, 'fixtures', 'zoneinfo');
/** Folders of the versions before and after Vancouver moved to UTC−7 permanently in 2026. */
const [OLD, NEW] = ['2025b', '2026f'].map((version) => join(FOLDER, version)) as [string, string];
const NOWHERE = '/no/such/folder';
const IN_VANCOUVER = {
  timezone: 'America/Vancouver',
  start_date: '2026-12-15 19:00',
  end_date: '2026-12-15 21:00',
};
const EARLY = '2026-12-16 03:00:00';
const LATE = '2026-12-16 02:00:00';

describeEither('versions of the time zone data', (database) => {
  let fixture: WriteFixture;
  let ids: number[];
  let oldEvent: number;
  beforeAll(async () => {
    fixture = await openWriteFixture(database, undefined, { TZDATA: NEW });
    const event = (fields: object) => fixture.create({ ...IN_VANCOUVER, ...fields });
    ids = [];
    for (const title of ['One', 'Two']) ids.push(Number((await event({ title }))['id']));
    await event({ title: 'In summer', start_date: '2026-07-15 19:00', end_date: '2026-07-15 21:00' });
    oldEvent = Number(
      (await event({ title: 'Long ago', start_date: '2019-12-15 19:00', end_date: '2019-12-15 21:00' }))[
        'id'
      ],
    );
  });
  afterAll(async () => {
    useZoneData();
    await fixture?.close();
  });

  const env = (variables: Record<string, string>) =>
    readEnvironment({ DATABASE_URL: fixture.databaseUrl, ...variables });
  const utcOf = async (id: number) => {
    const rows = (await fixture.ask(
      `SELECT meta_key AS name, meta_value AS utc FROM wp_postmeta WHERE post_id = ${id} AND meta_key IN ('_EventStartDateUTC')
       UNION SELECT 'tables', start_date_utc FROM wp_tec_occurrences WHERE post_id = ${id}`,
    )) as { utc: string }[];
    return [...new Set(rows.map(({ utc }) => utc))];
  };
  const datesFound = async (variables: Record<string, string>) => {
    const { findings, facts } = await doctor({ env: env(variables) });
    const found = findings.filter(({ kind }) => kind === 'dates' || kind === 'occurrences');
    return { found: found.map(({ name, count }) => `${name}: ${count}`), findings, facts };
  };
  const setStart = async (id: number, utc: string) => {
    await fixture.ask(
      `UPDATE wp_postmeta SET meta_value = '${utc}' WHERE post_id = ${id} AND meta_key = '_EventStartDateUTC'`,
    );
  };
  const confirm = () => true;

  it('named by TZDATA determine how events are stored and rendered', async () => {
    const [id = 0] = ids;
    expect(await utcOf(id)).toEqual([LATE]);
    const { body } = await fixture.send('anonymous', 'GET', `/events/${id}`);
    expect(body).toMatchObject({
      utc_start_date: LATE,
      timezone_abbr: 'MST',
      json_ld: { startDate: '2026-12-15T19:00:00-07:00' },
    });
    const file = await (await fetch(`${fixture.app.url}/cal/events/v1/events/${id}.ics`)).text();
    expect(file.match(/TZOFFSETTO:\S*/g)?.at(-1)).toBe('TZOFFSETTO:-0700');
    expect((await datesFound({ TZDATA: NEW, TZDIR: NOWHERE })).found).toEqual([]);
    expect((await datesFound({ TZDATA: NEW, TZDIR: NOWHERE })).facts.time_zone_data).toEqual({
      used: `2026f (${NEW})`,
    });
  });

  it('older than those of the rows report rows as disputed and fix none', async () => {
    const { found, findings } = await datesFound({ TZDATA: OLD, TZDIR: NOWHERE });
    expect(found).toEqual(['dates-disputed: 2']);
    expect(findings.find(({ name }) => name === 'dates-disputed')).toMatchObject({
      severity: 'warning',
      examples: ids,
      fixable: false,
      what: `2 events whose time in UTC follows other time zone data than 2025b (${OLD}), which Almanac uses (America/Vancouver)`,
      advice: expect.stringContaining('TZDATA'),
    });
    const fixing = fix('dates', () => Promise.resolve(confirm()), {
      env: env({ TZDATA: OLD, TZDIR: NOWHERE }),
    });
    await expect(fixing).rejects.toThrow(StartError);
    await expect(fixing).rejects.toThrow(/^Nothing was changed: 2 events .*TZDATA/);
    expect(await Promise.all(ids.map(utcOf))).toEqual([[LATE], [LATE]]);
  });

  it('are compared with those of the system, whose folder the advice names when they are newer', async () => {
    const { findings, facts } = await datesFound({ TZDATA: OLD, TZDIR: NEW });
    expect(facts.time_zone_data).toEqual({ used: `2025b (${OLD})`, system: `2026f (${NEW})` });
    const advice = `Set TZDATA=${NEW}, where this system has 2026f.`;
    expect(findings.find(({ name }) => name === 'dates-disputed')).toMatchObject({ count: 2, advice });
  });

  it('that some rows dispute do not prevent the fix of undisputed rows', async () => {
    await setStart(oldEvent, '2019-12-16 02:00:00');
    const old = { TZDATA: OLD, TZDIR: NOWHERE };
    expect((await datesFound(old)).found.sort()).toEqual(['dates-disputed: 2', 'dates-utc: 1']);
    const { done } = await fix('dates', () => Promise.resolve(confirm()), { env: env(old) });
    expect(done).toBe(
      'Computed the times in UTC of 1 event. Left 2 events that other data may be right about.',
    );
    expect(await utcOf(oldEvent)).toEqual(['2019-12-16 03:00:00']);
    expect(await Promise.all(ids.map(utcOf))).toEqual([[LATE], [LATE]]);
  });

  it('allow the fix of a single wrong row among correct ones', async () => {
    const current = { TZDATA: NEW, TZDIR: NOWHERE };
    const [id = 0] = ids;
    // The zone data are global in this process.
    useZoneData(NEW);
    const third = Number((await fixture.create({ ...IN_VANCOUVER, title: 'Three' }))['id']);
    await setStart(id, EARLY);
    await fixture.ask(
      `UPDATE wp_postmeta SET meta_value = '2026-12-16 05:00:00' WHERE post_id = ${id} AND meta_key = '_EventEndDateUTC'`,
    );
    expect((await datesFound(current)).found).toContain('dates-utc: 1');
    await fix('dates', () => Promise.resolve(confirm()), { env: env(current) });
    expect(await Promise.all([id, third].map(utcOf))).toEqual([[LATE], [LATE]]);
    expect((await datesFound(current)).found).toEqual([]);
  });

  it('newer than those of the rows rewrite no row that follows older data of the system', async () => {
    const [id = 0] = ids;
    const current = { TZDATA: NEW, TZDIR: OLD };
    await setStart(id, EARLY);
    await fixture.ask(
      `UPDATE wp_postmeta SET meta_value = '2026-12-16 05:00:00' WHERE post_id = ${id} AND meta_key = '_EventEndDateUTC'`,
    );
    expect((await datesFound(current)).found).toContain('dates-disputed: 1');
    await expect(fix('dates', () => Promise.resolve(confirm()), { env: env(current) })).rejects.toThrow(
      StartError,
    );
    expect(await utcOf(id)).toEqual(expect.arrayContaining([EARLY]));
    await setStart(id, LATE);
    await fixture.ask(
      `UPDATE wp_postmeta SET meta_value = '2026-12-16 04:00:00' WHERE post_id = ${id} AND meta_key = '_EventEndDateUTC'`,
    );
  });

  it('cause a warning at start when rows or the system have others, and stop the start when the folder has none', async () => {
    const warnings: string[] = [];
    const warn = jest
      .spyOn(Logger.prototype, 'warn')
      .mockImplementation((text: string) => void warnings.push(text));
    const warningsOfStart = async (variables: Record<string, string>) => {
      warnings.length = 0;
      const app = await startApp({ databaseUrl: fixture.databaseUrl, env: variables });
      const { status } = await clientOf(app.url)('anonymous', 'GET', '/events?per_page=1');
      await app.close();
      expect(status).toBe(200);
      return warnings.filter((text) => text.includes('time zone data'));
    };
    try {
      expect(await warningsOfStart({ TZDATA: NEW, TZDIR: NOWHERE })).toEqual([]);
      expect(await warningsOfStart({ TZDATA: NEW, TZDIR: OLD })).toEqual([]);
      const [rows, ...none] = await warningsOfStart({ TZDATA: OLD, TZDIR: NOWHERE });
      expect(none).toEqual([]);
      expect(rows).toMatch(
        /^The time zone data in use are 2025b .*, but 3 of the latest \d+ events follow other data \(America\/Vancouver\)\. .*TZDATA/,
      );
      expect((await warningsOfStart({ TZDATA: OLD, TZDIR: NEW }))[0]).toContain(
        `this system has 2026f (${NEW}), and 3 of`,
      );
      await expect(warningsOfStart({ TZDATA: NOWHERE })).rejects.toThrow(StartError);
    } finally {
      warn.mockRestore();
    }
  });
});
