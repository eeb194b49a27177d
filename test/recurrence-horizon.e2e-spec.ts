import { ScheduleRun } from '../src/scheduler/schedule-run.service.js';
import { dateRows, metaValues } from './support/series-rows.js';
import { type DatabaseName, describeDatabases } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

/** Weekly without an end, from two weeks ago. */
const start = new Date(Date.now() - 14 * 86_400_000).toISOString().slice(0, 10);
const ENDLESS = {
  title: 'Endless',
  timezone: 'UTC',
  start_date: `${start} 10:00:00`,
  end_date: `${start} 11:00:00`,
  recurrence: { rrule: ['FREQ=WEEKLY'] },
};
/** A task of WordPress, due at a time in epoch seconds. */
const task = (at: number) =>
  `a:2:{i:${at};a:1:{s:16:"wp_version_check";a:1:{s:32:"40cd750bba9870f18aada2478b24840a";a:3:{s:8:"schedule";s:10:"twicedaily";s:4:"args";a:0:{}s:8:"interval";i:43200;}}}s:7:"version";i:2;}`;

describeDatabases('dates ahead of recurring events', (database: DatabaseName) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database, undefined, { RECURRENCE: 'on', RECURRENCE_MONTHS: '6' });
  });
  afterAll(() => fixture?.close());

  const rowsOf = (id: unknown) => dateRows(fixture.ask, id);
  const run = () => fixture.app.nest.get(ScheduleRun).once();
  const due = (id: unknown) => metaValues(fixture.ask, id, '_almanac_recurrence_due');
  /** As if so many of the last dates had not been within reach yet. */
  const rewind = async (id: unknown, last: number) => {
    for (const row of (await rowsOf(id)).slice(-last))
      await fixture.ask(`DELETE FROM wp_tec_occurrences WHERE occurrence_id = ${row.id}`);
    await fixture.ask(
      `UPDATE wp_postmeta SET meta_value = '${new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ')}' WHERE post_id = ${Number(id)} AND meta_key = '_almanac_recurrence_due'`,
    );
  };

  it('are stored for RECURRENCE_MONTHS', async () => {
    const rows = await rowsOf((await fixture.create(ENDLESS))['id']);
    expect(rows.length).toBeGreaterThan(26);
    expect(rows.length).toBeLessThan(31);
  });

  it('are added by the schedule when they are due, the others stay', async () => {
    const id = (await fixture.create(ENDLESS))['id'];
    const rows = await rowsOf(id);
    await run();
    expect(await rowsOf(id)).toEqual(rows);
    await rewind(id, 3);
    await run();
    const later = await rowsOf(id);
    expect(later.slice(0, -3)).toEqual(rows.slice(0, -3));
    expect(later.map((row) => row.start)).toEqual(rows.map((row) => row.start));
    expect(Date.parse(`${(await due(id))[0]}Z`)).toBeGreaterThan(Date.now() + 6 * 86_400_000);
    const list = await fixture.send(
      'admin',
      'GET',
      `/events?start_date=${later.at(-1)?.start.slice(0, 10)}&per_page=50`,
    );
    expect(JSON.stringify(list.body)).toContain('Endless');
  });

  it('are added once by two processes', async () => {
    const id = (await fixture.create(ENDLESS))['id'];
    const count = (await rowsOf(id)).length;
    await rewind(id, 3);
    await Promise.all([run(), run()]);
    expect(await rowsOf(id)).toHaveLength(count);
  });

  it('are not made again where PHP has left one', async () => {
    const id = (await fixture.create(ENDLESS))['id'];
    await rewind(id, (await rowsOf(id)).length - 1);
    await run();
    expect(await rowsOf(id)).toHaveLength(1);
    expect(Date.parse(`${(await due(id))[0]}Z`)).toBeGreaterThan(Date.now());
  });
});

describeDatabases('recurring events beside PHP', (database: DatabaseName) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  const setCron = async (value: string) => {
    await fixture.ask("DELETE FROM wp_options WHERE option_name = 'cron'");
    await fixture.ask(
      `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('cron', '${value}', 'on')`,
    );
  };

  it('are written only once its tasks are long overdue', async () => {
    await setCron(task(Math.floor(Date.now() / 1000) - 8 * 86_400));
    const id = (await fixture.create(ENDLESS))['id'];
    const [, row] = await dateRows(fixture.ask, id);
    await setCron(task(Math.floor(Date.now() / 1000) + 3600));
    const refusals = [
      await fixture.refusal('admin', 'POST', '/events', ENDLESS),
      await fixture.refusal('admin', 'PATCH', `/events/${id}`, {
        start_date: '2091-01-01',
        end_date: '2091-01-01',
      }),
      await fixture.refusal('admin', 'PATCH', `/events/${10_000_000 + Number(row?.id)}`, { title: 'A' }),
      await fixture.refusal('admin', 'DELETE', `/events/${10_000_000 + Number(row?.id)}?scope=following`),
    ];
    expect(refusals).toEqual([
      '400 rest_invalid_param recurrence',
      '400 rest_invalid_param start_date',
      '400 rest_invalid_param scope',
      '400 rest_invalid_param scope',
    ]);
    const { body } = await fixture.send('admin', 'POST', '/events', ENDLESS);
    expect(JSON.stringify(body)).toContain('RECURRENCE=on');
    await fixture.update(id, { title: 'Still written' });
    await fixture.update(id, { recurrence: null });
    expect(await dateRows(fixture.ask, id)).toHaveLength(1);
  });
});
