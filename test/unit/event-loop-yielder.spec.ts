import { EventLoopYielder, mapYielding, mapYieldingAsync } from '../../src/common/event-loop.js';

/** Milliseconds that a step holds the event loop: of a turn of five no more than four fit in. */
const STEP = 2;
const MAX_STEPS = 4;
const STEPS = Array.from({ length: 20 }, (_, at) => at);

function hold(): void {
  for (const end = performance.now() + STEP; performance.now() < end; );
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

describe('work that gives way', () => {
  it('holds the event loop for one turn at a time', async () => {
    expect(await mostInARound((step) => mapYielding(STEPS, step))).toBeLessThanOrEqual(MAX_STEPS);
  });

  it('holds it no longer where several do so in the same round', async () => {
    const most = await mostInARound((step) => Promise.all([1, 2, 3].map(() => mapYielding(STEPS, step))));
    expect(most).toBeLessThanOrEqual(MAX_STEPS);
  });

  it('gives way between what is made one by one as well', async () => {
    const most = await mostInARound((step) => {
      function* made() {
        for (const at of STEPS) {
          step();
          yield at;
        }
      }
      return mapYielding(made(), (at) => at);
    });
    expect(most).toBeLessThanOrEqual(MAX_STEPS);
  });

  it('gives way between works that wait, and counts what follows in each', async () => {
    const most = await mostInARound((step) =>
      mapYieldingAsync(STEPS, async () => {
        await Promise.resolve();
        step();
      }),
    );
    expect(most).toBeLessThanOrEqual(MAX_STEPS);
  });

  it('lets none of these works wait for the one before, and answers in their order', async () => {
    const open: (() => void)[] = [];
    const all = mapYieldingAsync([3, 1, 2], async (one) => {
      await new Promise<void>((resolve) => open.push(resolve));
      return one;
    });
    while (open.length < 3) await new EventLoopYielder().yield();
    for (const end of open.toReversed()) end();
    expect(await all).toEqual([3, 1, 2]);
  });

  it('fails with the work that fails, also while others have their turn', async () => {
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
