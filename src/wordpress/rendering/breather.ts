/** How long one request may work before others get their turn, in milliseconds. */
const TURN = 10;

const waiting: (() => void)[] = [];

/** Gives way to other requests: long work asks after each step whether it should. */
export class Breather {
  private since = performance.now();

  /** `turn`: how long it may work at a time, in milliseconds. */
  constructor(private readonly turn = TURN) {}

  /** Whether a whole turn has passed. */
  get isDue(): boolean {
    return performance.now() - this.since > this.turn;
  }

  /** Goes on once the event loop has been round; of all that wait only one goes on each time round. */
  async pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(wakeNext);
    });
    this.since = performance.now();
  }
}

/** What work makes of each, which may itself be made one by one, while others get their turn. */
export async function gently<In, Out>(
  all: AsyncIterable<In> | Iterable<In>,
  work: (one: In) => Out,
): Promise<Out[]> {
  const breather = new Breather();
  const made: Out[] = [];
  // What was done before may have been a whole turn.
  await breather.pause();
  for await (const one of all) {
    made.push(work(one));
    if (breather.isDue) await breather.pause();
  }
  return made;
}

function wakeNext(): void {
  const [first] = waiting.splice(0, 1);
  if (waiting.length > 0) setImmediate(wakeNext);
  first?.();
}
