/** How long work may hold the event loop before it yields, in milliseconds. */
const SLICE_MS = 5;

const waiting: (() => void)[] = [];
let isWaking = false;
/** Waiters left to resume in this tick. */
let remaining = 0;
/** The current tick of the event loop and its start time, shared by all work within it. */
let tick = 0;
let tickStart: number | undefined;

/** Lets other requests run during long work, which checks `shouldYield` before each step. */
export class EventLoopYielder {
  /** `slice`: how long work may run within one tick of the event loop, in milliseconds. */
  constructor(private readonly slice = SLICE_MS) {}

  /** Whether the slice of this tick is used up. */
  get shouldYield(): boolean {
    const now = performance.now();
    if (tickStart === undefined) {
      tickStart = now;
      tick += 1;
      setImmediate(endTick, tick);
    }
    return now - tickStart > this.slice;
  }

  /** Resolves in a later tick, after those who have waited longer. */
  async yield(): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      wakeLater();
    });
  }
}

/** Maps items, which may be produced one by one, yielding to the event loop in between. */
export async function mapYielding<In, Out>(
  all: AsyncIterable<In> | Iterable<In>,
  work: (one: In) => Out,
): Promise<Out[]> {
  const yielder = new EventLoopYielder();
  const results: Out[] = [];
  for await (const one of all) {
    if (yielder.shouldYield) await yielder.yield();
    results.push(work(one));
  }
  return results;
}

/** Maps items by concurrent asynchronous work, yielding to the event loop in between. */
export async function mapYieldingAsync<In, Out>(
  all: readonly In[],
  work: (one: In) => Promise<Out>,
): Promise<Out[]> {
  const yielder = new EventLoopYielder();
  const results: Promise<Out>[] = [];
  for (const one of all) {
    if (yielder.shouldYield) await yielder.yield();
    const result = work(one);
    // It may reject before `Promise.all` listens.
    result.catch(() => undefined);
    results.push(result);
    // Its continuations that are ready count as part of this step.
    await Promise.resolve();
  }
  return Promise.all(results);
}

function wakeLater(): void {
  if (!isWaking) setImmediate(wakeAll);
  isWaking = true;
}

/** Resumes the present waiters; those queued from now on run in the next tick, so that none starves the others. */
function wakeAll(): void {
  isWaking = false;
  endTick(tick);
  remaining = waiting.length;
  wakeNext();
}

function wakeNext(): void {
  const hasTime = tickStart === undefined || performance.now() - tickStart < SLICE_MS;
  if (remaining > 0 && hasTime) {
    remaining -= 1;
    waiting.shift()?.();
    // After it waits for something or yields again.
    queueMicrotask(() => process.nextTick(wakeNext));
  } else if (waiting.length > 0) wakeLater();
}

/** Ends a tick unless another one has begun since. */
function endTick(ended: number): void {
  if (ended === tick) tickStart = undefined;
}
