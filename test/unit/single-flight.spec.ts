import { singleFlight } from '../../src/common/context/abort.js';

/** Work that fails at first, and how often it was begun. */
class RequestStore {
  begun = 0;
  underway?: Promise<string>;

  readonly join = () =>
    singleFlight(
      () => this.underway,
      () => this.begin(),
    );

  private begin(): Promise<string> {
    this.begun += 1;
    const fails = this.begun === 1;
    const work = new Promise<string>((resolve, reject) => {
      setImmediate(() => (fails ? reject(new Error('away')) : resolve('answer')));
    }).finally(() => {
      this.underway = undefined;
    });
    this.underway = work;
    return work;
  }
}

describe('work that several callers wait for', () => {
  it('is done once more, for all of them, when what another began has failed', async () => {
    const work = new RequestStore();
    const results = await Promise.allSettled([work.join(), work.join(), work.join()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(work.begun).toBe(2);
  });
});
