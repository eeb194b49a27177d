import { type Caller, currentWork, workAs } from './current-work.js';
import type { DatabaseBudget } from './database-budget.js';

/** The work was dropped because nobody waits for it; there is nobody to answer either. */
export class CallerGone extends Error {}

/** Runs work, and all that it begins, for a caller. */
export function workFor<T>(caller: Caller, work: () => T): T {
  return workAs({ request: currentWork()?.request, caller }, work);
}

/** Runs work that several callers share: it is not dropped when the one that began it gives up. */
export function workForAll<T>(work: () => T): T {
  return workAs({ request: currentWork()?.request }, work);
}

/** The same for what the caller waits for: it takes no longer than they may wait for the database. */
export function workToTheEnd<T>(work: () => T): T {
  return workFor({ gone: false, budget: callerNow()?.budget }, work);
}

/** Waits for what works without the caller's limit, for as long as they may wait for the database. */
export function withinBudget<T>(work: Promise<T>): Promise<T> {
  return callerNow()?.budget?.wait(work) ?? work;
}

/** The same for what only reads, and for nobody in particular: a read replica may tell it. */
export function workForAnybody<T>(work: () => T, budget?: DatabaseBudget): T {
  return workFor({ gone: false, mayLag: true, budget }, work);
}

/** A caller who has waited for others' work for longer, in milliseconds, fails as they do. */
const ANEW_WITHIN = 1000;

/**
 * Waits for work that somebody else began, where there is such, else begins it. What fails for others is done once more: the
 * reason may have gone before this caller came.
 */
export async function joined<T>(underway: () => Promise<T> | undefined, begin: () => Promise<T>): Promise<T> {
  const since = performance.now();
  const shared = underway()?.catch((error: unknown) => {
    if (performance.now() - since > ANEW_WITHIN) throw error;
    return underway() ?? begin();
  });
  return withinBudget(shared ?? begin());
}

/** Whoever the work is done for, to be looked at later; undefined for nobody. */
export function callerNow(): Caller | undefined {
  return currentWork()?.caller;
}

/** Throws `CallerGone` when the caller gave up: asked before each step that costs something. */
export function stillWanted(): void {
  if (callerNow()?.gone) throw new CallerGone();
}

/** Says that a write of the caller was committed: whatever fails now, it must not be sent again. */
export function noteStored(): void {
  const caller = callerNow();
  if (caller) caller.hasStored = true;
}

/** Says that the caller is nobody in particular and only reads. */
export function letLag(): void {
  const caller = callerNow();
  if (caller) caller.mayLag = true;
}

/** Whether a read replica may be asked. */
export function mayLag(): boolean {
  return callerNow()?.mayLag === true;
}

/** Work that several callers wait for: it is dropped when all of them have given up. */
export class SharedWork<T> implements Caller {
  readonly result: Promise<T>;
  readonly mayLag = mayLag();
  readonly budget = callerNow()?.budget;
  private readonly waiting: Caller[] = [];

  constructor(work: () => Promise<T>) {
    this.waiting.push(callerNow() ?? { gone: false });
    this.result = workFor(this, work);
  }

  get gone(): boolean {
    return this.waiting.every(({ gone }) => gone);
  }

  /** Waits for it as well, together with whoever this is done for. */
  join(): Promise<T> {
    this.waiting.push(callerNow() ?? { gone: false });
    return withinBudget(this.result);
  }
}
