import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startApp, type TestApp } from '../support/app.js';
import { almanac } from '../support/command.js';
import { makeSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';
import { listedDates, WINDOW, writeRecurringEvents } from '../support/written-recurring-events.js';

/** The site's clock is that of this machine, as commands have no other. */
const ENV = { RECURRENCE: 'on' };

describe('exported recurring events', () => {
  let site: Site;
  let other: Site;
  let folder: string;
  let app: TestApp;

  beforeAll(async () => {
    process.env['RECURRENCE'] = 'on';
    folder = await mkdtemp(join(testFolder(), 'exported-series-'));
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url, now: new Date().toISOString(), env: ENV });
    await writeRecurringEvents(app);
    other = await makeSite('SQLite');
    const elsewhere = await startApp({ databaseUrl: other.url, env: ENV });
    await elsewhere.dataSource.query(
      "UPDATE wp_options SET option_value = 'https://other.example.org' WHERE option_name = 'home'",
    );
    for (const table of ['posts', 'postmeta', 'tec_events', 'tec_occurrences', 'term_relationships'])
      await elsewhere.dataSource.query(`DELETE FROM wp_${table}`);
    await elsewhere.close();
  });
  afterAll(async () => {
    delete process.env['RECURRENCE'];
    await app?.close();
    await site?.drop();
    await other?.drop();
  });

  const file = (name: string) => join(folder, name);
  const exported = async (url: string, name: string) => {
    const ended = await almanac(url, ['export', '--as', 'admin', '--hidden', '-o', file(name)]);
    expect(ended).toMatchObject({ code: 0, err: '' });
    return readFile(file(name), 'utf8');
  };
  const imported = async (url: string, name: string) =>
    JSON.parse((await almanac(url, ['import', file(name), '--as', 'admin', '--json'])).out);

  it('are the same calendar elsewhere, and here again', async () => {
    const before = await exported(site.url, 'one.ics');
    const back = await imported(site.url, 'one.ics');
    console.log(JSON.stringify(back).slice(0, 3000));
    const there = await imported(other.url, 'one.ics');
    console.log(JSON.stringify(there).slice(0, 3000));
    const elsewhere = await startApp({ databaseUrl: other.url, now: new Date().toISOString(), env: ENV });
    expect(await listedDates(elsewhere, WINDOW)).toEqual(await listedDates(app, WINDOW));
    await elsewhere.close();
    const after = await exported(other.url, 'two.ics');
    const keep = (text: string) => (text.replaceAll('\r\n ', '').match(/^(?:UID|DT(?:START|END)|R[A-Z-]*|EXDATE|SUMMARY)[;:].*/gm) ?? []).join('\n');
    expect(keep(after)).toBe(keep(before));
  });
});
