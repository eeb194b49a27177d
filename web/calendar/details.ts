import { type CalendarQuery, calendarSearch } from '../../src/pages/calendar/calendar-query.js';
import type { ScriptSettings } from '../../src/pages/calendar/script-settings.js';
import { showLocalTimes } from './local-times.js';
import { element } from './page.js';

/** The least distance to the edges of a frame, in pixels. */
const EDGE = 12;

/** The dialog with all that is shown of one event; it shows what the server's own page of the event does. */
export class Details {
  private readonly dialog = element<HTMLDialogElement>('details');
  private readonly content = this.dialog.lastElementChild as HTMLElement;
  private loading?: AbortController;
  /** Where the visitor has last tapped, in pixels from the top of the window. */
  private tapped = 0;

  /** `named` hears the title of an event that is there, `closed` that a visitor has closed it. */
  constructor(
    private readonly settings: ScriptSettings,
    private readonly named: (title: string) => void,
    closed: () => void,
  ) {
    this.dialog.querySelector('.close')?.addEventListener('click', () => this.dialog.close());
    // A click beside it.
    this.dialog.addEventListener('click', ({ target }) => target === this.dialog && this.dialog.close());
    this.dialog.addEventListener('close', () => {
      this.loading?.abort();
      closed();
    });
    const { classList } = document.documentElement;
    if (!classList.contains('embed')) return;
    // The middle of a frame as high as its content may be far out of sight.
    addEventListener('click', (click) => this.tap(click.target as Element), true);
    new ResizeObserver(() => this.place()).observe(this.dialog);
  }

  get isOpen(): boolean {
    return this.dialog.open;
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
      this.named(article.querySelector('#event-title')?.textContent ?? '');
    } catch {
      if (!signal.aborted) this.content.replaceChildren(note(this.settings.texts.failed));
    }
  }

  private tap(target: Element): void {
    if (!this.dialog.contains(target)) this.tapped = target.getBoundingClientRect().top;
  }

  /** Lets the dialog begin where the visitor has tapped, as far as it fits there. */
  private place(): void {
    const lowest = innerHeight - this.dialog.offsetHeight - EDGE;
    this.dialog.style.marginBlock = `${Math.max(Math.min(this.tapped, lowest), EDGE)}px auto`;
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
