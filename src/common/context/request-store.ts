import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from 'typeorm';
import type { DatabaseBudget } from './database-budget.js';

/** The request that is being handled. */
export interface CurrentRequest {
  /** `X-Request-Id` of the request, or a generated id. */
  readonly id: string;
  /** Durations of its parts; absent unless `SERVER_TIMING` is set. */
  readonly timings?: { begin(part: string): void; end(part: string): void };
  /** Undefined until the request is authenticated. */
  signedIn?: boolean;
  /** Whether it ends before it would write anything, as a request of a batch that is only checked. */
  readonly validatesOnly?: boolean;
  /** Response headers set by the handler; interceptors cannot drop them. */
  headers?: Readonly<Record<string, string | number>>;
}

/** The client of a request, or other code that work is done for; concurrent callers may share work. */
export interface Caller {
  /** Whether nobody waits for the work any more. */
  aborted: boolean;
  /** Whether a read replica may serve it. */
  canUseReplica?: boolean;
  /** How long it may still wait for the database; without one each statement has its own limit. */
  readonly budget?: DatabaseBudget;
  /** Whether a write of it was committed. */
  hasCommitted?: boolean;
  /** The first slot of a `Semaphore` that its work took. */
  slot?: HeldSlot;
}

/** A slot that its work releases while it waits for another one. */
export interface HeldSlot {
  readonly of: { release(): void; acquire(): Promise<void> };
  isHeld: boolean;
  isOver: boolean;
}

/** The part of a write transaction that results are stored with. */
export interface WriteTransaction {
  readonly manager: EntityManager;
  readonly isNoop: boolean;
  afterCommit(action: () => void): void;
}

type Work<Transaction, Result> = (transaction: Transaction) => Promise<Result>;

/** The results of transactions that must not run twice, however often their request is sent. */
export interface RepeatableResults {
  /** Whether some of them are known from an earlier attempt. */
  readonly isReplay: boolean;
  /** Begins the next transaction: its result if it was committed before, else work that also stores its result. */
  begin<Transaction extends WriteTransaction, Result>(
    work: Work<Transaction, Result>,
  ): { result: Result } | { work: Work<Transaction, Result> };
}

/** What the current asynchronous work belongs to. */
export interface RequestStore {
  readonly request?: CurrentRequest;
  readonly caller?: Caller;
  /** The transaction that the work is part of. */
  readonly write?: { readonly isOpen: boolean; touch(kind: 'post' | 'term', id: number): void };
  /** The name of the plugins' hook that the work is part of. */
  readonly hook?: string;
  /** The results of the request's transactions, if it may be sent again; not those of actions after a commit. */
  readonly results?: RepeatableResults;
  /** Whether the work renders what a write has stored. */
  readonly isWritten?: boolean;
  /** Identity of the request for `PerRequest`; absent in work that may outlast it or has to see its own writes. */
  readonly scope?: object;
}

// One store for all: on Node 20 each one costs time with every promise.
const storage = new AsyncLocalStorage<RequestStore>();

/** Runs work, and all that it begins, with this store. */
export function runWith<T>(store: RequestStore, run: () => T): T {
  return storage.run(store, run);
}

export function getStore(): RequestStore | undefined {
  return storage.getStore();
}

/** A value that is determined once per request; outside of requests, in background work and within writes each time. */
export class PerRequest<T> {
  private readonly values = new WeakMap<object, Promise<T>>();

  get(determine: () => Promise<T>): Promise<T> {
    const scope = getStore()?.scope;
    if (!scope) return determine();
    const known = this.values.get(scope);
    if (known) return known;
    const value = determine();
    this.values.set(scope, value);
    value.catch(() => this.values.delete(scope));
    return value;
  }

  /** Determines the value of the current request again, after a change by this request. */
  reset(): void {
    const scope = getStore()?.scope;
    if (scope) this.values.delete(scope);
  }
}
