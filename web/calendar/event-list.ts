import { type CalendarQuery, calendarSearch } from '../../src/pages/calendar/calendar-query.js';
import type { ScriptSettings } from '../../src/pages/calendar/script-settings.js';
import { moment } from '../../src/pages/calendar/shown-time.js';
import { showLocalTimes } from './local-times.js';
import { element } from './page.js';

/** The list of events, which the server renders; a page that is shown stays until the next one is loaded. */
export class EventList {
  private current: string;
  private loading?: AbortController;

  constructor(
    private readonly settings: ScriptSettings,
    query: CalendarQuery,
  ) {
    this.current = listSearch(query);
    if (query.zone === 'local') showLocalTimes(element('events'), settings);
  }

  get title(): string {
    return element('events').querySelector('h2')?.textContent ?? '';
  }

  get isEmpty(): boolean {
    return !element('events').querySelector('.item');
  }

  /** Loads and shows a page of the list; throws if that fails or another call follows. */
  async show(query: CalendarQuery): Promise<void> {
    this.abort();
    const search = listSearch(query);
    if (search === this.current) return;
    this.loading = new AbortController();
    const response = await fetch(location.pathname + search, { signal: this.loading.signal });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const list = page.querySelector('#events');
    if (!response.ok || !list) throw new Error(`status ${response.status}`);
    if (query.zone === 'local') showLocalTimes(list, this.settings);
    element('events').replaceChildren(...document.adoptNode(list).childNodes);
    this.current = search;
  }

  /** Aborts what is being loaded. */
  abort(): void {
    this.loading?.abort();
  }
}

const listSearch = (query: CalendarQuery) =>
  calendarSearch(query, { view: 'list', event: undefined, theme: undefined, accent: undefined });

/** The first day of the month after that of a day, or before it: the steps of the list. */
export function monthFrom(day: string, way: 'prev' | 'next'): string {
  const date = moment(`${day.slice(0, 7)}-01 00:00:00`);
  date.setUTCMonth(date.getUTCMonth() + (way === 'next' ? 1 : -1));
  return date.toISOString().slice(0, 10);
}
