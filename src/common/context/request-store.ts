import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseBudget } from './database-budget.js';

/** The request that work is done for, known wherever that is done. */
export interface CurrentRequest {
  /** What `X-Request-Id` said, or what was made up for it. */
  readonly id: string;
  /** How long its parts take; absent unless `SERVER_TIMING` asks for it. */
  readonly timings?: { begin(part: string): void; end(part: string): void };
  /** Whether it is somebody who sends it; undefined until that is known. */
  signedIn?: boolean;
  /** Headers of its answer that belong to what a handler made, whatever interceptors make of that. */
  headers?: Readonly<Record<string, string | number>>;
}

/** Whoever waits for what is being done, such as the client of a request. */
export interface AbortState {
  /** Whether nobody waits any more. */
  aborted: boolean;
  /** Whether it may be told what a read replica says. */
  canUseReplica?: boolean;
  /** How long it may still wait for the database; without one each statement has its own limit. */
  readonly budget?: DatabaseBudget;
  /** Whether a write of it was committed. */
  hasCommitted?: boolean;
  /** The first turn that its work took (`Turns`). */
  turn?: HeldTurn;
}

/** A turn of some work, which gives it back while it waits for another one. */
export interface HeldTurn {
  readonly of: { leave(): void; enter(): Promise<void> };
  isHeld: boolean;
  isOver: boolean;
}

/** What is being done, and whom it is done for. */
export interface RequestStore {
  readonly request?: CurrentRequest;
  readonly caller?: AbortState;
  /** The write that it is part of. */
  readonly write?: { readonly isOpen: boolean };
  /** Whether it shows what a write has stored. */
  readonly isWritten?: boolean;
}

// One for both: on Node 20 each store costs time with every promise.
const storage = new AsyncLocalStorage<RequestStore>();

/** Does work, and all that it begins, as another one than what goes on around it. */
export function runWith<T>(work: RequestStore, run: () => T): T {
  return storage.run(work, run);
}

/** What goes on. */
export function getStore(): RequestStore | undefined {
  return storage.getStore();
}
