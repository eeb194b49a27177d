import { type Html, html } from '../../lib/html.js';
import { clocksOf, parseRecurrence } from '../../lib/recurrence/parse-recurrence.js';
import { RecurrenceError } from '../../lib/recurrence/recurrence-error.js';
import type { EventJson } from '../../resources/events/event-json.js';
import { type RecurrenceLanguage, recurrenceText } from '../recurrence/recurrence-text.js';
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

/** The ids of the dates before and after one of the next dates of an event; `now` is in UTC, `YYYY-MM-DD HH:MM:SS`. */
export function datesAround(
  { id, recurrence, utc_end_date: end }: EventJson,
  now = '',
): { before?: number; after?: number } {
  const ids = recurrence?.occurrence_ids ?? [];
  const isOver = end !== null && end <= now;
  // The id of the whole event shows its first date.
  const at = recurrence?.event_id === id && !isOver ? 0 : ids.indexOf(id);
  return { before: ids[at - 1], after: at >= 0 || isOver ? ids[at + 1] : undefined };
}

/** Links to the dates before and after one of the next dates of an event, by the URLs of their ids. */
export function dateLinks(
  event: EventJson,
  { language: { texts }, now }: { language: PageLanguage; now?: string },
  urlOf: (id: number) => string | undefined,
): Html | false {
  const { before, after } = datesAround(event, now);
  const [previous, next] = [before, after].map((id) => (id === undefined ? undefined : urlOf(id)));
  if (previous === undefined && next === undefined) return false;
  const link = (url: string, rel: 'prev' | 'next', text: string) =>
    html`<a rel="${rel}" href="${url}">${text}</a>`;
  return html`<p class="dates">${previous !== undefined && link(previous, 'prev', `← ${texts.previousDate}`)} ${
    next !== undefined && link(next, 'next', `${texts.nextDate} →`)
  }</p>
`;
}
