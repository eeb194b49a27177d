import { setTimeout as sleep } from 'node:timers/promises';
import { SingleFlight } from '../../src/cache/single-flight.js';
import { currentCaller, runFor } from '../../src/common/context/abort.js';

/** Calls that were begun, ended by the test. */
function deferredCalls() {
  const calls: { version: number; resolve(value: string): void; reject(error: Error): void }[] = [];
  const load = (version: number) =>
    new Promise<string>((resolve, reject) => calls.push({ version, resolve, reject }));
  return { calls, load };
}

describe('single flight', () => {
  it('shares the running call of a key', async () => {
    const flights = new SingleFlight<string, string>();
    const { calls, load } = deferredCalls();
    const results = [flights.run('a', load), flights.run('a', load), flights.run('b', load)];
    expect([calls.length, flights.has('a'), flights.has('c')]).toEqual([2, true, false]);
    calls[0]?.resolve('one');
    calls[1]?.resolve('two');
    expect(await Promise.all(results)).toEqual(['one', 'one', 'two']);
    expect(flights.has('a')).toBe(false);
  });

  it('repeats a failed call once for all that had joined it, if it retries', async () => {
    const flights = new SingleFlight<string, string>({ retries: true });
    let begun = 0;
    const load = async () => {
      begun += 1;
      const fails = begun === 1;
      await new Promise(setImmediate);
      if (fails) throw new Error('away');
      return 'answer';
    };
    const results = await Promise.allSettled([1, 2, 3].map(() => flights.run('a', load)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(begun).toBe(2);
  });

  it('fails for all callers, if it does not retry', async () => {
    const flights = new SingleFlight<string, string>();
    const { calls, load } = deferredCalls();
    const results = [flights.run('a', load), flights.run('a', load)];
    calls[0]?.reject(new Error('away'));
    expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(calls).toHaveLength(1);
  });

  it('joins no call of an older version, none that is too old and none after clear', async () => {
    const flights = new SingleFlight<string, string>({ maxAge: 20 });
    const { calls, load } = deferredCalls();
    flights.run('a', load, 2);
    flights.run('a', load, 1);
    expect(calls).toHaveLength(1);
    flights.run('a', load, 3);
    expect(calls).toHaveLength(2);
    flights.clear();
    flights.run('a', load, 3);
    expect(calls).toHaveLength(3);
    await sleep(30);
    flights.run('a', load, 3);
    expect(calls).toHaveLength(4);
  });

  it('runs calls of a key one after the other, the next one for the newest version, if it is serial', async () => {
    const flights = new SingleFlight<string, string>({ isSerial: true });
    const { calls, load } = deferredCalls();
    const first = flights.run('a', load, 1);
    const later = [flights.run('a', load, 2), flights.run('a', load, 3), flights.run('a', load, 2)];
    await new Promise(setImmediate);
    expect(calls).toHaveLength(1);
    calls[0]?.resolve('one');
    expect(await first).toBe('one');
    await new Promise(setImmediate);
    calls[1]?.resolve('two');
    expect([await Promise.all(later), calls.map(({ version }) => version)]).toEqual([
      ['two', 'two', 'two'],
      [1, 3],
    ]);
  });

  it('is aborted when all its callers have disconnected, and joined no more', async () => {
    const flights = new SingleFlight<string, string>();
    const { calls, load } = deferredCalls();
    let isAborted = () => false;
    const loadObserved = (version: number) => {
      const state = currentCaller();
      isAborted = () => state?.aborted === true;
      return load(version);
    };
    const [first, second] = [{ aborted: false }, { aborted: false }];
    runFor(first, () => flights.run('a', loadObserved));
    runFor(second, () => flights.run('a', loadObserved));
    first.aborted = true;
    expect([isAborted(), flights.has('a')]).toEqual([false, true]);
    second.aborted = true;
    expect([isAborted(), flights.has('a')]).toEqual([true, false]);
    flights.run('a', load);
    expect(calls).toHaveLength(2);
  });
});
