import { VersionedCache } from '../../src/cache/versioned-cache.js';

const snapshot = (version: number) => ({ contentVersion: 10 * version, version: () => version });
const settled = () => new Promise(setImmediate);

/** Loads that were begun, ended by the test. */
function deferredLoads() {
  const begun: { resolve(value: string): void; reject(error: Error): void }[] = [];
  const load = () => new Promise<string>((resolve, reject) => begun.push({ resolve, reject }));
  return { begun, load };
}

describe('a versioned cache', () => {
  const makeCache = (isSerial = false) =>
    new VersionedCache<string, string>({
      tables: ['posts'],
      maxSize: 100,
      maxEntrySize: 10,
      sizeOf: ({ length }) => length,
      isSerial,
    });

  it.each([false, true])(
    'loads a key once for concurrent and later callers; serial: %s',
    async (isSerial) => {
      const cache = makeCache(isSerial);
      const { begun, load } = deferredLoads();
      const concurrent = [1, 2, 3].map(() => cache.get('a', snapshot(1), load));
      await settled();
      begun[0]?.resolve('one');
      expect([await Promise.all(concurrent), await cache.get('a', snapshot(1), load), begun.length]).toEqual([
        ['one', 'one', 'one'],
        'one',
        1,
      ]);
      expect([cache.peek('a', snapshot(1)), cache.peek('a', snapshot(2))]).toEqual(['one', undefined]);
    },
  );

  it('loads again for a newer version only, and serves newer values to older snapshots', async () => {
    const cache = makeCache();
    let loads = 0;
    const load = async () => `${++loads}`;
    expect(await cache.get('a', snapshot(1), load)).toBe('1');
    expect(await cache.get('a', snapshot(2), load)).toBe('2');
    expect(await cache.get('a', snapshot(1), load)).toBe('2');
  });

  it('keeps the newer value when an older load ends later', async () => {
    const cache = makeCache();
    const { begun, load } = deferredLoads();
    const older = cache.get('a', snapshot(1), load);
    const newer = cache.get('a', snapshot(2), load);
    begun[1]?.resolve('new');
    await newer;
    begun[0]?.resolve('old');
    expect([await older, await cache.get('a', snapshot(2), load)]).toEqual(['old', 'new']);
  });

  it('loads one at a time for newer versions, if it is serial', async () => {
    const cache = makeCache(true);
    const { begun, load } = deferredLoads();
    const first = cache.get('a', snapshot(1), load);
    await settled();
    const later = [cache.get('a', snapshot(2), load), cache.get('a', snapshot(2), load)];
    await settled();
    expect(begun).toHaveLength(1);
    begun[0]?.resolve('one');
    expect(await first).toBe('one');
    await settled();
    begun[1]?.resolve('two');
    expect([await Promise.all(later), begun.length]).toEqual([['two', 'two'], 2]);
  });

  it('does not cache failures', async () => {
    const cache = makeCache(true);
    const { begun, load } = deferredLoads();
    const failed = [1, 2].map(() => cache.get('a', snapshot(1), load).catch((error: Error) => error.message));
    await settled();
    begun[0]?.reject(new Error('away'));
    expect(await Promise.all(failed)).toEqual(['away', 'away']);
    const again = cache.get('a', snapshot(1), load);
    await settled();
    begun[1]?.resolve('one');
    expect(await again).toBe('one');
  });

  it('caches nothing that is too large, that has no snapshot or that was loading when it was cleared', async () => {
    const cache = makeCache();
    let loads = 0;
    const load = (text: string) => async () => `${text}${++loads}`;
    await cache.get('a', snapshot(1), load('much too large'));
    await cache.get('b', undefined, load(''));
    const loading = cache.get('c', snapshot(1), load(''));
    cache.clear();
    await loading;
    expect(['a', 'b', 'c'].map((key) => cache.peek(key, snapshot(1)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(loads).toBe(3);
  });

  it('loads the missing ones of several keys with one call, shared with other callers', async () => {
    const cache = makeCache();
    const calls: string[][] = [];
    const loadMissing = async (keys: readonly string[]) => {
      calls.push([...keys]);
      await settled();
      return new Map(keys.filter((key) => key !== 'none').map((key) => [key, `value ${key}`]));
    };
    await cache.get('a', snapshot(1), async () => 'value a');
    const [first, second] = await Promise.all([
      cache.getMany(['a', 'b', 'c'], snapshot(1), loadMissing),
      cache.getMany(['c', 'd'], snapshot(1), loadMissing),
    ]);
    expect(first).toEqual(
      new Map([
        ['a', 'value a'],
        ['b', 'value b'],
        ['c', 'value c'],
      ]),
    );
    expect([second.get('c'), second.get('d')]).toEqual(['value c', 'value d']);
    expect(calls).toEqual([['b', 'c'], ['d']]);
  });

  it('uses the version of all content without tables', async () => {
    const cache = new VersionedCache<string, string>({ maxSize: 1 });
    await cache.get('a', { contentVersion: 1, version: () => 5 }, async () => 'one');
    expect(cache.peek('a', { contentVersion: 2, version: () => 5 })).toBeUndefined();
    expect(cache.peek('a', { contentVersion: 1, version: () => 6 })).toBe('one');
  });
});
