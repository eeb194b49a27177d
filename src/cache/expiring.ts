/** A value with the time until which it stays the same, as far as time goes: epoch milliseconds, Infinity for ever. */
export class Expiring<T> {
  constructor(
    readonly value: T,
    readonly expiresAt: number,
  ) {}

  /** A value that does not depend on time, or one that says itself when it expires. */
  static of<T>(value: T | Expiring<T>): Expiring<T> {
    return value instanceof Expiring ? value : new Expiring(value, Number.POSITIVE_INFINITY);
  }
}

/** Takes the value out of a part; the whole expires with it at the latest. */
export type Unwrap = <T>(part: Expiring<T>) => T;

/** Composes a value of parts; it expires with the first of them. */
export function combine<T>(make: (unwrap: Unwrap) => T): Expiring<T> {
  let expiresAt = Number.POSITIVE_INFINITY;
  const value = make((part) => {
    expiresAt = Math.min(expiresAt, part.expiresAt);
    return part.value;
  });
  return new Expiring(value, expiresAt);
}
