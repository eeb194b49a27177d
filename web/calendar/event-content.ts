import type { EventDisplayInfo } from 'fullcalendar';
import type { TimeStyle } from '../../src/pages/calendar/shown-time.js';
import type { EventExtras } from './to-event.js';

const DAY = 86_400_000;

/** How a time of day is formatted. */
export const timeFormat = ({ hour, hour12 }: TimeStyle) =>
  ({ hour, minute: '2-digit', omitZeroMinute: hour12, meridiem: 'short', hour12 }) as const;

/** The inside of an event; lists have room for the place, elsewhere time and title are enough. */
export function eventContent(info: EventDisplayInfo, style: TimeStyle) {
  const { place, zone, until } = info.event.extendedProps as EventExtras;
  const text = timeOf(info, style);
  const time = piece('time', info.timeClass, [text, zone].filter(Boolean).join(' '));
  const title = piece('title', info.titleClass, info.event.title);
  // Titles of another direction than the page's are cut at their own end.
  title.dir = 'auto';
  const below = [until && `– ${until}`, place].filter(Boolean).join(' · ');
  if (info.view.type.startsWith('list') && below) title.append(piece('place', '', below));
  return { domNodes: text ? [time, title] : [title] };
}

/** The time of a part of an event: its real beginning and end also where it goes on after midnight. */
function timeOf({ event, timeText, isStart, isEnd, view }: EventDisplayInfo, style: TimeStyle): string {
  const { start, end, allDay } = event;
  const { from } = event.extendedProps as EventExtras;
  const text = (time: string | Date) => view.calendar.formatDate(time, timeFormat(style));
  if (from) return isStart ? text(from) : '';
  if (allDay || !timeText || !start || !end || (isStart && isEnd) || view.type === 'dayGridMonth')
    return timeText;
  if (view.type === 'timeGridWeek') return isStart ? timeText : `– ${text(end)}`;
  if (end.getTime() - start.getTime() < DAY) return `${text(start)} – ${text(end)}`;
  if (isStart) return `${text(start)} –`;
  return isEnd ? `– ${text(end)}` : timeText;
}

/** A piece of an event or a day. */
export function piece(name: string, classes: string, text: string): HTMLElement {
  const span = document.createElement('span');
  span.className = `ev-${name} ${classes}`.trim();
  span.textContent = text;
  return span;
}
