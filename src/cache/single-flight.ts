import { canUseReplica, currentCaller, runFor } from '../common/context/abort.js';
import type { Caller } from '../common/context/request-store.js';

/** A joined call that fails within this time, in milliseconds, is repeated: its cause may predate the caller. */
const RETRY_WITHIN = 1000;

interface SingleFlightOptions {
  /** Repeats a joined call that failed, once for all its callers. */
  retries?: boolean;
  /** A call waits for the previous one of its key; callers with newer versions share the one that waits. */
  isSerial?: boolean;
  /** Calls that began longer ago, in milliseconds, are not joined. */
  maxAge?: number;
}

/** Runs one call per key at a time; concurrent callers of a key share its result. */
export class SingleFlight<K, V> {
  private readonly flights = new Map<K, Flight<V>>();

  constructor(private readonly options: SingleFlightOptions = {}) {}

  /**
   * Joins the running call of the key unless it began for an older version or was aborted, else begins one. `load` gets the
   * newest version that callers have asked for.
   */
  run(key: K, load: (version: number) => Promise<V>, version = 0): Promise<V> {
    const joined = this.joinable(key, version)?.join(version);
    if (!joined) return this.begin(key, load, version);
    if (!this.options.retries) return joined;
    const since = performance.now();
    return joined.catch((error: unknown) => {
      if (performance.now() - since > RETRY_WITHIN) throw error;
      return this.joinable(key, version)?.join(version) ?? this.begin(key, load, version);
    });
  }

  /** Whether `run` would join a running call. */
  has(key: K, version = 0): boolean {
    return this.joinable(key, version) !== undefined;
  }

  /** Running calls are not joined any more. */
  clear(): void {
    this.flights.clear();
  }

  private joinable(key: K, version: number): Flight<V> | undefined {
    const { maxAge = Number.POSITIVE_INFINITY } = this.options;
    const flight = this.flights.get(key);
    if (!flight || flight.aborted || performance.now() - flight.since > maxAge) return undefined;
    return flight.version >= version || !flight.hasBegun ? flight : undefined;
  }

  private begin(key: K, load: (version: number) => Promise<V>, version: number): Promise<V> {
    const previous = this.options.isSerial ? this.flights.get(key)?.result : undefined;
    const flight = new Flight(version, load, previous);
    this.flights.set(key, flight);
    const end = () => {
      if (this.flights.get(key) === flight) this.flights.delete(key);
    };
    flight.result.then(end, end);
    return flight.result;
  }
}

/** A call that several callers wait for; it is aborted when all of them have disconnected. */
class Flight<V> implements Caller {
  readonly result: Promise<V>;
  readonly canUseReplica = canUseReplica();
  readonly budget = currentCaller()?.budget;
  readonly since = performance.now();
  hasBegun = false;
  private readonly callers = [currentCaller() ?? { aborted: false }];

  constructor(
    public version: number,
    private readonly load: (version: number) => Promise<V>,
    previous?: Promise<unknown>,
  ) {
    const begin = () => this.begin();
    this.result = previous ? previous.then(begin, begin) : begin();
  }

  get aborted(): boolean {
    return this.callers.every(({ aborted }) => aborted);
  }

  join(version: number): Promise<V> {
    this.callers.push(currentCaller() ?? { aborted: false });
    this.version = Math.max(this.version, version);
    return this.result;
  }

  private begin(): Promise<V> {
    this.hasBegun = true;
    return runFor(this, () => this.load(this.version));
  }
}
