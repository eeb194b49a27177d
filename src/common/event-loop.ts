/** How long those who ask may work before others get their turn, in milliseconds. */
const SLICE_MS = 5;

const waiting: (() => void)[] = [];
let isWaking = false;
/** How many of those that wait may go on in this round. */
let left = 0;
/** Rounds of the event loop in which somebody asked; when the first one did so in this one: what several requests do in it holds it together. */
let round = 0;
let roundBegan: number | undefined;

/** Gives way to other requests: long work asks before each step whether it should. */
export class EventLoopYielder {
  /** `turn`: how long work may go on in one round of the event loop, in milliseconds. */
  constructor(private readonly turn = SLICE_MS) {}

  /** Whether a whole turn has passed. */
  get shouldYield(): boolean {
    const now = performance.now();
    if (roundBegan === undefined) {
      roundBegan = now;
      round += 1;
      setImmediate(endRound, round);
    }
    return now - roundBegan > this.turn;
  }

  /** Goes on once the event loop has been round, as soon as those who have waited longer leave time for it. */
  async yield(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      wakeLater();
    });
  }
}

/** What work makes of each, which may itself be made one by one, while others get their turn. */
export async function mapYielding<In, Out>(
  all: AsyncIterable<In> | Iterable<In>,
  work: (one: In) => Out,
): Promise<Out[]> {
  const breather = new EventLoopYielder();
  const made: Out[] = [];
  for await (const one of all) {
    if (breather.shouldYield) await breather.yield();
    made.push(work(one));
  }
  return made;
}

/** The same of work that waits for something: none waits for the one before. */
export async function mapYieldingAsync<In, Out>(
  all: readonly In[],
  work: (one: In) => Promise<Out>,
): Promise<Out[]> {
  const breather = new EventLoopYielder();
  const made: Promise<Out>[] = [];
  for (const one of all) {
    if (breather.shouldYield) await breather.yield();
    const making = work(one);
    // It may fail while others get their turn, before anybody waits for it.
    making.catch(() => undefined);
    made.push(making);
    // What follows in it after it has waited for nothing is a part of this step.
    await Promise.resolve();
  }
  return Promise.all(made);
}

function wakeLater(): void {
  if (!isWaking) setImmediate(wakeAll);
  isWaking = true;
}

/** Who begins to wait now waits for the next round: one that does nothing but wait would keep all others from theirs. */
function wakeAll(): void {
  isWaking = false;
  endRound(round);
  left = waiting.length;
  wakeNext();
}

function wakeNext(): void {
  const hasTime = roundBegan === undefined || performance.now() - roundBegan < SLICE_MS;
  if (left > 0 && hasTime) {
    left -= 1;
    waiting.shift()?.();
    // Once it waits for something, or for its next turn.
    queueMicrotask(() => process.nextTick(wakeNext));
  } else if (waiting.length > 0) wakeLater();
}

/** Unless another one has begun since. */
function endRound(ended: number): void {
  if (ended === round) roundBegan = undefined;
}
