import type { EventInput } from 'fullcalendar';
import { categoryHue } from '../../src/pages/calendar/category-hue.js';
import type { ListedEvent } from '../../src/pages/calendar/script-settings.js';
import {
  isDate,
  moment,
  type ShownTime,
  sameZone,
  type TimeStyle,
  timesIn,
  timeText,
  wallText,
  zoneText,
} from '../../src/pages/calendar/shown-time.js';

const DAY = 86_400_000;

/** What else is shown of an event, as `extendedProps`. */
export interface EventExtras {
  place: string;
  /** What its zone is called, where that is not the calendar's. */
  zone: string;
  /** The last day of several, in a list. */
  until: string;
  /** The beginning of an event that lasts too long for a column of hours; empty for others. */
  from: string;
  /** All of that event's time. */
  whole: string;
}

/** How events are shown. */
interface Showing {
  /** Without one each is on its own clock. */
  zone?: string;
  siteZone: string;
  style: TimeStyle;
  layout: 'month' | 'hours' | 'list';
}

/** An event as the calendar shows it, which leads to this address; undefined where it has no date. */
export function toEvent(event: ListedEvent, showing: Showing, address: string): EventInput | undefined {
  const { zone, siteZone, style, layout } = showing;
  const { language } = style;
  const time = timesIn(event, zone);
  if (!isDate(time.start)) return undefined;
  const [venue] = 'length' in event.venue ? event.venue : [event.venue];
  const isElsewhere =
    zone === undefined && !time.allDay && event.timezone !== '' && !sameZone(event.timezone, siteZone);
  const hasDays = layout === 'list' && isDate(time.end) && lasts(time, DAY / 2);
  // Hours show what begins and ends; what lasts for days stands above them.
  const isLong = layout === 'hours' && !time.allDay && isDate(time.end) && lasts(time, DAY);
  const extras: EventExtras = {
    place: [plain(venue?.venue), plain(venue?.city)].filter(Boolean).join(', '),
    zone: isElsewhere ? zoneText(event.timezone, event.utc_start_date, language) : '',
    from: isLong ? iso(time.start, false) : '',
    whole: isLong ? timeText(time, style) : '',
    until: hasDays ? dayText(time.end, time.start, language) : '',
  };
  return {
    id: String(event.id),
    title: plain(event.title) || `#${event.id}`,
    ...(isLong ? daysOf(time) : wholeTime(time)),
    url: address,
    color: `var(--${categoryHue(event.categories[0]?.slug)})`,
    extendedProps: extras,
  };
}

/** Whether the calendar shows an event in a range of days, whose end is not part of it. */
export function isWithin({ start, end = '' }: EventInput, range: { start: Date; end: Date }): boolean {
  const first = range.start.toISOString().slice(0, 10);
  const after = range.end.toISOString().slice(0, 10);
  return String(start) < after && (String(start) >= first || String(end) > `${first}T00:00:00`);
}

function wholeTime({ start, end, allDay }: ShownTime): EventInput {
  if (!isDate(end) || end <= start) return { start: iso(start, allDay), allDay };
  return { start: iso(start, allDay), end: allDay ? dayAfter(end) : iso(end, false), allDay };
}

/** The days that an event touches. */
function daysOf({ start, end }: ShownTime): EventInput {
  const last = wallText(new Date(moment(end).getTime() - 1000));
  return { start: iso(start, true), end: dayAfter(last), allDay: true };
}

/** Whether it ends on another day, after at least that time. */
function lasts({ start, end }: ShownTime, time: number): boolean {
  return start.slice(0, 10) !== end.slice(0, 10) && moment(end).getTime() - moment(start).getTime() >= time;
}

/** The day of a date, with its year where that is another one than that of a date before it. */
function dayText(wall: string, before: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'long',
    ...(wall.slice(0, 4) !== before.slice(0, 4) && { year: 'numeric' }),
    timeZone: 'UTC',
  });
  return format.format(moment(wall));
}

const iso = (wall: string, allDay: boolean) => (allDay ? wall.slice(0, 10) : wall.replace(' ', 'T'));

/**
 * The plain text of what the interface gives as HTML; nothing of it runs or is loaded. Attributes go first: browsers complain about
 * handlers also where none would run.
 */
function plain(html: unknown): string {
  if (typeof html !== 'string') return '';
  if (!/[<&]/.test(html)) return html;
  const { body } = new DOMParser().parseFromString(html.replace(/<([a-z]+)[^<>]*>/gi, '<$1>'), 'text/html');
  for (const hidden of body.querySelectorAll('script, style')) hidden.remove();
  return (body.textContent ?? '').replace(/\s+/g, ' ').trim();
}

function dayAfter(wall: string): string {
  return new Date(moment(`${wall.slice(0, 10)} 00:00:00`).getTime() + DAY).toISOString().slice(0, 10);
}
