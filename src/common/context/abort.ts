import type { DatabaseBudget } from './database-budget.js';
import { type Caller, getStore, runWith } from './request-store.js';

/** The client disconnected; the work was aborted. */
export class ClientDisconnected extends Error {}

/** Runs work, and all that it begins, for a caller. */
export function runFor<T>(caller: Caller, work: () => T): T {
  return runWith({ request: getStore()?.request, caller, scope: getStore()?.scope }, work);
}

/** Runs work that several callers share, without their disconnects, budgets and snapshots. */
export function runDetached<T>(work: () => T): T {
  return runWith({ request: getStore()?.request }, work);
}

/** Runs work that goes on when the client disconnects, within the caller's database budget. */
export function workToTheEnd<T>(work: () => T): T {
  return runFor({ aborted: false, budget: currentCaller()?.budget }, work);
}

/** Waits for work that runs without the caller's database budget, for as long as that allows. */
export function withinBudget<T>(work: Promise<T>): Promise<T> {
  return currentCaller()?.budget?.wait(work) ?? work;
}

/** Runs anonymous reads without a caller: they are never aborted and a read replica may serve them. */
export function runInBackground<T>(work: () => T, budget?: DatabaseBudget): T {
  const caller = { aborted: false, canUseReplica: true, budget };
  return runWith({ request: getStore()?.request, caller }, work);
}

/** The state of the current caller; undefined in work without one. */
export function currentCaller(): Caller | undefined {
  return getStore()?.caller;
}

/** Throws `ClientDisconnected` when the caller has disconnected; called before each expensive step. */
export function throwIfAborted(): void {
  if (currentCaller()?.aborted) throw new ClientDisconnected();
}

/** Records that a write of the caller was committed: an error after it must not invite a retry. */
export function markCommitted(): void {
  const caller = currentCaller();
  if (caller) caller.hasCommitted = true;
}

/** Lets read replicas serve the caller, who is anonymous and only reads. */
export function allowReplica(): void {
  const caller = currentCaller();
  if (caller) caller.canUseReplica = true;
}

/** Sends all further reads of the caller to the primary. */
export function requirePrimary(): void {
  const caller = currentCaller();
  if (caller) caller.canUseReplica = false;
}

/** Whether a read replica may serve the caller. */
export function canUseReplica(): boolean {
  return currentCaller()?.canUseReplica === true;
}
