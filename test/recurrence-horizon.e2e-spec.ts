import { Clock } from '../src/common/clock.js';
import { ScheduleRun } from '../src/scheduler/schedule-run.service.js';
import { startApp } from './support/app.js';
import { dateRows, metaValues, seriesOn } from './support/series-rows.js';
import { type DatabaseName, describeDatabases } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const DAY = 86_400_000;

/** A date as it is stored, so many milliseconds from now by the clock of the server. */
const stampOf = ({ app }: WriteFixture, after = 0) =>
  new Date(app.nest.get(Clock).now() + after).toISOString().slice(0, 19).replace('T', ' ');

/** Weekly without an end, from two weeks ago. */
function endless(fixture: WriteFixture) {
  const day = stampOf(fixture, -14 * DAY).slice(0, 10);
  return {
    title: 'Endless',
    timezone: 'UTC',
    start_date: `${day} 10:00:00`,
    end_date: `${day} 11:00:00`,
    recurrence: { rrule: ['FREQ=WEEKLY'] },
  };
}

/** A task of WordPress, due at a time in epoch seconds. */
const task = (at: number) =>
  `a:2:{i:${at};a:1:{s:16:"wp_version_check";a:1:{s:32:"40cd750bba9870f18aada2478b24840a";a:3:{s:8:"schedule";s:10:"twicedaily";s:4:"args";a:0:{}s:8:"interval";i:43200;}}}s:7:"version";i:2;}`;

describeDatabases('dates ahead of recurring events', (database: DatabaseName) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database, undefined, { RECURRENCE: 'on', RECURRENCE_MONTHS: '6' });
  });
  afterAll(() => fixture?.close());

  const { rowsOf } = seriesOn(() => fixture);
  const run = () => fixture.app.nest.get(ScheduleRun).once();
  const due = (id: unknown) => metaValues(fixture.ask, id, '_almanac_recurrence_due');
  /** As if so many of the last dates had not been within reach yet. */
  const rewind = async (id: unknown, last: number) => {
    const rows = await rowsOf(id);
    for (const row of rows.slice(rows.length - last))
      await fixture.ask(`DELETE FROM wp_tec_occurrences WHERE occurrence_id = ${row.id}`);
    await fixture.ask(
      `UPDATE wp_postmeta SET meta_value = '${stampOf(fixture, -3_600_000)}' WHERE post_id = ${Number(id)} AND meta_key = '_almanac_recurrence_due'`,
    );
  };

  it('are stored for RECURRENCE_MONTHS', async () => {
    const rows = await rowsOf((await fixture.create(endless(fixture)))['id']);
    expect(rows.length).toBeGreaterThan(26);
    expect(rows.length).toBeLessThan(31);
  });

  it('are added by the schedule when they are due, the others stay', async () => {
    const id = (await fixture.create(endless(fixture)))['id'];
    const rows = await rowsOf(id);
    await run();
    expect(await rowsOf(id)).toEqual(rows);
    await rewind(id, 3);
    await run();
    const later = await rowsOf(id);
    expect(later.slice(0, -3)).toEqual(rows.slice(0, -3));
    expect(later.map((row) => row.start)).toEqual(rows.map((row) => row.start));
    expect(String((await due(id))[0]) > stampOf(fixture, 6 * DAY)).toBe(true);
    const list = await fixture.send(
      'admin',
      'GET',
      `/events?start_date=${later.at(-1)?.start.slice(0, 10)}&per_page=50`,
    );
    expect(JSON.stringify(list.body)).toContain('Endless');
  });

  it('are added once by two processes', async () => {
    const id = (await fixture.create(endless(fixture)))['id'];
    const count = (await rowsOf(id)).length;
    await rewind(id, 3);
    await Promise.all([run(), run()]);
    expect(await rowsOf(id)).toHaveLength(count);
  });

  it('are added after RECURRENCE_MONTHS was raised, also to an event with one date', async () => {
    const yearly = { ...endless(fixture), recurrence: { rrule: ['FREQ=YEARLY'] } };
    const id = (await fixture.create(yearly))['id'];
    expect(await rowsOf(id)).toHaveLength(1);
    await rewind(id, 0);
    const { databaseUrl } = fixture;
    const raised = await startApp({ databaseUrl, env: { RECURRENCE: 'on', RECURRENCE_MONTHS: '24' } });
    try {
      await raised.nest.get(ScheduleRun).once();
    } finally {
      await raised.close();
    }
    expect(await rowsOf(id)).toHaveLength(3);
  });

  it('are not made again where PHP has left one', async () => {
    const id = (await fixture.create(endless(fixture)))['id'];
    await rewind(id, (await rowsOf(id)).length - 1);
    await run();
    expect(await rowsOf(id)).toHaveLength(1);
    expect(String((await due(id))[0]) > stampOf(fixture)).toBe(true);
  });
});

describeDatabases('recurring events beside PHP', (database: DatabaseName) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  const seconds = () => Math.floor(fixture.app.nest.get(Clock).now() / 1000);
  const setCron = async (value: string) => {
    await fixture.ask("DELETE FROM wp_options WHERE option_name = 'cron'");
    await fixture.ask(
      `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('cron', '${value}', 'on')`,
    );
  };

  it('are written only once its tasks are long overdue', async () => {
    await setCron(task(seconds() - 8 * 86_400));
    const id = (await fixture.create(endless(fixture)))['id'];
    const [, row] = await dateRows(fixture.ask, id);
    await setCron(task(seconds() + 3600));
    const refusals = [
      await fixture.refusal('admin', 'POST', '/events', endless(fixture)),
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
    const { body } = await fixture.send('admin', 'POST', '/events', endless(fixture));
    expect(JSON.stringify(body)).toContain('RECURRENCE=on');
    await fixture.update(id, { title: 'Still written' });
    await fixture.update(id, { recurrence: null });
    expect(await dateRows(fixture.ask, id)).toHaveLength(1);
  });

  it('move only there, by a rule of the add-on too; one that PHP has left one date is a single event', async () => {
    await setCron(task(seconds() - 8 * 86_400));
    await fixture.ask('ALTER TABLE wp_tec_events ADD COLUMN rset TEXT NULL');
    const [ofAddOn, reduced] = [
      (await fixture.create(endless(fixture)))['id'],
      (await fixture.create(endless(fixture)))['id'],
    ];
    await fixture.ask(
      `DELETE FROM wp_postmeta WHERE post_id = ${Number(ofAddOn)} AND meta_key LIKE '_almanac_recurrence%'`,
    );
    for (const { id } of (await dateRows(fixture.ask, reduced)).slice(1))
      await fixture.ask(`DELETE FROM wp_tec_occurrences WHERE occurrence_id = ${id}`);
    await setCron(task(seconds() + 3600));
    const dates = { start_date: '2091-01-01 10:00:00', end_date: '2091-01-01 11:00:00' };
    expect(await fixture.refusal('admin', 'PATCH', `/events/${ofAddOn}`, dates)).toBe(
      '400 rest_invalid_param start_date',
    );
    await fixture.update(reduced, dates);
    expect(await dateRows(fixture.ask, reduced)).toMatchObject([{ start: dates.start_date }]);
    expect(await metaValues(fixture.ask, reduced, '_almanac_recurrence')).toEqual([]);
  });
});
