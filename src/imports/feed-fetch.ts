import { hash } from 'node:crypto';
import robots from 'robots-parser';
import { ImageRejected, type SafeFetch, USER_AGENT } from '../wordpress/media/safe-fetch.js';

/** A feed cannot be imported; the message completes "The feed …". */
export class FeedError extends ImageRejected {}

// Its types describe an ES module, which it is not.
const robotsParser = robots as unknown as typeof robots.default;

/** What a server said of the last version of a feed. */
export interface FeedVersion {
  /** Its `ETag`. */
  etag?: string;
  /** Its `Last-Modified`. */
  modified?: string;
}

/** A fetched version of a feed. */
export interface FetchedFeed extends FeedVersion {
  body: Buffer;
}

/** Options of fetching a feed. */
export interface FetchOptions {
  /** Whether it is fetched whatever robots.txt says. */
  ignoreRobots?: boolean;
  /** Ends the download early. */
  signal?: AbortSignal;
}

const MAX_URL_LENGTH = 2000;
const LIMITS = { milliseconds: 60_000, bytes: 20 * 1024 * 1024 };
/** RFC 9309 asks to read at least 500 KiB. */
const ROBOTS_LIMITS = { milliseconds: 10_000, bytes: 512 * 1024 };
/** Longer validators are not sent back. */
const MAX_VALIDATOR_LENGTH = 500;

/** Parses the address of a feed, also of `webcal:`; throws `FeedError`. */
export function feedUrl(text: string): string {
  const address = text.trim().replace(/^webcals?:/i, 'https:');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || address.length > MAX_URL_LENGTH)
    throw new FeedError(`must have an http(s) or webcal address of at most ${MAX_URL_LENGTH} characters.`);
  if (url.username !== '' || url.password !== '')
    throw new FeedError('must not have credentials in its address.');
  url.hash = '';
  return url.href;
}

/** The digest of the address of a feed, which its events store. */
export const feedKey = (url: string): string => hash('sha256', url).slice(0, 32);

/**
 * Fetches a feed from public addresses, as robots.txt allows, unless it is `version` still; undefined then. Throws
 * `FeedError`.
 */
export async function fetchFeed(
  fetcher: SafeFetch,
  url: string,
  version: FeedVersion = {},
  { ignoreRobots = false, signal }: FetchOptions = {},
): Promise<FetchedFeed | undefined> {
  const rulesOf = new Map<string, Promise<Robots>>();
  const check = async (target: URL) => {
    if (ignoreRobots) return;
    if (target.href.length > MAX_URL_LENGTH)
      throw new FeedError(`is redirected to an address of more than ${MAX_URL_LENGTH} characters.`);
    const rules = rulesOf.get(target.origin) ?? robotsOf(fetcher, target);
    rulesOf.set(target.origin, rules);
    if (!(await rules)(target.href))
      throw new FeedError(`may not be fetched: robots.txt of ${target.host} forbids it.`);
  };
  const headers = {
    Accept: 'text/calendar, */*;q=0.1',
    ...(version.etag !== undefined && { 'If-None-Match': version.etag }),
    ...(version.modified !== undefined && { 'If-Modified-Since': version.modified }),
  };
  try {
    const { status, headers: sent, body } = await fetcher.fetch(url, { headers, check, signal, ...LIMITS });
    if (status === 304) return undefined;
    if (status === 404 || status === 410)
      throw new FeedError(`is gone: its server responds with ${status}. Its events stay.`);
    if (status !== 200) throw new FeedError(`is answered with the status ${status}.`);
    const { etag, 'last-modified': modified } = sent;
    return {
      body,
      ...(isValidator(etag) && { etag }),
      ...(isValidator(modified) && { modified }),
    };
  } catch (error) {
    throw error instanceof ImageRejected ? new FeedError(error.message) : error;
  }
}

const isValidator = (text: string | undefined): text is string =>
  text !== undefined && text.length <= MAX_VALIDATOR_LENGTH && /^[\x20-\x7e]+$/.test(text);

type Robots = (url: string) => boolean;

/** The rules of a host (RFC 9309): all is allowed without robots.txt, nothing if its server fails. */
async function robotsOf(fetcher: SafeFetch, { origin, host }: URL): Promise<Robots> {
  const address = `${origin}/robots.txt`;
  const { status, body } = await fetcher
    .fetch(address, { headers: {}, ...ROBOTS_LIMITS })
    .catch((error: unknown) => {
      if (!(error instanceof ImageRejected)) throw error;
      throw new FeedError(`may not be fetched: robots.txt of ${host} ${error.message}`);
    });
  if (status >= 500) throw new FeedError(`may not be fetched: robots.txt of ${host} cannot be read.`);
  const rules = robotsParser(address, status === 200 ? body.toString('utf8') : '');
  return (url) => rules.isAllowed(url, USER_AGENT) !== false;
}
