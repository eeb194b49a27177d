import { Injectable, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Sql } from 'sql-template-tag';
import { firstLine } from '../common/errors/first-line.js';
import { RestException } from '../common/errors/rest-exception.js';
import { Environment } from '../config/env.js';
import { Database } from '../database/database.js';
import { isDatabaseUnavailable, isReadOnlyException, isRetryable } from '../database/database-errors.js';
import { type RequestContext, toWriteContext } from '../http/request-context.js';
import { RequestContexts } from '../http/request-contexts.service.js';
import { Idempotency } from '../http/safe-writes/idempotency.service.js';
import { FollowedFeeds } from '../imports/followed-feeds.service.js';
import { parseWallClock } from '../lib/wordpress-text/dates/wall-clock.js';
import type { PostListQuery } from '../resources/base/list-query.js';
import { PostResourceService } from '../resources/base/post-resource.service.js';
import type { PostInput } from '../resources/base/record-writer.js';
import type { LoadedPost } from '../resources/base/resource.js';
import { SeriesHorizon } from '../resources/events/recurrence/series-horizon.service.js';
import { isDue, isTrashedSince } from '../wordpress/posts/post-dates.js';
import {
  type Place,
  type ScheduledPost,
  scheduledPosts,
  type TrashedPost,
  trashedPosts,
} from './due-posts.query.js';
import { ScheduleCounts } from './schedule-counts.js';

/** Maximum records per type and status in a run. */
const MAX_COUNT = 50;
const DAY = 86_400;

type Service = PostResourceService<string, PostInput, object, PostListQuery, LoadedPost>;

interface RunResult {
  hasMore: boolean;
  /** When the next record is due, in epoch milliseconds, if within the requested time. */
  nextAt?: number;
}

/**
 * Publishes due scheduled records (W25) and deletes records that were in the trash for `EMPTY_TRASH_DAYS`, of every
 * resource (docs/behaviour/writes.md#scheduled-records), and stores the next dates of recurring events; followed feeds
 * are imported in the background. Concurrent runs are harmless.
 */
@Injectable()
export class ScheduleRun {
  /** Start position of the next run, so that failing records block no others. */
  private readonly places = new Map<string, Place>();
  /** Failed records, each logged once. */
  private readonly failed = new Set<number>();
  private isStopped = false;
  private readonly logger = new Logger('Schedule');

  constructor(
    private readonly env: Environment,
    private readonly database: Database,
    private readonly contexts: RequestContexts,
    private readonly discovery: DiscoveryService,
    private readonly counts: ScheduleCounts,
    private readonly horizon: SeriesHorizon,
    private readonly feeds: FollowedFeeds,
    private readonly idempotency: Idempotency,
  ) {}

  /** Processes a few due records per resource and finds the next one within `ahead` ms; throws if it cannot write. */
  async once(ahead = 0): Promise<RunResult> {
    this.counts.runs += 1;
    const result: RunResult = { hasMore: false };
    for (const service of this.services()) {
      await this.publish(service, ahead, result);
      if (this.env.emptyTrashDays > 0) await this.emptyTrash(service, result);
    }
    await this.extendSeries(result);
    await this.idempotency.trim();
    this.feeds.start();
    return result;
  }

  /** Stops a run after the current record. */
  stop(): void {
    this.isStopped = true;
  }

  private async publish(service: Service, ahead: number, result: RunResult): Promise<void> {
    const { type, capabilities, singular } = service.resource;
    const context = toWriteContext(await this.getContext(`publish_${capabilities}`));
    const { zone } = context.settings;
    const by = context.now + ahead;
    await this.walk<ScheduledPost>(
      `future ${type}`,
      (after) => scheduledPosts(this.database, type, { by, zone, after, most: MAX_COUNT }),
      result,
      async (post) => {
        if (isDue(post, context.now, zone)) {
          const isPublished = await service.publishDue(post.id, context);
          if (isPublished) this.logger.log(`Published the ${singular} ${post.id}, which was scheduled.`);
          this.counts.published += Number(isPublished);
          return isPublished;
        }
        const at = (parseWallClock(post.dateGmt) ?? 0) * 1000;
        if (at > context.now) result.nextAt = Math.min(at, result.nextAt ?? at);
        return false;
      },
    );
  }

  private async emptyTrash(service: Service, result: RunResult): Promise<void> {
    const { type, singular } = service.resource;
    const context = toWriteContext(await this.getContext());
    const since = Math.floor(context.now / 1000) - this.env.emptyTrashDays * DAY;
    await this.walk<TrashedPost>(
      `trash ${type}`,
      (after) => trashedPosts(this.database, type, { after, most: MAX_COUNT }),
      result,
      async ({ id, trashedAt }) => {
        const isRemoved =
          isTrashedSince(trashedAt, since) && (await service.removeTrashed(id, since, context));
        if (isRemoved) this.logger.log(`Deleted the ${singular} ${id} for good, which was in the trash.`);
        this.counts.removed += Number(isRemoved);
        return isRemoved;
      },
    );
  }

  /** Stores the next dates of recurring events. */
  private async extendSeries(result: RunResult): Promise<void> {
    const context = toWriteContext(await this.getContext());
    const due = await this.horizon.due(context.now, MAX_COUNT);
    let [tried, done] = [0, 0];
    while (tried < due.length && !this.isStopped) {
      const attempt = (id: number, work: () => Promise<boolean>) => this.attempt(id, work);
      const part = await this.horizon.moveOn(due.slice(tried), context, attempt);
      tried += part.tried;
      done += part.done;
    }
    result.hasMore ||= due.length === MAX_COUNT && done > 0;
  }

  /** Continues after the last run's position; `work` returns whether it did something. */
  private async walk<Row extends Place>(
    name: string,
    query: (after?: Place) => Sql,
    result: RunResult,
    work: (row: Row) => Promise<boolean>,
  ): Promise<void> {
    const rows = await this.database.query<Row>(query(this.places.get(name)));
    let done = 0;
    for (const row of rows)
      try {
        if (!this.isStopped && (await this.attempt(row.id, () => work(row)))) done += 1;
      } catch (error) {
        // The rows are locked: the next run starts after them.
        if (isBusy(error)) this.places.set(name, row);
        throw error;
      }
    const last = rows.at(-1);
    if (last && rows.length === MAX_COUNT) this.places.set(name, last);
    else this.places.delete(name);
    result.hasMore ||= rows.length === MAX_COUNT && done > 0;
  }

  /** A failing record must not block others; a failing database ends the run. */
  private async attempt(id: number, work: () => Promise<boolean>): Promise<boolean> {
    try {
      const isDone = await work();
      this.failed.delete(id);
      return isDone;
    } catch (error) {
      if (isDatabaseUnavailable(error) || isBusy(error) || isReadOnlyException(error)) throw error;
      // It has rolled back the transaction that the record is part of, which is repeated.
      if (isRetryable(error)) throw error;
      this.counts.failures += 1;
      if (!this.failed.has(id))
        this.logger.error(`The record ${id} could not be written: ${firstLine(error)}`);
      this.failed.add(id);
      return false;
    }
  }

  /** An anonymous context with only these capabilities, so that linked records stay. */
  private getContext(...capabilities: string[]): Promise<RequestContext> {
    return this.contexts.ofUser({ id: 0, capabilities: new Set(capabilities) });
  }

  /** The services of all post resources, including those of plugins. */
  private services(): Iterable<Service> {
    const found = this.discovery
      .getProviders()
      .map(({ instance }): unknown => instance)
      .filter((one): one is Service => one instanceof PostResourceService);
    return new Map(found.map((service) => [service.resource.type, service])).values();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof RestException && error.kind === 'busy';
}
