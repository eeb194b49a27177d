import { WakeablePause } from '../../src/common/wakeable-pause.js';

const LONG_MS = 60_000;

describe('a pause that can be woken', () => {
  it('ends when it is woken', async () => {
    const pause = new WakeablePause();
    const waiting = pause.wait(LONG_MS);
    pause.wake();
    await expect(waiting).resolves.toBeUndefined();
    expect(pause.isWoken).toBe(false);
  });

  it('does not begin after a wake, unless that was reset', async () => {
    const pause = new WakeablePause();
    pause.wake();
    await pause.wait(LONG_MS);
    pause.wake();
    pause.reset();
    let hasEnded = false;
    const waiting = pause.wait(LONG_MS).then(() => {
      hasEnded = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(hasEnded).toBe(false);
    pause.wake();
    await waiting;
  });

  it('ends at once, without a warning of Node, when its time has passed', async () => {
    const warnings: Error[] = [];
    const record = (warning: Error) => warnings.push(warning);
    process.on('warning', record);
    await new WakeablePause().wait(-5);
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('warning', record);
    expect(warnings.map(({ name }) => name)).not.toContain('TimeoutNegativeWarning');
  });

  it('ends by itself after its time', async () => {
    const pause = new WakeablePause();
    const keptAlive = setTimeout(() => undefined, LONG_MS);
    await pause.wait(10);
    clearTimeout(keptAlive);
    expect(pause.isWoken).toBe(false);
  });
});
