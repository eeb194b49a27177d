import { type Html, html } from '../../lib/html.js';
import { clocksOf, parseRecurrence } from '../../lib/recurrence/parse-recurrence.js';
import { RecurrenceError } from '../../lib/recurrence/recurrence-error.js';
import type { EventJson } from '../../resources/events/event-json.js';
import { type RecurrenceLanguage, recurrenceText } from '../recurrence/recurrence-text.js';
import { type CalendarQuery, calendarSearch } from './calendar-query.js';
import type { PageLanguage } from './page-language.js';

/** How an event recurs, in words; nothing for single events and for rules that words do not say completely. */
export function recurrenceRow(event: EventJson, language: PageLanguage, hour12: boolean): Html | false {
  const words = event.all_day !== null && inWords(event, { ...language.recurrence, hour12 });
  return words !== false && html`<div><dt>${language.texts.repeats}</dt><dd>${words}</dd></div>\n`;
}

function inWords({ recurrence, timezone }: EventJson, language: RecurrenceLanguage): string | false {
  if (!recurrence || recurrence.lines.length === 0) return false;
  try {
    const set = parseRecurrence(recurrence.lines, { zones: clocksOf(timezone) });
    const { text, isComplete } = recurrenceText(set, language);
    return isComplete && text;
  } catch (error) {
    if (error instanceof RecurrenceError) return false;
    throw error;
  }
}

/** The page of one date. */
interface DatePage {
  here: string;
  query: CalendarQuery;
  language: PageLanguage;
  /** In UTC, `YYYY-MM-DD HH:MM:SS`. */
  now?: string;
}

/** Links to the dates before and after one of the next dates of an event. */
export function dateLinks(
  { id, recurrence, utc_end_date: end }: EventJson,
  { here, query, language, now = '' }: DatePage,
): Html | false {
  const ids = recurrence?.occurrence_ids ?? [];
  const isOver = end !== null && end <= now;
  // The id of the whole event shows its first date.
  const at = recurrence?.event_id === id && !isOver ? 0 : ids.indexOf(id);
  const [before, after] = [ids[at - 1], at >= 0 || isOver ? ids[at + 1] : undefined];
  if (before === undefined && after === undefined) return false;
  const link = (to: number, rel: 'prev' | 'next', text: string) =>
    html`<a rel="${rel}" href="${here}${calendarSearch(query, { event: to })}">${text}</a>`;
  return html`<p class="dates">${before !== undefined && link(before, 'prev', `← ${language.texts.previousDate}`)} ${
    after !== undefined && link(after, 'next', `${language.texts.nextDate} →`)
  }</p>
`;
}
