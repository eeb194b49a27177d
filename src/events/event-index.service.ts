import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { calendarSettings } from '../calendar/calendar-settings.js';
import { workForAnybody } from '../database/caller.js';
import { Changes } from '../database/changes.js';
import { Database } from '../database/database.js';
import { Metrics } from '../metrics/metrics.service.js';
import type { PostQuery } from '../wordpress/posts/post-query.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import type { PageOfPosts } from '../resources/asked-list.js';
import type { PostRow } from '../wordpress/posts/post-record.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { type ComparedColumns, comparedColumns } from './compared-columns.js';
import type { EventIndex } from './event-index.js';
import { INDEX_TABLES, loadEventIndex } from './event-index-loader.js';
import type { EventQuestion } from './event-question.js';

/** Of twenty seconds one may be spent on reading the index: 5 % of the time. */
const REST = 20;
/** So many occurrences are read in a twentieth of a second: they may be read whenever something has changed. */
const FEW = 2500;

/** An index and what it was made of; without one where the site's dates allow none. */
interface Built {
  version: number;
  columns: string;
  index?: EventIndex;
}

/**
 * Answers lists of published events from memory while nothing has changed since they were read; otherwise SQL has to
 * (docs/behaviour/caching.md#the-index-of-dates).
 */
@Injectable()
export class EventIndexService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly questions = new WeakMap<PostQuery, { question: EventQuestion; revision: number }>();
  private built?: Built;
  private building?: Promise<void>;
  private restsUntil = 0;
  private isClosing = false;
  private readonly logger = new Logger('EventIndex');

  constructor(
    private readonly database: Database,
    private readonly posts: PostsService,
    private readonly changes: Changes,
    private readonly settings: SettingsService,
    private readonly metrics: Metrics,
  ) {}

  /** Begun before anybody asks: behind lists that SQL answers it would take longer. */
  onApplicationBootstrap(): void {
    const begin = async () => this.current(comparedColumns(calendarSettings(await this.settings.current())));
    // What is wrong shows with the first request.
    workForAnybody(begin).catch(() => undefined);
  }

  /** Notes what a list asks for: the index may answer it as long as nobody narrows it further. */
  note(list: PostQuery, question: EventQuestion | undefined): void {
    if (question) this.questions.set(list, { question, revision: list.revision });
  }

  /** A list's page as SQL would answer it; undefined where it has to. */
  async page(list: PostQuery): Promise<PageOfPosts | undefined> {
    const noted = this.questions.get(list);
    if (!noted || noted.revision !== list.revision) return undefined;
    const index = await this.current(noted.question.columns);
    const answer = index?.answer(noted.question);
    this.metrics.countLookups('event_index', answer !== undefined);
    if (!answer) return undefined;
    const { ids, total } = answer;
    // What is gone or hidden by now was not when the list was asked for.
    return { ids, total, rows: async () => (await this.rows(ids)) ?? list.rows() };
  }

  /** Waits for what is being read at the moment, if anything is. */
  async settled(): Promise<void> {
    await this.building;
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    await this.building;
  }

  private async current(columns: ComparedColumns): Promise<EventIndex | undefined> {
    const version = await this.version();
    const name = nameOf(columns);
    if (this.built?.version === version && this.built?.columns === name) return this.built.index;
    // What has changed once never comes back.
    this.built = undefined;
    if (version === undefined || this.building || this.isClosing || performance.now() < this.restsUntil)
      return undefined;
    this.building = workForAnybody(() => this.build(columns, version)).finally(() => {
      this.building = undefined;
    });
    return undefined;
  }

  private async version(): Promise<number | undefined> {
    return (await this.changes.current())?.of(...INDEX_TABLES);
  }

  private async build(columns: ComparedColumns, version: number): Promise<void> {
    const began = performance.now();
    const isWanted = async () => !this.isClosing && (await this.version()) === version;
    try {
      const index = await loadEventIndex(this.database, columns, isWanted);
      this.built = { version, columns: nameOf(columns), index };
    } catch (error) {
      this.logger.warn(
        `The index of dates could not be read: ${error instanceof Error ? error.message : error}`,
      );
    }
    const took = performance.now() - began;
    // On a busy machine reading takes long, however little it is.
    const isSmall = this.built?.index !== undefined && this.built.index.size <= FEW;
    this.restsUntil = isSmall ? 0 : performance.now() + REST * took;
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

const nameOf = ({ start, order }: ComparedColumns): string => `${start.sql} ${order.sql}`;
