import { setTimeout as sleep } from 'node:timers/promises';
import { ConflictException, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Hooks } from '../src/common/hooks/hooks.js';
import { Database } from '../src/database/database.js';
import { Lease } from '../src/database/lease.service.js';
import { TableVersions } from '../src/database/table-versions.service.js';
import { Transactions } from '../src/database/transactions.js';
import { migrationsOf } from '../src/plugins/plugin.js';
import { postHooks } from '../src/resources/base/resource-hooks.js';
import { EVENT } from '../src/resources/events/event-type.js';
import { Job, type JobOptions, type JobRun, jobSettings } from '../src/scheduler/jobs/job.decorator.js';
import { JobsModule } from '../src/scheduler/jobs/jobs.module.js';
import { Jobs } from '../src/scheduler/jobs/jobs.service.js';
import { startApp, type TestApp } from './support/app.js';
import { clientOf, type Send } from './support/calendar-client.js';
import { openTables } from './support/plugin-tables.js';
import { retry } from './support/retry.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

interface Sent {
  id: number;
  change: string;
}

/** What runs of jobs got, in order. */
let runs: { payload: unknown; attempt: number; id: number }[] = [];
/** What the next runs of `acme_send` do. */
let outcomes: ((run: JobRun) => Promise<void> | void)[] = [];
let ticks = 0;

/** Queues a job with each write of an event, in its transaction. */
@Injectable()
class Outbox implements OnModuleInit {
  constructor(
    private readonly hooks: Hooks,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.hooks.addAction(postHooks(EVENT).beforeCommit, async ({ id, change, fields, transaction }) => {
      await this.jobs.enqueue('acme_send', { id, change }, { transaction });
      if (fields?.title === 'Outside') await this.jobs.enqueue('acme_send', { id, change });
      if (fields?.title === 'Rejected') throw new ConflictException('No.');
    });
  }

  @Job({ name: 'acme_send', retries: 2, backoff: '10s', timeout: '300ms' })
  async send(payload: Sent, run: JobRun): Promise<void> {
    const { attempt, id } = run;
    runs.push({ payload, attempt, id });
    await outcomes.shift()?.(run);
  }

  @Job({ name: 'acme_tick', every: '5m', retries: 1 })
  tick(): void {
    ticks += 1;
    if (ticks === 2 || ticks === 3) throw new Error('no tick');
  }
}

@Module({ imports: [JobsModule], providers: [Outbox] })
class OutboxModule {}

describeEither('jobs of a plugin', (database) => {
  let site: Site;
  let app: TestApp;
  let send: Send;
  let jobs: Jobs;

  beforeAll(async () => {
    site = await makeSite(database);
    await openTables(site.url, [OutboxModule]);
    app = await startApp({ databaseUrl: site.url, plugins: [OutboxModule], clockStands: true });
    send = clientOf(app.url);
    jobs = app.nest.get(Jobs);
    await jobs.runDue();
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });
  beforeEach(() => {
    [runs, outcomes] = [[], []];
  });

  const DAY = { start_date: '2091-05-01 10:00:00', end_date: '2091-05-01 12:30:00' };
  const create = (title: string) => send('admin', 'POST', '/events', { ...DAY, title });
  const waiting = async () => {
    const rows = app.nest.get(Database);
    return rows.query<{ name: string }>(
      sql`SELECT name FROM ${rows.table('almanac_jobs')} WHERE failed_at = 0 AND name = 'acme_send'`,
    );
  };
  const fail = () => {
    throw new Error('the receiver is down');
  };

  it('run once, with what the committed transaction has queued', async () => {
    const { body } = await create('Written');
    expect(await waiting()).toHaveLength(1);
    expect(await jobs.runDue()).toBe(1);
    expect(runs).toMatchObject([{ payload: { id: body['id'], change: 'create' }, attempt: 1 }]);
    expect([await jobs.runDue(), await waiting()]).toEqual([0, []]);
  });

  it('are not queued by a write that is rolled back', async () => {
    expect((await create('Rejected')).status).toBe(409);
    expect(await waiting()).toEqual([]);
  });

  it('are not queued beside the transaction of a hook', async () => {
    expect((await create('Outside')).status).toBe(500);
    expect(await waiting()).toEqual([]);
    await expect(app.nest.get(Transactions).run(() => jobs.enqueue('acme_send'))).rejects.toThrow(
      'needs the option { transaction }',
    );
    expect(await waiting()).toEqual([]);
  });

  it('receive null where nothing was queued with them', async () => {
    await jobs.enqueue('acme_send', undefined);
    await jobs.runDue();
    expect(runs).toMatchObject([{ payload: null }]);
  });

  it('are repeated after pauses that double, and kept when the last attempt has failed', async () => {
    outcomes = [fail, fail, fail];
    const id = await jobs.enqueue('acme_send', 'again');
    const pauses = [0, 9_000, 1_000, 19_000, 1_000, 3_600_000];
    const counts: number[] = [];
    for (const pause of pauses) {
      app.clock.pass(pause);
      await jobs.runDue();
      counts.push(runs.length);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3]);
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(runs.map((run) => run.id))).toEqual(new Set([id]));
    expect(await jobs.failed()).toMatchObject([
      { id, name: 'acme_send', payload: 'again', attempts: 3, error: 'the receiver is down.' },
    ]);
    expect([await jobs.retry(id), await jobs.retry(id + 1000)]).toEqual([true, false]);
    await jobs.runDue();
    expect([runs.length, await jobs.failed()]).toEqual([4, []]);
  });

  it('count as failed at their time limit, which aborts their signal', async () => {
    let isAborted = false;
    outcomes = [
      ({ signal }) =>
        new Promise<void>(() => {
          signal.addEventListener('abort', () => {
            isAborted = true;
          });
        }),
    ];
    await jobs.enqueue('acme_send', 'hangs');
    await jobs.runDue();
    expect([runs.length, isAborted]).toEqual([1, true]);
    app.clock.pass(10_000);
    await jobs.runDue();
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('that have not failed are not run again by hand', async () => {
    const id = await jobs.enqueue('acme_send', 'later', { delay: 60_000 });
    expect([await jobs.retry(id), await jobs.runDue(), runs]).toEqual([false, 0, []]);
    app.clock.pass(60_000);
    expect(await jobs.runDue()).toBe(1);
  });

  it('do not begin any more in a process that has lost the lease', async () => {
    for (const payload of ['first', 'second', 'third']) await jobs.enqueue('acme_send', payload);
    const lost = new AbortController();
    const lease = jest
      .spyOn(Lease.prototype, 'run')
      .mockImplementation((_name, work, signal) => work(AbortSignal.any([signal, lost.signal])));
    outcomes = [() => lost.abort()];
    const other = await startApp({
      databaseUrl: site.url,
      plugins: [OutboxModule],
      now: new Date(app.clock.now() + 1000).toISOString(),
      env: { SCHEDULER: 'on' },
    });
    try {
      for (const giveUp = Date.now() + 10_000; (await waiting()).length > 2 && Date.now() < giveUp; )
        await sleep(20);
      await sleep(300);
      expect(runs.map(({ payload }) => payload)).toEqual(['first']);
    } finally {
      lease.mockRestore();
      await other.close();
    }
    await jobs.runDue();
    expect(runs.map(({ payload }) => payload)).toEqual(['first', 'second', 'third']);
  });

  it('leave caches valid when they are queued', async () => {
    const version = async () => (await app.nest.get(TableVersions).snapshot())?.contentVersion;
    try {
      // A poll may fall between the two; on SQLite it counts all rows.
      await retry(async () => {
        const before = await version();
        await jobs.enqueue('acme_send', 'quiet');
        expect(await version()).toBe(before);
      });
    } finally {
      await jobs.runDue();
    }
  });

  it('wait for their delay, and keep the order in which they are due', async () => {
    await jobs.enqueue('acme_send', 'late', { delay: 60_000 });
    await jobs.enqueue('acme_send', 'early');
    await jobs.enqueue('acme_send', 'next');
    await jobs.runDue();
    app.clock.pass(60_000);
    await jobs.runDue();
    expect(runs.map(({ payload }) => payload)).toEqual(['early', 'next', 'late']);
  });

  it('that are periodic run once per period, also after failures', async () => {
    ticks = 0;
    app.clock.pass(300_000);
    const counts: number[] = [];
    for (const pause of [0, 299_000, 1_000, 10_000, 300_000]) {
      app.clock.pass(pause);
      await jobs.runDue();
      counts.push(ticks);
    }
    expect(counts).toEqual([1, 1, 2, 3, 4]);
  });

  it('that are periodic are due earlier after their period was shortened', async () => {
    await jobs.runDue();
    await app.dataSource.query(
      `UPDATE wp_almanac_jobs SET due_at = ${app.clock.now() + 3_600_000} WHERE name = 'acme_tick'`,
    );
    const before = ticks;
    await jobs.runDue();
    app.clock.pass(300_000);
    await jobs.runDue();
    expect(ticks).toBe(before + 1);
  });

  it('of unknown names, periodic ones and long payloads cannot be queued', async () => {
    await expect(jobs.enqueue('acme_sent')).rejects.toThrow(
      'No provider has a job acme_sent: is it acme_send?',
    );
    await expect(jobs.enqueue('acme_tick')).rejects.toThrow('The job acme_tick is periodic');
    await expect(jobs.enqueue('acme_send', 'x'.repeat(1_000_001))).rejects.toThrow(RangeError);
    for (const delay of [Number.NaN, -1, Number.POSITIVE_INFINITY])
      await expect(jobs.enqueue('acme_send', 1, { delay })).rejects.toThrow('The delay of the job acme_send');
    expect(await waiting()).toEqual([]);
  });
});

describe('declarations of jobs', () => {
  it.each<[JobOptions, string]>([
    [{ name: '1 send' }, 'its name must be 1 to 100 letters, digits and _ : . -'],
    [{ name: 'acme', retries: -1 }, 'retries must be a whole number from 0 to 100'],
    [{ name: 'acme', every: '5 parsecs' }, 'every must be a time from 100ms to'],
    [{ name: 'acme', timeout: '2d' }, 'timeout must be a time'],
  ])('that are invalid say why: %o', (options, why) => {
    class Provider {
      @Job(options)
      work(): void {}
    }
    expect(() => jobSettings(Provider.prototype, 'work')).toThrow(why);
  });
});

describe('the table of jobs', () => {
  it('belongs to plugins whose module imports JobsModule, however deep, once', () => {
    @Module({ imports: [{ module: OutboxModule }] })
    class DeepModule {}
    @Module({})
    class OtherModule {}
    const names = (...plugins: Parameters<typeof migrationsOf>[0]) =>
      migrationsOf(plugins).map(({ name }) => name);
    expect(names(OutboxModule, DeepModule, OtherModule)).toEqual(['CreateJobs1764100000000']);
    expect(names({ module: OtherModule, imports: [DeepModule] })).toEqual(['CreateJobs1764100000000']);
    expect(names(OtherModule)).toEqual([]);
  });
});
