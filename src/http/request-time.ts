import { Expiring } from '../cache/expiring.js';

const SECOND = 1000;
const HOUR = 3_600_000;
/** After so many milliseconds no value that depends on time is the same. */
const AGES = 20_000 * HOUR;

/** When a cached value is valid, in epoch milliseconds; until Infinity: at any time. */
export interface Timespan {
  from: number;
  until: number;
}

/** Whether a timespan includes a time; a clock may have been set back. */
export const includes = ({ from, until }: Timespan, now: number): boolean =>
  until === Number.POSITIVE_INFINITY || (from <= now && now < until);

/**
 * The time of a request. Reads get it only together with the expiry of what they make of it: what is cached by itself carries
 * its expiry on, and the response expires with the first value that was handed out.
 */
export class RequestTime {
  /** Epoch milliseconds. */
  readonly #now: number;
  #expiresAt: number;

  /** `isFiltered`: plugins filter reads, so that any response may depend on time. */
  constructor(
    now: number,
    readonly isFiltered = false,
  ) {
    this.#now = now;
    this.#expiresAt = isFiltered ? endOf(now, SECOND) : Number.POSITIVE_INFINITY;
  }

  /** The time of a write, whose response is never cached; for `toWriteContext`. */
  static ofWrite(time: RequestTime): number {
    return time.#now;
  }

  /** Makes a value of the time in epoch seconds; it expires with the current second. */
  atSecond<T>(make: (seconds: number) => T): Expiring<T> {
    return this.within(SECOND, make);
  }

  /** The same for a value that is constant within each of the spans of so many milliseconds that time is divided into. */
  within<T>(length: number, make: (seconds: number) => T): Expiring<T> {
    return this.expiring(make(inSeconds(this.#now)), endOf(this.#now, length));
  }

  /** Makes a value that only moves on with time: the same at two moments, it was the same in between. */
  steady<T>(make: (seconds: number) => T, isSame: (one: T, other: T) => boolean): Expiring<T> {
    const value = make(inSeconds(this.#now));
    const isAt = (time: number) => isSame(value, make(inSeconds(time)));
    if (isAt(this.#now + AGES)) return Expiring.of(value);
    const hour = endOf(this.#now, HOUR);
    return this.expiring(value, isAt(hour - 1) ? hour : endOf(this.#now, SECOND));
  }

  /** Hands out a value that expires, such as a cached one. */
  expiring<T>(value: T, expiresAt: number): Expiring<T> {
    this.#expiresAt = Math.min(this.#expiresAt, expiresAt);
    return new Expiring(value, expiresAt);
  }

  /** When the response to this request is valid, or what was made for it and expires at a time. */
  validity(expiresAt = this.#expiresAt): Timespan {
    return { from: this.#now, until: expiresAt };
  }

  /** Whether a cached value is valid at the time of this request. */
  isWithin(timespan: Timespan): boolean {
    return includes(timespan, this.#now);
  }
}

const inSeconds = (time: number): number => Math.floor(time / SECOND);

/** When the second, hour … that a time falls into is over; all in milliseconds. */
const endOf = (time: number, length: number): number => (Math.floor(time / length) + 1) * length;
