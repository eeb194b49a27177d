import { Injectable, Logger } from '@nestjs/common';
import { getStore, runWith } from '../context/request-store.js';
import { RestException } from '../errors/rest-exception.js';

/** A value that plugins may change, or reject by throwing, before it is used; filters run one after the other. */
export interface FilterHook<Value, Args> {
  readonly name: string;
  /** Never set; carries the types of a filter's parameters. */
  readonly types?: readonly [Value, Args];
}

/** A step of a write. Before the commit a failing action rejects the write; after it, failures are only logged. */
export interface ActionHook<Args> {
  readonly name: string;
  /** Never set; carries the type of an action's parameter. */
  readonly types?: readonly [Args];
}

/** A plugin's filter: returns the value to use. */
export type Filter<Value, Args> = (value: Value, args: Args) => Value | Promise<Value>;

export type Action<Args> = (args: Args) => void | Promise<void>;

/** Filters return a value, actions return nothing. */
export type HookKind = 'filter' | 'action';

/** The priority of a listener, 10 by default: listeners with a lower one run earlier. */
export type HookPriority = number | { priority?: number };

interface Listener {
  kind: HookKind;
  priority: number;
  call: (...args: never[]) => unknown;
}

/** The registry of filters and actions by name, run by ascending priority, then as added. */
@Injectable()
export class Hooks {
  private readonly listeners = new Map<string, Listener[]>();
  readonly defined = new Map<string, HookKind>();
  private check: (name: string, kind: HookKind) => void = () => undefined;
  private readonly logger = new Logger('Hooks');

  /** Defines hooks; code that calls a hook must define it before the server has started. */
  define(kind: HookKind, ...names: readonly string[]): void {
    for (const name of names) this.defined.set(name, kind);
  }

  /** Checks the name of every listener, added before or later. */
  checkNames(check: (name: string, kind: HookKind) => void): void {
    this.check = check;
    for (const [name, listeners] of this.listeners) for (const { kind } of listeners) check(name, kind);
  }

  addFilter<Value, Args>(
    hook: FilterHook<Value, Args>,
    // Not inferred, so that `{ ...fields, status: 'pending' }` has the type of the hook.
    filter: NoInfer<Filter<Value, Args>>,
    priority?: HookPriority,
  ): void;
  addFilter<Value, Args>(hook: string, filter: Filter<Value, Args>, priority?: HookPriority): void;
  addFilter(hook: FilterHook<unknown, unknown> | string, call: Listener['call'], priority?: HookPriority) {
    checkFunction(hook, call);
    this.add(hook, { kind: 'filter', priority: toNumber(priority), call });
  }

  addAction<Args>(hook: ActionHook<Args> | string, action: Action<Args>, priority?: HookPriority): void {
    checkFunction(hook, action);
    this.add(hook, { kind: 'action', priority: toNumber(priority), call: action });
  }

  /** Whether a hook has listeners; without any, its input need not be prepared. */
  has({ name }: { name: string }): boolean {
    return this.listeners.has(name);
  }

  /** Whether a hook with a matching name has listeners. */
  hasAny(pattern: RegExp): boolean {
    return [...this.listeners.keys()].some((name) => pattern.test(name));
  }

  /** Applies all filters to a value; errors propagate. */
  async apply<Value, Args>(hook: FilterHook<Value, Args>, value: Value, args: Args): Promise<Value> {
    let result = value;
    for (const listener of this.listeners.get(hook.name) ?? [])
      result = await callFilter(hook, listener, result, args);
    return result;
  }

  /** Applies filters to rendered data; after a committed write an error is logged and the value stays unchanged. */
  async applyRendered<Value, Args>(hook: FilterHook<Value, Args>, value: Value, args: Args): Promise<Value> {
    let result = value;
    for (const listener of this.listeners.get(hook.name) ?? [])
      try {
        result = await callFilter(hook, listener, result, args);
      } catch (error) {
        if (!getStore()?.isWritten) throw error;
        this.logFailure(hook, error);
      }
    return result;
  }

  /** Runs all actions; a failing one does not stop the others. */
  async run<Args>(hook: ActionHook<Args>, args: Args): Promise<void> {
    for (const { call } of this.listeners.get(hook.name) ?? [])
      try {
        await (call as Action<Args>)(args);
      } catch (error) {
        this.logFailure(hook, error);
      }
  }

  /** Runs all actions until one fails; throws its error, or 503 `hook_timeout` after `limit` milliseconds. */
  async enforce<Args>(
    hook: ActionHook<Args>,
    limit: number,
    toArgs: (signal: AbortSignal) => Args,
  ): Promise<void> {
    const listeners = this.listeners.get(hook.name) ?? [];
    if (listeners.length === 0) return;
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const message = `The hook ${hook.name} took longer than ${limit} ms; nothing was written.`;
        this.logger.error(message);
        const error = new RestException('busy', 'hook_timeout', message);
        abort.abort(error);
        reject(error);
      }, limit);
    });
    try {
      const args = toArgs(abort.signal);
      const store = { ...getStore(), hook: hook.name };
      for (const { call } of listeners)
        await Promise.race([runWith(store, () => (call as Action<Args>)(args)), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private logFailure({ name }: { name: string }, error: unknown): void {
    this.logger.error(`${name}: ${error instanceof Error ? error.stack : error}`);
  }

  private add(hook: { name: string } | string, listener: Listener): void {
    const name = typeof hook === 'string' ? hook : hook.name;
    this.check(name, listener.kind);
    const listeners = [...(this.listeners.get(name) ?? []), listener];
    this.listeners.set(
      name,
      listeners.toSorted((a, b) => a.priority - b.priority),
    );
  }
}

async function callFilter<Value, Args>(
  { name }: FilterHook<Value, Args>,
  { call }: Listener,
  value: Value,
  args: Args,
): Promise<Value> {
  const result = await (call as Filter<Value, Args>)(value, args);
  if (result === undefined) throw new Error(`A filter of ${name} returned nothing.`);
  return result;
}

const toNumber = (priority: HookPriority = 10): number =>
  typeof priority === 'number' ? priority : (priority.priority ?? 10);

/** Throws early for a listener that is no function. */
function checkFunction(hook: { name: string } | string, call: unknown): void {
  if (typeof call === 'function') return;
  throw new TypeError(`The hook ${typeof hook === 'string' ? hook : hook.name} needs a function.`);
}
