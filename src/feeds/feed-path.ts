import type { Request } from 'express';

const ONE = '(?:\\d+|by-slug/[^/]+)';
/** What is answered as a list of events, or as one event, in another form than JSON. */
const FEEDS = new RegExp(`^/events(?:(?:/${ONE})?\\.ics|\\.rss|\\.atom|\\.feed\\.json)$`, 'i');
/** What is answered as a calendar file too. */
const BOTH = new RegExp(`^/events(?:/${ONE})?$`, 'i');

/**
 * The path below the namespaces of the calendar file or feed that a request asks for: by its path, or by an `Accept` that rather
 * takes `text/calendar` than JSON. Undefined for every other request.
 */
export function feedPath(
  path: string,
  { method, headers }: Pick<Request, 'method' | 'headers'>,
): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (FEEDS.test(path)) return path;
  return BOTH.test(path) && prefersCalendar(headers.accept ?? '') ? `${path}.ics` : undefined;
}

/** Whether a calendar file is named, and wanted more than JSON. */
function prefersCalendar(accept: string): boolean {
  const ranges = new Map(accept.toLowerCase().split(',').map(rangeOf));
  const calendar = ranges.get('text/calendar') ?? 0;
  const json = ranges.get('application/json') ?? ranges.get('application/*') ?? ranges.get('*/*') ?? 0;
  return calendar > json;
}

/** `text/html;q=0.5` as a name and how much it is wanted. */
function rangeOf(text: string): [name: string, quality: number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  const quality = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
  return [name, Number(quality) || 0];
}
