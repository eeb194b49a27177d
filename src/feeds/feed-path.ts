import type { Request } from 'express';
import { prefersToJson } from '../http/params/accept.js';

const ONE = '(?:\\d+|by-slug/[^/]+)';
/** Paths of events in formats other than JSON. */
const FEEDS = new RegExp(`^/events(?:(?:/${ONE})?\\.ics|\\.rss|\\.atom|\\.feed\\.json)$`, 'i');
/** Paths that also respond as a calendar file. */
const BOTH = new RegExp(`^/events(?:/${ONE})?$`, 'i');

/** The path of a calendar file or feed, requested by path or by an `Accept` that prefers `text/calendar` to JSON. */
export function feedPath(
  path: string,
  { method, headers }: Pick<Request, 'method' | 'headers'>,
): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (FEEDS.test(path)) return path;
  return BOTH.test(path) && prefersToJson('text/calendar', headers.accept) ? `${path}.ics` : undefined;
}
