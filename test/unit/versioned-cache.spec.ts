import { VersionedCache } from '../../src/cache/versioned-cache.js';

describe('what is read once for each version', () => {
  /** Readings that were begun, to be ended by the test. */
  let begun: { resolve(value: string): void; reject(error: Error): void }[];
  let version: number | undefined;
  let kept: VersionedCache<string>;

  beforeEach(() => {
    begun = [];
    version = 1;
    kept = new VersionedCache(
      async () => version,
      () => new Promise((resolve, reject) => begun.push({ resolve, reject })),
      (value) => value.length < 10,
    );
  });
  const settled = () => new Promise(setImmediate);

  it('is read by one for all who ask at once, and kept for who comes later', async () => {
    const asked = [kept.get(), kept.get(), kept.get()];
    await settled();
    begun[0]?.resolve('one');
    expect([await Promise.all(asked), await kept.get(), begun.length]).toEqual([
      ['one', 'one', 'one'],
      'one',
      1,
    ]);
  });

  it('is read again for all who know of a change that came while it was read', async () => {
    const first = kept.get();
    await settled();
    version = 2;
    const later = [kept.get(), kept.get()];
    await settled();
    expect(begun).toHaveLength(1);
    begun[0]?.resolve('one');
    expect(await first).toBe('one');
    await settled();
    begun[1]?.resolve('two');
    expect([await Promise.all(later), begun.length]).toEqual([['two', 'two'], 2]);
  });

  it('is tried again by the next who asks where it failed', async () => {
    const failed = [kept.get(), kept.get()].map((one) => one?.catch((error: Error) => error.message));
    await settled();
    begun[0]?.reject(new Error('away'));
    expect(await Promise.all(failed)).toEqual(['away', 'away']);
    const again = kept.get();
    await settled();
    begun[1]?.resolve('one');
    expect(await again).toBe('one');
  });

  it('is not kept where it is too large', async () => {
    const first = kept.get();
    await settled();
    begun[0]?.resolve('much too large');
    expect(await first).toBe('much too large');
    const second = kept.get();
    await settled();
    begun[1]?.resolve('one');
    expect(await second).toBe('one');
  });

  it('says nothing where nothing is known any more, though something was before', async () => {
    const first = kept.get();
    await settled();
    begun[0]?.resolve('one');
    await first;
    version = 2;
    const second = kept.get();
    // By the time it would be read.
    version = undefined;
    expect([await second, begun.length]).toEqual([undefined, 1]);
  });
});
