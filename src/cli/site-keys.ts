import { CALENDAR_OPTION } from '../calendar/calendar-settings.js';
import { httpUrl } from '../config/parse-variable.js';
import { findZone, isValidZone, siteZone } from '../lib/wordpress-text/dates/zones.js';
import { escHtml } from '../lib/wordpress-text/formatting/esc-html.js';
import { htmlEntityDecode } from '../lib/wordpress-text/formatting/html-entity-decode.js';
import { isEmail, sanitizeTextField } from '../lib/wordpress-text/formatting/sanitize.js';
import { sanitizeTitle } from '../lib/wordpress-text/formatting/sanitize-title.js';
import { isTruthyWord } from '../lib/wordpress-text/formatting/truthy-word.js';
import type { PhpValue } from '../lib/wordpress-text/php-serialize.js';
import { CATEGORY } from '../resources/categories/category-type.js';
import { EVENT } from '../resources/events/event-type.js';

/** Input of a setting: options by name and the calendar's options. */
export interface StoredOptions {
  option(name: string): string;
  calendar(name: string): PhpValue | undefined;
}

/** Output of a setting: options, or a key of the calendar's option. */
export type Written =
  | { options: Readonly<Record<string, string>> }
  | { calendar: Readonly<Record<string, PhpValue>> };

export interface SiteKey {
  name: string;
  /** Where it is stored, for users. */
  stored: string;
  takes: string;
  show(stored: StoredOptions): string;
  /** The options to write for a value; undefined if it is invalid. */
  write(value: string): Written | undefined;
  /** A hint after a change. */
  after?: string | ((value: string) => string);
  /** Whether page URLs depend on it, for which WordPress stores rewrite rules. */
  movesPages?: boolean;
  /** Path of the resource whose URLs begin with it; others may not. */
  begins?: string;
}

const RULES =
  'WordPress makes its rewrite rules anew at its next page: the option rewrite_rules was emptied. Old addresses lead nowhere.';
const LOGINS = 'Who is signed in to WordPress has to sign in again.';

/** An option with a plain value. */
const option = (
  name: string,
  stored: string,
  takes: string,
  check: (value: string) => boolean,
  more: Partial<SiteKey> = {},
): SiteKey => ({
  name,
  stored: `option ${stored}`,
  takes,
  show: (all) => all.option(stored),
  write: (value) => (check(value) ? { options: { [stored]: value } } : undefined),
  ...more,
});

/** A line of text, which WordPress stores with entities. */
const text = (name: string, stored: string, most: number, isNeeded: boolean): SiteKey =>
  option(name, stored, `a line of at most ${most} characters`, () => true, {
    show: (all) => htmlEntityDecode(all.option(stored)),
    write: (value) => {
      const line = sanitizeTextField(value);
      const fits = [...line].length <= most && (line !== '' || !isNeeded);
      return fits ? { options: { [stored]: escHtml(line) } } : undefined;
    },
  });

const address = (name: string, stored: string, after: string): SiteKey =>
  option(name, stored, 'an http:// or https:// address without query', () => true, {
    write: (value) => {
      const url = addressOf(value);
      return url === undefined ? undefined : { options: { [stored]: url } };
    },
    after: `${after} ${RULES}`,
    movesPages: true,
  });

/** A key of the option with all calendar settings. */
const calendar = (
  name: string,
  key: string,
  takes: string,
  check: (value: string) => boolean,
  fallback: string,
  more: Partial<SiteKey> = {},
): SiteKey => ({
  name,
  stored: `${key} in option ${CALENDAR_OPTION}`,
  takes,
  show: (all) => {
    const value = all.calendar(key);
    return typeof value === 'string' && value !== '' ? value : fallback;
  },
  write: (value) => (check(value) ? { calendar: { [key]: value } } : undefined),
  ...more,
});

const slug = (name: string, key: string, fallback: string, begins: string): SiteKey =>
  calendar(name, key, 'lower-case letters, digits and hyphens', isSlug, fallback, {
    after: RULES,
    movesPages: true,
    begins,
  });

export const SITE_KEYS: readonly SiteKey[] = [
  text('name', 'blogname', 200, true),
  text('description', 'blogdescription', 500, false),
  address('home', 'home', 'REST_BASE_URL has to fit it.'),
  address('url', 'siteurl', LOGINS),
  option('admin-email', 'admin_email', 'an e-mail address', (value) => isEmail(value) && value.length <= 100),
  {
    name: 'timezone',
    stored: 'options timezone_string and gmt_offset',
    takes: 'an IANA name such as Europe/Berlin, or an offset such as UTC+5:30',
    show: (all) =>
      siteZone({ timezoneString: all.option('timezone_string'), gmtOffset: all.option('gmt_offset') }),
    write: zoneOptions,
    after: 'Dates of events stay as they are; lists without dates, and new events, go by the new zone.',
  },
  option('language', 'WPLANG', 'a locale such as de_DE; en_US or nothing for English', () => true, {
    show: (all) => all.option('WPLANG') || 'en_US',
    write: (value) => {
      const isLocale = /^([a-z]{2,3}(_[A-Z]{2})?(_[a-z0-9]+)?)?$/.test(value);
      return isLocale ? { options: { WPLANG: value === 'en_US' ? '' : value } } : undefined;
    },
    after: (value) =>
      isKnownLocale(value)
        ? 'WordPress speaks it once the files of the language are installed there (Dashboard, Updates).'
        : `No language ${value} is known here: pages and dates stay in English. Was de_DE, pt_BR or the like meant?`,
  }),
  option('date-format', 'date_format', "PHP's letters, such as F j, Y", isFormat),
  option('time-format', 'time_format', "PHP's letters, such as g:i a", isFormat),
  option('week-starts', 'start_of_week', 'a day from 0, Sunday, to 6', (value) => /^[0-6]$/.test(value)),
  option(
    'permalinks',
    'permalink_structure',
    'nothing, or a path such as /%postname%/',
    (value) => value === '' || (/^\/[\w%/.-]{1,190}$/.test(value) && /%(postname|post_id)%/.test(value)),
    { after: RULES, movesPages: true },
  ),
  calendar(
    'currency-symbol',
    'defaultCurrencySymbol',
    '1 to 8 characters',
    (value) => isShort(value, 8),
    '$',
  ),
  calendar(
    'currency-code',
    'defaultCurrencyCode',
    'three letters such as EUR',
    (value) => /^[A-Z]{3}$/.test(value),
    '',
  ),
  calendar('currency-position', 'reverseCurrencyPosition', 'prefix or suffix', () => true, 'prefix', {
    show: (all) => (isTruthyWord(all.calendar('reverseCurrencyPosition')) ? 'suffix' : 'prefix'),
    write: (value) =>
      value === 'prefix' || value === 'suffix'
        ? { calendar: { reverseCurrencyPosition: value === 'suffix' } }
        : undefined,
  }),
  slug('events-slug', 'eventsSlug', 'events', CATEGORY.path),
  slug('event-slug', 'singleEventSlug', 'event', EVENT.path),
  calendar(
    'day-cutoff',
    'multiDayCutoff',
    'a time such as 00:00 or 05:00',
    (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
    '00:00',
    { after: 'All-day events that are stored keep their hours.' },
  ),
  calendar(
    'timezone-mode',
    'tribe_events_timezone_mode',
    'event or site',
    (value) => value === 'event' || value === 'site',
    'event',
  ),
];

/** Stores a zone as WordPress does: a name, or hours and an empty name. */
function zoneOptions(value: string): Written | undefined {
  const zone = findZone(value);
  if (zone?.kind === 'iana') return { options: { timezone_string: zone.name, gmt_offset: '' } };
  const [, sign, hours, fraction, minutes] =
    /^UTC([+-])(\d{1,2})(?:\.(\d{1,2})|:([0-5]\d))?$/.exec(value) ?? [];
  if (hours === undefined || !isValidZone(value)) return undefined;
  const size = Number(hours) + (minutes ? Number(minutes) / 60 : Number(`0.${fraction ?? 0}`));
  const offset = Number((sign === '-' ? -size : size).toFixed(2));
  return { options: { timezone_string: '', gmt_offset: String(offset === 0 ? 0 : offset) } };
}

function isKnownLocale(value: string): boolean {
  const [language = 'en', region = 'US'] = (value || 'en_US').split('_');
  const isNamed = (type: 'language' | 'region', code: string) =>
    new Intl.DisplayNames('en', { type, fallback: 'none' }).of(code) !== undefined;
  return isNamed('language', language) && (!/^[A-Z]{2}$/.test(region) || isNamed('region', region));
}

function addressOf(value: string): string | undefined {
  try {
    return value.length <= 255 ? httpUrl(value) : undefined;
  } catch {
    return undefined;
  }
}

function isFormat(value: string): boolean {
  return isShort(value, 60);
}

function isShort(value: string, most: number): boolean {
  return value !== '' && [...value].length <= most && sanitizeTextField(value) === value;
}

function isSlug(value: string): boolean {
  return (
    value.length <= 100 && /^[a-z0-9-]+$/.test(value) && sanitizeTitle(value, { locale: 'en_US' }) === value
  );
}
