import type { CalendarSettings } from '../calendar/calendar-settings.js';
import { decodePercent, parsePhpParameters } from '../http/params/php-parameters.js';
import { CATEGORY } from '../resources/categories/category-type.js';
import { EVENT } from '../resources/events/event-type.js';
import { TAG } from '../resources/tags/tag-type.js';

type Site = Pick<CalendarSettings, 'links' | 'eventsSlug' | 'singleEventSlug'>;

/** The plugin's views by their English names; other languages have other names. */
const VIEWS = /^(list|month|day|today|week|photo|map|summary|page|featured|past)$/;
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const MONTH = /^(\d{4})-(\d\d)$/;

/** Whether a query requests the plugin's calendar file. */
export function asksForFile(query: string): boolean {
  return /(^|&)(outlook-)?ical=1(&|$)/.test(query);
}

/** Converts the plugin's URL of a calendar file, pretty or plain, to our path and query; undefined for other pages. */
export function subscriptionAddress(path: string, rawQuery: string, site: Site): string | undefined {
  const segments = belowHome(path, site);
  const query = parsePhpParameters(rawQuery);
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '');
  const [first, ...rest] = segments;
  if (first === undefined) {
    const slug = text(EVENT.type);
    if (slug !== '') return eventBySlug(slug);
    if (/^\d+$/.test(text('p'))) return `/events/${text('p')}.ics`;
    return list({ categories: text(CATEGORY.queryVariable), tags: text(TAG.queryVariable) });
  }
  const isCalendar = first === site.eventsSlug;
  if (first === site.singleEventSlug && rest[0] !== undefined && !(isCalendar && isView(rest)))
    return eventBySlug(rest[0]);
  return isCalendar ? listOf(rest) : undefined;
}

/** Whether a URL may be a feed of the plugin. */
export function mayAskForFeed(path: string, query: string): boolean {
  return /\/feed(\/|$)/i.test(path) || /(^|&)feed=/.test(query);
}

/** WordPress's feed types by our extensions. */
const FEED_ENDINGS: ReadonlyMap<string, string> = new Map([
  ...['', 'feed', 'rss', 'rss2', 'rdf'].map((name) => [name, 'rss'] as const),
  ['atom', 'atom'],
  ['json', 'feed.json'],
]);

/** Converts the plugin's URL of an event feed, such as `/events/feed/`, to our path and query. */
export function pluginFeedAddress(path: string, rawQuery: string, site: Site): string | undefined {
  const all = belowHome(path, site);
  const query = parsePhpParameters(rawQuery);
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '');
  const at = all.findLastIndex((word, index) => word === 'feed' && index >= all.length - 2);
  if (at < 0 && query['feed'] === undefined) return undefined;
  const ending = FEED_ENDINGS.get(at < 0 ? text('feed') : (all[at + 1] ?? ''));
  if (ending === undefined) return undefined;
  const [first, ...rest] = at < 0 ? all : all.slice(0, at);
  if (first !== undefined)
    return first === site.eventsSlug && (rest.length === 0 || isView(rest))
      ? listOf(rest, ending)
      : undefined;
  const categories = text(CATEGORY.queryVariable);
  const isOfEvents = text('post_type') === EVENT.type || categories !== '';
  const isOfOne = text(EVENT.type) !== '' || text('p') !== '';
  return isOfEvents && !isOfOne ? list({ categories, tags: text(TAG.queryVariable) }, ending) : undefined;
}

/** The path segments below the site's folder, which a proxy may have removed. */
export function belowHome(path: string, { links }: Pick<Site, 'links'>): string[] {
  const words = (text: string) => text.split('/').filter((word) => word !== '');
  const home = URL.canParse(links.home) ? words(new URL(links.home).pathname) : [];
  const all = words(path);
  const isBelow = home.every((word, at) => all[at] === word);
  const below = all.slice(isBelow ? home.length : 0).map((word) => decodePercent(word).toLowerCase());
  return below[0] === 'index.php' ? below.slice(1) : below;
}

/** Whether the segments after the calendar page name a view, not an event. */
export const isView = ([first = '']: readonly string[]) =>
  /^(category|tag)$/.test(first) || VIEWS.test(first) || MONTH.test(first) || DAY.test(first);

/** What a view of the plugin shows: texts as they stand in its address. */
export interface ArchiveView {
  taxonomy?: 'category' | 'tag';
  /** Slug of the term, the last one of its path. */
  term?: string;
  /** The words behind the term, such as `list`, `2027-05` or `page`, `2`. */
  words: readonly string[];
  /** A day or a month. */
  date?: string;
}

/** Reads the segments after the calendar page's own. */
export function archiveOf(segments: readonly string[]): ArchiveView {
  const [kind, ...rest] = segments;
  const date = segments.find((word) => DAY.test(word) || MONTH.test(word));
  if (kind !== 'category' && kind !== 'tag') return { words: segments, date };
  const end = rest.findIndex((word) => isView([word]));
  const path = rest.slice(0, end < 0 ? undefined : end);
  // Paths of categories include their ancestors.
  return { taxonomy: kind, term: path.at(-1), words: rest.slice(path.length), date };
}

/** The list of a view, day or month, of all events or of a term. */
function listOf(segments: readonly string[], ending = 'ics'): string {
  const { taxonomy, term, date = '' } = archiveOf(segments);
  const filters = {
    categories: taxonomy === 'category' ? term : '',
    tags: taxonomy === 'tag' ? term : '',
    ...datesOf(date),
  };
  return list(filters, ending);
}

/** The filters for events that overlap a day or month. */
function datesOf(text: string): Record<string, string> {
  const [, year = '', month = '', day] = DAY.exec(text) ?? MONTH.exec(text) ?? [];
  const at = (months: number, date: number) =>
    new Date(Date.UTC(Number(year), Number(month) - 1 + months, date)).toISOString().slice(0, 10);
  const isDate = year !== '' && Number(month) >= 1 && Number(month) <= 12;
  if (!isDate) return {};
  return day === undefined
    ? { ends_after: at(0, 0), starts_before: at(1, 0) }
    : { ends_after: at(0, Number(day) - 1), starts_before: at(0, Number(day)) };
}

const eventBySlug = (slug: string): string => `/events/by-slug/${encodeURIComponent(slug)}.ics`;

function list(filters: Readonly<Record<string, string | undefined>>, ending = 'ics'): string {
  const said = Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  const query = new URLSearchParams(Object.fromEntries(said)).toString();
  return `/events.${ending}${query && `?${query}`}`;
}
