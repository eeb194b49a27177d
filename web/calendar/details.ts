import { type CalendarQuery, calendarSearch } from '../../src/pages/calendar/calendar-query.js';
import type { ScriptSettings } from '../../src/pages/calendar/script-settings.js';
import { showLocalTimes } from './local-times.js';
import { element } from './page.js';

/** The dialog with all that is shown of one event; it shows what the server's own page of the event does. */
export class Details {
  private readonly dialog = element<HTMLDialogElement>('details');
  private readonly content = this.dialog.lastElementChild as HTMLElement;
  private loading?: AbortController;

  /** `closed` hears that a visitor has closed it. */
  constructor(
    private readonly settings: ScriptSettings,
    closed: () => void,
  ) {
    this.dialog.querySelector('.close')?.addEventListener('click', () => this.dialog.close());
    // A click beside it.
    this.dialog.addEventListener('click', ({ target }) => target === this.dialog && this.dialog.close());
    this.dialog.addEventListener('close', () => {
      this.loading?.abort();
      closed();
    });
  }

  /** Shows the event that the query names; follows the link to it where that cannot be loaded. */
  async show(query: CalendarQuery): Promise<void> {
    this.loading?.abort();
    this.loading = new AbortController();
    const { signal } = this.loading;
    const address = location.pathname + calendarSearch(query);
    this.content.replaceChildren(note(this.settings.texts.loading));
    if (!this.dialog.open) this.dialog.showModal();
    try {
      const response = await fetch(address, { signal });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const article = page.querySelector(response.ok ? '#event' : 'main');
      if (!article) throw new Error(`status ${response.status}`);
      if (query.zone === 'local') showLocalTimes(article, this.settings);
      this.content.replaceChildren(document.adoptNode(article));
    } catch {
      if (!signal.aborted) this.content.replaceChildren(note(this.settings.texts.failed));
    }
  }

  hide(): void {
    if (this.dialog.open) this.dialog.close();
  }
}

function note(text: string): HTMLElement {
  const note = document.createElement('p');
  note.id = 'event-title';
  note.className = 'note';
  note.textContent = text;
  return note;
}
