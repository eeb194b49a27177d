import { AsyncLocalStorage } from 'node:async_hooks';

/** Whoever waits for what is being done, such as the client of a request. */
export interface Caller {
  /** Whether nobody waits any more. */
  gone: boolean;
}

/** The work was dropped because nobody waits for it; there is nobody to answer either. */
export class CallerGone extends Error {}

const callers = new AsyncLocalStorage<Caller>();

/** Runs work, and all that it begins, for a caller. */
export function workFor<T>(caller: Caller, work: () => T): T {
  return callers.run(caller, work);
}

/** Runs work that several callers share: it is not dropped when the one that began it gives up. */
export function workForAll<T>(work: () => T): T {
  return callers.exit(work);
}

/** Throws `CallerGone` when the caller gave up: asked before each step that costs something. */
export function stillWanted(): void {
  if (callers.getStore()?.gone) throw new CallerGone();
}

/** Work that several callers wait for: it is dropped when all of them have given up. */
export class SharedWork<T> implements Caller {
  readonly result: Promise<T>;
  private readonly waiting: Caller[] = [];

  constructor(work: () => Promise<T>) {
    this.join();
    this.result = callers.run(this, work);
  }

  get gone(): boolean {
    return this.waiting.every(({ gone }) => gone);
  }

  /** Waits for it as well, together with whoever this is done for. */
  join(): Promise<T> {
    this.waiting.push(callers.getStore() ?? { gone: false });
    return this.result;
  }
}
