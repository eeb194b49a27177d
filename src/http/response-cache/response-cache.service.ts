import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Semaphore } from '../../cache/semaphore.js';
import { SingleFlight } from '../../cache/single-flight.js';
import { calendarSettings } from '../../calendar/calendar-settings.js';
import { Clock } from '../../common/clock.js';
import { throwIfAborted, withinBudget } from '../../common/context/abort.js';
import { Environment } from '../../config/env.js';
import { type TableSnapshot, TableVersions } from '../../database/table-versions.service.js';
import { Metrics } from '../../observability/metrics/metrics.service.js';
import { SettingsService } from '../../wordpress/options/settings.service.js';
import { includes } from '../request-time.js';
import type { SerializedResponse } from '../serialized-response.js';
import { CachedResponse } from './cached-response.js';

interface FreshResponse {
  response: SerializedResponse;
  /** When it expires, in epoch milliseconds. */
  until: number;
  /** The pattern of its route. */
  route?: string;
}

const MAX_URLS = 10_000;
const MAX_URL_LENGTH = 512;
/** Maximum number of queued anonymous requests; further ones are rejected at once. */
const MAX_WAITING = 1000;

/**
 * An LRU cache of the bytes of responses to anonymous GETs, each valid until something that it depends on changes
 * (docs/behaviour/caching.md). Concurrent requests for one key share one computation.
 */
@Injectable()
export class ResponseCache {
  private readonly responses: LRUCache<string, CachedResponse>;
  /** Keys by URL as sent. */
  private readonly urls = new LRUCache<string, string>({ max: MAX_URLS });
  private readonly pending = new SingleFlight<string, CachedResponse>();
  /** Limits concurrent anonymous requests, so that other requests find a free connection. */
  private readonly slots: Semaphore;

  constructor(
    private readonly env: Environment,
    private readonly versions: TableVersions,
    private readonly settings: SettingsService,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {
    this.slots = new Semaphore(env.poolSize, { waiting: MAX_WAITING, timeout: env.databaseTimeout });
    // The other half is for `RecordCache`.
    const maxSize = Math.max(env.cache / 2, 1);
    this.responses = new LRUCache({
      maxSize,
      maxEntrySize: Math.ceil(maxSize / 8),
      sizeCalculation: ({ size }, key) => size + 2 * key.length,
    });
  }

  /** The valid response of a URL that `aliasUrl` added; undefined if there is none, or no current snapshot. */
  getByUrl(url: string): CachedResponse | undefined {
    const key = this.urls.get(url);
    const snapshot = key === undefined ? undefined : this.versions.latest();
    const cached = snapshot && this.responses.get(key ?? '');
    if (!cached || !this.isValid(cached, snapshot)) return undefined;
    this.metrics.countLookups('answers', true);
    return cached;
  }

  /** Lets `getByUrl` find a response by its URL. */
  aliasUrl(url: string, key: string): void {
    if (url.length <= MAX_URL_LENGTH) this.urls.set(url, key);
  }

  /** The valid response of a key, made if there is none; undefined where nothing may be cached. */
  async get(key: string, make: () => Promise<FreshResponse>): Promise<CachedResponse | undefined> {
    const snapshot = await this.versions.snapshot();
    if (!snapshot) return undefined;
    const settings = await this.settings.current();
    // The interface was disabled after the middleware had let the request pass.
    if (calendarSettings(settings).restDisabled) return undefined;
    const cached = this.responses.get(key);
    const isHit = cached !== undefined && this.isValid(cached, snapshot);
    const isPending = this.pending.has(key, snapshot.contentVersion);
    this.metrics.countLookups('answers', isHit || isPending);
    if (isHit) return cached;
    const load = async () => {
      const from = this.clock.now();
      const { response, until, route } = await this.limited(make);
      const { contentVersion, lastModified } = snapshot;
      const changedAt = lastModified && lastModified.getTime() / 1000;
      const validity = { contentVersion, settings, from, until, changedAt, route };
      const fresh = await CachedResponse.of(response, validity, this.env.corsOrigins);
      this.responses.set(key, fresh);
      return fresh;
    };
    const loaded = this.pending.run(key, load, snapshot.contentVersion);
    return isPending ? withinBudget(loaded) : loaded;
  }

  /** Runs the handler of an anonymous request in a slot. */
  limited<T>(make: () => Promise<T>): Promise<T> {
    return this.slots.run(() => {
      throwIfAborted();
      return make();
    });
  }

  private isValid({ validity }: CachedResponse, snapshot: TableSnapshot): boolean {
    return (
      validity.contentVersion === snapshot.contentVersion &&
      validity.settings === this.settings.of(snapshot) &&
      includes(validity, this.clock.now())
    );
  }
}
