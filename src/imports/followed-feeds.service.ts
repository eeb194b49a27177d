import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import sql from 'sql-template-tag';
import { Clock } from '../common/clock.js';
import { runDetached } from '../common/context/abort.js';
import { firstLine } from '../common/errors/first-line.js';
import { Database } from '../database/database.js';
import { StartError } from '../database/start-error.js';
import { Transactions } from '../database/transactions.js';
import type { Services } from '../http/services.js';
import { asMap, type PhpArray, unserialize } from '../lib/wordpress-text/php-serialize.js';
import { OptionWriter } from '../wordpress/options/option-writer.js';
import { FeedError, type FeedVersion, feedKey, feedUrl } from './feed-fetch.js';
import type { Outcome } from './file-record.js';
import { type FeedOptions, importFeed } from './import-feed.js';

/** A feed that is imported again and again; times are epoch seconds. */
export interface FollowedFeed
  extends Omit<FeedOptions, 'note' | 'dryRun' | 'withdraw' | 'otherFeeds' | 'signal'> {
  /** Seconds between imports. */
  every: number;
  nextAt: number;
  /** The version that was imported last. */
  version?: FeedVersion;
  /** Failures since the last import, and the reason of the last one. */
  failures?: number;
  error?: string;
}

/** A feed as this process has stored it, and its version. */
interface Claimed {
  feed: FollowedFeed;
  version: FeedVersion | undefined;
}

/** The option with the feeds as JSON, by address. */
const FEEDS = 'almanac_feeds';
const MAX_FEEDS = 100;
/** For how long one process has a feed for itself, in seconds. */
const LEASE = 900;
/** The maximum time of an import in seconds; less than `LEASE`. */
const MAX_TIME = 600;
/** The maximum time between two tries of a failing feed, in seconds; its own interval may be longer. */
const MAX_DELAY = 86_400;

/** Imports followed feeds when they are due (docs/importing.md#feeds). One process at a time imports a feed. */
@Injectable()
export class FollowedFeeds implements OnModuleDestroy {
  private running?: Promise<unknown>;
  private readonly stopping = new AbortController();
  /** The last logged failure, which is not repeated. */
  private lastFailure = '';
  private readonly logger = new Logger('Feeds');
  private readonly services: Services;

  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly options: OptionWriter,
    private readonly clock: Clock,
    modules: ModuleRef,
  ) {
    this.services = { get: (type) => modules.get(type, { strict: false }) };
  }

  async list(): Promise<FollowedFeed[]> {
    const [row] = await this.database.query<{ value: string }>(
      sql`SELECT option_value AS value FROM ${this.database.table('options')} WHERE option_name = ${FEEDS}`,
    );
    return feedsIn(asMap(unserialize(row?.value ?? '')));
  }

  /** The keys of all followed feeds but the one of an address. */
  async otherFeeds(address: string): Promise<ReadonlySet<string>> {
    const urls = (await this.list()).map(({ url }) => url);
    return new Set(urls.filter((url) => url !== feedUrl(address)).map(feedKey));
  }

  /** Follows a feed, or changes how it is followed; throws `StartError` for too many. */
  async follow(feed: Omit<FollowedFeed, 'nextAt'>): Promise<void> {
    const url = feedUrl(feed.url);
    let isStored = false;
    await this.change((map) => {
      if (!map.has(url) && map.size >= MAX_FEEDS)
        throw new StartError(`At most ${MAX_FEEDS} feeds can be followed.`);
      map.set(url, JSON.stringify({ ...feed, url, nextAt: this.now() + feed.every }));
      isStored = true;
    });
    if (!isStored) throw new StartError(`The option ${FEEDS} is damaged: delete it to follow feeds again.`);
  }

  /** Follows a feed no longer; its events stay. Returns whether it was followed. */
  async forget(address: string): Promise<boolean> {
    let isKnown = false;
    await this.change((map) => {
      isKnown = map.delete(feedUrl(address));
    });
    return isKnown;
  }

  /** Imports due feeds in the background, unless that is going on. */
  start(): void {
    this.running ??= Promise.resolve(runDetached(() => this.runDue()))
      .then(
        () => '',
        (error: unknown) => `Followed feeds could not be imported: ${firstLine(error)}`,
      )
      .then((failure) => {
        if (failure && failure !== this.lastFailure) this.logger.warn(failure);
        this.lastFailure = failure;
        this.running = undefined;
      });
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Imports the feeds that are due, one after the other; returns how many. */
  async runDue(): Promise<number> {
    let done = 0;
    for (let claimed = await this.claim(); claimed; claimed = await this.claim()) {
      await this.run(claimed);
      done += 1;
    }
    return done;
  }

  /** Takes a due feed for this process. Its version is stored again at the end: until then a part may be imported. */
  private async claim(): Promise<Claimed | undefined> {
    const isDue = ({ nextAt }: FollowedFeed) => nextAt <= this.now();
    if (this.stopping.signal.aborted || !(await this.list()).some(isDue)) return undefined;
    let claimed: Claimed | undefined;
    await this.change((map) => {
      const due = feedsIn(map).find(isDue);
      claimed = undefined;
      if (!due) return;
      const { version, ...feed } = { ...due, nextAt: this.now() + LEASE };
      claimed = { feed, version };
      map.set(feed.url, JSON.stringify(feed));
    });
    return claimed;
  }

  private async run({ feed, version }: Claimed): Promise<void> {
    const { host } = new URL(feed.url);
    const { error: _error, failures = 0, ...rest } = feed;
    try {
      const found = await this.import(feed, version, host);
      await this.finish(feed, { ...rest, nextAt: this.now() + feed.every, ...(found && { version: found }) });
    } catch (error) {
      if (this.stopping.signal.aborted) {
        // The next server imports it at once.
        await this.finish(feed, { ...feed, nextAt: this.now() });
        return;
      }
      const reason = error instanceof FeedError ? `The feed ${error.message}` : firstLine(error);
      const delay = Math.max(feed.every, Math.min(feed.every * 2 ** Math.min(failures + 1, 20), MAX_DELAY));
      this.logger.warn(`${host}: ${reason} It is fetched again in ${Math.round(delay / 60)} minutes.`);
      await this.finish(feed, {
        ...rest,
        ...(version && error instanceof FeedError && { version }),
        nextAt: this.now() + delay,
        failures: failures + 1,
        error: reason,
      });
    }
  }

  private async import({ url, ...input }: FollowedFeed, version: FeedVersion | undefined, host: string) {
    const counts = new Map<Outcome, number>();
    const note = (line: string) => this.logger.warn(`${host}: ${line}`);
    const { signal } = this.stopping;
    const otherFeeds = await this.otherFeeds(url);
    const records = importFeed(this.services, { ...input, url, note, otherFeeds, signal }, version);
    const end = this.now() + MAX_TIME;
    let next = await records.next();
    for (; !next.done; next = await records.next()) {
      signal.throwIfAborted();
      if (this.now() > end)
        throw new StartError(`The feed takes longer than ${MAX_TIME / 60} minutes to import.`);
      const { outcome } = next.value;
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
    const changed = [...counts].filter(([outcome]) => outcome !== 'unchanged');
    const text = changed.map(([outcome, count]) => `${outcome}: ${count}`).join(', ');
    if (text) this.logger.log(`Imported the feed of ${host}: ${text}.`);
    return next.value;
  }

  /** Stores how an import ended, unless the feed was forgotten, changed or claimed again meanwhile. */
  private finish(claimed: FollowedFeed, feed: FollowedFeed): Promise<unknown> {
    return this.change((map) => {
      if (String(map.get(feed.url)) === JSON.stringify(claimed)) map.set(feed.url, JSON.stringify(feed));
    });
  }

  private change(work: (map: PhpArray) => void): Promise<unknown> {
    return this.transactions.run((transaction) => this.options.change(transaction, FEEDS, work));
  }

  private now(): number {
    return Math.floor(this.clock.now() / 1000);
  }
}

function feedsIn(map: PhpArray): FollowedFeed[] {
  return [...map.values()].flatMap((text) => {
    try {
      return [JSON.parse(String(text)) as FollowedFeed];
    } catch {
      return [];
    }
  });
}
