import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startApp, type TestApp } from '../support/app.js';
import { clientOf } from '../support/calendar-client.js';
import { almanac } from '../support/command.js';
import { makeEmptySite } from '../support/empty-site.js';
import { makeSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';
import { EVENTS, listedDates, WINDOW, writeRecurringEvents } from '../support/written-recurring-events.js';

const ENV = { RECURRENCE: 'on' };

describe('exported recurring events', () => {
  let site: Site;
  let other: Site;
  let folder: string;
  let app: TestApp;

  beforeAll(async () => {
    Object.assign(process.env, ENV);
    folder = await mkdtemp(join(testFolder(), 'exported-series-'));
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url, now: new Date().toISOString(), env: ENV });
    const ids = await writeRecurringEvents(app);
    // Its dates are exported one by one, as its zone has no name.
    const unnamed = EVENTS.findIndex(({ fields }) => fields['timezone'] === '+05:45');
    await clientOf(app.url)('admin', 'DELETE', `/events/${ids[unnamed]}`);
    other = await makeEmptySite('SQLite');
  });
  afterAll(async () => {
    delete process.env['RECURRENCE'];
    await app?.close();
    await site?.drop();
    await other?.drop();
  });

  const exported = async (url: string, name: string) => {
    const path = join(folder, name);
    const words = ['export', '--as', 'admin', '--hidden', '--raw', '-o', path];
    const { code, err } = await almanac(url, words);
    expect([code, err]).toEqual([0, expect.not.stringContaining('Could not')]);
    return readFile(path, 'utf8');
  };
  const imported = async (url: string, name: string) =>
    JSON.parse((await almanac(url, ['import', join(folder, name), '--as', 'admin', '--json'])).out);
  /** The dates of a list, by a server that has seen no other state. */
  const listed = async (databaseUrl: string) => {
    const server = await startApp({ databaseUrl, now: new Date().toISOString(), env: ENV });
    const dates = await listedDates(server, WINDOW);
    await server.close();
    return dates;
  };
  /** The lines that say when events are. */
  const datesOf = (text: string) =>
    text
      .replaceAll('\r\n ', '')
      .split('BEGIN:VEVENT')
      .slice(1)
      .map((one) => one.match(/^(?:UID|DT(?:START|END)|R[A-Z-]*|EX[A-Z]*|SUMMARY)[;:].*/gm)?.join('\n'));

  it('are the same calendar elsewhere, and here again', async () => {
    const before = await exported(site.url, 'one.ics');
    const dates = await listedDates(app, WINDOW);
    expect(await imported(site.url, 'one.ics')).toMatchObject({
      created: 0,
      withdrawn: 0,
      left_out: 0,
      lost: 0,
    });
    for (const again of [false, true]) {
      const done = await imported(other.url, 'one.ics');
      expect([again, done.created > 0, done.updated, done.withdrawn, done.left_out, done.lost]).toEqual([
        ...[again, !again, 0, 0, 0, 0],
      ]);
      // Files do not say what is hidden from lists.
      const found = await listed(other.url);
      expect(found.filter((one) => !one.endsWith('Withdrawn'))).toEqual(dates);
      expect(datesOf(await exported(other.url, 'two.ics'))).toEqual(datesOf(before));
    }
    expect(await listed(site.url)).toEqual(dates);
    expect(datesOf(await exported(site.url, 'three.ics'))).toEqual(datesOf(before));
  });

  it('leave dates that are written one by one as they are here', async () => {
    const client = clientOf(app.url);
    const event = {
      title: 'Unnamed',
      timezone: '+05:45',
      start_date: '2027-03-01 10:00',
      end_date: '2027-03-01 11:00',
    };
    const { body } = await client('admin', 'POST', '/events', {
      ...event,
      recurrence: 'RRULE:FREQ=DAILY;COUNT=3',
    });
    expect(await exported(site.url, 'dates.ics')).toContain('RECURRENCE-ID');
    const posts =
      "SELECT ID, post_title, post_status FROM wp_posts WHERE post_type = 'tribe_events' ORDER BY ID";
    const before = await app.dataSource.query(posts);
    const { created, withdrawn, records } = await imported(site.url, 'dates.ics');
    expect([created, withdrawn]).toEqual([0, 0]);
    expect(records).toEqual(
      [1, 2, 3].map((day) =>
        expect.objectContaining({
          uid: expect.stringContaining(`/2027030${day}T`),
          fault: 'it is one of several dates of this event here',
        }),
      ),
    );
    expect(await app.dataSource.query(posts)).toEqual(before);
    expect(body).toMatchObject({ title: 'Unnamed' });
  });
});
