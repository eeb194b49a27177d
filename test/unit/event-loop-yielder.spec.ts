import { EventLoopYielder, mapYielding, mapYieldingAsync } from '../../src/common/event-loop.js';

/** Milliseconds that a step holds the event loop: of a turn of five no more than four fit in. */
const STEP = 2;
const MAX_STEPS = 4;
const STEPS = Array.from({ length: 20 }, (_, at) => at);

let clock = performance.now();

/** Holds the event loop for one step on a clock that a busy machine does not move. */
function hold(): void {
  clock += STEP;
}

/** The most steps that are done in one round of the event loop while the work goes on. */
async function mostInARound(work: (step: () => void) => Promise<unknown>): Promise<number> {
  let most = 0;
  let steps = 0;
  let isOver = false;
  const look = () => {
    most = Math.max(most, steps);
    steps = 0;
    if (!isOver) setImmediate(look);
  };
  look();
  await work(() => {
    steps += 1;
    hold();
  });
  isOver = true;
  return Math.max(most, steps);
}

describe('work that yields to the event loop', () => {
  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => clock);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('blocks the event loop for one slice at a time', async () => {
    expect(await mostInARound((step) => mapYielding(STEPS, step))).toBeLessThanOrEqual(MAX_STEPS);
  });

  it('blocks it no longer where several run in the same tick', async () => {
    const most = await mostInARound((step) => Promise.all([1, 2, 3].map(() => mapYielding(STEPS, step))));
    expect(most).toBeLessThanOrEqual(MAX_STEPS);
  });

  it('yields between the items of a mapping as well', async () => {
    const most = await mostInARound((step) => {
      function* created() {
        for (const at of STEPS) {
          step();
          yield at;
        }
      }
      return mapYielding(created(), (at) => at);
    });
    expect(most).toBeLessThanOrEqual(MAX_STEPS);
  });

  it('yields between queued calls, and counts the time of each', async () => {
    const most = await mostInARound((step) =>
      mapYieldingAsync(STEPS, async () => {
        await Promise.resolve();
        step();
      }),
    );
    expect(most).toBeLessThanOrEqual(MAX_STEPS);
  });

  it('starts no queued call after the one before, and returns their results in order', async () => {
    const open: (() => void)[] = [];
    const all = mapYieldingAsync([3, 1, 2], async (one) => {
      await new Promise<void>((resolve) => open.push(resolve));
      return one;
    });
    while (open.length < 3) await new EventLoopYielder().yield();
    for (const end of open.toReversed()) end();
    expect(await all).toEqual([3, 1, 2]);
  });

  it('rejects with the failed call, also while others wait to resume', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const failing = mapYieldingAsync(STEPS, async (at) => {
      hold();
      if (at === 0) throw new Error('the first');
    });
    await expect(failing).rejects.toThrow('the first');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
