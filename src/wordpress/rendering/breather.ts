/** How long those who ask may work before others get their turn, in milliseconds. */
const TURN = 5;

const waiting: (() => void)[] = [];
/** Rounds of the event loop in which somebody asked; when the first one did so in this one: what several requests do in it holds it together. */
let round = 0;
let roundBegan: number | undefined;

/** Gives way to other requests: long work asks before each step whether it should. */
export class Breather {
  /** `turn`: how long work may go on in one round of the event loop, in milliseconds. */
  constructor(private readonly turn = TURN) {}

  /** Whether a whole turn has passed. */
  get isDue(): boolean {
    const now = performance.now();
    if (roundBegan === undefined) {
      roundBegan = now;
      round += 1;
      setImmediate(endRound, round);
    }
    return now - roundBegan > this.turn;
  }

  /** Goes on once the event loop has been round; of all that wait only one goes on each time round. */
  async pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(wakeNext);
    });
  }
}

/** What work makes of each, which may itself be made one by one, while others get their turn. */
export async function gently<In, Out>(
  all: AsyncIterable<In> | Iterable<In>,
  work: (one: In) => Out,
): Promise<Out[]> {
  const breather = new Breather();
  const made: Out[] = [];
  for await (const one of all) {
    if (breather.isDue) await breather.pause();
    made.push(work(one));
  }
  return made;
}

/** The same of work that waits for something: none waits for the one before. */
export async function gentlyAll<In, Out>(
  all: readonly In[],
  work: (one: In) => Promise<Out>,
): Promise<Out[]> {
  const breather = new Breather();
  const made: Promise<Out>[] = [];
  for (const one of all) {
    if (breather.isDue) await breather.pause();
    const making = work(one);
    // It may fail while others get their turn, before anybody waits for it.
    making.catch(() => undefined);
    made.push(making);
    // What follows in it after it has waited for nothing is a part of this step.
    await Promise.resolve();
  }
  return Promise.all(made);
}

function wakeNext(): void {
  const [first] = waiting.splice(0, 1);
  if (waiting.length > 0) setImmediate(wakeNext);
  endRound(round);
  first?.();
}

/** Unless another one has begun since. */
function endRound(ended: number): void {
  if (ended === round) roundBegan = undefined;
}
