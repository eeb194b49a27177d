import type ICAL from 'ical.js';
import { cut } from '../safe-text.js';
import { compactDate } from '../wordpress-text/dates/wall-clock.js';
import { MAX_TERM_NAME_LENGTH } from '../wordpress-text/formatting/sanitize.js';
import { changedIds, sequenceOf } from './component-ids.js';
import type { FileZones } from './file-zones.js';
import type { Loss } from './losses.js';
import { type ParsedComponent, parseComponent, whyUnreadable } from './parse-component.js';
import { dateFields, loseBadEnds, type ReadDates } from './read-dates.js';
import type { ContentLine } from './read-lines.js';
import { readPeople, readPlaces } from './read-places.js';
import { asHtml, asWebsite, descriptionOf, listOf, textOf } from './read-texts.js';
import { Unreadable } from './read-time.js';
import { dateLines, isRecurring, Series } from './series.js';

/** An imported event: fields of a create request; missing ones are absent. */
export interface ReadEvent {
  uid: string;
  fields: Record<string, unknown>;
  /** Parts that are not imported. */
  losses?: readonly Loss[];
  /** The `UID`, if other events of the file have it too. */
  sharedUid?: string;
  /** Further ids that it may have been imported with. */
  aliases?: readonly string[];
  /** Its revision. */
  sequence?: number;
  /** The recurring event that it is a date of. */
  seriesUid?: string;
  /** The start of the date of that event which it replaces, `YYYY-MM-DD HH:MM:SS` on the clock of the series. */
  replaces?: string;
  /** Of a recurring event: the first of its unchanged dates by their ids, as `EXDATE` lines. */
  exclusions?: () => ReadonlyMap<string, string>;
  /** Whether it is the row of a table, which does not say how an event recurs. */
  isRow?: boolean;
}

/** The number of dates by which the rules of a recurring event are checked in the zone of the calendar. */
export const MAX_COMPARED = 1000;

/** Options of reading the events of a file. */
export interface ReadOptions {
  zones: FileZones;
  /** Whether Almanac wrote the file: then `URL` is the page of the event, not its website. */
  isOurs: boolean;
  /** The maximum of events made of a recurring one; undefined makes one event that recurs. */
  occurrences: number | undefined;
  /** The series that it is, or that it changes. */
  series?: Series;
  /** The line where it begins. */
  line?: number;
}

/**
 * Converts a `VEVENT` to events: one, which may recur, or the first occurrences of a recurring one, each with its own id.
 * Throws `Unreadable` for an unsupported or invalid event.
 */
export function readEvents(lines: readonly ContentLine[], options: ReadOptions): ReadEvent[] {
  const parsed = parseComponent(lines);
  const [first, ...others] = orUnreadable(() => eventsOf(parsed, lines, options));
  const sequence = sequenceOf(lines);
  const events = first ? [{ ...first, losses: parsed.losses.list }, ...others] : [];
  return sequence === undefined ? events : events.map((event) => ({ ...event, sequence }));
}

function eventsOf(parsed: ParsedComponent, lines: readonly ContentLine[], options: ReadOptions): ReadEvent[] {
  const { component } = parsed;
  const uid = textOf(component, 'uid') ?? '';
  const override = component.getFirstProperty('recurrence-id');
  if (textOf(component, 'status')?.toUpperCase() === 'CANCELLED') throw new Unreadable('it is cancelled');
  loseBadEnds(parsed, options.zones);
  if (override && options.series) return changedDates(parsed, options, options.series, uid);
  if (override) {
    if (override.getFirstParameter('range')) throw new Unreadable('it changes all later occurrences at once');
    if (options.occurrences === undefined)
      parsed.lose(override, 'the event becomes one of its own: its series is not in the file');
    const [id = uid, ...aliases] = changedIds(uid, lines, options.zones);
    return [{ uid: id, aliases, seriesUid: uid, fields: fieldsOf(parsed, options) }];
  }
  if (!isRecurring(lines)) return [{ uid, fields: fieldsOf(parsed, options) }];
  const limit = options.occurrences ?? MAX_COMPARED;
  const series = options.series ?? new Series(uid, usableLines(parsed, lines), [], options.zones, limit);
  if (series.isEmpty) throw new Unreadable('it recurs, and takes place at no time');
  if (!series.hasStart())
    parsed.losses.add(
      parsed.lineOf(component.getFirstProperty('dtstart')),
      'DTSTART',
      'its RRULE leaves it out',
    );
  if (options.occurrences === undefined) {
    const fields = recurringFields(parsed, options, series);
    return fields ? [{ uid, fields, exclusions: () => series.exclusions() }] : [];
  }
  return series.datesOf().map(({ id, dates }) => ({
    uid: id,
    seriesUid: uid,
    fields: fieldsOf(parsed, options, dates),
  }));
}

/** The fields of one event that recurs, on the dates that are unchanged or that a component changes. */
function recurringFields(
  parsed: ParsedComponent,
  options: ReadOptions,
  series: Series,
  line?: number,
): Record<string, unknown> | undefined {
  const [first] = series.datesOf(line, 1);
  if (!first) return undefined;
  const fields = fieldsOf(parsed, options, first.dates);
  const own = String(fields['timezone']);
  const { zone, lines } = series.storedLines([...new Set([own, 'UTC'])], line);
  const inZone = zone === own ? {} : dateFields(parsed, options.zones, first.dates, zone);
  return { ...fields, ...inZone, ...(lines.length > 0 && { recurrence: lines }) };
}

/** The dates that a component changes: one, or with `RANGE` also the later ones. */
function changedDates(
  parsed: ParsedComponent,
  options: ReadOptions,
  series: Series,
  seriesUid: string,
): ReadEvent[] {
  const line = options.line ?? 0;
  const isRange = parsed.component.getFirstProperty('recurrence-id')?.getFirstParameter('range');
  const uid = series.changedId(line);
  const replaces = series.originalStart(line);
  if (uid === undefined || replaces === undefined) throw new Unreadable('RECURRENCE-ID is no date');
  const common = { uid, seriesUid, replaces };
  if (isRange && options.occurrences === undefined) {
    const fields = recurringFields(parsed, options, series, line);
    return fields ? [{ ...common, fields }] : [];
  }
  // The changed date itself has the dates that are written, in their own zone.
  const own = { ...common, fields: fieldsOf(parsed, options) };
  const later = isRange ? series.datesOf(line).filter(({ id }) => id !== own.uid) : [];
  return [
    own,
    ...later.map(({ id, dates }) => ({ uid: id, seriesUid, fields: fieldsOf(parsed, options, dates) })),
  ];
}

/** The lines of the dates without the ends that are lost. */
export function usableLines({ losses }: ParsedComponent, lines: readonly ContentLine[]): ContentLine[] {
  const lost = new Set(losses.list.map(({ line }) => line));
  return dateLines(lines).filter(({ line, text }) => !(/^D(?:TEND|URATION)/i.test(text) && lost.has(line)));
}

/** Turns any error of ical.js, which parses lazily, into `Unreadable`. */
function orUnreadable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(whyUnreadable(error));
  }
}

function fieldsOf(
  parsed: ParsedComponent,
  { zones, isOurs }: ReadOptions,
  dates?: ReadDates,
): Record<string, unknown> {
  const { component } = parsed;
  const fields: Record<string, unknown> = { ...dateFields(parsed, zones, dates) };
  const add = (name: string, value: unknown) => {
    if (value !== undefined) fields[name] = value;
  };
  const title = textOf(component, 'summary');
  // A title of invisible characters counts as missing.
  add('title', title !== undefined && /[^\s\p{C}]/u.test(title) ? asHtml(title) : undefined);
  add('description', descriptionOf(component));
  add('status', statusOf(component));
  add('categories', namesOf(parsed, 'categories'));
  add('tags', namesOf(parsed, 'x-almanac-tags'));
  add('cost', textOf(component, 'x-almanac-cost'));
  add('cost_stored', textOf(component, 'x-almanac-cost-stored'));
  const { places, address } = readPlaces(parsed);
  add('venue', places);
  add('organizer', readPeople(parsed));
  const hasPage = isOurs || isOwnPage(textOf(component, 'uid'), textOf(component, 'url'));
  add('website', websiteOf(parsed, hasPage ? 'x-almanac-website' : 'url') ?? (hasPage ? undefined : address));
  add('image', textOf(component, 'attach'));
  return fields;
}

/** Whether `URL` is the page of an event exported by Almanac, even if another program has rewritten the file. */
function isOwnPage(uid = '', url = ''): boolean {
  const host = /^\d+@(.+)$/.exec(uid)?.[1];
  return host !== undefined && URL.canParse(url) && new URL(url).host === host;
}

function websiteOf({ component, lose }: ParsedComponent, name: string): string | undefined {
  const text = textOf(component, name);
  const website = text === undefined ? undefined : asWebsite(text);
  const property = component.getFirstProperty(name);
  if (property && text !== undefined && website === undefined)
    lose(property, `"${cut(text, 80)}" is no address`);
  return website;
}

/** The names of terms without those that are too long. */
function namesOf({ component, losses, lineOf }: ParsedComponent, name: string): string[] | undefined {
  return listOf(component, name)?.filter((item) => {
    if (item.length <= MAX_TERM_NAME_LENGTH || [...item].length <= MAX_TERM_NAME_LENGTH) return true;
    losses.add(
      lineOf(component.getFirstProperty(name)),
      name.toUpperCase(),
      `"${cut(item, 40)}" is longer than ${MAX_TERM_NAME_LENGTH} characters`,
    );
    return false;
  });
}

function statusOf(component: ICAL.Component): string {
  if (/^(private|confidential)$/i.test(textOf(component, 'class') ?? '')) return 'private';
  return textOf(component, 'status')?.toUpperCase() === 'TENTATIVE' ? 'draft' : 'publish';
}

/** An id for a record without one, derived from its title and time. */
export function derivedUid(fields: Record<string, unknown>): string {
  const { title, description, start_date: start, timezone: zone } = fields;
  return `${compactDate(String(start))} ${String(zone ?? '')} ${String(title ?? description ?? '')}`;
}
