import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { calendarSettings } from '../../../calendar/calendar-settings.js';
import { runInBackground, withinBudget } from '../../../common/context/abort.js';
import { endsWithin } from '../../../common/ends-within.js';
import { firstLine } from '../../../common/errors/first-line.js';
import { Database } from '../../../database/database.js';
import {
  type ChangeListener,
  type TableSnapshot,
  TableVersions,
} from '../../../database/table-versions.service.js';
import { Metrics } from '../../../observability/metrics/metrics.service.js';
import { SettingsService } from '../../../wordpress/options/settings.service.js';
import type { ListEntry, PlacedRow } from '../../../wordpress/posts/list-order.js';
import type { PostQuery } from '../../../wordpress/posts/post-query.js';
import { entryId, entryKey, type PostRow } from '../../../wordpress/posts/post-record.js';
import { PostsService } from '../../../wordpress/posts/posts.service.js';
import type { PostPage } from '../../base/list-query.js';
import { type ComparedColumns, comparedColumns } from '../compared-columns.js';
import type { EventIndex } from './event-index.js';
import { type LoadedIndex, loadEventIndex } from './event-index-loader.js';
import type { EventIndexQuery } from './event-index-query.js';
import { COMMON_PARTS, INDEX_PARTS, INDEX_TABLES, type IndexPart, tableOf } from './event-index-sources.js';
import { SortedResults } from './sorted-results.js';

/** Delay after the start, in milliseconds: the first list has the database to itself. */
const START_DELAY_MS = 1_000;
/** How long lists wait for the index, in milliseconds from the moment its reading began; then SQL answers. */
const MAX_WAIT_MS = 5_000;
/** The index is in demand while so many lists come within so many milliseconds. */
const DEMAND = 3;
const DEMAND_WINDOW_MS = 3_000;
/** Rows that are compared for a single list; more only on demand. */
const SMALL_ROWS = 50_000;
/** Occurrences that are read in a twentieth of a second: SQLite may read them after any change. */
const SMALL_INDEX = 2_500;
/** After a failure, and between reads of a larger index on SQLite, so many times the duration of the last read pass. */
const COOLDOWN_FACTOR = 20;
/** Updates that take longer, in milliseconds, begin when lists wait for them instead of ahead of time. */
const MAX_AHEAD_MS = 600;
/** An update that is under way may be of an older version than a list needs. */
const MAX_TRIES = 3;

/** An index and what it was read from; `loaded` is missing where the site's dates are invalid. */
interface Built {
  version: number;
  columns: string;
  loaded?: LoadedIndex;
}

/** Answers lists of published events from memory, as of a table snapshot (docs/behaviour/caching.md#event-index). */
@Injectable()
export class EventIndexService implements ChangeListener, OnApplicationBootstrap, OnModuleDestroy {
  private readonly queries = new WeakMap<PostQuery, { query: EventIndexQuery; revision: number }>();
  private readonly results: SortedResults;
  private built?: Built;
  /** The read or update under way, and when it began. */
  private building?: { done: Promise<void>; since: number };
  private starting?: Promise<void>;
  private columns?: ComparedColumns;
  /** The parts that lists wait for; the next update brings all of them up to date. */
  private readonly wanted = new Set<IndexPart>();
  /** When the last lists came. */
  private readonly listTimes: number[] = [];
  /** Milliseconds that the last update of the common parts took. */
  private updateTime = 0;
  private cooldownUntil = 0;
  private isStarted = false;
  private readonly closing = new AbortController();
  private readonly logger = new Logger('EventIndex');

  constructor(
    private readonly database: Database,
    private readonly posts: PostsService,
    private readonly versions: TableVersions,
    private readonly settings: SettingsService,
    private readonly metrics: Metrics,
  ) {
    versions.onChange(this);
    this.results = new SortedResults(database, versions, (columns) => this.latest(columns));
  }

  /** Reads the index soon after the start, even if no list needs it yet. */
  onApplicationBootstrap(): void {
    const start = async () => {
      await sleep(START_DELAY_MS, undefined, { ref: false, signal: this.closing.signal });
      this.isStarted = true;
      const columns = comparedColumns(calendarSettings(await this.settings.current()));
      await this.current(columns, INDEX_PARTS);
    };
    // Errors show with the first request.
    this.starting = runInBackground(start).catch(() => undefined);
  }

  /** Remembers the index query of a list; it counts as long as nothing narrows the list further. */
  note(list: PostQuery, query: EventIndexQuery | undefined): void {
    if (query) this.queries.set(list, { query, revision: list.revision });
  }

  /** A list's page as SQL would find it; undefined where SQL has to. */
  async page(list: PostQuery): Promise<PostPage | undefined> {
    const noted = this.queries.get(list);
    if (!noted || noted.revision !== list.revision) return undefined;
    this.listTimes.push(performance.now());
    if (this.listTimes.length > DEMAND) this.listTimes.shift();
    const { slice } = list;
    const index = await this.current(noted.query.columns, partsOf(noted.query));
    const found = index && (await this.results.find(index, noted.query, slice));
    this.metrics.countLookups('event_index', found !== undefined);
    if (!found) return undefined;
    const { entries, total } = found;
    const named = entries.map(({ id, row }) => ({
      id,
      ...(row !== undefined && { entry: list.entryOf(row) }),
    }));
    const [ids, keys] = [named.map(entryId), named.map(entryKey)];
    const rows = async () => (slice.isPlaced ? placedRows(list, entries) : this.rows(list, entries));
    // Records may have been deleted or hidden since.
    return { ids, keys, total, rows: async () => (await rows()) ?? list.rows() };
  }

  /** Whether any post may have several occurrences; undefined where the index is not current. */
  async anyHasSeveral(): Promise<boolean | undefined> {
    const snapshot = await this.versions.snapshot();
    const { versions, chunksWithSeveral } = this.built?.loaded ?? {};
    const version = versions?.get('tec_occurrences');
    const isKnown = snapshot && version !== undefined && version >= snapshot.version('tec_occurrences');
    return isKnown ? chunksWithSeveral && chunksWithSeveral.size > 0 : undefined;
  }

  /** Waits for the read or update under way. */
  async settled(): Promise<void> {
    await this.starting;
    await this.building?.done;
  }

  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    await this.settled();
    await this.results.settled();
  }

  /** Milliseconds that an update will take; undefined where none should run ahead of lists. */
  get expectedDelay(): number | undefined {
    const isSlow = this.updateTime >= MAX_AHEAD_MS;
    if (!this.canUpdate || !this.isInDemand || isSlow || this.isCoolingDown) return undefined;
    return this.updateTime;
  }

  /** Brings the index up to date with other writers' changes before lists know of them. */
  async catchUp(versions: TableSnapshot): Promise<void> {
    while (this.building) await this.building.done;
    const { columns } = this;
    if (columns && this.expectedDelay !== undefined && !this.isCurrent(columns, COMMON_PARTS, versions))
      await this.build(columns, versions).done;
  }

  /** The index that is current for these parts; undefined where SQL answers sooner. */
  private async current(
    columns: ComparedColumns,
    parts: readonly IndexPart[],
  ): Promise<EventIndex | undefined> {
    const versions = await this.versions.snapshot();
    if (!versions) return undefined;
    const isCurrent = () => this.isCurrent(columns, parts, versions);
    for (let tries = 0; tries < MAX_TRIES && !isCurrent(); tries++) {
      if (this.isForSql(parts)) return undefined;
      for (const part of parts) this.wanted.add(part);
      if (!this.building && !this.shouldBuild(parts)) return undefined;
      if (!(await this.waitFor(this.building ?? this.build(columns, versions)))) return undefined;
    }
    return isCurrent() ? this.latest() : undefined;
  }

  /** Whether SQL answers at once: dates are invalid, no update is possible, or an index of meta values finds a venue's events sooner. */
  private isForSql(parts: readonly IndexPart[]): boolean {
    if (this.closing.signal.aborted) return true;
    return parts !== COMMON_PARTS && this.built?.loaded?.sources.areValuesIndexed === true;
  }

  private shouldBuild(parts: readonly IndexPart[]): boolean {
    if (this.isCoolingDown) return false;
    // Without an index of values SQL compares all links twice, for the page and for the total.
    if (parts !== COMMON_PARTS && this.canWait) return true;
    if (!this.built && !this.isStarted) return this.listTimes.length > 1;
    return this.isInDemand || (this.built?.loaded?.rows ?? 0) <= SMALL_ROWS;
  }

  /** Waits for a read or an update, which SQL beside it would slow down; false where it takes too long. */
  private async waitFor({ done, since }: { done: Promise<void>; since: number }): Promise<boolean> {
    const left = since + MAX_WAIT_MS - performance.now();
    if (left <= 0 || !this.canWait) return false;
    return endsWithin(withinBudget(done), left);
  }

  private get isInDemand(): boolean {
    const [first = Number.NEGATIVE_INFINITY] = this.listTimes;
    return this.listTimes.length === DEMAND && performance.now() - first < DEMAND_WINDOW_MS;
  }

  private get isCoolingDown(): boolean {
    return this.closing.signal.aborted || performance.now() < this.cooldownUntil;
  }

  /** Whether lists may wait for the index: not on SQLite, nor where the site's dates are invalid. */
  private get canWait(): boolean {
    return this.database.dialect === 'mysql' && (!this.built || this.built.loaded !== undefined);
  }

  /** Whether the index can be updated instead of read anew. */
  private get canUpdate(): boolean {
    return this.database.dialect === 'mysql' && this.built?.loaded !== undefined;
  }

  /** The index of any version; of these columns where some are given. */
  private latest(columns?: ComparedColumns): EventIndex | undefined {
    const isOther = columns !== undefined && this.built?.columns !== nameOf(columns);
    return this.closing.signal.aborted || isOther ? undefined : this.built?.loaded?.index;
  }

  /** Whether the index is of this version or a later one. */
  private isCurrent(columns: ComparedColumns, parts: readonly IndexPart[], versions: TableSnapshot): boolean {
    const { built } = this;
    if (built?.columns !== nameOf(columns)) return false;
    const { loaded } = built;
    if (!loaded) return built.version >= versions.version(...INDEX_TABLES);
    return parts.every((part) => (loaded.versions.get(part) ?? 0) >= versions.version(tableOf(part)));
  }

  private build(columns: ComparedColumns, versions: TableSnapshot) {
    this.columns = columns;
    const parts = [...new Set([...COMMON_PARTS, ...this.wanted])];
    this.wanted.clear();
    const done = runInBackground(() => this.load(columns, parts, versions)).finally(() => {
      this.building = undefined;
    });
    this.building = { done, since: performance.now() };
    return this.building;
  }

  private async load(columns: ComparedColumns, parts: readonly IndexPart[], versions: TableSnapshot) {
    const { database } = this;
    const began = performance.now();
    const version = versions.version(...INDEX_TABLES);
    const name = nameOf(columns);
    const before = this.canUpdate && this.built?.columns === name ? this.built.loaded : undefined;
    // Where no update is possible, an index of an older version is of no use.
    const isUseful = async () =>
      database.dialect === 'mysql' || (await this.versions.snapshot())?.version(...INDEX_TABLES) === version;
    const shouldContinue = async () => !this.closing.signal.aborted && (await isUseful());
    let hasFailed = false;
    try {
      const options = { database, columns, versions, parts, shouldContinue };
      this.built = { version, columns: name, loaded: await loadEventIndex(options, before) };
    } catch (error) {
      this.logger.warn(`The event index could not be read: ${firstLine(error)}`);
      hasFailed = true;
    }
    const took = performance.now() - began;
    if (before && parts.length === COMMON_PARTS.length) this.updateTime = took;
    const isSmall = (this.built?.loaded?.index.size ?? SMALL_INDEX + 1) <= SMALL_INDEX;
    const mayFollow = !hasFailed && (isSmall || this.canUpdate);
    this.cooldownUntil = mayFollow ? 0 : performance.now() + COOLDOWN_FACTOR * took;
  }

  /** The rows of the entries in their order; undefined when one is not published any more. */
  private async rows(list: PostQuery, entries: readonly ListEntry[]): Promise<PostRow[] | undefined> {
    if (entries.length === 0) return [];
    const ids = [...new Set(entries.map(({ id }) => id))];
    const byId = new Map((await this.posts.rows(ids)).map((row) => [row.id, row]));
    const found = entries.flatMap(({ id, row }) => {
      const post = byId.get(id);
      if (!post) return [];
      return row === undefined ? post : { ...post, entry: list.entryOf(row) };
    });
    const arePublished = found.every(({ status }) => status === 'publish');
    return found.length === entries.length && arePublished ? found : undefined;
  }
}

/** The parts that the result of a query depends on. */
const partsOf = ({ sets }: EventIndexQuery): readonly IndexPart[] => {
  const linked = sets.flatMap(({ kind }) => (kind === 'venue' || kind === 'organizer' ? [kind] : []));
  return linked.length === 0 ? COMMON_PARTS : [...COMMON_PARTS, ...linked];
};

const nameOf = ({ start, order }: ComparedColumns): string => `${start.sql} ${order.sql}`;

/** The rows of the entries in the list's order, each with its place; undefined when one is not in it any more. */
async function placedRows(list: PostQuery, entries: readonly ListEntry[]): Promise<PlacedRow[] | undefined> {
  if (entries.length === 0) return [];
  const rows = await list.rowsOf(entries);
  const isSame = ({ id, entry }: PlacedRow, at: number) =>
    id === entries[at]?.id && entry?.row === entries[at]?.row;
  return rows.length === entries.length && rows.every(isSame) ? rows : undefined;
}
