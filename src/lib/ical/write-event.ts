import { formatWallClock, parseWallClock } from '../wordpress-text/dates/wall-clock.js';
import { offsetAt, toFirstEpoch } from '../wordpress-text/dates/zone.js';
import { buildZone } from '../wordpress-text/dates/zones.js';
import { htmlEntityDecode } from '../wordpress-text/formatting/html-entity-decode.js';
import { isEmail } from '../wordpress-text/formatting/sanitize-email.js';
import { webAddress } from '../wordpress-text/formatting/web-address.js';
import { wpStripAllTags } from '../wordpress-text/formatting/wp-strip-all-tags.js';
import type { CalendarEntry, CalendarPerson, CalendarPlace } from './calendar-entry.js';
import { compactDate, contentLine, escapeText } from './content-line.js';
import { wholeDays } from './whole-days.js';
import { isDescribed, writtenZone } from './write-time-zone.js';

/**
 * What a calendar file begins with; `zone`: what clocks without a zone are read in; `refresh`: how often who subscribes to it may
 * ask for it again, such as `PT1H`.
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

/** What it ends with. */
export function calendarTail(): string {
  return contentLine('END', 'VCALENDAR');
}

/** An event as a `VEVENT` of RFC 5545. What that has no property for stands in properties `X-ALMANAC-…`, which other programs skip. */
export function eventLines(entry: CalendarEntry): string {
  const text = (name: string, value: string | undefined) =>
    value ? contentLine(name, escapeText(value)) : '';
  const list = (name: string, values: readonly string[]) =>
    values.length > 0 ? contentLine(name, values.map(escapeText).join(',')) : '';
  const [place, ...further] = entry.venues;
  const [person, ...others] = entry.organizers;
  return [
    contentLine('BEGIN', 'VEVENT'),
    contentLine('UID', escapeText(entry.uid)),
    // There has to be one.
    contentLine(
      'DTSTAMP',
      floats(entry.modifiedUtc) ? '19700101T000000Z' : `${compactDate(entry.modifiedUtc)}Z`,
    ),
    dates(entry),
    floats(entry.createdUtc) ? '' : contentLine('CREATED', `${compactDate(entry.createdUtc)}Z`),
    floats(entry.modifiedUtc) ? '' : contentLine('LAST-MODIFIED', `${compactDate(entry.modifiedUtc)}Z`),
    contentLine('SEQUENCE', String(sequence(entry.modifiedUtc))),
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

/** HTML as plain text: a blank line between paragraphs. */
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
 * Start and end. Whole days are dates, the end being the day after the last one. A wall clock that its zone does not read as the
 * stored instant, such as the second of an hour that comes twice, is written in UTC.
 */
function dates(entry: CalendarEntry): string {
  const { allDay, start, end, zone } = entry;
  const written = writtenZone(zone);
  const stays = contentLine('X-ALMANAC-TIMEZONE', escapeText(zone));
  if (allDay) {
    const { first, last, after } = wholeDays(start, end);
    const value = { VALUE: 'DATE' };
    // There is no day after the last one of the year 9999.
    const until = after > last ? after : last;
    return (
      contentLine('DTSTART', compactDate(first), value) +
      (until > first ? contentLine('DTEND', compactDate(until), value) : '') +
      stays
    );
  }
  const isRead = instant(start, zone) === entry.utcStart && instant(end, zone) === entry.utcEnd;
  const isClear = isRead && isDescribed(start) && isDescribed(end);
  // An end has to be later than its start; without one an event takes no time.
  const hasEnd = entry.utcEnd > entry.utcStart;
  const isInUtc = written === 'UTC' || !isClear;
  const time = (name: string, wall: string, utc: string) =>
    isInUtc
      ? contentLine(name, `${compactDate(utc)}Z`)
      : contentLine(name, compactDate(wall), { TZID: written });
  return [
    time('DTSTART', start, entry.utcStart),
    hasEnd ? time('DTEND', end, entry.utcEnd) : '',
    zone === (isInUtc ? 'UTC' : written) ? '' : stays,
  ].join('');
}

/** As all readers of calendar files understand it: of an hour that comes twice the first one; undefined where a clock leaves it out. */
function instant(wall: string, zone: string): string | undefined {
  const [built, seconds] = [buildZone(zone), parseWallClock(wall) ?? 0];
  const epoch = toFirstEpoch(built, seconds);
  return epoch + offsetAt(built, epoch) === seconds ? formatWallClock(epoch) : undefined;
}

/** Seconds since 2025 of the last change: no count of changes is stored, and readers take 31 bits, which end in 2093. */
function sequence(modifiedUtc: string): number {
  const seconds = floats(modifiedUtc) ? 0 : (parseWallClock(modifiedUtc) ?? 0) - SEQUENCE_START;
  return Math.min(Math.max(0, seconds), 2 ** 31 - 1);
}

const SEQUENCE_START = Date.UTC(2025, 0, 1) / 1000;

const floats = (utc: string): boolean => utc.startsWith('0000');

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

/** Whoever has no e-mail address is named by the website, else by the page of the event: the value has to be an address. */
function personLine(
  name: string,
  { name: person, email, website, phone }: CalendarPerson,
  page: string,
): string {
  // A calendar program opens it when it is clicked.
  const site = [website, page].find((one) => webAddress(one) !== undefined);
  const address = email && isEmail(email) ? `mailto:${encodeURI(email)}` : asUri(site ?? 'invalid:nobody');
  const further = { 'X-WEBSITE': website, 'X-PHONE': phone };
  return contentLine(name, address, { CN: person, ...further });
}

function uri(name: string, address: string): string {
  return address ? contentLine(name, asUri(address)) : '';
}

/** Without what an address may not hold. */
function asUri(address: string): string {
  return address.replace(/[\s<>"]/g, (character) => encodeURIComponent(character));
}
