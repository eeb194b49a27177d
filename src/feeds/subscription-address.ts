import type { CalendarSettings } from '../calendar/calendar-settings.js';
import { CATEGORY } from '../resources/categories/category-type.js';
import { EVENT } from '../resources/events/event-type.js';
import { decodePercent, parsePhpParameters } from '../http/params/php-parameters.js';
import { TAG } from '../resources/tags/tag-type.js';

type Site = Pick<CalendarSettings, 'links' | 'eventsSlug' | 'singleEventSlug'>;

/** The plugin's views; on sites in other languages they have other names. */
const VIEWS = /^(list|month|day|today|week|photo|map|summary|page|featured|past)$/;
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const MONTH = /^(\d{4})-(\d\d)$/;

/** Whether the query of an address asks for the calendar file that the plugin answers there. */
export function asksForFile(query: string): boolean {
  return /(^|&)(outlook-)?ical=1(&|$)/.test(query);
}

/**
 * What the plugin's own address of a calendar file is an address of: a path of ours below the namespace, with its query. The
 * site's pretty links count as well as its plain ones; undefined for every other page.
 */
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

/** Whether an address may be that of a feed of the plugin. */
export function mayAskForFeed(path: string, query: string): boolean {
  return /\/feed(\/|$)/i.test(path) || /(^|&)feed=/.test(query);
}

/** WordPress's names of kinds of feeds, as ours. */
const FEED_ENDINGS: ReadonlyMap<string, string> = new Map([
  ...['', 'feed', 'rss', 'rss2', 'rdf'].map((name) => [name, 'rss'] as const),
  ['atom', 'atom'],
  ['json', 'feed.json'],
]);

/**
 * What the plugin's own address of a feed of events, `/events/feed/` or `/?post_type=tribe_events&feed=rss2`, is an address of: a path
 * of ours below the namespace, with its query. Undefined for every other page, feeds of posts and comments too.
 */
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

/** The words of a path, below the folder that the site is in; a proxy may have taken that off. */
export function belowHome(path: string, { links }: Pick<Site, 'links'>): string[] {
  const words = (text: string) => text.split('/').filter((word) => word !== '');
  const home = URL.canParse(links.home) ? words(new URL(links.home).pathname) : [];
  const all = words(path);
  const isBelow = home.every((word, at) => all[at] === word);
  const below = all.slice(isBelow ? home.length : 0).map((word) => decodePercent(word).toLowerCase());
  return below[0] === 'index.php' ? below.slice(1) : below;
}

/** Whether the words behind the calendar's page name one of its views, and no event. */
export const isView = ([first = '']: readonly string[]) =>
  /^(category|tag)$/.test(first) || VIEWS.test(first) || MONTH.test(first) || DAY.test(first);

/** Below the calendar's page: a view, a day or a month, of all events or those of a term. */
function listOf(words: readonly string[], ending = 'ics'): string {
  const [kind, ...rest] = words;
  const isOfTerm = kind === 'category' || kind === 'tag';
  const end = isOfTerm ? rest.findIndex((word) => isView([word])) : -1;
  // Categories have those above them before them.
  const term = isOfTerm ? rest.slice(0, end < 0 ? undefined : end).at(-1) : undefined;
  const filters = {
    categories: kind === 'category' ? term : '',
    tags: kind === 'tag' ? term : '',
    ...datesOf(words.find((word) => DAY.test(word) || MONTH.test(word)) ?? ''),
  };
  return list(filters, ending);
}

/** The filters for what takes place on a day or in a month, at least in part. */
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
