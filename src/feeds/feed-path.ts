import type { Request } from 'express';

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
  return BOTH.test(path) && prefersCalendar(headers.accept ?? '') ? `${path}.ics` : undefined;
}

/** Whether `Accept` names calendar files and prefers them to JSON. */
function prefersCalendar(accept: string): boolean {
  const ranges = new Map(accept.toLowerCase().split(',').map(rangeOf));
  const calendar = ranges.get('text/calendar') ?? 0;
  const json = ranges.get('application/json') ?? ranges.get('application/*') ?? ranges.get('*/*') ?? 0;
  return calendar > json;
}

/** Splits `text/html;q=0.5` into type and quality. */
function rangeOf(text: string): [name: string, quality: number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  const quality = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
  return [name, Number(quality) || 0];
}
