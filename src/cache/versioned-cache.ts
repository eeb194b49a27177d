import { LRUCache } from 'lru-cache';
import { runInBackground, withinBudget } from '../common/context/abort.js';
import type { TableSnapshot } from '../database/table-versions.service.js';
import { SingleFlight } from './single-flight.js';

interface VersionedCacheOptions<K, V> {
  /** Names without the site's prefix; absent: all tables of content. */
  tables?: readonly string[];
  maxSize: number;
  /** By default 1; what exceeds `maxEntrySize` (`maxSize` by default) is not cached. */
  sizeOf?: (value: V, key: K) => number;
  maxEntrySize?: number;
  /** For expensive loads: one at a time per key, which goes on when its callers disconnect. */
  isSerial?: boolean;
}

interface Entry<V> {
  version: number;
  value: V;
}

/** An LRU whose entries hold while the named tables are unchanged; concurrent loads of a key share one call. */
export class VersionedCache<K extends string | number, V> {
  private readonly entries: LRUCache<K, Entry<V>>;
  private readonly flights: SingleFlight<K, V>;
  /** Results of loads that began before `clear` are not cached. */
  private epoch = 0;

  constructor(private readonly options: VersionedCacheOptions<K, V>) {
    const { maxSize, isSerial = false } = options;
    this.entries = new LRUCache({ maxSize });
    this.flights = new SingleFlight({ isSerial, retries: !isSerial });
  }

  /** The value as of the snapshot or later; without a snapshot it is loaded and not cached. */
  async get(key: K, snapshot: TableSnapshot | undefined, load: () => Promise<V>): Promise<V> {
    if (!snapshot) return load();
    const version = this.versionOf(snapshot);
    const cached = this.entry(key, version);
    return cached ? cached.value : this.load(key, version, load);
  }

  /** Values by key, also those that are undefined; what is not cached is loaded with one call. */
  async getMany(
    keys: readonly K[],
    snapshot: TableSnapshot | undefined,
    loadMissing: (keys: readonly K[]) => Promise<ReadonlyMap<K, NonNullable<V>>>,
  ): Promise<Map<K, V>> {
    if (!snapshot) return new Map(await loadMissing(keys));
    const version = this.versionOf(snapshot);
    const values = new Map<K, V>();
    // A key may be joined by callers that outlast the one which began the batch.
    const load = batched((some: readonly K[]) => runInBackground(() => loadMissing(some)));
    const missing = keys.filter((key) => {
      const cached = this.entry(key, version);
      if (cached) values.set(key, cached.value);
      return !cached;
    });
    const loading = missing.map(async (key) => {
      values.set(key, await this.load(key, version, async () => (await load(key)) as V));
    });
    await Promise.all(loading);
    return values;
  }

  /** The cached value if it holds for the snapshot. */
  peek(key: K, snapshot: TableSnapshot): V | undefined {
    return this.entry(key, this.versionOf(snapshot))?.value;
  }

  /** Running loads are neither joined nor cached. */
  clear(): void {
    this.epoch += 1;
    this.entries.clear();
    this.flights.clear();
  }

  private versionOf(snapshot: TableSnapshot): number {
    const { tables } = this.options;
    return tables ? snapshot.version(...tables) : snapshot.contentVersion;
  }

  private entry(key: K, version: number): Entry<V> | undefined {
    const entry = this.entries.get(key);
    return entry && entry.version >= version ? entry : undefined;
  }

  private load(key: K, version: number, load: () => Promise<V>): Promise<V> {
    const { isSerial, sizeOf = () => 1, maxSize, maxEntrySize = maxSize } = this.options;
    const { epoch } = this;
    const loadAndCache = async (newest: number) => {
      const cached = this.entry(key, newest);
      if (cached) return cached.value;
      const value = await (isSerial ? runInBackground(load) : load());
      const size = sizeOf(value, key);
      const isNewest = (this.entries.peek(key)?.version ?? newest) <= newest;
      if (epoch === this.epoch && isNewest && size <= maxEntrySize)
        this.entries.set(key, { version: newest, value }, { size });
      return value;
    };
    return withinBudget(this.flights.run(key, loadAndCache, version));
  }
}

/** Loads with one call what is requested until `defer` resolves, by default in the same tick. */
export function batched<K, V>(
  loadMany: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  defer: () => Promise<void> = async () => undefined,
): (key: K) => Promise<V | undefined> {
  let batch: { keys: K[]; values: Promise<ReadonlyMap<K, V>> } | undefined;
  return async (key) => {
    if (!batch) {
      const keys: K[] = [];
      const values = defer().then(() => {
        batch = undefined;
        return loadMany(keys);
      });
      batch = { keys, values };
    }
    batch.keys.push(key);
    return (await batch.values).get(key);
  };
}
