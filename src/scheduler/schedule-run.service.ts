import { Injectable, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Sql } from 'sql-template-tag';
import { RestException } from '../common/errors/rest-exception.js';
import { Environment } from '../config/env.js';
import { Database } from '../database/database.js';
import { isDatabaseAway, isReadOnlyException } from '../database/database-errors.js';
import { type RequestContext, toWriteContext } from '../http/request-context.js';
import { RequestContexts } from '../http/request-contexts.service.js';
import { parseWallClock } from '../lib/wordpress-text/dates/wall-clock.js';
import type { PostListQuery } from '../resources/base/list-query.js';
import { type PostInput, PostResourceService } from '../resources/base/post-resource.service.js';
import type { LoadedPost } from '../resources/base/resource.js';
import { isDue, isTrashedSince } from '../wordpress/posts/post-dates.js';
import {
  type Place,
  type ScheduledPost,
  scheduledPosts,
  type TrashedPost,
  trashedPosts,
} from './due-posts.query.js';
import { ScheduleCounts } from './schedule-counts.js';

/** How many records of a type and status a run looks at. */
const MAX_COUNT = 50;
const DAY = 86_400;

type Service = PostResourceService<string, PostInput, object, PostListQuery, LoadedPost>;

/** What a run came to. */
export interface RunResult {
  /** Whether something was done and more of it waits. */
  hasMore: boolean;
  /** When the next record is to be published, in epoch milliseconds, as far as that is within the time that was asked for. */
  nextAt?: number;
}

/**
 * Publishes the scheduled records whose time has come (W25) and deletes for good what was in the trash for `EMPTY_TRASH_DAYS`,
 * of every resource (docs/behaviour/writes.md#scheduled-records). Whoever runs it elsewhere at the same time does no harm.
 */
@Injectable()
export class ScheduleRun {
  /** Where the next look begins, so that what can not be done keeps nothing else from being done. */
  private readonly places = new Map<string, Place>();
  /** Records that could not be published or deleted: it is said once. */
  private readonly failed = new Set<number>();
  private isStopped = false;
  private readonly logger = new Logger('Schedule');

  constructor(
    private readonly env: Environment,
    private readonly database: Database,
    private readonly contexts: RequestContexts,
    private readonly discovery: DiscoveryService,
    private readonly counts: ScheduleCounts,
  ) {}

  /** Does what is due, a few records of each resource; tells what is due within so many milliseconds. Fails when nothing can be written. */
  async once(ahead = 0): Promise<RunResult> {
    this.counts.runs += 1;
    const result: RunResult = { hasMore: false };
    for (const service of this.services()) {
      await this.publish(service, ahead, result);
      if (this.env.emptyTrashDays > 0) await this.emptyTrash(service, result);
    }
    return result;
  }

  /** Lets a run that is under way end with the record that it is at. */
  stop(): void {
    this.isStopped = true;
  }

  private async publish(service: Service, ahead: number, result: RunResult): Promise<void> {
    const { type, capabilities, one } = service.resource;
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
          if (isPublished) this.logger.log(`Published the ${one} ${post.id}, which was scheduled.`);
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
    const { type, one } = service.resource;
    const context = toWriteContext(await this.getContext());
    const since = Math.floor(context.now / 1000) - this.env.emptyTrashDays * DAY;
    await this.walk<TrashedPost>(
      `trash ${type}`,
      (after) => trashedPosts(this.database, type, { after, most: MAX_COUNT }),
      result,
      async ({ id, trashedAt }) => {
        const isRemoved =
          isTrashedSince(trashedAt, since) && (await service.removeTrashed(id, since, context));
        if (isRemoved) this.logger.log(`Deleted the ${one} ${id} for good, which was in the trash.`);
        this.counts.removed += Number(isRemoved);
        return isRemoved;
      },
    );
  }

  /** Goes on where the last look ended, or begins anew; `work` says whether it did something. */
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
        // Somebody holds its rows: the next run begins behind it.
        if (isBusy(error)) this.places.set(name, row);
        throw error;
      }
    const last = rows.at(-1);
    if (last && rows.length === MAX_COUNT) this.places.set(name, last);
    else this.places.delete(name);
    result.hasMore ||= rows.length === MAX_COUNT && done > 0;
  }

  /** One record that can not be written must not be in the way of others; a database that can not is. */
  private async attempt(id: number, work: () => Promise<boolean>): Promise<boolean> {
    try {
      const isDone = await work();
      this.failed.delete(id);
      return isDone;
    } catch (error) {
      if (isDatabaseAway(error) || isOfDatabase(error)) throw error;
      this.counts.failures += 1;
      if (!this.failed.has(id))
        this.logger.error(
          `The record ${id} could not be written: ${error instanceof Error ? error.message : error}`,
        );
      this.failed.add(id);
      return false;
    }
  }

  /** Of nobody in particular, who may do this and nothing else: what a record is linked to stays as it is. */
  private getContext(...capabilities: string[]): Promise<RequestContext> {
    return this.contexts.ofUser({ id: 0, capabilities: new Set(capabilities) });
  }

  /** Of every resource whose records are posts, those of plugins too. */
  private services(): Iterable<Service> {
    const found = this.discovery
      .getProviders()
      .map(({ instance }): unknown => instance)
      .filter((one): one is Service => one instanceof PostResourceService);
    return new Map(found.map((service) => [service.resource.type, service])).values();
  }
}

/** Whether nothing at all can be written, which the next record would show again. */
function isOfDatabase(error: unknown): boolean {
  return isBusy(error) || isReadOnlyException(error);
}

function isBusy(error: unknown): boolean {
  return error instanceof RestException && error.reason === 'busy';
}
