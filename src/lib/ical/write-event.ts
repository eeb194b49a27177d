import { compactDate, formatWallClock, parseWallClock } from '../wordpress-text/dates/wall-clock.js';
import { buildZone, offsetAt, toFirstEpoch } from '../wordpress-text/dates/zones.js';
import { htmlEntityDecode } from '../wordpress-text/formatting/html-entity-decode.js';
import { wpStripAllTags } from '../wordpress-text/formatting/php-strings.js';
import { isEmail } from '../wordpress-text/formatting/sanitize.js';
import { webAddress } from '../wordpress-text/formatting/web-address.js';
import type { CalendarEntry, CalendarPerson, CalendarPlace } from './calendar-entry.js';
import { contentLine, escapeText } from './content-line.js';
import { wholeDays } from './whole-days.js';
import { isDescribed, writtenZone } from './write-time-zone.js';

/**
 * The head of a calendar file; `zone` is the default zone of its times, `refresh` the suggested polling interval, such as
 * `PT1H`.
 */
export function calendarHead(name: string, zone: string, refresh?: string): string {
  return [
    contentLine('BEGIN', 'VCALENDAR'),
    contentLine('VERSION', '2.0'),
    contentLine('PRODID', '-//Almanac//Calendar//EN'),
    contentLine('CALSCALE', 'GREGORIAN'),
    contentLine('X-WR-CALNAME', escapeText(name)),
    contentLine('X-WR-TIMEZONE', escapeText(writtenZone(zone))),
    refresh ? contentLine('REFRESH-INTERVAL', refresh, { VALUE: 'DURATION' }) : '',
    refresh ? contentLine('X-PUBLISHED-TTL', refresh) : '',
  ].join('');
}

/** The tail of a calendar file. */
export function calendarTail(): string {
  return contentLine('END', 'VCALENDAR');
}

/** What an event of a series has in place of its own lines; folded lines with line breaks. */
export interface SeriesLines {
  /** `DTSTART` and the recurrence. */
  dates?: string;
  recurrenceId?: string;
}

/** Formats an event as a `VEVENT` of RFC 5545, with `X-ALMANAC-…` properties for fields without a standard one. */
export function eventLines(entry: CalendarEntry, series: SeriesLines = {}): string {
  const text = (name: string, value: string | undefined) =>
    value ? contentLine(name, escapeText(value)) : '';
  const list = (name: string, values: readonly string[]) =>
    values.length > 0 ? contentLine(name, values.map(escapeText).join(',')) : '';
  const [place, ...further] = entry.venues;
  const [person, ...others] = entry.organizers;
  return [
    contentLine('BEGIN', 'VEVENT'),
    contentLine('UID', escapeText(entry.uid)),
    // DTSTAMP is required.
    contentLine(
      'DTSTAMP',
      isZeroDate(entry.modifiedUtc) ? '19700101T000000Z' : `${compactDate(entry.modifiedUtc)}Z`,
    ),
    series.recurrenceId ?? '',
    series.dates ?? dates(entry),
    isZeroDate(entry.createdUtc) ? '' : contentLine('CREATED', `${compactDate(entry.createdUtc)}Z`),
    isZeroDate(entry.modifiedUtc) ? '' : contentLine('LAST-MODIFIED', `${compactDate(entry.modifiedUtc)}Z`),
    contentLine('SEQUENCE', String(sequence(entry))),
    text('SUMMARY', entry.title),
    text('DESCRIPTION', plainText(entry.html)),
    entry.html ? contentLine('X-ALT-DESC', escapeText(entry.html), { FMTTYPE: 'text/html' }) : '',
    uri('URL', entry.url),
    place ? placeLine('LOCATION', place) : '',
    ...further.map((one) => placeLine('X-ALMANAC-LOCATION', one)),
    position(place),
    list('CATEGORIES', entry.categories),
    list('X-ALMANAC-TAGS', entry.tags),
    person ? personLine('ORGANIZER', person, entry.url) : '',
    ...others.map((one) => personLine('X-ALMANAC-ORGANIZER', one, entry.url)),
    ...status(entry),
    text('X-ALMANAC-COST', entry.cost),
    text('X-ALMANAC-COST-STORED', entry.storedCost),
    text('X-ALMANAC-WEBSITE', entry.website),
    entry.image ? contentLine('ATTACH', asUri(entry.image)) : '',
    contentLine('END', 'VEVENT'),
  ].join('');
}

/** Converts HTML to plain text with a blank line between paragraphs. */
export function plainText(html: string): string {
  const broken = html
    .replace(/<br\s*\/?>\n?/gi, '\n')
    .replace(/<\/(p|div|h[1-6]|ul|ol|table|blockquote)>/gi, '$&\n\n')
    .replace(/<\/(li|tr)>/gi, '$&\n');
  const lines = htmlEntityDecode(wpStripAllTags(broken)).split('\n');
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/**
 * Start and end. All-day events have dates, with the end on the day after the last one. A wall clock time that readers
 * would resolve to another instant than the stored one, such as the second of an ambiguous hour, is written in UTC.
 */
function dates(entry: CalendarEntry): string {
  const { allDay, start, end, zone, isOccurrence } = entry;
  const written = writtenZone(zone);
  const storedZone = contentLine('X-ALMANAC-TIMEZONE', escapeText(zone));
  if (allDay) {
    const { first, last, after } = wholeDays(start, end);
    const value = { VALUE: 'DATE' };
    // The last day of the year 9999 has no next day.
    const until = after > last ? after : last;
    return (
      contentLine('DTSTART', compactDate(first), value) +
      (isOccurrence ? contentLine('RECURRENCE-ID', compactDate(first), value) : '') +
      (until > first ? contentLine('DTEND', compactDate(until), value) : '') +
      storedZone
    );
  }
  const isRead = instant(start, zone) === entry.utcStart && instant(end, zone) === entry.utcEnd;
  const isClear = isRead && isDescribed(start) && isDescribed(end);
  // An end must be after the start; without one an event has no duration.
  const hasEnd = entry.utcEnd > entry.utcStart;
  const isInUtc = written === 'UTC' || !isClear;
  const time = (name: string, wall: string, utc: string) =>
    isInUtc
      ? contentLine(name, `${compactDate(utc)}Z`)
      : contentLine(name, compactDate(wall), { TZID: written });
  return [
    time('DTSTART', start, entry.utcStart),
    isOccurrence ? time('RECURRENCE-ID', start, entry.utcStart) : '',
    hasEnd ? time('DTEND', end, entry.utcEnd) : '',
    zone === (isInUtc ? 'UTC' : written) ? '' : storedZone,
  ].join('');
}

/** The instant that readers resolve: the first of an ambiguous time; undefined in a gap. */
function instant(wall: string, zone: string): string | undefined {
  const [built, seconds] = [buildZone(zone), parseWallClock(wall) ?? 0];
  const epoch = toFirstEpoch(built, seconds);
  return epoch + offsetAt(built, epoch) === seconds ? formatWallClock(epoch) : undefined;
}

/**
 * Seconds from 2025 to the last change, as no revision count is stored, but not less than the source of an import said;
 * readers accept 31 bits, up to 2093.
 */
function sequence({ modifiedUtc, sequence: imported = 0 }: CalendarEntry): number {
  const seconds = isZeroDate(modifiedUtc) ? 0 : (parseWallClock(modifiedUtc) ?? 0) - SEQUENCE_START;
  return Math.min(Math.max(0, seconds, imported), 2 ** 31 - 1);
}

const SEQUENCE_START = Date.UTC(2025, 0, 1) / 1000;

const isZeroDate = (utc: string): boolean => utc.startsWith('0000');

function status({ status, isCancelled }: CalendarEntry): string[] {
  const isPublic = status === 'publish' || status === 'private';
  return [
    contentLine('STATUS', isCancelled ? 'CANCELLED' : isPublic ? 'CONFIRMED' : 'TENTATIVE'),
    status === 'private' ? contentLine('CLASS', 'PRIVATE') : '',
  ];
}

function placeLine(name: string, { name: venue, ...place }: CalendarPlace): string {
  const { address, city, state, province, zip, country, phone, website } = place;
  const parts = [venue, address, city, state, province, zip, country].filter(Boolean).map(String);
  if (parts.length === 0) return '';
  return contentLine(name, escapeText(parts.join(', ')), {
    'X-NAME': venue,
    'X-ADDRESS': address,
    'X-CITY': city,
    'X-STATE': state,
    'X-PROVINCE': province,
    'X-ZIP': zip,
    'X-COUNTRY': country,
    'X-PHONE': phone,
    'X-WEBSITE': website,
  });
}

function position(place: CalendarPlace | undefined): string {
  const { latitude, longitude } = place ?? {};
  return latitude === undefined || longitude === undefined
    ? ''
    : contentLine('GEO', [latitude, longitude].map((degrees) => Number(degrees.toFixed(6))).join(';'));
}

/** An organizer; the value must be a URI: the e-mail address, else the website, else the page of the event. */
function personLine(
  name: string,
  { name: person, email, website, phone }: CalendarPerson,
  page: string,
): string {
  // Calendar programs open it on click, so only http(s) URLs are used.
  const site = [website, page].find((one) => webAddress(one) !== undefined);
  const address = email && isEmail(email) ? `mailto:${encodeURI(email)}` : asUri(site ?? 'invalid:nobody');
  const further = { 'X-WEBSITE': website, 'X-PHONE': phone };
  return contentLine(name, address, { CN: person, ...further });
}

function uri(name: string, address: string): string {
  return address ? contentLine(name, asUri(address)) : '';
}

/** Encodes characters that are invalid in a URI. */
function asUri(address: string): string {
  return address.replace(/[\s<>"]/g, (character) => encodeURIComponent(character));
}
