import { setTimeout } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { calendarSettings } from '../../../calendar/calendar-settings.js';
import { withinBudget, runInBackground } from '../../../common/context/abort.js';
import {
  TableVersions,
  type ChangeListener,
  type TableSnapshot,
} from '../../../database/table-versions.service.js';
import { Database } from '../../../database/database.js';
import { Metrics } from '../../../observability/metrics/metrics.service.js';
import type { PostPage } from '../../base/list-query.js';
import { SettingsService } from '../../../wordpress/options/settings.service.js';
import type { PlacedRow } from '../../../wordpress/posts/list-order.js';
import type { PostQuery } from '../../../wordpress/posts/post-query.js';
import type { PostRow } from '../../../wordpress/posts/post-record.js';
import { PostsService } from '../../../wordpress/posts/posts.service.js';
import { type ComparedColumns, comparedColumns } from '../compared-columns.js';
import type { EventIndex } from './event-index.js';
import { type LoadedIndex, loadEventIndex } from './event-index-loader.js';
import { COMMON_PARTS, INDEX_PARTS, INDEX_TABLES, type IndexPart, tableOf } from './event-index-sources.js';
import type { EventIndexQuery } from './event-index-query.js';
import { SortedResults } from './sorted-results.js';
import { sortableDate } from './sortable-date.js';
import { yielder } from './sorted-order.js';

/** Of twenty-one seconds one may be spent on reading: 5 % of the time. */
const REST = 20;
/** So many occurrences are read in a twentieth of a second: they may be read whenever something has changed. */
const FEW = 2500;
/** Rows that are compared for a single list; more only for so many lists that SQL would take longer for them. */
const FEW_ROWS = 50_000;
const SEVERAL = 3;
/** So many milliseconds after the start the first list has the database to itself, which counts it. */
const START = 1_000;
/** Lists that came within so many milliseconds came together. */
const LATELY = 3_000;
/** What takes longer, in milliseconds, would be late all the same: it is begun when lists wait, for all of them together. */
const MAX_AHEAD = 600;
/** What is being read when a list comes may not know of what it has to know of. */
const TRIES = 3;

/** An index and what it was made of; without one where the site's dates allow none. */
interface Built {
  version: number;
  columns: string;
  loaded?: LoadedIndex;
}

/**
 * Answers lists of published events from memory: of what was read of the tables when `Changes` last looked. It follows changes
 * while it is asked; where it does not, SQL has to answer
 * (docs/behaviour/caching.md#the-index-of-dates).
 */
@Injectable()
export class EventIndexService implements ChangeListener, OnApplicationBootstrap, OnModuleDestroy {
  private readonly questions = new WeakMap<PostQuery, { question: EventIndexQuery; revision: number }>();
  private built?: Built;
  private beginning?: Promise<void>;
  private building?: Promise<void>;
  private compared?: ComparedColumns;
  private readonly orders: SortedResults;
  /** What lists wait for: whoever begins next follows all of it. */
  private readonly wanted = new Set<IndexPart>();
  /** When the last lists came. */
  private readonly askedAt: number[] = [];
  /** How long following the common parts took last, in milliseconds. */
  private took = 0;
  private restsUntil = 0;
  private readonly closing = new AbortController();
  private readonly logger = new Logger('EventIndex');

  constructor(
    private readonly database: Database,
    private readonly posts: PostsService,
    private readonly changes: TableVersions,
    private readonly settings: SettingsService,
    private readonly metrics: Metrics,
  ) {
    changes.onChange(this);
    this.orders = new SortedResults(database, changes, (compared) => this.last(compared));
  }

  /** Begun though nobody asks: behind lists that SQL answers it would take longer. */
  onApplicationBootstrap(): void {
    const begin = async () =>
      this.current(comparedColumns(calendarSettings(await this.settings.current())), INDEX_PARTS);
    this.restsUntil = performance.now() + START;
    // What is wrong shows with the first request.
    this.beginning = setTimeout(START, undefined, { ref: false, signal: this.closing.signal })
      .then(() => runInBackground(begin))
      .then(
        () => undefined,
        () => undefined,
      );
  }

  /** Notes what a list asks for: the index may answer it as long as nobody narrows it further. */
  note(list: PostQuery, question: EventIndexQuery | undefined): void {
    if (question) this.questions.set(list, { question, revision: list.revision });
  }

  /** A list's page as SQL would answer it; undefined where it has to. */
  async page(list: PostQuery): Promise<PostPage | undefined> {
    const noted = this.questions.get(list);
    if (!noted || noted.revision !== list.revision) return undefined;
    this.askedAt.push(performance.now());
    if (this.askedAt.length > SEVERAL) this.askedAt.shift();
    const { slice } = list;
    const { question } = noted;
    const index = await this.current(question.columns, partsOf(question));
    const answer = index && (await this.orders.answer(index, question, slice));
    this.metrics.countLookups('event_index', answer !== undefined);
    if (!answer) return undefined;
    const { ids, total } = answer;
    const read = slice.isPlaced ? () => placedRows(list, ids) : () => this.rows(ids);
    // What is gone or hidden by now was not when the list was asked for.
    return { ids, total, rows: async () => (await read()) ?? list.rows() };
  }

  /** The ids of all that lists show, as far as that is known, what begins next first; `now` in epoch milliseconds. */
  async listed(now: number): Promise<Float64Array> {
    const [date = '', time = ''] = new Date(now).toISOString().split(/[T.]/);
    const index = this.last();
    const listed = index?.read(() => index.listed(sortableDate(`${date} ${time}`), yielder()));
    return (await listed) ?? new Float64Array();
  }

  /** Waits for what is being read at the moment, if anything is. */
  async settled(): Promise<void> {
    await this.beginning;
    await this.building;
  }

  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    await this.building;
    await this.orders.settled();
  }

  get expectedDelay(): number | undefined {
    const isResting = this.closing.signal.aborted || performance.now() < this.restsUntil;
    const isAble = this.canFollow && !isResting && this.took < MAX_AHEAD;
    return isAble && this.isInDemand ? this.took : undefined;
  }

  async catchUp(versions: TableSnapshot): Promise<void> {
    while (this.building) await this.building;
    const { compared: columns } = this;
    if (columns && this.expectedDelay !== undefined && !this.knows(columns, COMMON_PARTS, versions))
      await this.begin(columns, versions);
  }

  private get isInDemand(): boolean {
    const [first = Number.NEGATIVE_INFINITY] = this.askedAt;
    return this.askedAt.length === SEVERAL && performance.now() - first < LATELY;
  }

  /** The index that there is; of these columns where some are given. */
  private last(compared?: ComparedColumns): EventIndex | undefined {
    const isOther = compared !== undefined && this.built?.columns !== nameOf(compared);
    return this.closing.signal.aborted || isOther ? undefined : this.built?.loaded?.index;
  }

  /** Whether it may be brought to what has changed at any time. */
  private get canFollow(): boolean {
    return this.database.dialect === 'mysql' && this.built?.loaded !== undefined;
  }

  /** Whether it has these parts as they were then, or later. */
  private knows(columns: ComparedColumns, parts: readonly IndexPart[], versions: TableSnapshot): boolean {
    const { built } = this;
    if (built?.columns !== nameOf(columns)) return false;
    const { loaded } = built;
    if (!loaded) return built.version >= versions.version(...INDEX_TABLES);
    return parts.every((part) => (loaded.versions.get(part) ?? 0) >= versions.version(tableOf(part)));
  }

  /** What knows of all changes of these parts that are known now. */
  private async current(
    columns: ComparedColumns,
    parts: readonly IndexPart[],
  ): Promise<EventIndex | undefined> {
    const versions = await this.changes.snapshot();
    if (!versions) return undefined;
    const isKnown = () => this.knows(columns, parts, versions);
    // Where values of metas are indexed SQL has events of a venue sooner than all links are compared.
    const isForSql = parts !== COMMON_PARTS && this.built?.loaded?.sources.areValuesIndexed;
    if (isForSql && !isKnown()) return undefined;
    if (!isKnown()) for (const part of parts) this.wanted.add(part);
    // Without an index of values SQL looks at all links twice, for the page and for the total.
    const isLong = this.canFollow && parts !== COMMON_PARTS;
    for (let tries = 0; tries < TRIES && !isKnown() && !this.closing.signal.aborted; tries++) {
      const isWorthIt = isLong || this.isInDemand || (this.built?.loaded?.rows ?? 0) <= FEW_ROWS;
      if (!this.building && isWorthIt && performance.now() >= this.restsUntil) this.begin(columns, versions);
      // SQL would keep the database from being done with it, and take longer.
      if (!this.building || !this.canFollow) break;
      await withinBudget(this.building);
    }
    return isKnown() ? this.last() : undefined;
  }

  private begin(columns: ComparedColumns, versions: TableSnapshot): Promise<void> {
    this.compared = columns;
    const parts = [...new Set([...COMMON_PARTS, ...this.wanted])];
    this.wanted.clear();
    this.building = runInBackground(() => this.build(columns, parts, versions)).finally(() => {
      this.building = undefined;
    });
    return this.building;
  }

  private async build(
    columns: ComparedColumns,
    parts: readonly IndexPart[],
    versions: TableSnapshot,
  ): Promise<void> {
    const began = performance.now();
    const version = versions.version(...INDEX_TABLES);
    const name = nameOf(columns);
    const { built } = this;
    const isSame = this.database.dialect === 'mysql' && built?.columns === name;
    const known = isSame ? built.loaded : undefined;
    // What can not be followed is of no use once something has changed.
    const isCurrent = async () =>
      this.database.dialect === 'mysql' ||
      (await this.changes.snapshot())?.version(...INDEX_TABLES) === version;
    const isWanted = async () => !this.closing.signal.aborted && (await isCurrent());
    if (!known) this.built = undefined;
    let hasFailed = false;
    try {
      const loaded = await loadEventIndex(
        { database: this.database, columns, versions, parts, isWanted },
        known,
      );
      this.built = { version, columns: name, loaded };
    } catch (error) {
      // What was followed so far is as good a beginning for the next time.
      this.logger.warn(
        `The index of dates could not be read: ${error instanceof Error ? error.message : error}`,
      );
      hasFailed = true;
    }
    const took = performance.now() - began;
    if (known && parts.length === COMMON_PARTS.length) this.took = took;
    const isFew = (this.built?.loaded?.index.size ?? FEW + 1) <= FEW;
    this.restsUntil = !hasFailed && (isFew || this.canFollow) ? 0 : performance.now() + REST * took;
  }

  /** The rows of the ids in their order; undefined when one is not published any more. */
  private async rows(ids: readonly number[]): Promise<PostRow[] | undefined> {
    if (ids.length === 0) return [];
    const rows = await this.posts.rows(ids);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const found = ids.flatMap((id) => byId.get(id) ?? []);
    return found.length === ids.length && found.every(({ status }) => status === 'publish')
      ? found
      : undefined;
  }
}

/** What the answer to a question depends on. */
const partsOf = ({ sets }: EventIndexQuery): readonly IndexPart[] => {
  const linked = sets.flatMap(({ kind }) => (kind === 'venue' || kind === 'organizer' ? [kind] : []));
  return linked.length === 0 ? COMMON_PARTS : [...COMMON_PARTS, ...linked];
};

const nameOf = ({ start, order }: ComparedColumns): string => `${start.sql} ${order.sql}`;

/** The rows of the ids in the list's order, each with its place; undefined when one is not in it any more. */
async function placedRows(list: PostQuery, ids: readonly number[]): Promise<PlacedRow[] | undefined> {
  if (ids.length === 0) return [];
  const rows = await list.rowsOf(ids);
  return rows.length === ids.length && rows.every(({ id }, at) => id === ids[at]) ? rows : undefined;
}
