import { type CalendarQuery, calendarSearch } from '../../src/pages/calendar/calendar-query.js';
import type { ScriptSettings } from '../../src/pages/calendar/script-settings.js';
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
