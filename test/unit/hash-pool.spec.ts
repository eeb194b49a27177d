import { HashPool } from '../../src/auth/hash-pool.js';
import { compiledWorker } from '../support/compiled-worker.js';

const HASH = '$2y$10$8SkV60qabF9LkGROuV5jH.p8oJVrGMEQXA49So5XnGatQ4Rp.pD5e';
const password = 'correct horse battery staple';

describe('password threads', () => {
  const pool = new HashPool(compiledWorker('auth/hash-worker'));

  it('leave the event loop free', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const answers = await Promise.all(
      ['', 'x', ''].map((end) => pool.check({ password: password + end, hash: HASH })),
    );
    clearInterval(timer);
    expect(answers).toEqual([true, false, true]);
    expect(turns).toBeGreaterThan(3);
  });

  it('answer after a thread could not start', async () => {
    const broken = new HashPool(new URL('file:///no/such/file.js'));
    await expect(broken.check({ password, hash: HASH })).rejects.toThrow();
    await expect(broken.check({ password, hash: HASH })).rejects.toThrow();
  });

  it('refuse more than can be answered', async () => {
    const jobs = Array.from({ length: 600 }, () => pool.check({ password, hash: '$P$9' }));
    const outcomes = await Promise.allSettled(jobs);
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(90);
  });
});
