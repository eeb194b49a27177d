import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Services } from '../http/services.js';
import { NotACalendar } from '../lib/ical/split-components.js';
import { SafeFetch } from '../wordpress/media/safe-fetch.js';
import { calendarRecords } from './calendar-records.js';
import { FeedError, type FeedVersion, feedUrl, fetchFeed } from './feed-fetch.js';
import { type ImportOptions, importEvents } from './import-events.js';
import type { ImportedRecord } from './importer.js';

/** Options of importing a feed. */
export interface FeedOptions extends ImportOptions {
  url: string;
  /** Whether it is fetched whatever robots.txt says. */
  ignoreRobots?: boolean;
}

const CHUNK_BYTES = 65_536;

/**
 * Fetches and imports a calendar file by its address, unless it is `version` still. Yields the result of each record and
 * returns the version; throws `FeedError`.
 */
export async function* importFeed(
  services: Services,
  { url: address, ignoreRobots, ...input }: FeedOptions,
  version?: FeedVersion,
): AsyncGenerator<ImportedRecord, FeedVersion | undefined> {
  const url = feedUrl(address);
  const fetched = await fetchFeed(services.get(SafeFetch), url, version, {
    ...(ignoreRobots !== undefined && { ignoreRobots }),
  });
  if (!fetched) return version;
  const { body, ...found } = fetched;
  const feed = hash('sha256', url).slice(0, 32);
  try {
    yield* importEvents(services, { ...input, feed }, (options) =>
      calendarRecords(() => chunksOf(body), options),
    );
  } catch (error) {
    throw error instanceof NotACalendar ? new FeedError(`is no calendar file: ${error.message}.`) : error;
  }
  return found;
}

/** The bytes in pieces, between which others get their turn. */
async function* chunksOf(body: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    yield body.subarray(at, at + CHUNK_BYTES);
    await setImmediate();
  }
}
