import { type AbortState, getStore, runWith } from './request-store.js';
import type { DatabaseBudget } from './database-budget.js';

/** The work was dropped because nobody waits for it; there is nobody to answer either. */
export class ClientDisconnected extends Error {}

/** Runs work, and all that it begins, for a caller. */
export function runFor<T>(caller: AbortState, work: () => T): T {
  return runWith({ request: getStore()?.request, caller }, work);
}

/** Runs work that several callers share: it is not dropped when the one that began it gives up. */
export function runDetached<T>(work: () => T): T {
  return runWith({ request: getStore()?.request }, work);
}

/** The same for what the caller waits for: it takes no longer than they may wait for the database. */
export function workToTheEnd<T>(work: () => T): T {
  return runFor({ aborted: false, budget: currentAbortState()?.budget }, work);
}

/** Waits for what works without the caller's limit, for as long as they may wait for the database. */
export function withinBudget<T>(work: Promise<T>): Promise<T> {
  return currentAbortState()?.budget?.wait(work) ?? work;
}

/** The same for what only reads, and for nobody in particular: a read replica may tell it. */
export function runInBackground<T>(work: () => T, budget?: DatabaseBudget): T {
  return runFor({ aborted: false, canUseReplica: true, budget }, work);
}

/** A caller who has waited for others' work for longer, in milliseconds, fails as they do. */
const ANEW_WITHIN = 1000;

/**
 * Waits for work that somebody else began, where there is such, else begins it. What fails for others is done once more: the
 * reason may have gone before this caller came.
 */
export async function singleFlight<T>(
  underway: () => Promise<T> | undefined,
  begin: () => Promise<T>,
): Promise<T> {
  const since = performance.now();
  const shared = underway()?.catch((error: unknown) => {
    if (performance.now() - since > ANEW_WITHIN) throw error;
    return underway() ?? begin();
  });
  return withinBudget(shared ?? begin());
}

/** Whoever the work is done for, to be looked at later; undefined for nobody. */
export function currentAbortState(): AbortState | undefined {
  return getStore()?.caller;
}

/** Throws `CallerGone` when the caller gave up: asked before each step that costs something. */
export function throwIfAborted(): void {
  if (currentAbortState()?.aborted) throw new ClientDisconnected();
}

/** Says that a write of the caller was committed: whatever fails now, it must not be sent again. */
export function markCommitted(): void {
  const caller = currentAbortState();
  if (caller) caller.hasCommitted = true;
}

/** Says that the caller is nobody in particular and only reads. */
export function allowReplica(): void {
  const caller = currentAbortState();
  if (caller) caller.canUseReplica = true;
}

/** Whether a read replica may be asked. */
export function canUseReplica(): boolean {
  return currentAbortState()?.canUseReplica === true;
}

/** Work that several callers wait for: it is dropped when all of them have given up. */
export class SingleFlight<T> implements AbortState {
  readonly result: Promise<T>;
  readonly canUseReplica = canUseReplica();
  readonly budget = currentAbortState()?.budget;
  private readonly waiting: AbortState[] = [];

  constructor(work: () => Promise<T>) {
    this.waiting.push(currentAbortState() ?? { aborted: false });
    this.result = runFor(this, work);
  }

  get aborted(): boolean {
    return this.waiting.every(({ aborted }) => aborted);
  }

  /** Waits for it as well, together with whoever this is done for. */
  join(): Promise<T> {
    this.waiting.push(currentAbortState() ?? { aborted: false });
    return withinBudget(this.result);
  }
}
