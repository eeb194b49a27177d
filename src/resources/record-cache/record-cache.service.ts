import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Expiring } from '../../cache/expiring.js';
import { Environment } from '../../config/env.js';
import { Database } from '../../database/database.js';
import { TableVersions } from '../../database/table-versions.service.js';
import { serializeJson } from '../../http/php-json.js';
import type { RequestContext } from '../../http/request-context.js';
import type { Timespan } from '../../http/request-time.js';
import type { SerializedJson } from '../../http/serialized-response.js';
import { Metrics } from '../../observability/metrics/metrics.service.js';
import type { SiteSettings } from '../../wordpress/options/site-settings.js';
import { rowChecksums } from './row-checksums.query.js';

/** What a rendered record depends on besides settings and terms. */
export interface Dependencies {
  /** Ids of all posts that it is made of, whether or not they exist; undefined where there may be others. */
  posts: readonly number[] | undefined;
  /** Whether it depends on what is rendered before it: then it must not be cached. */
  position: boolean;
}

/** The versions of the tables that a record is made of. */
interface Versions {
  contentVersion: number;
  /** Of the tables that row checksums do not cover. */
  unchecked: number;
}

/** The JSON of a record as lists show it to anonymous clients. */
interface CachedRecord extends Versions {
  /** Undefined where it depends on what is rendered before it. */
  json?: SerializedJson;
  settings: SiteSettings;
  validity: Timespan;
  posts?: readonly number[];
  /** The checksums of the posts, once they were read after a change. */
  checksum?: string;
}

type Checksums = ReadonlyMap<number, string>;

/** The tables that row checksums cover, and those that records are not made of. */
const CHECKED_TABLES = [
  'posts',
  'postmeta',
  'term_relationships',
  'term_taxonomy',
  'terms',
  'termmeta',
  'tec_events',
  'tec_occurrences',
] as const;

/** Bytes of an entry besides its JSON. */
const OVERHEAD = 400;
/** Records that are made of more posts are not compared. */
const MAX_POSTS = 50;
const MAX_CHECKSUMS = 20_000;

/** Caches the JSON of records in lists and single reads of anonymous clients, by row checksums (docs/behaviour/caching.md). */
@Injectable()
export class RecordCache {
  private readonly entries: LRUCache<string, CachedRecord>;
  /** Checksums of posts for the last version of the content. */
  private checksums = new Map<number, string>();
  private checksumsVersion = Number.NaN;

  constructor(
    env: Environment,
    private readonly tables: TableVersions,
    private readonly database: Database,
    private readonly metrics: Metrics,
  ) {
    const maxSize = Math.max(env.cache / 2, 1);
    const sizeCalculation = ({ json }: CachedRecord, key: string) =>
      (json?.json.length ?? 0) + key.length + OVERHEAD;
    this.entries = new LRUCache({ maxSize, maxEntrySize: Math.ceil(maxSize / 16), sizeCalculation });
  }

  /**
   * The cached records of a type for a list, opened before anything of the list is read; undefined where the versions of the
   * tables are unknown, or where plugins filter reads.
   */
  async open(type: string, context: RequestContext): Promise<RecordCacheView | undefined> {
    const snapshot = context.time.isFiltered ? undefined : await this.tables.snapshot();
    if (!snapshot) return undefined;
    const { contentVersion } = snapshot;
    return new RecordCacheView(this, type, context, {
      contentVersion,
      unchecked: contentVersion - snapshot.version(...CHECKED_TABLES),
    });
  }

  get(key: string): CachedRecord | undefined {
    return this.entries.get(key);
  }

  set(key: string, entry: CachedRecord): void {
    this.entries.set(key, entry);
  }

  countLookups(hits: number, misses: number): void {
    this.metrics.countLookups('records', true, hits);
    this.metrics.countLookups('records', false, misses);
  }

  /** The posts whose checksums say whether a record has changed; undefined where they cannot. */
  comparable(posts: readonly number[] | undefined): readonly number[] | undefined {
    const canCompare = this.database.dialect === 'mysql' && posts && posts.length > 0;
    return canCompare && posts.length <= MAX_POSTS ? posts : undefined;
  }

  /**
   * Renews the version of those entries whose checksums are the same. Returns the current checksums of the posts of the others,
   * read just now: rows that are read afterwards are at least as new.
   */
  async compare(
    entries: readonly CachedRecord[],
    { contentVersion, unchecked }: Versions,
  ): Promise<Checksums | undefined> {
    const old = entries.filter(
      (entry) => entry.contentVersion !== contentVersion && entry.unchecked === unchecked && entry.posts,
    );
    if (old.length === 0) return undefined;
    const { checksums, read } = await this.currentChecksums(postsOf(old), contentVersion);
    for (const entry of old)
      if (entry.checksum !== undefined && entry.checksum === checksumOf(entry.posts, checksums))
        entry.contentVersion = contentVersion;
    const unread = postsOf(old.filter((entry) => entry.contentVersion !== contentVersion)).filter(
      (id) => !read.has(id),
    );
    for (const [id, checksum] of unread.length > 0 ? await rowChecksums(this.database, unread) : [])
      read.set(id, checksum);
    return read;
  }

  /** Checksums no older than a version of the content, since many records show the same venue, and those that were read for this. */
  private async currentChecksums(ids: readonly number[], contentVersion: number) {
    if (this.checksumsVersion !== contentVersion || this.checksums.size > MAX_CHECKSUMS)
      this.checksums = new Map();
    this.checksumsVersion = contentVersion;
    const { checksums } = this;
    const unknown = ids.filter((id) => !checksums.has(id));
    const read = unknown.length > 0 ? await rowChecksums(this.database, unknown) : new Map<number, string>();
    for (const [id, checksum] of read) checksums.set(id, checksum);
    return { checksums, read };
  }
}

/** The cached records of one list. */
export class RecordCacheView {
  private checksums: Checksums = new Map();

  constructor(
    private readonly cache: RecordCache,
    private readonly type: string,
    private readonly context: RequestContext,
    private readonly versions: Versions,
  ) {}

  /** Whether checksums were read: rows that were read before may be older. */
  get hasChecksums(): boolean {
    return this.checksums.size > 0;
  }

  /**
   * The valid ones of these records, by key. None where one of them depends on what is rendered before it: then all have to be
   * rendered.
   */
  async getMany(keys: readonly string[]): Promise<ReadonlyMap<string, SerializedJson>> {
    const found = new Map<string, CachedRecord>();
    for (const key of keys) {
      const entry = this.cache.get(this.keyOf(key));
      if (entry?.settings === this.context.settings && this.context.time.isWithin(entry.validity))
        found.set(key, entry);
    }
    const areAlone = [...found.values()].every(({ json }) => json);
    if (areAlone)
      this.checksums = (await this.cache.compare([...found.values()], this.versions)) ?? this.checksums;
    const records = new Map<string, SerializedJson>();
    for (const [key, { json, contentVersion, validity }] of areAlone ? found : [])
      if (json && contentVersion === this.versions.contentVersion)
        records.set(key, this.context.time.expiring(json, validity.until).value);
    this.cache.countLookups(records.size, keys.length - records.size);
    return records;
  }

  /** Serializes a rendered record and caches it; one that depends on its position is returned as it is. */
  async add<Json extends object>(
    key: string,
    { value, expiresAt }: Expiring<Json>,
    { posts, position }: Dependencies,
  ): Promise<Json | SerializedJson> {
    const { settings, time } = this.context;
    const validity = time.validity(position ? Number.POSITIVE_INFINITY : expiresAt);
    const entry: CachedRecord = { ...this.versions, settings, validity };
    if (position) {
      this.cache.set(this.keyOf(key), entry);
      return value;
    }
    const json = await serializeJson(value);
    const compared = this.cache.comparable(posts);
    // The rows were read after their checksums: what changed in between shows in the next comparison.
    const checksum = checksumOf(compared, this.checksums);
    this.cache.set(this.keyOf(key), { ...entry, json, posts: compared, checksum });
    return json;
  }

  private keyOf(key: string): string {
    return `${this.context.base.namespace} ${this.type} ${key}`;
  }
}

const postsOf = (entries: readonly CachedRecord[]): number[] => [
  ...new Set(entries.flatMap(({ posts }) => posts ?? [])),
];

function checksumOf(posts: readonly number[] = [], checksums: Checksums): string | undefined {
  const all = posts.map((id) => checksums.get(id));
  return posts.length > 0 && all.every((checksum) => checksum !== undefined) ? all.join(',') : undefined;
}
