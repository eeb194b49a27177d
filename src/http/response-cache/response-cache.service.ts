import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Semaphore } from '../../cache/semaphore.js';
import { calendarSettings } from '../../calendar/calendar-settings.js';
import { Clock } from '../../common/clock.js';
import { SingleFlight } from '../../cache/single-flight.js';
import { throwIfAborted, withinBudget } from '../../common/context/abort.js';
import { Environment } from '../../config/env.js';
import { type TableSnapshot, TableVersions } from '../../database/table-versions.service.js';
import { Metrics } from '../../observability/metrics/metrics.service.js';
import { SettingsService } from '../../wordpress/options/settings.service.js';
import type { SerializedResponse } from '../serialized-response.js';
import { CachedResponse, isTimely } from './cached-response.js';

/** An answer that was made, and until when the present makes no difference to it, in epoch milliseconds. */
export interface FreshResponse {
  response: SerializedResponse;
  until: number;
  /** The pattern of the route that it answers. */
  route?: string;
}

const MAX_URLS = 10_000;
const MAX_URL_LENGTH = 512;
/** How many answers to strangers may wait to be made; who comes then is refused at once. */
const MAX_WAITING = 1000;

/**
 * Keeps answers to anonymous GETs as bytes, least recently used ones going first, each for as long as nothing that it was made
 * of has changed (docs/behaviour/caching.md). Those who ask for the same at once have it made once.
 */
@Injectable()
export class ResponseCache {
  private readonly kept: LRUCache<string, CachedResponse>;
  /** Keys by URL, as it was sent. */
  private readonly urls = new LRUCache<string, string>({ max: MAX_URLS });
  private readonly making = new SingleFlight<string, CachedResponse>();
  /** Answers to strangers that are made at the same time: however many they ask for, others find a free connection. */
  private readonly turns: Semaphore;

  constructor(
    private readonly env: Environment,
    private readonly changes: TableVersions,
    private readonly settings: SettingsService,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {
    this.turns = new Semaphore(env.poolSize, { waiting: MAX_WAITING, timeout: env.databaseTimeout });
    // The other half holds the texts of records.
    const maxSize = Math.max(env.cache / 2, 1);
    this.kept = new LRUCache({
      maxSize,
      maxEntrySize: Math.ceil(maxSize / 8),
      sizeCalculation: ({ size }, key) => size + 2 * key.length,
    });
  }

  /** What is kept of a URL that `nameUrl` named; undefined when that does not hold, or nobody knows just now. */
  getByUrl(url: string): CachedResponse | undefined {
    const key = this.urls.get(url);
    const versions = key === undefined ? undefined : this.changes.latest();
    const kept = versions && this.kept.get(key ?? '');
    if (!kept || !this.isValid(kept, versions)) return undefined;
    this.metrics.countLookups('answers', true);
    return kept;
  }

  /** Lets a URL be answered before anything else is done with the request. */
  aliasUrl(url: string, key: string): void {
    if (url.length <= MAX_URL_LENGTH) this.urls.set(url, key);
  }

  /** What is kept by a key, made when there is nothing or when it no longer holds; undefined where nothing may be kept. */
  async of(key: string, make: () => Promise<FreshResponse>): Promise<CachedResponse | undefined> {
    const versions = await this.changes.snapshot();
    if (!versions) return undefined;
    const settings = await this.settings.current();
    // Switched off since the request was let in: whoever asks next is not.
    if (calendarSettings(settings).restDisabled) return undefined;
    const kept = this.kept.get(key);
    const isHeld = kept !== undefined && this.isValid(kept, versions);
    const isMade = this.making.has(key, versions.contentVersion);
    this.metrics.countLookups('answers', isHeld || isMade);
    if (isHeld) return kept;
    const load = async () => {
      const from = this.clock.now();
      const { response, until, route } = await this.limited(make);
      const { contentVersion: content, lastModified } = versions;
      const changedAt = lastModified && lastModified.getTime() / 1000;
      const validity = { content, settings, from, until, changedAt, route };
      const made = await CachedResponse.of(response, validity, this.env.corsOrigins);
      this.kept.set(key, made);
      return made;
    };
    const made = this.making.run(key, load, versions.contentVersion);
    return isMade ? withinBudget(made) : made;
  }

  /** Makes an answer to a stranger, a few at a time. */
  limited<T>(make: () => Promise<T>): Promise<T> {
    return this.turns.run(() => {
      throwIfAborted();
      return make();
    });
  }

  private isValid({ validity: basis }: CachedResponse, versions: TableSnapshot): boolean {
    return (
      basis.content === versions.contentVersion &&
      basis.settings === this.settings.of(versions) &&
      isTimely(basis, this.clock.now())
    );
  }
}
