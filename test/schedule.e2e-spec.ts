import { createHash } from 'node:crypto';
import { type DatabaseName, describeDatabases } from './support/sites.js';
import { EVENT, openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const TASK =
  'a:1:{s:32:"40cd750bba9870f18aada2478b24840a";a:3:{s:8:"schedule";s:6:"hourly";s:4:"args";a:0:{}s:8:"interval";i:3600;}}';
const OTHERS = [
  `i:3822800400;a:1:{s:9:"wp_äöü";${TASK}}`,
  `i:3900000000;a:2:{s:1:"a";${TASK}s:1:"b";${TASK}}`,
];
const scheduleOf = (entries: readonly string[]) =>
  `a:${entries.length + 1}:{${entries.join('')}s:7:"version";i:2;}`;
const CRON = scheduleOf(OTHERS);

/** Serializes the cron entry that publishes a post. */
function publication(id: unknown, utc: string): string {
  const args = `a:1:{i:0;i:${id};}`;
  const key = createHash('md5').update(args).digest('hex');
  const task = `a:2:{s:8:"schedule";b:0;s:4:"args";${args}}`;
  return `i:${Date.parse(utc) / 1000};a:1:{s:19:"publish_future_post";a:1:{s:32:"${key}";${task}}}`;
}

/** Noon in New York, the zone of the site. */
const JUNE = { local: '2091-06-01 12:00:00', utc: '2091-06-01T16:00:00Z' };
const JULY = { local: '2091-07-01 12:00:00', utc: '2091-07-01T16:00:00Z' };

const WRITES = [
  ['events', EVENT],
  ['venues', { venue: 'A scheduled hall' }],
  ['organizers', { organizer: 'A scheduled choir' }],
] as const;

describeDatabases('the cron option of WordPress (W25)', (database: DatabaseName) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  beforeEach(() => put(CRON));
  afterAll(() => fixture?.close());

  const put = async (value: string | null) => {
    await fixture.ask("DELETE FROM wp_options WHERE option_name = 'cron'");
    if (value !== null)
      await fixture.ask(
        `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('cron', '${value.replaceAll("'", "''")}', 'on')`,
      );
  };
  const stored = async () => {
    const [row] = await fixture.ask(
      "SELECT option_value AS value, autoload FROM wp_options WHERE option_name = 'cron'",
    );
    return row;
  };
  const cron = async () => (await stored())?.['value'];
  const write = async (method: string, path: string, fields?: object) => {
    const { status, body } = await fixture.send('admin', method, path, fields);
    if (status > 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  };

  it.each(WRITES)('%s: gains, moves and loses the entry of a scheduled record', async (plural, fields) => {
    const { id, status } = await write('POST', `/${plural}`, { ...fields, date: JUNE.local });
    const path = `/${plural}/${id}`;
    const inJune = scheduleOf([OTHERS[0] ?? '', publication(id, JUNE.utc), OTHERS[1] ?? '']);
    expect([status, await cron()]).toEqual(['future', inJune]);
    await write('PUT', path, { author: 1 });
    expect(await cron()).toBe(inJune);
    await write('PUT', path, { date: JULY.local });
    expect(await cron()).toBe(inJune.replace(publication(id, JUNE.utc), publication(id, JULY.utc)));
    for (const unscheduled of ['draft', 'private', 'pending']) {
      await write('PUT', path, { status: unscheduled });
      expect([unscheduled, await cron()]).toEqual([unscheduled, CRON]);
      await write('PUT', path, { status: 'publish', date: JUNE.local });
      expect([unscheduled, await cron()]).toEqual([unscheduled, inJune]);
    }
    expect(await write('PUT', path, { date: '2091-01-01' })).toMatchObject({ status: 'publish' });
    expect(await cron()).toBe(CRON);
    await write('PUT', path, { date_utc: '2091-06-01 16:00:00' });
    expect(await cron()).toBe(inJune);
    await write('DELETE', path);
    expect(await cron()).toBe(CRON);
    await write('PUT', path, { status: 'future' });
    expect(await cron()).toBe(inJune);
  });

  it('gains the entry of a scheduled venue that an event creates', async () => {
    const venue = { venue: 'A hall to come', date: JUNE.local };
    const event = await fixture.create({ venue });
    const { id } = event['venue'] as { id: number };
    expect(await cron()).toContain(publication(id, JUNE.utc));
  });

  it('loses the entries of permanently deleted records', async () => {
    const site = await openWriteFixture(
      database,
      async (ask) => {
        await ask(
          `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('cron', '${CRON}', 'on')`,
        );
      },
      { EMPTY_TRASH_DAYS: '0' },
    );
    try {
      for (const [plural, fields] of WRITES) {
        const { body } = await site.send('admin', 'POST', `/${plural}`, { ...fields, date: JUNE.local });
        const text = async () =>
          (await site.ask("SELECT option_value AS value FROM wp_options WHERE option_name = 'cron'"))[0]?.[
            'value'
          ];
        expect(await text()).toContain(publication(body['id'], JUNE.utc));
        expect((await site.send('admin', 'DELETE', `/${plural}/${body['id']}`)).status).toBe(200);
        expect(await text()).toBe(CRON);
      }
    } finally {
      await site.close();
    }
  });

  it('does not change by records that are not scheduled or by rejected writes', async () => {
    await put(null);
    const { id } = await fixture.create({ status: 'draft' });
    await fixture.update(id, { status: 'publish' });
    await write('DELETE', `/events/${id}`);
    expect(await stored()).toBeUndefined();
    const wrong = { ...EVENT, date: JUNE.local, end_date: '2000-01-01' };
    expect(await fixture.refusal('admin', 'POST', '/events', wrong)).toBe('400 rest_invalid_param end_date');
    const empty = { ...EVENT, date: JUNE.local, title: ' ', venue: { venue: 'Never', date: JUNE.local } };
    expect(await fixture.refusal('admin', 'POST', '/events', empty)).toBe('400 empty_content');
    expect(await stored()).toBeUndefined();
  });

  it('is created when it is missing', async () => {
    await put(null);
    const { id } = await fixture.create({ date: JUNE.local });
    expect(await stored()).toEqual({ value: scheduleOf([publication(id, JUNE.utc)]), autoload: 'on' });
    await write('DELETE', `/events/${id}`);
    expect(await cron()).toBe(scheduleOf([]));
  });

  it.each([
    '',
    'no schedule',
    's:4:"text";',
    'b:0;',
    CRON.slice(0, -1),
    CRON.replace('i:3600', 'O:8:"stdClass":0:{}'),
    CRON.replace('s:7:"version";i:2;', 's:7:"version";i:1;'),
  ])('does not change when it is unreadable, case %#', async (text) => {
    await put(text);
    const { id, status } = await fixture.create({ date: JUNE.local });
    expect(status).toBe('future');
    await fixture.update(id, { date: JULY.local });
    await write('DELETE', `/events/${id}`);
    expect(await cron()).toBe(text);
  });

  it('is updated when it exceeds a million characters', async () => {
    const many = Array.from({ length: 9000 }, (_, at) => `i:${3822800400 + at};a:1:{s:1:"x";${TASK}}`);
    const huge = scheduleOf(many);
    expect(huge.length).toBeGreaterThan(1_000_000);
    await put(huge);
    const { id } = await fixture.create({ date: JUNE.local });
    expect(await cron()).toBe(scheduleOf([...many, publication(id, JUNE.utc)]));
    await write('DELETE', `/events/${id}`);
    expect(await cron()).toBe(huge);
  });

  if (database !== 'SQLite')
    it('contains entries that PHP writes at the same time', async () => {
      const php = fixture.app.dataSource.createQueryRunner();
      try {
        await php.startTransaction();
        const news = `i:3830000000;a:1:{s:4:"news";${TASK}}`;
        await php.query(
          `UPDATE wp_options SET option_value = '${scheduleOf([...OTHERS.slice(0, 1), news])}' WHERE option_name = 'cron'`,
        );
        const created = fixture.create({ date: JUNE.local });
        const isWaiting = async () =>
          (await fixture.ask("SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'"))
            .length > 0;
        while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 200));
        await php.commitTransaction();
        const entries = [OTHERS[0] ?? '', news, publication((await created)['id'], JUNE.utc)];
        expect(await cron()).toBe(scheduleOf(entries));
      } finally {
        await php.release();
      }
    });
});
