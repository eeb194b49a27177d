import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecords } from '../src/cli/import/import-records.js';
import { RestException } from '../src/common/errors/rest-exception.js';
import { Hooks } from '../src/common/hooks/hooks.js';
import type { ImportedRecord } from '../src/imports/file-record.js';
import { type ImportOptions, importEvents } from '../src/imports/import-events.js';
import { postHooks } from '../src/resources/base/resource-hooks.js';
import { EVENT } from '../src/resources/events/event-type.js';
import { startApp } from './support/app.js';
import { brokenRows } from './support/invariants.js';
import { type DateRow, dateRows, metaValues } from './support/series-rows.js';
import { describeEither } from './support/sites.js';
import { testFolder } from './support/test-folder.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';
import { TEXT } from './support/written-series.js';

type Options = Partial<ImportOptions>;

describeEither('almanac import of events that recur', (database) => {
  let fixture: WriteFixture;
  let path: string;
  let broken: string[];
  beforeAll(async () => {
    path = join(await mkdtemp(join(testFolder(), 'series-')), 'file.ics');
    fixture = await openWriteFixture(database, undefined, { RECURRENCE: 'on' });
    broken = await brokenRows(fixture.ask);
  });
  afterAll(async () => {
    const found = (await brokenRows(fixture.ask)).filter((one) => !/^event \d+: \d+ occurrences$/.test(one));
    await fixture.close();
    expect(found).toEqual(broken);
  });

  const write = (events: string[][], head: string[] = []) =>
    writeFile(
      path,
      [
        ...['BEGIN:VCALENDAR', ...head],
        ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
        ...['END:VCALENDAR', ''],
      ].join('\r\n'),
    );
  const recordsOf = async (options: Options = {}, app = fixture.app) => {
    const records: ImportedRecord[] = [];
    for await (const one of importEvents(app.nest, { as: 'admin', ...options }, (read) =>
      readRecords(path, read),
    ))
      records.push(one);
    return records;
  };
  /** What became of each record, and why it was left out. */
  const imported = async (events: string[][], head?: string[], options?: Options) => {
    await write(events, head);
    return (await recordsOf(options)).map(({ uid, outcome, fault, lost = [] }) =>
      [uid, outcome, fault, ...lost.map(({ property, why }) => `${property}: ${why}`)]
        .filter((part) => part !== undefined && part !== '')
        .join(' | '),
    );
  };
  const idOf = async (uid: string, status = 'publish') => {
    const [row] = await fixture.ask(
      `SELECT p.ID AS id FROM wp_posts p JOIN wp_postmeta m ON m.post_id = p.ID
       WHERE m.meta_key = '_almanac_import_uid' AND m.meta_value = '${uid}' AND p.post_status = '${status}'`,
    );
    return row && Number(row['id']);
  };
  const startsOf = async (uid: string, status?: string) =>
    (await dateRows(fixture.ask, (await idOf(uid, status)) ?? 0)).map(({ start }) => start.slice(5, 13));
  const linesOf = async (uid: string) =>
    (await metaValues(fixture.ask, await idOf(uid), '_almanac_recurrence')).flatMap((text) =>
      text.split('\n'),
    );
  const rowIds = async (uid: string) =>
    new Map((await dateRows(fixture.ask, await idOf(uid))).map(({ start, id }) => [start.slice(5, 10), id]));

  const START = 'DTSTART;TZID=Europe/Berlin:20910605T190000';
  const RULE = 'RRULE:FREQ=WEEKLY;COUNT=4';
  const choir = (uid: string, ...lines: string[]) => [
    ...[`UID:${uid}`, 'SUMMARY:Choir', START, 'DURATION:PT2H'],
    ...(lines.length > 0 ? lines : [RULE]),
  ];
  const change = (uid: string, day: string, ...lines: string[]) => [
    `UID:${uid}`,
    `RECURRENCE-ID;TZID=Europe/Berlin:209106${day}T190000`,
    ...(lines.length > 0
      ? lines
      : [`DTSTART;TZID=Europe/Berlin:209106${day}T200000`, 'SUMMARY:Late', 'LOCATION:Hall']),
  ];
  const DATES = ['06-05 19', '06-12 19', '06-19 19', '06-26 19'];

  it('stores a series once, its changed dates as events of their own, and changes nothing by the same file', async () => {
    const events = [choir('one'), change('one', '12'), change('one', '19', 'STATUS:CANCELLED')];
    await write(events);
    const dry = await fixture.unchanged(() => recordsOf({ dryRun: true }));
    expect(dry.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
    expect(await imported(events)).toEqual(['one | created', 'one/20910612T190000 | created']);
    expect(await startsOf('one')).toEqual([DATES[0], DATES[3]]);
    expect(await linesOf('one')).toEqual([
      START,
      'DURATION:PT2H',
      RULE,
      'EXDATE;TZID=Europe/Berlin:20910612T190000,20910619T190000',
    ]);
    const own = await idOf('one/20910612T190000');
    expect(await startsOf('one/20910612T190000')).toEqual(['06-12 20']);
    expect(await metaValues(fixture.ask, own, '_almanac_series')).toEqual([String(await idOf('one'))]);
    expect(await metaValues(fixture.ask, own, '_almanac_series_date')).toEqual(['2091-06-12 19:00:00']);
    const { body } = await fixture.send('anonymous', 'GET', `/events/${await idOf('one')}?recurrence=true`);
    expect(body).toMatchObject({ recurrence: { rrule: ['FREQ=WEEKLY;COUNT=4'] } });
    expect(await fixture.unchanged(() => imported(events))).toEqual([
      'one | unchanged',
      'one/20910612T190000 | unchanged',
    ]);
  });

  it('updates a series in place by a later revision, and ignores an earlier one', async () => {
    expect(await imported([choir('two', RULE, 'SEQUENCE:3')])).toEqual(['two | created']);
    const before = await rowIds('two');
    const later = ['RRULE:FREQ=WEEKLY;COUNT=5', 'EXDATE:20910612T170000Z'];
    expect(await imported([choir('two', ...later, 'SEQUENCE:4')])).toEqual(['two | updated']);
    expect(await startsOf('two')).toEqual([DATES[0], DATES[2], DATES[3], '07-03 19']);
    const after = await rowIds('two');
    for (const day of ['06-05', '06-19', '06-26']) expect(after.get(day)).toBe(before.get(day));
    await write([choir('two', 'RRULE:FREQ=DAILY;COUNT=2', 'SEQUENCE:2')]);
    const [older] = await fixture.unchanged(() => recordsOf());
    expect(older).toMatchObject({ outcome: 'left out', fault: expect.stringContaining('an older revision') });
  });

  it('withdraws what the source cancels, and brings it back with the source', async () => {
    await imported([choir('three'), change('three', '12')]);
    // The date is as the others again.
    expect(await imported([choir('three')])).toEqual([
      'three | updated',
      'three/20910612T190000 | withdrawn',
    ]);
    expect(await startsOf('three')).toEqual(DATES);
    expect(await idOf('three/20910612T190000')).toBeUndefined();
    expect(await imported([choir('three'), change('three', '12')])).toEqual([
      'three | updated',
      'three/20910612T190000 | updated',
    ]);
    expect(await startsOf('three/20910612T190000')).toEqual(['06-12 20']);
    // All of it, by an older revision not at all.
    expect(await imported([choir('three', RULE, 'SEQUENCE:2')])).toEqual([
      'three | updated',
      'three/20910612T190000 | withdrawn',
    ]);
    const cancel = (sequence: number) =>
      imported([['UID:three', START, `SEQUENCE:${sequence}`]], ['METHOD:CANCEL']);
    expect(await fixture.unchanged(() => cancel(1))).toEqual(['left out | it is cancelled']);
    expect(await cancel(5)).toEqual(['three | withdrawn']);
    expect(await idOf('three')).toBeUndefined();
    await write([choir('three', RULE, 'SEQUENCE:4')]);
    expect((await recordsOf()).map(({ outcome }) => outcome)).toEqual(['left out']);
    expect(await imported([choir('three', RULE, 'SEQUENCE:6')])).toEqual(['three | updated']);
    expect(await startsOf('three')).toEqual(DATES);
  });

  it('leaves out one date that a file without the series cancels, or changes', async () => {
    await imported([choir('four')]);
    expect(await imported([change('four', '12', 'DTSTART:20910612T170000Z')], ['METHOD:CANCEL'])).toEqual([
      'four/20910612T190000 | withdrawn',
    ]);
    expect(await startsOf('four')).toEqual([DATES[0], DATES[2], DATES[3]]);
    expect(await imported([change('four', '19')])).toEqual(['four/20910619T190000 | created']);
    expect(await startsOf('four')).toEqual([DATES[0], DATES[3]]);
    expect(await startsOf('four/20910619T190000')).toEqual(['06-19 20']);
    // The whole file knows better.
    expect(await imported([choir('four')])).toEqual(['four | updated', 'four/20910619T190000 | withdrawn']);
    expect(await startsOf('four')).toEqual(DATES);
  });

  it('leaves a date where it is if a plugin rejects the event that replaces it', async () => {
    await imported([choir('kept')]);
    let rejects = true;
    fixture.app.nest.get(Hooks).addFilter(postHooks(EVENT).preInsert, (fields) => {
      if (rejects && fields.title === 'Late') throw new RestException('invalid', 'acme_no', 'Not this one.');
      return fields;
    });
    const written = () => imported([change('kept', '12')]);
    expect(await fixture.unchanged(written)).toEqual([
      expect.stringMatching(/^kept\/20910612T190000 \| left out \| Not this one/),
    ]);
    expect(await startsOf('kept')).toEqual(DATES);
    rejects = false;
    expect(await written()).toEqual(['kept/20910612T190000 | created']);
    expect(await startsOf('kept')).toEqual([DATES[0], DATES[2], DATES[3]]);
  });

  it('makes a series single, and a single event a series', async () => {
    await imported([choir('five'), change('five', '12')]);
    const id = await idOf('five');
    expect(await imported([choir('five', 'DESCRIPTION:once')])).toEqual([
      'five | updated',
      'five/20910612T190000 | withdrawn',
    ]);
    expect([await idOf('five'), await startsOf('five')]).toEqual([id, [DATES[0]]]);
    expect(await linesOf('five')).toEqual([]);
    expect(await imported([choir('five')])).toEqual(['five | updated']);
    expect([await idOf('five'), await startsOf('five')]).toEqual([id, DATES]);
  });

  it.each(['six', `${'6'.repeat(140)}@example.org`, 'six six'])(
    'makes one series of the dates that an earlier import made events of (%s)',
    async (uid) => {
      const count = async () => Number((await fixture.ask(PUBLISHED))[0]?.['n']);
      const before = await count();
      const single = await imported([choir(uid), change(uid, '12')], [], { occurrences: 9 });
      expect(single.filter((one) => one.endsWith('created'))).toHaveLength(4);
      // What the source no longer has is withdrawn.
      const fewer = await imported([choir(uid, 'RRULE:FREQ=WEEKLY;COUNT=3'), change(uid, '12')], [], {
        occurrences: 9,
      });
      expect(fewer.filter((one) => one.endsWith('withdrawn'))).toHaveLength(1);
      const [first] = await fixture.ask(
        "SELECT MAX(ID) AS id FROM wp_posts WHERE post_type = 'tribe_events' AND post_title = 'Late'",
      );
      const whole = await imported([choir(uid), change(uid, '12')]);
      expect(whole.map((one) => one.split(' | ')[1])).toEqual(['updated', 'unchanged', 'withdrawn']);
      expect(await count()).toBe(before + 2);
      const [series] = await fixture.ask(
        `SELECT MAX(p.ID) AS id FROM wp_posts p JOIN wp_postmeta m ON m.post_id = p.ID AND m.meta_key = '_almanac_recurrence'
         WHERE p.post_status = 'publish'`,
      );
      expect((await dateRows(fixture.ask, series?.['id'])).map(({ start }) => start.slice(5, 13))).toEqual([
        DATES[0],
        DATES[2],
        DATES[3],
      ]);
      expect(Number(first?.['id'])).toBeGreaterThan(0);
      // And back.
      const again = await imported([choir(uid), change(uid, '12')], [], { singleEvents: true });
      expect(again.filter((one) => one.endsWith('withdrawn'))).toHaveLength(1);
      expect(await count()).toBe(before + 4);
      expect(
        (await imported([choir(uid), change(uid, '12')], [], { singleEvents: true })).map(
          (one) => one.split(' | ')[1],
        ),
      ).toEqual(Array(4).fill('unchanged'));
    },
  );
  const PUBLISHED =
    "SELECT COUNT(*) AS n FROM wp_posts WHERE post_type = 'tribe_events' AND post_status = 'publish'";

  it('keeps what editors did: dates in the trash, dates left out, and another rule', async () => {
    await imported([choir('seven'), change('seven', '12')]);
    await fixture.send('admin', 'DELETE', `/events/${await idOf('seven/20910612T190000')}`);
    const [row] = (await dateRows(fixture.ask, await idOf('seven'))).slice(-1);
    expect((await fixture.send('admin', 'DELETE', `/events/${10_000_000 + (row?.id ?? 0)}`)).status).toBe(
      200,
    );
    expect(await startsOf('seven')).toEqual([DATES[0], DATES[2]]);
    const renamed = choir('seven', RULE, 'DESCRIPTION:new').with(1, 'SUMMARY:Choir, new');
    expect(await imported([renamed, change('seven', '12', 'DTSTART:20910612T180000Z')])).toEqual([
      'seven | updated',
      'seven/20910612T190000 | left out | it is in the trash',
    ]);
    expect(await startsOf('seven')).toEqual([DATES[0], DATES[2]]);
    // Also where the source takes its change back.
    expect((await imported([renamed]))[0]).toBe('seven | updated');
    expect(await startsOf('seven')).toEqual([DATES[0], DATES[2]]);
    await fixture.update(await idOf('seven'), { recurrence: { rrule: ['FREQ=WEEKLY;COUNT=2'] } });
    expect(await imported([choir('seven', 'RRULE:FREQ=DAILY;COUNT=5')])).toEqual([
      'seven | updated | RRULE: its dates were changed here, and stay',
    ]);
    expect(await startsOf('seven')).toEqual([DATES[0], DATES[1]]);
  });

  it('leaves the changed dates of a series in the trash out', async () => {
    await imported([choir('eleven')]);
    await fixture.send('admin', 'DELETE', `/events/${await idOf('eleven')}`);
    await write([choir('eleven'), change('eleven', '12')]);
    expect((await fixture.unchanged(() => recordsOf())).map(({ fault }) => fault)).toEqual([
      'it is in the trash',
      'its series is left out',
    ]);
    await write([choir('eleven'), change('eleven', '12', 'STATUS:CANCELLED')]);
    expect((await fixture.unchanged(() => recordsOf())).map(({ outcome }) => outcome)).toEqual(['left out']);
  });

  it('leaves a series with its changed dates out where its rule cannot be stored, and changes nothing', async () => {
    const old = ['UID:eight', 'SUMMARY:Old', 'DTSTART:19500101T100000Z', 'RRULE:FREQ=DAILY'];
    const changed = ['UID:eight', 'RECURRENCE-ID:19500102T100000Z', 'DTSTART:19500102T110000Z'];
    await write([old, changed]);
    for (const dryRun of [true, false]) {
      const records = await fixture.unchanged(() => recordsOf({ dryRun }));
      expect(records.map(({ outcome, fault }) => `${outcome}: ${fault}`)).toEqual([
        expect.stringMatching(
          /^left out: .*more than 10000 of its dates are stored\. --single-events imports/,
        ),
        'left out: its series is left out',
      ]);
    }
    // An earlier state stays.
    expect(await imported([old.with(3, 'RRULE:FREQ=YEARLY'), changed])).toEqual([
      'eight | created',
      expect.stringMatching(/^eight\/.* \| created/),
    ]);
    await write([old]);
    expect((await fixture.unchanged(() => recordsOf())).map(({ outcome }) => outcome)).toEqual(['left out']);
  });

  it('gives the same calendar again, here and elsewhere, of a series that Almanac wrote', async () => {
    const created = await fixture.create({
      title: 'Choir',
      timezone: 'Europe/Berlin',
      start_date: '2027-03-01 18:00:00',
      end_date: '2027-03-01 19:30:00',
      recurrence: {
        rrule: ['FREQ=WEEKLY;COUNT=6;BYDAY=MO'],
        rdates: ['2027-04-02 18:00:00'],
        exdates: ['2027-03-15 18:00:00'],
      },
    });
    const id = Number(created['id']);
    const second = (await dateRows(fixture.ask, id))[1]?.id ?? 0;
    const own = await fixture.update(10_000_000 + second, {
      title: 'Choir, later',
      start_date: '2027-03-09 20:00:00',
      end_date: '2027-03-09 21:00:00',
    });
    const rowsOf = (event: unknown) => dateRows(fixture.ask, event);
    const before = [await rowsOf(id), await rowsOf(own['id'])];
    const uid = `${id}@${new URL(String(created['url'])).host}`;
    await writeFile(path, TEXT.replaceAll('7@calendar.example.org', uid));
    expect((await recordsOf()).map(({ id: found, outcome }) => [found, outcome])).toEqual([
      [id, 'updated'],
      [own['id'], 'updated'],
    ]);
    expect([await rowsOf(id), await rowsOf(own['id'])]).toEqual(before);
    expect((await fixture.unchanged(() => recordsOf())).map(({ outcome }) => outcome)).toEqual([
      ...['unchanged', 'unchanged'],
    ]);
    // Elsewhere.
    await writeFile(path, TEXT.replaceAll('7@calendar.example.org', '7@elsewhere.example.org'));
    const copies = (await recordsOf()).map(({ id: found }) => found);
    const times = (rows: DateRow[]) =>
      rows.map(({ start, end, utc, duration }) => ({ start, end, utc, duration }));
    for (const [at, rows] of before.entries()) expect(times(await rowsOf(copies[at]))).toEqual(times(rows));
    expect(await metaValues(fixture.ask, copies[0], '_almanac_recurrence')).toEqual([
      [
        'DTSTART;TZID=Europe/Berlin:20270301T180000',
        'DTEND;TZID=Europe/Berlin:20270301T193000',
        'RRULE:FREQ=WEEKLY;COUNT=6;BYDAY=MO',
        'RDATE;TZID=Europe/Berlin:20270402T180000',
        'EXDATE;TZID=Europe/Berlin:20270315T180000,20270308T180000',
      ].join('\n'),
    ]);
  });

  it('makes single events where recurring ones are not written, and leaves stored ones alone', async () => {
    await imported([choir('nine')]);
    const off = await startApp({ databaseUrl: fixture.databaseUrl, env: { RECURRENCE: 'off' } });
    try {
      const notes: string[] = [];
      await write([choir('nine', 'RRULE:FREQ=WEEKLY;COUNT=2'), choir('ten'), change('ten', '12')]);
      const records = await recordsOf({ note: (line) => void notes.push(line) }, off);
      expect(records.map(({ uid, outcome }) => `${uid} ${outcome}`)).toEqual([
        'nine/20910605T190000 left out',
        ...['05', '19', '26', '12'].map((day) => `ten/209106${day}T190000 created`),
      ]);
      expect(notes).toEqual([
        expect.stringMatching(/^Of events that recur the first 50 dates .*RECURRENCE=off/),
      ]);
    } finally {
      await off.close();
    }
    expect(await startsOf('nine')).toEqual(DATES);
  });
});
