import { sequenceOf } from '../lib/ical/component-ids.js';
import type { FileZones } from '../lib/ical/file-zones.js';
import { parseComponent } from '../lib/ical/parse-component.js';
import { loseBadEnds } from '../lib/ical/read-dates.js';
import { usableLines } from '../lib/ical/read-event.js';
import type { ContentLine } from '../lib/ical/read-lines.js';
import { Unreadable } from '../lib/ical/read-time.js';
import { type ChangedDate, isRecurring, Series } from '../lib/ical/series.js';
import type { CalendarPart } from '../lib/ical/split-components.js';
import { type CalendarSurvey, hasProperty, uidOf } from './calendar-survey.js';

/** The lines of a series that determine its dates, wherever they are in the file. */
interface Plan {
  lines?: readonly ContentLine[];
  /** The line where it begins. */
  line?: number;
  changes: ChangedDate[];
  /** The series, or why it is none; evaluated on first use. */
  series?: Series | Unreadable | undefined;
}

/** The maximum of evaluated series, each with up to a thousand dates. */
const MAX_EVALUATED = 100;

/** The recurring events of a file together with the components that change them; those without changes need no plan. */
export class SeriesPlans {
  private readonly plans = new Map<string, Plan>();
  private readonly evaluated: Plan[] = [];

  constructor(
    private readonly survey: CalendarSurvey,
    private readonly limit: number,
  ) {}

  /** Collects the dates of an event of the file. */
  take({ name, lines, line, calendar }: CalendarPart): void {
    const uid = uidOf(lines);
    if (name !== 'VEVENT' || uid === undefined || !this.survey.isChangedSeries(uid)) return;
    if (this.survey.laterRevision(lines) !== undefined) return;
    const plan = this.plans.get(uid) ?? { changes: [] };
    this.plans.set(uid, plan);
    const dates = datesOf(lines, this.survey.zonesOf(calendar));
    if (!hasProperty(lines, 'RECURRENCE-ID')) {
      if (plan.lines || !isRecurring(lines)) return;
      plan.lines = dates;
      plan.line = line;
      return;
    }
    const cancelled = this.survey.isCancelling(calendar) ? [{ line, text: 'STATUS:CANCELLED' }] : [];
    plan.changes.push({ line, sequence: sequenceOf(lines) ?? 0, lines: [...cancelled, ...dates] });
  }

  /** The series that an event is or that it changes; undefined if the file does not have it. Throws `Unreadable`. */
  seriesOf({ lines, line }: CalendarPart, zones: FileZones): Series | undefined {
    const uid = uidOf(lines) ?? '';
    const plan = this.plans.get(uid);
    const isChange = hasProperty(lines, 'RECURRENCE-ID');
    // Another series with this UID has no changes.
    if (plan?.lines && (isChange || plan.line === line)) {
      plan.series ??= this.evaluate(uid, plan, zones);
      if (plan.series instanceof Unreadable) throw plan.series;
      return plan.series;
    }
    return isRecurring(lines) && !isChange
      ? new Series(uid, datesOf(lines, zones), [], zones, this.limit)
      : undefined;
  }

  /** The line of a later revision of a changed date whose `RECURRENCE-ID` is written in another way. */
  laterRevision(part: CalendarPart): number | undefined {
    return this.known(part)?.supersededBy(part.line);
  }

  /** The id of a changed date; none if the file does not have its series. */
  idsOf(part: CalendarPart): string[] {
    const id = this.known(part)?.changedId(part.line);
    return id === undefined ? [] : [id];
  }

  private known(part: CalendarPart): Series | undefined {
    const { lines, calendar } = part;
    if (!hasProperty(lines, 'RECURRENCE-ID') || !this.plans.get(uidOf(lines) ?? '')?.lines) return undefined;
    try {
      return this.seriesOf(part, this.survey.zonesOf(calendar));
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }

  private evaluate(uid: string, plan: Plan, zones: FileZones): Series | Unreadable {
    const oldest = this.evaluated.length < MAX_EVALUATED ? undefined : this.evaluated.shift();
    if (oldest) oldest.series = undefined;
    this.evaluated.push(plan);
    try {
      return new Series(uid, plan.lines ?? [], plan.changes, zones, this.limit);
    } catch (error) {
      if (error instanceof Unreadable) return error;
      throw error;
    }
  }
}

/** The lines of the dates of an event, without invalid ends; all of them where it cannot be read. */
function datesOf(lines: readonly ContentLine[], zones: FileZones): readonly ContentLine[] {
  try {
    const parsed = parseComponent(lines);
    loseBadEnds(parsed, zones);
    return usableLines(parsed, lines);
  } catch (error) {
    if (error instanceof Unreadable) return lines;
    throw error;
  }
}
