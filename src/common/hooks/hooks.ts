import { Injectable, Logger } from '@nestjs/common';
import { getStore } from '../context/request-store.js';

/** A value that plugins may change, or refuse by throwing, before it is used; awaited, one after the other. */
export interface FilterHook<Value, Args> {
  readonly name: string;
  /** Never set: holds the types of what a filter gets. */
  readonly types?: readonly [Value, Args];
}

/** Something that has happened, after the commit: what plugins do then can not undo it, and its failure is logged only. */
export interface ActionHook<Args> {
  readonly name: string;
  /** Never set: holds the type of what an action gets. */
  readonly types?: readonly [Args];
}

/** What a plugin adds to a filter: the value as it is from here on. */
export type Filter<Value, Args> = (value: Value, args: Args) => Value | Promise<Value>;

/** What a plugin adds to an action. */
export type Action<Args> = (args: Args) => void | Promise<void>;

/** A filter is given a value and returns it; an action is told what has happened. */
export type HookKind = 'filter' | 'action';

interface Listener {
  kind: HookKind;
  order: number;
  call: (...args: never[]) => unknown;
}

/** Where plugins join in: filters and actions under the field's names, run in the order of their numbers, then as added. */
@Injectable()
export class Hooks {
  private readonly listeners = new Map<string, Listener[]>();
  /** The hooks that something calls, by name. */
  readonly defined = new Map<string, HookKind>();
  private check: (name: string, kind: HookKind) => void = () => undefined;
  private readonly logger = new Logger('Hooks');

  /** Says that there are such hooks: what calls a hook of its own says so before the server has started. */
  define(kind: HookKind, ...names: readonly string[]): void {
    for (const name of names) this.defined.set(name, kind);
  }

  /** Has a check look at each name that something was, or will be, added to. */
  checkNames(check: (name: string, kind: HookKind) => void): void {
    this.check = check;
    for (const [name, listeners] of this.listeners) for (const { kind } of listeners) check(name, kind);
  }

  addFilter<Value, Args>(
    hook: FilterHook<Value, Args>,
    // Not inferred, so that `{ ...fields, status: 'pending' }` is taken for what the hook has.
    filter: NoInfer<Filter<Value, Args>>,
    order?: number,
  ): void;
  addFilter<Value, Args>(hook: string, filter: Filter<Value, Args>, order?: number): void;
  addFilter(hook: FilterHook<unknown, unknown> | string, call: Listener['call'], order = 10): void {
    checkFunction(hook, call);
    this.add(hook, { kind: 'filter', order, call });
  }

  addAction<Args>(hook: ActionHook<Args> | string, action: Action<Args>, order = 10): void {
    checkFunction(hook, action);
    this.add(hook, { kind: 'action', order, call: action });
  }

  /** Whether anybody listens: what a hook would be given need not be made otherwise. */
  has({ name }: { name: string }): boolean {
    return this.listeners.has(name);
  }

  /** Whether anybody listens to a hook with such a name. */
  hasAny(pattern: RegExp): boolean {
    return [...this.listeners.keys()].some((name) => pattern.test(name));
  }

  /** The value after all filters; what one throws is the caller's to see. */
  async apply<Value, Args>(hook: FilterHook<Value, Args>, value: Value, args: Args): Promise<Value> {
    let result = value;
    for (const listener of this.listeners.get(hook.name) ?? [])
      result = await filtered(hook, listener, result, args);
    return result;
  }

  /** The same for what is shown; behind a write, which is stored, what a filter throws is logged and changes nothing. */
  async applyRendered<Value, Args>(hook: FilterHook<Value, Args>, value: Value, args: Args): Promise<Value> {
    if (!getStore()?.isWritten) return this.apply(hook, value, args);
    let shown = value;
    for (const listener of this.listeners.get(hook.name) ?? [])
      try {
        shown = await filtered(hook, listener, shown, args);
      } catch (error) {
        this.logFailure(hook, error);
      }
    return shown;
  }

  /** Runs all actions; one that fails does not keep the others from running. */
  async run<Args>(hook: ActionHook<Args>, args: Args): Promise<void> {
    for (const { call } of this.listeners.get(hook.name) ?? [])
      try {
        await (call as Action<Args>)(args);
      } catch (error) {
        this.logFailure(hook, error);
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
      listeners.toSorted((a, b) => a.order - b.order),
    );
  }
}

async function filtered<Value, Args>(
  { name }: FilterHook<Value, Args>,
  { call }: Listener,
  value: Value,
  args: Args,
): Promise<Value> {
  const result = await (call as Filter<Value, Args>)(value, args);
  if (result === undefined) throw new Error(`A filter of ${name} returned nothing.`);
  return result;
}

/** Throws at once where there is nothing to call: it would fail with the first request. */
function checkFunction(hook: { name: string } | string, call: unknown): void {
  if (typeof call === 'function') return;
  throw new TypeError(`The hook ${typeof hook === 'string' ? hook : hook.name} needs a function.`);
}
