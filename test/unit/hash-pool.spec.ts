import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { HashPool, HashPoolBusy } from '../../src/auth/password-hash.js';
import { compiledWorker } from '../support/compiled-worker.js';

const HASH = '$2y$10$8SkV60qabF9LkGROuV5jH.p8oJVrGMEQXA49So5XnGatQ4Rp.pD5e';
const password = 'correct horse battery staple';

const folder = mkdtempSync(join(tmpdir(), 'almanac-hash-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function workerOf(code: string): URL {
  const file = join(folder, 'worker.mjs');
  writeFileSync(file, `import fs from 'node:fs'; export default ${code};`);
  return pathToFileURL(file);
}

describe('the password thread pool', () => {
  const pool = new HashPool(compiledWorker('auth/hash-worker'));

  it('verifies passwords', async () => {
    const answers = await Promise.all(
      ['', 'x', ''].map((end) => pool.check({ password: password + end, hash: HASH })),
    );
    expect(answers).toEqual([true, false, true]);
  });

  it('does not block the event loop', async () => {
    const [loop, thread] = [join(folder, 'loop'), join(folder, 'thread')];
    const waiting = new HashPool(
      workerOf(`({ hash }) => {
        fs.writeFileSync(hash, '');
        while (!fs.existsSync(${JSON.stringify(loop)})) ;
        return true;
      }`),
    );
    const answer = waiting.check({ password, hash: thread });
    // Only a loop that turns while the thread is at work lets that come to an end.
    while (!existsSync(thread)) await sleep(5);
    writeFileSync(loop, '');
    expect(await answer).toBe(true);
  });

  it('works after a thread failed to start', async () => {
    const broken = new HashPool(new URL('file:///no/such/file.js'));
    await expect(broken.check({ password, hash: HASH })).rejects.toThrow();
    await expect(broken.check({ password, hash: HASH })).rejects.toThrow();
  });

  it('completes queued jobs when threads die', async () => {
    const unusual = new HashPool(
      workerOf(`({ hash }) => hash === 'die' ? process.exit(1) : hash === 'throw' ? x() : true`),
    );
    const hashes = ['die', 'die', 'throw', 'a', 'b'];
    const outcomes = await Promise.allSettled(hashes.map((hash) => unusual.check({ password, hash })));
    expect(outcomes.map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(await unusual.check({ password, hash: 'c' })).toBe(true);
  });

  it('rejects jobs above its queue limit', async () => {
    const jobs = Array.from({ length: 600 }, () => pool.check({ password, hash: '$P$9' }));
    const outcomes = await Promise.allSettled(jobs);
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(rejected.length).toBeGreaterThan(90);
    for (const { reason } of rejected) expect(reason).toBeInstanceOf(HashPoolBusy);
  });
});
