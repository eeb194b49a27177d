import { getStore } from './request-store.js';

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
