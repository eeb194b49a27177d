import { checkFrequency, eachOccurrence, type Occurrence, occurrences } from '../recurrence/occurrences.js';
import {
  isDateLine,
  isRecurrence,
  parseOverride,
  parseRecurrence,
  withOverrides,
} from '../recurrence/parse-recurrence.js';
import { parseProperty } from '../recurrence/parse-values.js';
import { RecurrenceError } from '../recurrence/recurrence-error.js';
import type { Override, RecurrenceSet } from '../recurrence/recurrence-set.js';
import { UTC_CLOCK, type ZoneClocks } from '../recurrence/zone-clock.js';
import { cut } from '../safe-text.js';
import { compactDate, formatWallClock } from '../wordpress-text/dates/wall-clock.js';
import type { FileZones } from './file-zones.js';
import type { ReadDates } from './read-dates.js';
import type { ContentLine } from './read-lines.js';
import { momentIn, type ReadTime, Unreadable } from './read-time.js';
import { datesInZone, exclusionOf, rulesInZone } from './stored-series.js';
import { zoneOfId } from './zone-names.js';

/** The maximum of steps to compute the dates of one series, as a file may have many. */
const MAX_STEPS = 400_000;

/** The lines of a component that determine its dates. */
export function dateLines(lines: readonly ContentLine[]): ContentLine[] {
  return lines.filter(({ text }) => isDateLine(text));
}

/** Whether a component recurs. */
export function isRecurring(lines: readonly ContentLine[]): boolean {
  return isRecurrence(lines.map(({ text }) => text));
}

/** A component that changes one date of a series, or also the later ones. */
export interface ChangedDate {
  /** The line where it begins. */
  line: number;
  /** Its `SEQUENCE`. */
  sequence: number;
  /** See `dateLines`. */
  lines: readonly ContentLine[];
}

/** One date of a series with its id. */
export interface SeriesDate {
  id: string;
  dates: ReadDates;
}

/** The dates of a recurring event of a file, together with all components that change it. */
export class Series {
  /** Whether it has no further dates. */
  readonly isComplete: boolean;
  private readonly set: RecurrenceSet;
  private readonly list: Occurrence[];
  /** The changed dates by the line where they begin; of several revisions of one only the last. */
  private readonly changed = new Map<number, number>();
  /** The older revisions by their lines, with the lines of the last ones. */
  private readonly older = new Map<number, number>();
  /** The `TZID` of `DTSTART`. */
  private readonly zone: string | undefined;

  /** Throws `Unreadable`, also for a rule with too many dates. */
  constructor(
    private readonly uid: string,
    lines: readonly ContentLine[],
    changes: readonly ChangedDate[],
    private readonly zones: FileZones,
    limit: number,
  ) {
    const start = lines.find(({ text }) => /^DTSTART[;:]/i.test(text));
    if (!start) throw new Unreadable('it has no DTSTART');
    this.zone = parseProperty(start.text)?.parameters.get('TZID');
    const clocks = zones.clocks();
    try {
      const set = parseRecurrence(
        lines.map(({ text }) => text),
        { zones: clocks },
      );
      this.set = this.withLastRevisions(set, changedDates(set, changes, clocks));
      checkFrequency(this.set, MAX_STEPS);
      const { list, isComplete } = occurrences(this.set, { limit, maxSteps: MAX_STEPS });
      this.list = list;
      this.isComplete = isComplete;
    } catch (error) {
      throw error instanceof RecurrenceError ? unreadable(error) : error;
    }
  }

  /** The unchanged dates, or those of the component that begins on a line: one, or several of `THISANDFUTURE`. */
  datesOf(line?: number, limit?: number): SeriesDate[] {
    const override = line === undefined ? undefined : this.changed.get(line);
    if (line !== undefined && override === undefined) return [];
    return this.list
      .filter((one) => one.override === override)
      .slice(0, limit)
      .map((one) => ({ id: this.idOf(one.recurrenceId), dates: this.datesAt(one) }));
  }

  /**
   * The lines of the unchanged dates for one event in a zone of the calendar: rules that yield the same dates there, else
   * the dates one by one; of the dates that a component changes, always one by one. Throws `Unreadable`.
   */
  storedLines(zones: readonly string[], line?: number): { zone: string; lines: string[] } {
    const { set, isComplete } = this;
    const isDivided = set.overrides.some(({ isRange }) => isRange);
    const override = line === undefined ? undefined : this.changed.get(line);
    const dates = this.list.filter((one) => one.override === override);
    for (const zone of isDivided ? [] : zones) {
      const lines = rulesInZone(set, zone, dates, isComplete);
      if (lines) return { zone, lines };
    }
    const [zone = 'UTC'] = zones;
    if (isComplete) return { zone, lines: dates.length > 1 ? datesInZone(set, zone, dates) : [] };
    throw new Unreadable(
      isDivided
        ? 'it recurs, but too often for a change of all later dates'
        : 'it recurs, but too often for a time zone that is not known here',
    );
  }

  /** The unchanged dates by their ids, as `EXDATE` lines. */
  exclusions(): Map<string, string> {
    const own = this.list.filter(({ override }) => override === undefined);
    return new Map(own.map((one) => [this.idOf(one.recurrenceId), exclusionOf(this.set, one)]));
  }

  /** The ids of the changed dates. */
  changedIds(): string[] {
    const changed = this.list.filter(({ override }) => override !== undefined);
    return changed.map((one) => this.idOf(one.recurrenceId));
  }

  /** The original start of the date that a component changes, on the clock of the series. */
  originalStart(line: number): string | undefined {
    const override = this.set.overrides[this.changed.get(line) ?? -1];
    return override && formatWallClock(this.wallOf(override.id.key));
  }

  /** The line of the later revision of a component that changes a date; undefined for the last one. */
  supersededBy(line: number): number | undefined {
    return this.older.get(line);
  }

  /** The id of the date that a component changes; undefined where it names none. */
  changedId(line: number): string | undefined {
    const override = this.set.overrides[this.changed.get(line) ?? -1];
    return override && this.idOf(override.id.key);
  }

  /** Whether it takes place at no time. */
  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  /** The ids of all dates. */
  ids(): string[] {
    return this.list.map((one) => this.idOf(one.recurrenceId));
  }

  /** Whether the rules yield `DTSTART`. */
  hasStart(): boolean {
    const rules = { ...this.set, excluded: [], exclusionRules: [], overrides: [] };
    const [first] = eachOccurrence(rules, { maxSteps: MAX_STEPS });
    return first?.recurrenceId === this.set.startKey;
  }

  private withLastRevisions(set: RecurrenceSet, changes: readonly Change[]): RecurrenceSet {
    const last = new Map<number, Change>();
    for (const change of changes) {
      const { key } = change.override.id;
      if (change.sequence >= (last.get(key)?.sequence ?? 0)) last.set(key, change);
    }
    for (const { line, override } of changes) {
      const later = last.get(override.id.key)?.line ?? line;
      if (later !== line) this.older.set(line, later);
    }
    for (const [at, { line }] of [...last.values()].entries()) this.changed.set(line, at);
    return withOverrides(
      set,
      [...last.values()].map(({ override }) => override),
    );
  }

  private idOf(key: number): string {
    const wall = compactDate(formatWallClock(this.wallOf(key)));
    return `${this.uid}/${this.set.isAllDay ? wall.slice(0, 8) : wall}`;
  }

  private wallOf(key: number): number {
    return this.set.isAllDay ? key : this.set.clock.toWall(key);
  }

  private datesAt({ start, end, startUtc, endUtc }: Occurrence): ReadDates {
    return { start: this.timeAt(start, startUtc), end: this.timeAt(end, endUtc) };
  }

  private timeAt(wall: number, epoch: number): ReadTime {
    const { zones, zone, set } = this;
    if (set.isAllDay) return { day: formatWallClock(wall).slice(0, 10) };
    if (set.start.clock === UTC_CLOCK) return momentIn((zone && zoneOfId(zone)) || zones.utcZone, epoch);
    if (!zone) return momentIn(zones.local, epoch);
    return momentIn(zones.moment(formatWallClock(wall), zone)?.zone ?? zones.local, epoch);
  }
}

/** A component that changes a date, as parsed. */
interface Change {
  line: number;
  sequence: number;
  override: Override;
}

/** Parses the components that change dates; one with invalid dates of its own still replaces a date. */
function changedDates(set: RecurrenceSet, changes: readonly ChangedDate[], clocks: ZoneClocks): Change[] {
  return changes.flatMap(({ line, sequence, lines }) => {
    const texts = lines.map(({ text }) => text);
    const override =
      parsedOverride(texts, set, clocks) ??
      parsedOverride(
        texts.filter((text) => !/^D(?:TSTART|TEND|URATION)/i.test(text)),
        set,
        clocks,
      );
    return override ? [{ line, sequence, override }] : [];
  });
}

function parsedOverride(
  lines: readonly string[],
  set: RecurrenceSet,
  clocks: ZoneClocks,
): Override | undefined {
  try {
    return parseOverride(lines, set, clocks);
  } catch (error) {
    if (error instanceof RecurrenceError) return undefined;
    throw error;
  }
}

function unreadable({ line, reason }: RecurrenceError): Unreadable {
  const name = /^[\w-]+/.exec(line)?.[0].toUpperCase();
  return new Unreadable(`it recurs, but ${name ? `its ${name} cannot be used: ` : ''}${cut(reason, 200)}`);
}
