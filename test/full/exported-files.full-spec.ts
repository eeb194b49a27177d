import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startApp } from '../support/app.js';
import { clientOf } from '../support/calendar-client.js';
import { almanac } from '../support/command.js';
import { describeEither, makeSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';

describeEither('exported files', (database) => {
  let site: Site;
  let other: Site;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(testFolder(), 'exported-'));
    site = await makeSite(database);
    other = await makeSite(database);
    const elsewhere = await startApp({ databaseUrl: other.url });
    await elsewhere.dataSource.query(
      "UPDATE wp_options SET option_value = 'https://other.example.org' WHERE option_name = 'home'",
    );
    await elsewhere.close();
  });
  afterAll(async () => {
    await site?.drop();
    await other?.drop();
  });

  const asAdmin = ['--as', 'admin', '--hidden'];
  const json = async (url: string, ...words: string[]) =>
    JSON.parse((await almanac(url, [...words, ...asAdmin.slice(0, 2), '--json'])).out);
  const file = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };

  it.each([
    ['ics', '2090-01-01', '2091-04-01'],
    ['csv', '2091-04-01', '2093-01-01'],
  ])(
    'create no second event when they come back from another calendar, by %s',
    async (format, from, to) => {
      const path = join(folder, `there.${format}`);
      const dates = ['--start_date', from, '--end_date', to];
      await almanac(site.url, ['export', '--format', format, '-o', path, ...dates]);
      const there = await json(other.url, 'import', path);
      expect(there.created).toBeGreaterThan(2);
      const ids = (text: string) => text.match(/\d+@calendar\.example\.org/g)?.length ?? 0;
      const back = join(folder, `back.${format}`);
      // The other calendar has the same events of its own.
      await almanac(other.url, ['export', '--format', format, '-o', back, ...dates]);
      const text = await readFile(back, 'utf8');
      expect([ids(text), text.includes('@other.example.org')]).toEqual([there.created, true]);
      const own = text
        .replace(/BEGIN:VEVENT\r\nUID:\d+@other[\s\S]*?END:VEVENT\r\n/g, '')
        .split('\r\n')
        .filter((line) => format === 'ics' || !line.includes('@other.example.org'))
        .join('\r\n');
      const again = await json(site.url, 'import', await file(`own.${format}`, own));
      expect(again).toMatchObject({ created: 0, left_out: 0 });
      expect(await json(other.url, 'import', path)).toMatchObject({
        created: 0,
        updated: 0,
        unchanged: there.created,
      });
      expect(await json(other.url, 'import', back)).toMatchObject({ created: 0, left_out: 0 });
      const events = JSON.parse((await almanac(other.url, ['export', '--format', 'json', ...dates])).out) as {
        website: string;
      }[];
      // No event page of the first calendar has become an event's website.
      expect(events.filter(({ website }) => website.includes('//calendar.example.org/event/'))).toEqual([]);
    },
    120_000,
  );

  it('are counted without the events that could not be exported, which are named', async () => {
    const app = await startApp({ databaseUrl: site.url });
    await app.dataSource.query(
      "UPDATE wp_postmeta SET meta_value = 'never' WHERE post_id IN (53, 54) AND meta_key IN ('_EventStartDate', '_EventEndDate')",
    );
    await app.close();
    const path = join(folder, 'all.ics');
    const all = JSON.parse((await almanac(site.url, ['export', '--format', 'json', ...asAdmin])).out) as {
      id: number;
    }[];
    const ended = await almanac(site.url, ['export', '-o', path, ...asAdmin]);
    const written = (await readFile(path, 'utf8')).match(/^BEGIN:VEVENT\r$/gm)?.length ?? 0;
    const undated = all.length - written;
    expect(undated).toBeGreaterThan(0);
    expect(ended.out).toBe(`Wrote ${written} events to ${path}.\n`);
    const [, count, ids = ''] =
      /^Could not write (\d+) events? with dates that cannot be read: ([\d, ]+)\.$/m.exec(ended.err) ?? [];
    expect([Number(count), ids.split(', ').length]).toEqual([undated, undated]);
    expect(ids.split(', ')).toContain('53');
    expect(await json(site.url, 'export', '-o', path, '--hidden')).toMatchObject({
      events: written,
      not_written: ids.split(', ').map(Number),
    });
    expect((await almanac(site.url, ['export', ...asAdmin])).err).toContain(`Could not write ${count} event`);
  });

  it('contain all dates of recurring events, hidden ones too', async () => {
    const env = { RECURRENCE: 'on' };
    const app = await startApp({ databaseUrl: site.url, now: new Date().toISOString(), env });
    const send = clientOf(app.url);
    const year = new Date().getUTCFullYear() + 1;
    const ids: number[] = [];
    for (const hide_from_listings of [false, true]) {
      const { status, body } = await send('admin', 'POST', '/events', {
        ...{ title: 'Exported series', timezone: 'Europe/Berlin', hide_from_listings },
        ...{ start_date: `${year}-03-02 19:00:00`, end_date: `${year}-03-02 21:00:00` },
        recurrence: { rrule: ['FREQ=WEEKLY;COUNT=5'] },
      });
      expect(status).toBe(201);
      ids.push(Number(body['id']));
    }
    const [, hidden = 0] = ids;
    await app.close();
    const exported = async (...words: string[]) =>
      (await almanac(site.url, ['export', '--as', 'admin', ...words])).out;
    const dates = async (...words: string[]) => {
      const events = JSON.parse(await exported('--format', 'json', ...words)) as Record<string, string>[];
      return events.filter(({ title }) => title === 'Exported series').map(({ start_date }) => start_date);
    };
    const [five, ten] = [await dates(), await dates('--hidden')];
    expect([five.length, ten.length, new Set(ten).size]).toEqual([5, 10, 5]);
    const rows = async (...words: string[]) =>
      (await exported('--format', 'csv', ...words)).match(/,Exported series,/g)?.length;
    const [first] = ids;
    const uids = (await exported('--format', 'csv')).match(new RegExp(`^${first}@.*?(?=,)`, 'gm')) ?? [];
    expect([uids.length, new Set(uids).size, uids[0]]).toEqual([
      ...[5, 5, `${first}@calendar.example.org/${year}0302T190000`],
    ]);
    expect([await rows(), await rows('--hidden')]).toEqual([5, 10]);
    const series = async (...words: string[]) =>
      (await exported(...words))
        .split('BEGIN:VEVENT')
        .filter((one) => one.includes('SUMMARY:Exported series'));
    const both = await series('--hidden');
    expect([(await series()).length, both.length]).toEqual([1, 2]);
    for (const one of both) expect(one).toContain('\r\nRRULE:FREQ=WEEKLY;COUNT=5\r\n');
    const database = await startApp({ databaseUrl: site.url });
    await database.dataSource.query(
      `DELETE FROM wp_postmeta WHERE post_id = ${hidden} AND meta_key LIKE '_almanac_recurrence%'`,
    );
    await database.close();
    expect(await series('--hidden')).toHaveLength(6);
    expect(await dates('--hidden')).toHaveLength(10);
    const last = await startApp({ databaseUrl: site.url });
    for (const id of ids)
      expect((await clientOf(last.url)('admin', 'DELETE', `/events/${id}`)).status).toBe(200);
    await last.close();
  });

  it('begin with a byte order mark with --bom, and are readable tables', async () => {
    const table = await almanac(site.url, ['export', '--format', 'csv', '--bom']);
    expect([table.code, table.out.slice(0, 5)]).toEqual([0, '\ufeffuid,']);
    const path = await file('bom.csv', table.out);
    const ended = await almanac(site.url, ['import', path, '--as', 'admin', '--dry-run', '--json']);
    expect(JSON.parse(ended.out).created).toBe(0);
    expect(await almanac(site.url, ['export', '--bom'])).toMatchObject({
      code: 1,
      err: '--bom is for tables: say --format csv.\n',
    });
  });

  it('may contain rows of separators and empty rows, which the import ignores', async () => {
    const path = await file(
      'rows.csv',
      ';;\r\nSubject;Start Date;Start Time\r\n;;\r\nRowed;2091-03-10;19:00\r\n\r\n ; ;\r\n;;\r\nLate;2091-03-10;evening\r\n;;\r\n',
    );
    const ended = await almanac(site.url, ['import', path, '--as', 'admin']);
    expect([ended.code, ended.out]).toEqual([
      3,
      'line 8: left out: its start_time has to be a time such as 19:00 or 7:00 PM\nEvents that were created: 1, updated: 0; unchanged: 0; left out: 1.\n',
    ]);
    const app = await startApp({ databaseUrl: site.url });
    const rows = await app.dataSource.query(
      "SELECT m.meta_value AS start FROM wp_posts p JOIN wp_postmeta m ON m.post_id = p.ID WHERE p.post_title IN ('Rowed', 'Late') AND m.meta_key = '_EventStartDate'",
    );
    await app.close();
    expect(rows).toEqual([{ start: '2091-03-10 19:00:00' }]);
  });
});
