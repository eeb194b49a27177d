import { sequenceOf } from '../lib/ical/component-ids.js';
import { DescribedZone } from '../lib/ical/described-zone.js';
import { FileZones } from '../lib/ical/file-zones.js';
import type { ContentLine } from '../lib/ical/read-lines.js';
import { isRecurring } from '../lib/ical/series.js';
import type { CalendarPart } from '../lib/ical/split-components.js';
import { zoneOfId } from '../lib/ical/zone-names.js';

/** Maximum total length of a file's zone descriptions. */
const MAX_ZONE_CHARACTERS = 20_000_000;

/** Properties of a calendar that apply to all its events. */
interface CalendarHead {
  zone?: string;
  isOurs?: boolean;
  /** Whether its `METHOD` is `CANCEL`. */
  isCancelling?: boolean;
  zones?: Map<string, DescribedZone>;
}

/** Facts about a whole file that reading its events requires, since they may follow the events. */
export class CalendarSurvey {
  private readonly heads = new Map<number, CalendarHead>();
  private readonly zones = new Map<string, DescribedZone>();
  private readonly byText = new Map<string, DescribedZone>();
  private readonly known = new Map<number, FileZones>();
  private readonly starts = new Map<string, string>();
  private readonly shared = new Set<string>();
  private readonly series = new Set<string>();
  private readonly changed = new Set<string>();
  private readonly revisions = new Map<string, { sequence: number; line: number }>();
  private zoneCharacters = 0;

  constructor(
    private readonly siteZone: string,
    /** Whether recurring events stay one event. */
    private readonly keepsSeries: boolean,
    private readonly note: (line: string) => void,
  ) {}

  take({ name, lines, line, calendar }: CalendarPart): void {
    if (name === 'X-WR-TIMEZONE') this.head(calendar).zone = propertyText(lines, name);
    else if (name === 'PRODID')
      this.head(calendar).isOurs = propertyText(lines, name)?.startsWith('-//Almanac//');
    else if (name === 'METHOD')
      this.head(calendar).isCancelling = propertyText(lines, name)?.toUpperCase() === 'CANCEL';
    else if (name === 'VTIMEZONE') this.takeZone(lines, line, calendar);
    else if (name === 'VEVENT') this.takeEvent(lines, line);
  }

  isOurs(calendar: number): boolean {
    return this.heads.get(calendar)?.isOurs ?? false;
  }

  isCancelling(calendar: number): boolean {
    return this.heads.get(calendar)?.isCancelling ?? false;
  }

  /** The line of a later revision (`SEQUENCE`) of an event; undefined if the file has none. */
  laterRevision(lines: readonly ContentLine[]): number | undefined {
    const sequence = sequenceOf(lines);
    const last = this.revisions.get(identityOf(lines));
    return sequence !== undefined && last && last.sequence > sequence ? last.line : undefined;
  }

  /** The zones of a calendar; a zone that it does not describe is taken from another calendar of the file. */
  zonesOf(calendar: number): FileZones {
    const known = this.known.get(calendar);
    if (known) return known;
    const { zone, isOurs, zones } = this.heads.get(calendar) ?? {};
    const named = zone === undefined ? undefined : zoneOfId(zone);
    const described = { get: (id: string) => zones?.get(id) ?? this.zones.get(id) };
    const fileZones = new FileZones(named ?? this.siteZone, isOurs ? 'UTC' : named, described);
    // Events of a calendar are adjacent in the file.
    this.known.clear();
    this.known.set(calendar, fileZones);
    return fileZones;
  }

  /** Whether the file has events of this `UID` with different starts. */
  isShared(uid: string): boolean {
    return this.shared.has(uid);
  }

  /** Whether an event of this `UID` recurs. */
  isSeries(uid: string): boolean {
    return this.series.has(uid);
  }

  /** Whether the file has a series of this `UID` with changed dates. */
  isChangedSeries(uid: string): boolean {
    return this.series.has(uid) && this.changed.has(uid);
  }

  /** Whether the file has any such series. */
  hasChangedSeries(): boolean {
    return [...this.changed].some((uid) => this.series.has(uid));
  }

  private head(calendar: number): CalendarHead {
    const head = this.heads.get(calendar) ?? {};
    this.heads.set(calendar, head);
    return head;
  }

  private takeZone(lines: ContentLine[], line: number, calendar: number): void {
    const id = propertyText(lines, 'TZID')?.replace(/^"|"$/g, '');
    if (id === undefined) return;
    const text = lines.map((one) => one.text).join('\n');
    const zone = this.byText.get(text) ?? new DescribedZone(lines);
    if (!this.byText.has(text)) {
      const before = this.zoneCharacters;
      this.zoneCharacters += text.length;
      if (this.zoneCharacters > MAX_ZONE_CHARACTERS) {
        if (before <= MAX_ZONE_CHARACTERS)
          this.note(`The time zones from line ${line} on are not read: there are too many.`);
        return;
      }
      this.byText.set(text, zone);
    }
    const head = this.head(calendar);
    head.zones ??= new Map();
    for (const zones of [head.zones, this.zones]) if (!zones.has(id)) zones.set(id, zone);
  }

  private takeEvent(lines: readonly ContentLine[], line: number): void {
    const uid = uidOf(lines);
    if (uid === undefined) return;
    const identity = identityOf(lines);
    const sequence = sequenceOf(lines);
    const before = this.revisions.get(identity);
    if (sequence !== undefined && before && before.sequence > sequence) return;
    if (sequence !== undefined) this.revisions.set(identity, { sequence, line });
    if (hasProperty(lines, 'RECURRENCE-ID')) {
      this.changed.add(uid);
      return;
    }
    if (sequence !== undefined && before && before.sequence < sequence) {
      // What an older revision said does not count.
      for (const seen of [this.series, this.shared]) seen.delete(uid);
      this.starts.delete(uid);
    }
    const recurs = isRecurring(lines);
    if (recurs) this.series.add(uid);
    if (!recurs || this.keepsSeries) {
      const start = lines.find(({ text }) => /^DTSTART[;:]/i.test(text))?.text ?? '';
      if ((this.starts.get(uid) ?? start) !== start) this.shared.add(uid);
      this.starts.set(uid, start);
    }
  }
}

/** The `UID` with the `RECURRENCE-ID` as written. */
function identityOf(lines: readonly ContentLine[]): string {
  const changed = lines.find(({ text }) => nameOf(text) === 'RECURRENCE-ID')?.text ?? '';
  return `${uidOf(lines) ?? ''}\n${changed}`;
}

/** The `UID` of an event as written. */
export function uidOf(lines: readonly ContentLine[]): string | undefined {
  return propertyText(lines, 'UID');
}

/** Whether an event has a property. */
export function hasProperty(lines: readonly ContentLine[], name: string): boolean {
  return lines.some(({ text }) => nameOf(text) === name);
}

/** The unescaped text of a property. */
function propertyText(lines: readonly ContentLine[], name: string): string | undefined {
  const line = lines.find(({ text }) => nameOf(text) === name)?.text;
  const value = /^[\w-]+(?:;(?:"[^"]*"|[^":])*)?:(.*)$/s.exec(line ?? '')?.[1];
  return value?.replace(/\\([\\;,])/g, '$1').trim() || undefined;
}

const nameOf = (text: string): string => (/^[\w-]+/.exec(text)?.[0] ?? '').toUpperCase();
