import { setImmediate } from 'node:timers/promises';
import type { Services } from '../http/services.js';
import { NotACalendar } from '../lib/ical/split-components.js';
import { SafeFetch } from '../wordpress/media/safe-fetch.js';
import { calendarRecords } from './calendar-records.js';
import { FeedError, type FeedVersion, type FetchOptions, feedKey, feedUrl, fetchFeed } from './feed-fetch.js';
import type { ImportedRecord, ReadOptions } from './file-record.js';
import { type ImportOptions, importEvents } from './import-events.js';

/** Options of importing a feed. */
export interface FeedOptions extends ImportOptions, FetchOptions {
  url: string;
}

const CHUNK_BYTES = 65_536;

/** Bytes in which the end of a calendar is looked for. */
const TAIL_BYTES = 4096;

/**
 * Fetches and imports a calendar file by its address, unless it is `version` still. Yields the result of each record and
 * returns the version, undefined if some records are to be imported again; throws `FeedError`.
 */
export async function* importFeed(
  services: Services,
  { url: address, ignoreRobots, signal, ...input }: FeedOptions,
  version?: FeedVersion,
): AsyncGenerator<ImportedRecord, FeedVersion | undefined> {
  const url = feedUrl(address);
  const fetched = await fetchFeed(services.get(SafeFetch), url, version, {
    ...(ignoreRobots !== undefined && { ignoreRobots }),
    ...(signal && { signal }),
  });
  if (!fetched) return version;
  const { body, ...found } = fetched;
  let isWhole = true;
  try {
    // The events behind a break of the connection would be withdrawn.
    if (!endsCalendar(body)) throw new NotACalendar('it does not end with END:VCALENDAR');
    const read = (options: ReadOptions) => calendarRecords(() => chunksOf(body), options);
    for await (const record of importEvents(services, { ...input, feed: feedKey(url) }, read)) {
      if (record.isTemporary) isWhole = false;
      yield record;
    }
  } catch (error) {
    throw error instanceof NotACalendar ? new FeedError(`is no calendar file: ${error.message}.`) : error;
  }
  return isWhole ? found : undefined;
}

/** Whether the end of a calendar is near the end of a file, in UTF-8 or UTF-16. */
function endsCalendar(body: Buffer): boolean {
  const tail = body.toString('latin1', Math.max(0, body.length - TAIL_BYTES)).replaceAll('\0', '');
  return /END:[ \t]*VCALENDAR/i.test(tail);
}

/** The bytes in pieces, between which others get their turn. */
async function* chunksOf(body: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    yield body.subarray(at, at + CHUNK_BYTES);
    await setImmediate();
  }
}
