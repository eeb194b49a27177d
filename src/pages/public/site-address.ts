import type { CalendarSettings } from '../../calendar/calendar-settings.js';
import { archiveOf, belowHome, isView } from '../../feeds/subscription-address.js';
import { parsePhpParameters } from '../../http/params/php-parameters.js';
import { CATEGORY } from '../../resources/categories/category-type.js';
import { EVENT } from '../../resources/events/event-type.js';
import { ORGANIZER } from '../../resources/organizers/organizer-type.js';
import { TAG } from '../../resources/tags/tag-type.js';
import { VENUE } from '../../resources/venues/venue-type.js';
import { trimSlash } from '../../wordpress/posts/permalink.js';

const RECORDS = [EVENT, VENUE, ORGANIZER];

/** One of the site's own addresses of a record. */
export interface RecordAddress {
  kind: 'event' | 'venue' | 'organizer';
  /** A slug, or an id where the address has one. */
  record: string | number;
  /** `YYYY-MM-DD` of one date of an event. */
  day?: string;
  sequence?: string;
}

/** One of the site's own addresses of lists of events. */
export interface ArchiveAddress {
  kind: 'archive';
  term?: { taxonomy: 'category' | 'tag'; slug: string };
  /** Parameters of the calendar page. */
  params: Readonly<Record<string, string>>;
  /** Whether it lists what is over, the latest first. */
  isPast?: boolean;
}

export type SiteAddress = RecordAddress | ArchiveAddress;

/** Reads an address of the site, pretty or plain (docs/behaviour/links.md#public-addresses); undefined for others. */
export function siteAddress(path: string, rawQuery: string, site: CalendarSettings): SiteAddress | undefined {
  const query = parsePhpParameters(rawQuery);
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '');
  const segments = belowHome(path, site);
  const [first, ...rest] = segments;
  if (first === undefined) return plainAddress(text);
  const isCalendar = first === site.eventsSlug;
  const type = RECORDS.find((one) => site.links.bases.get(one.type) === first);
  // An address without its slug leads to the calendar.
  if ((isCalendar || type) && rest.length === 0) return archiveAddress(rest, text);
  if (isCalendar && isView(rest)) return archiveAddress(rest, text);
  if (type) return type === EVENT ? eventAddress(rest) : { kind: type.singular, record: rest.join('/') };
  const tagBase = trimSlash(TAG.linkBase(site).toLowerCase()).split('/');
  const isTag = tagBase.every((word, at) => segments[at] === word);
  return isTag ? archiveAddress(['tag', ...segments.slice(tagBase.length)], text) : undefined;
}

/** Whether a query of the home page is one of the site's plain addresses. */
export function isPlainAddress(query: string): boolean {
  return /(?:^|&)(?:tribe_(?:events|venue|organizer|events_cat)=|post_type=tribe_|tag=)/i.test(query);
}

/** Reads a slug, with `all` for all dates of the event or with one of them. Slugs of imports may contain slashes. */
function eventAddress(segments: readonly string[]): RecordAddress {
  const [slug = '', day = 'all', sequence = '1', ...more] = segments;
  const isDay = day === 'all' || /^\d{4}-\d\d-\d\d$/.test(day);
  if (more.length > 0 || !isDay || !/^[1-9]\d{0,3}$/.test(sequence))
    return { kind: 'event', record: segments.join('/') };
  return { kind: 'event', record: slug, day: day === 'all' ? undefined : day, sequence };
}

function plainAddress(text: (name: string) => string): SiteAddress | undefined {
  const date = [text('eventDate'), text('eventSequence')].filter(Boolean);
  for (const { type, singular: kind } of RECORDS) {
    const slug = text(type).toLowerCase();
    if (slug !== '') return kind === 'event' ? eventAddress([slug, ...date]) : { kind, record: slug };
    // Structured data end such an address with an encoded slash, as recorded.
    const [, id] = /^([1-9]\d{0,14})\/*$/.exec(text('p')) ?? [];
    if (text('post_type') === type && id !== undefined) return { kind, record: Number(id) };
  }
  for (const [taxonomy, { queryVariable }] of [['category', CATEGORY] as const, ['tag', TAG] as const])
    if (text(queryVariable) !== '') return archiveAddress([taxonomy, text(queryVariable)], text);
  if (text('post_type') !== EVENT.type) return undefined;
  return archiveAddress([text('eventDisplay'), ...date.slice(0, 1)].filter(Boolean), text);
}

/** The view of the calendar page that shows what a view of the plugin does. */
function archiveAddress(
  segments: readonly string[],
  text: (name: string) => string,
): ArchiveAddress | undefined {
  const display = text('eventDisplay');
  const displayed = isView([display]) && !segments.includes(display) ? [...segments, display] : segments;
  const { taxonomy, term, words, date = text('tribe-bar-date') } = archiveOf(displayed);
  const at = words.indexOf('page');
  const page = at < 0 ? text('tribe_paged') : (words[at + 1] ?? '1');
  const views = words.filter((_, index) => at < 0 || index < at || index > at + 1);
  if (!views.every((word) => isView([word])) || (taxonomy && term === undefined)) return undefined;
  const isPlain = views.length === 0 && date === '';
  const params = {
    view: isPlain ? '' : viewOf(views, date),
    date,
    page,
    search: text('tribe-bar-search'),
  };
  const said = Object.entries(params).filter(([, value]) => value !== '');
  const named = taxonomy && term !== undefined ? { taxonomy, slug: term } : undefined;
  const isPast = date === '' && views.includes('past');
  return { kind: 'archive', term: named, params: Object.fromEntries(said), isPast };
}

function viewOf(words: readonly string[], date: string): string {
  const named = words.find((word) => /^(?:month|week|day)$/.test(word));
  if (named !== undefined) return named;
  if (words.includes('today')) return 'day';
  if (!words.every((word) => word === date)) return 'list';
  if (/^\d{4}-\d\d$/.test(date)) return 'month';
  // A search from a day on is no view of that day.
  return words.length > 0 ? 'day' : 'list';
}
