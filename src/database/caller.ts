import { AsyncLocalStorage } from 'node:async_hooks';

/** Whoever waits for what is being done, such as the client of a request. */
export interface Caller {
  /** Whether nobody waits any more. */
  gone: boolean;
  /** Whether it may be told what a read replica says. */
  mayLag?: boolean;
  /** Whether a write of it was committed. */
  hasStored?: boolean;
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

/** The same for what only reads, and for nobody in particular: a read replica may tell it. */
export function workForAnybody<T>(work: () => T): T {
  return callers.run({ gone: false, mayLag: true }, work);
}

/** Whoever the work is done for, to be looked at later; undefined for nobody. */
export function callerNow(): Caller | undefined {
  return callers.getStore();
}

/** Throws `CallerGone` when the caller gave up: asked before each step that costs something. */
export function stillWanted(): void {
  if (callers.getStore()?.gone) throw new CallerGone();
}

/** Says that a write of the caller was committed: whatever fails now, it must not be sent again. */
export function noteStored(): void {
  const caller = callers.getStore();
  if (caller) caller.hasStored = true;
}

/** Says that the caller is nobody in particular and only reads. */
export function letLag(): void {
  const caller = callers.getStore();
  if (caller) caller.mayLag = true;
}

/** Whether a read replica may be asked. */
export function mayLag(): boolean {
  return callers.getStore()?.mayLag === true;
}

/** Work that several callers wait for: it is dropped when all of them have given up. */
export class SharedWork<T> implements Caller {
  readonly result: Promise<T>;
  readonly mayLag = mayLag();
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
