import { Clock } from '../../src/common/clock.js';
import { readEnvironment } from '../../src/config/env.js';
import type { ScheduleCounts } from '../../src/scheduler/schedule-counts.js';
import type { ScheduleRun } from '../../src/scheduler/schedule-run.service.js';
import { Scheduler } from '../../src/scheduler/scheduler.service.js';

/** How often the schedule is run in an hour. */
async function runsWith(variables: Record<string, string>): Promise<number> {
  let runs = 0;
  const run = {
    once: async () => {
      runs += 1;
      return { hasMore: false };
    },
    stop: () => undefined,
  } as unknown as ScheduleRun;
  const counts = { failures: 0 } as ScheduleCounts;
  const scheduler = new Scheduler(readEnvironment(variables), run, counts, new Clock());
  scheduler.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(3_600_000);
  await scheduler.onModuleDestroy();
  return runs;
}

describe('the scheduler of a server', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('runs twice a minute by default', async () => {
    expect(await runsWith({})).toBeGreaterThan(100);
    expect(await runsWith({ SCHEDULER: 'on' })).toBeGreaterThan(100);
  });

  it.each(['SCHEDULER=off', 'READ_ONLY=true'])('never runs with %s', async (said) => {
    const [name = '', value = ''] = said.split('=');
    expect(await runsWith({ [name]: value })).toBe(0);
  });
});
