import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from '../../src/cache/semaphore.js';
import { runFor } from '../../src/common/context/abort.js';
import { DatabaseBudget } from '../../src/common/context/database-budget.js';
import type { Caller } from '../../src/common/context/request-store.js';

/** Work that goes on until it is told to end. */
function held() {
  let end: (error?: Error) => void = () => undefined;
  const work = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  return { work: () => work, end };
}
const caller = (): Caller => ({ aborted: false });
/** Whether a turn is free at once. */
const isFree = async (turns: Semaphore) => {
  let hasRun = false;
  const run = turns.run(async () => {
    hasRun = true;
  });
  await Promise.race([run, sleep(20)]);
  return hasRun;
};

describe('a semaphore', () => {
  it('releases a slot while its work waits for another semaphore', async () => {
    const [outer, inner] = [new Semaphore(1), new Semaphore(1)];
    const busy = held();
    const first = inner.run(busy.work);
    const order: string[] = [];
    const long = runFor(caller(), () =>
      outer.run(() =>
        inner.run(async () => {
          order.push('long');
        }),
      ),
    );
    await runFor(caller(), () =>
      outer.run(async () => {
        order.push('short');
      }),
    );
    busy.end();
    await Promise.all([first, long]);
    expect(order).toEqual(['short', 'long']);
    expect([await isFree(outer), await isFree(inner)]).toEqual([true, true]);
  });

  it('runs no more at once than it has slots, though slots are released early', async () => {
    const [outer, inner] = [new Semaphore(2), new Semaphore(1)];
    let [running, most] = [0, 0];
    const one = () =>
      runFor(caller(), () =>
        outer.run(async () => {
          await inner.run(() => sleep(1));
          running += 1;
          most = Math.max(most, running);
          await sleep(2);
          running -= 1;
        }),
      );
    await Promise.all(Array.from({ length: 30 }, one));
    expect(most).toBeLessThanOrEqual(2);
    expect([await isFree(outer), await isFree(inner)]).toEqual([true, true]);
  });

  it('has all slots again when work fails whose other half still waits', async () => {
    const [outer, inner] = [new Semaphore(1), new Semaphore(1)];
    const busy = held();
    const first = inner.run(busy.work);
    const failing = runFor(caller(), () =>
      outer.run(() => Promise.all([inner.run(async () => undefined), Promise.reject(new Error('broken'))])),
    );
    await expect(failing).rejects.toThrow('broken');
    busy.end();
    await first;
    await sleep(5);
    expect([await isFree(outer), await isFree(inner)]).toEqual([true, true]);
    const both = [held(), held()];
    const runs = both.map(({ work }) => outer.run(work));
    expect(outer.queued).toBe(1);
    for (const { end } of both) end();
    await Promise.all(runs);
  });

  it('waits no longer than the caller may wait for the database', async () => {
    const turns = new Semaphore(1, { timeout: 60_000 });
    const busy = held();
    const first = turns.run(busy.work);
    const waiting = runFor({ aborted: false, budget: new DatabaseBudget(30) }, () =>
      turns.run(async () => undefined),
    );
    await expect(waiting).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    busy.end();
    await first;
    expect(await isFree(turns)).toBe(true);
  });
});

describe('the time that a request may wait for the database', () => {
  it('is consumed by consecutive waits, and once by concurrent ones', async () => {
    const budget = new DatabaseBudget(60_000);
    const begun = performance.now();
    await Promise.all([budget.wait(sleep(60)), budget.wait(sleep(60))]);
    const used = 60_000 - budget.remaining;
    expect(used).toBeGreaterThan(50);
    expect(used).toBeLessThanOrEqual(performance.now() - begun);
    await sleep(20);
    expect(60_000 - budget.remaining).toBe(used);
  });

  it('leads to a database error once it is over, also for new waits', async () => {
    const budget = new DatabaseBudget(20);
    for (let time = 0; time < 2; time++)
      await expect(budget.wait(sleep(60_000, undefined, { ref: false }))).rejects.toMatchObject({
        code: 'ETIMEDOUT',
      });
  });
});
