import type { TableVersions } from '../../src/database/table-versions.service.js';
import { CountCache } from '../../src/wordpress/posts/count-cache.service.js';
import type { PostQuery } from '../../src/wordpress/posts/post-query.js';

describe('the cache of list totals', () => {
  it('keeps a newer total when an older count fails late', async () => {
    let content = 1;
    const totals = new CountCache({
      snapshot: async () => ({ contentVersion: content }),
    } as unknown as TableVersions);
    const counts: { resolve(total: number): void; reject(error: Error): void }[] = [];
    const total = () => new Promise<number>((resolve, reject) => counts.push({ resolve, reject }));
    const list = { counting: () => ({ sql: 'SELECT', values: [] }), total } as unknown as PostQuery;
    const before = totals.of(list);
    await new Promise(setImmediate);
    content = 2;
    const after = totals.of(list);
    await new Promise(setImmediate);
    counts[0]?.reject(new Error('away'));
    await expect(before).rejects.toThrow('away');
    counts[1]?.resolve(7);
    expect([await after, await totals.of(list)]).toEqual([7, 7]);
    expect(counts).toHaveLength(2);
  });
});
