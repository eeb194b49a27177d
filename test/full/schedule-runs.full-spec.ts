import { setTimeout as sleep } from 'node:timers/promises';
import { RestException } from '../../src/common/errors/rest-exception.js';
import { Hooks } from '../../src/common/hooks/hooks.js';
import { ScheduleCounts } from '../../src/scheduler/schedule-counts.js';
import { ScheduleRun } from '../../src/scheduler/schedule-run.service.js';
import { startApp } from '../support/app.js';
import { differences } from '../support/event-rows.js';
import { brokenRows } from '../support/invariants.js';
import { type DatabaseName, describeDatabases } from '../support/sites.js';
import { openWriteFixture, type WriteFixture } from '../support/write-fixture.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** In two hours, in the zone of the site, five hours behind UTC. */
const SOON = { local: '2091-03-01 07:00:00', utc: '2091-03-01 12:00:00' };
const LINKED = [
  ['venues', { venue: 'A scheduled hall' }],
  ['organizers', { organizer: 'A scheduled choir' }],
] as const;

describeDatabases('scheduled runs', (database: DatabaseName) => {
  let fixture: WriteFixture;
  let broken: string[];
  beforeEach(async () => {
    fixture = await openWriteFixture(database);
    broken = await brokenRows(fixture.ask);
  });
  afterEach(async () => {
    expect(await brokenRows(fixture.ask)).toEqual(broken);
    await fixture.close();
  });

  const run = () => fixture.app.nest.get(ScheduleRun).once();
  const counts = () => ({ ...fixture.app.nest.get(ScheduleCounts) });
  const passUntil = (utc: string) => fixture.app.clock.pass(Date.parse(`${utc}Z`) - fixture.app.clock.now());
  const cell = async (sql: string) => Object.values((await fixture.ask(sql))[0] ?? {})[0];
  const status = (id: unknown) => cell(`SELECT post_status FROM wp_posts WHERE ID = ${id}`);
  const cron = async () =>
    String(await cell("SELECT option_value FROM wp_options WHERE option_name = 'cron'"));
  const make = async (plural: string, fields: object) => {
    const { status: code, body } = await fixture.send('admin', 'POST', `/${plural}`, fields);
    if (code !== 201) throw new Error(`${code} ${JSON.stringify(body)}`);
    return Number(body['id']);
  };
  const countOf = (slug: string) =>
    cell(`SELECT x.count FROM wp_term_taxonomy x JOIN wp_terms t USING (term_id) WHERE t.slug = '${slug}'`);

  it('publish a scheduled record once, as an update would, and not before its time', async () => {
    const fields = {
      title: 'Soon',
      date: SOON.local,
      categories: ['Soon'],
      venue: { venue: 'A draft', status: 'draft' },
    };
    const [id, twin] = [await fixture.create(fields), await fixture.create(fields)].map((created) =>
      Number(created['id']),
    );
    const linked: [string, number][] = [];
    for (const [plural, sent] of LINKED)
      linked.push([plural, await make(plural, { ...sent, date: SOON.local })]);
    const notified: unknown[] = [];
    for (const type of ['tribe_events', 'tribe_venue', 'tribe_organizer'])
      fixture.app.nest
        .get(Hooks)
        .addAction<{ id: number; isNew: boolean }>(`rest_after_insert_${type}`, (args) => {
          notified.push([args.id, args.isNew]);
        });
    passUntil('2091-03-01 11:59:59');
    expect(await fixture.app.nest.get(ScheduleRun).once(5 * MINUTE)).toEqual({
      hasMore: false,
      nextAt: Date.parse(`${SOON.utc}Z`),
    });
    expect([await status(id), await countOf('soon')]).toEqual(['future', 0]);
    passUntil(SOON.utc);
    await fixture.update(twin, { status: 'publish' });
    notified.length = 0;
    await run();
    const rows = async (one: unknown) =>
      Object.fromEntries(
        Object.entries(await fixture.rows(one)).filter(([name]) => !/ID$|_id$|hash$|modified/.test(name)),
      );
    expect(differences(await rows(twin), await rows(id))).toEqual(['post.guid', 'post.post_name']);
    expect(await fixture.rows(id)).toMatchObject({
      'post.post_status': 'publish',
      'post.post_date': SOON.local,
      'post.post_date_gmt': SOON.utc,
      'post.post_name': 'soon',
    });
    expect(String((await fixture.rows(id))['post.post_modified_gmt'])).toMatch(/^2091-03-01 12:00:/);
    for (const [, one] of linked) expect(await status(one)).toBe('publish');
    expect(notified).toEqual([[id, false], ...linked.map(([, one]) => [one, false])]);
    expect([await countOf('soon'), await cron()]).toEqual([
      2,
      expect.not.stringContaining('publish_future_post'),
    ]);
    expect((await fixture.send('anonymous', 'GET', `/events/${id}`)).status).toBe(200);
    await run();
    expect([notified.length, await countOf('soon')]).toEqual([3, 2]);
    expect(counts()).toEqual({ runs: 3, published: 3, removed: 0, failures: 0 });
  });

  it('leave linked records as they are', async () => {
    const venue = { venue: 'A draft', status: 'draft' };
    const event = await fixture.create({ date: SOON.local, venue });
    passUntil(SOON.utc);
    await run();
    expect(await status(event['id'])).toBe('publish');
    expect(await status((event['venue'] as { id: number }).id)).toBe('draft');
  });

  it('publish posts that WordPress scheduled without a cron entry', async () => {
    const ids = [await fixture.create(), await fixture.create(), await fixture.create()].map(({ id }) => id);
    // Rows as PHP may leave them: the site's zone has changed, a UTC date is missing, a date is invalid.
    const dates = [
      ["'2091-03-02 02:00:00'", `'${SOON.utc}'`],
      ["'2091-03-01 05:30:00'", "'0000-00-00 00:00:00'"],
      ["'2091-03-01 05:30:00'", "'2091-03-01 13:00:00'"],
    ];
    for (const [at, [date, gmt]] of dates.entries())
      await fixture.ask(
        `UPDATE wp_posts SET post_status = 'future', post_date = ${date}, post_date_gmt = ${gmt} WHERE ID = ${ids[at]}`,
      );
    await run();
    expect(await Promise.all(ids.map(status))).toEqual(['future', 'future', 'future']);
    passUntil(SOON.utc);
    await run();
    expect(await Promise.all(ids.map(status))).toEqual(['publish', 'publish', 'future']);
    passUntil('2091-03-01 13:00:00');
    await run();
    expect(await Promise.all(ids.map(status))).toEqual(['publish', 'publish', 'publish']);
  });

  it('publish each record in one of several processes', async () => {
    const ids: unknown[] = [];
    for (let n = 0; n < 60; n++) ids.push((await fixture.create({ date: SOON.local, tags: ['Many'] }))['id']);
    // SQLite connections of one process would deadlock: there one scheduler runs both.
    const others = await Promise.all(
      (database !== 'SQLite' ? [1, 2] : []).map(() =>
        startApp({ databaseUrl: fixture.databaseUrl, now: `${SOON.utc.replace(' ', 'T')}Z` }),
      ),
    );
    try {
      const published: number[] = [];
      passUntil(SOON.utc);
      for (const { nest } of [fixture.app, ...others])
        nest.get(Hooks).addAction<{ id: number }>('rest_after_insert_tribe_events', ({ id }) => {
          published.push(id);
        });
      const runs = () =>
        Promise.all([fixture.app, fixture.app, ...others].map(({ nest }) => nest.get(ScheduleRun).once()));
      expect((await runs()).some(({ hasMore }) => hasMore)).toBe(true);
      await runs();
      expect(published.sort((a, b) => a - b)).toEqual(ids);
      expect(await countOf('many')).toBe(60);
    } finally {
      for (const app of others) await app.close();
    }
  });

  it('leave a record scheduled that a plugin rejects, count it, and go on with the others', async () => {
    const [rejected, other] = [
      await fixture.create({ date: SOON.local }),
      await fixture.create({ date: SOON.local }),
    ];
    const hooks = fixture.app.nest.get(Hooks);
    hooks.addFilter<object, { before?: { id: number } }>(
      'rest_pre_insert_tribe_events',
      (fields, { before }) => {
        if (before?.id === rejected['id']) throw new RestException('invalid', 'no', 'Not this one.');
        return fields;
      },
    );
    fixture.app.nest.useLogger(false);
    passUntil(SOON.utc);
    const cronBefore = await cron();
    await run();
    await run();
    expect([await status(rejected['id']), await status(other['id'])]).toEqual(['future', 'publish']);
    expect(counts()).toMatchObject({ published: 1, failures: 2 });
    const task = (id: unknown) => `a:1:{i:0;i:${id};}`;
    for (const { id } of [rejected, other]) expect(cronBefore).toContain(task(id));
    expect(await cron()).toContain(task(rejected['id']));
    expect(await cron()).not.toContain(task(other['id']));
  });

  it('skip a record whose rows are locked, until the next run', async () => {
    const [held, other] = [
      await fixture.create({ date: SOON.local }),
      await fixture.create({ date: SOON.local }),
    ];
    fixture.app.nest
      .get(Hooks)
      .addFilter<object, { before?: { id: number } }>(
        'rest_pre_insert_tribe_events',
        (fields, { before }) => {
          if (before?.id === held['id'])
            throw new RestException('busy', 'database_unavailable', 'Somebody holds it.');
          return fields;
        },
      );
    passUntil(SOON.utc);
    await expect(run()).rejects.toThrow('Somebody holds it.');
    await run();
    expect([await status(held['id']), await status(other['id'])]).toEqual(['future', 'publish']);
    await expect(run()).rejects.toThrow('Somebody holds it.');
  });

  if (database !== 'SQLite')
    it('do not publish again what PHP publishes at the same time', async () => {
      const { id } = await fixture.create({ date: SOON.local, tags: ['Twice'] });
      const notified: unknown[] = [];
      fixture.app.nest.get(Hooks).addAction('rest_after_insert_tribe_events', () => {
        notified.push(id);
      });
      passUntil(SOON.utc);
      const php = fixture.app.dataSource.createQueryRunner();
      try {
        await php.startTransaction();
        await php.query(`UPDATE wp_posts SET post_status = 'publish' WHERE ID = ${id}`);
        await php.query(
          "UPDATE wp_term_taxonomy JOIN wp_terms USING (term_id) SET count = 1 WHERE slug = 'twice'",
        );
        const running = run();
        const isWaiting = async () =>
          (await fixture.ask("SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'"))
            .length > 0;
        while (!(await isWaiting())) await sleep(100);
        await php.commitTransaction();
        await running;
      } finally {
        await php.release();
      }
      expect([await status(id), await countOf('twice'), notified, counts()]).toEqual([
        'publish',
        1,
        [],
        { runs: 1, published: 0, removed: 0, failures: 0 },
      ]);
      // PHP removes its cron entry itself.
      expect(await cron()).toContain('publish_future_post');
    });

  it('empty the trash of records that are thirty days in it, and delete nothing else', async () => {
    const before = await fixture.rows(0);
    const event = await fixture.create({ title: 'Trashed', tags: ['Trashed'], cost: '5', sticky: true });
    const ids: [string, number][] = [['events', Number(event['id'])]];
    for (const [plural, fields] of LINKED) ids.push([plural, await make(plural, fields)]);
    const remaining = await fixture.create({ title: 'Trashed by somebody who says not when' });
    const restored = await fixture.create({ title: 'Restored' });
    for (const [plural, id] of [...ids, ['events', remaining['id']], ['events', restored['id']]])
      expect((await fixture.send('admin', 'DELETE', `/${plural}/${id}`)).status).toBe(200);
    await fixture.ask(
      `UPDATE wp_postmeta SET meta_value = '' WHERE post_id = ${remaining['id']} AND meta_key = '_wp_trash_meta_time'`,
    );
    await fixture.ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${restored['id']}, '_wp_trash_meta_time', '5')`,
    );
    await fixture.update(restored['id'], { status: 'publish' });
    const deleted: unknown[] = [];
    fixture.app.nest
      .get(Hooks)
      .addAction<{ before: { id: number }; isTrashed: boolean }>(
        'rest_delete_tribe_events',
        ({ before: record, isTrashed }) => {
          deleted.push([record.id, isTrashed]);
        },
      );
    fixture.app.clock.pass(30 * DAY - MINUTE);
    await run();
    for (const [, id] of ids) expect(await status(id)).toBe('trash');
    fixture.app.clock.pass(2 * MINUTE);
    await run();
    for (const [, id] of ids) {
      expect(await fixture.rows(id)).toEqual(before);
      expect(await cell(`SELECT COUNT(*) FROM wp_posts WHERE post_parent = ${id}`)).toBe(0);
    }
    expect(deleted).toContainEqual([ids[0]?.[1], false]);
    expect([await status(remaining['id']), await status(restored['id'])]).toEqual(['trash', 'publish']);
    expect([await countOf('trashed'), counts().failures]).toEqual([0, 0]);
  });
});

describeDatabases('a site without a trash', (database: DatabaseName) => {
  it('deletes nothing that is in the trash already', async () => {
    const fixture = await openWriteFixture(database, undefined, { EMPTY_TRASH_DAYS: '0' });
    const trashed = () => fixture.ask("SELECT ID FROM wp_posts WHERE post_status = 'trash'");
    try {
      const before = await trashed();
      fixture.app.clock.pass(400 * DAY);
      await fixture.app.nest.get(ScheduleRun).once();
      expect([before.length > 0, await trashed()]).toEqual([true, before]);
    } finally {
      await fixture.close();
    }
  });
});
