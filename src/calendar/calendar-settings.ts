import { isPhpEmpty } from '../lib/wordpress-text/formatting/php-empty.js';
import { sanitizeTitle } from '../lib/wordpress-text/formatting/sanitize-title.js';
import { isTruthyWord } from '../lib/wordpress-text/formatting/truthy-word.js';
import {
  asMap,
  asString,
  type PhpArray,
  type PhpValue,
  unserialize,
} from '../lib/wordpress-text/php-serialize.js';
import type { SiteSettings } from '../wordpress/options/site-settings.js';

/** The serialised option with all settings of the calendar. */
export const CALENDAR_OPTION = 'tribe_events_calendar_options';

/** The option with the first id of occurrences. */
export const OCCURRENCE_BASE_OPTION = 'tec_custom_tables_v1_provisional_post_base_provisional_id';
const DEFAULT_OCCURRENCE_BASE = 10_000_000;

/** A site's settings with those of its calendar. */
export interface CalendarSettings extends SiteSettings {
  /** Default of `per_page`; capped at 50. */
  perPage: number;
  /** The default as stored, for the index. */
  perPageOption: string;
  /** First path segment of single events, as a slug. */
  singleEventSlug: string;
  /** First path segment of the calendar and of event categories, as a slug. */
  eventsSlug: string;
  /** Whether events are filtered and sorted by their own wall clock or by the site's. */
  timezoneMode: 'event' | 'site';
  /** `HH:MM` as stored: when a calendar day ends. */
  dayCutoff: string;
  currency: { symbol?: string; code?: string; symbolAfter: boolean };
  /** Additional fields of events: declared names and labels. */
  customFields: readonly CustomField[];
  /** An occurrence of an event with several has this id plus its `occurrence_id`; no post has one from here on. */
  occurrenceBase: number;
  restDisabled: boolean;
  /** Whether new events get the site's default comment status instead of `closed`. */
  showComments: boolean;
}

/** An additional field of events, declared by the option `custom-fields`. */
export interface CustomField {
  /** Meta key such as `_ecp_custom_2`. */
  name: string;
  label: string;
}

const cache = new WeakMap<SiteSettings, CalendarSettings>();

/** The site's settings with those of the calendar; the same object for the same settings. */
export function calendarSettings(site: SiteSettings): CalendarSettings {
  const known = cache.get(site) ?? readCalendar(site);
  cache.set(site, known).set(known, known);
  return known;
}

function readCalendar(site: SiteSettings): CalendarSettings {
  const calendar = asMap(unserialize(site.options.get(CALENDAR_OPTION) ?? ''));
  const { locale } = site.render;
  const slug = (name: string, fallback: string) =>
    sanitizeTitle(optionText(calendar, name), { locale, fallback });
  const ownPerPage = optionText(calendar, 'posts_per_page');
  const perPageOption = isPhpEmpty(ownPerPage) ? (site.options.get('posts_per_page') ?? '') : ownPerPage;
  const perPage = Number.parseInt(perPageOption, 10);
  return {
    ...site,
    perPage: Math.min(50, perPage > 0 ? perPage : 20),
    perPageOption,
    singleEventSlug: slug('singleEventSlug', 'event'),
    eventsSlug: slug('eventsSlug', 'events'),
    timezoneMode: optionText(calendar, 'tribe_events_timezone_mode') === 'site' ? 'site' : 'event',
    dayCutoff: optionText(calendar, 'multiDayCutoff') || '00:00',
    currency: {
      symbol: calendar.has('defaultCurrencySymbol')
        ? optionText(calendar, 'defaultCurrencySymbol')
        : undefined,
      code: optionText(calendar, 'defaultCurrencyCode') || undefined,
      symbolAfter: isTruthyWord(calendar.get('reverseCurrencyPosition')),
    },
    customFields: customFields(calendar.get('custom-fields')),
    occurrenceBase: occurrenceBase(site.options.get(OCCURRENCE_BASE_OPTION)),
    restDisabled: isTruthyWord(calendar.get('rest-v1-disabled')),
    showComments: isTruthyWord(calendar.get('showComments')),
  };
}

/** The first id of occurrences by the option. */
export function occurrenceBase(option = ''): number {
  const base = /^[1-9]\d{0,14}$/.test(option) ? Number(option) : 0;
  return base || DEFAULT_OCCURRENCE_BASE;
}

const optionText = (options: PhpArray, key: string): string => asString(options.get(key));

function customFields(value: PhpValue | undefined): CustomField[] {
  return [...asMap(value).values()].flatMap((entry) => {
    const field = asMap(entry);
    const name = optionText(field, 'name');
    return name ? [{ name, label: optionText(field, 'label') }] : [];
  });
}
