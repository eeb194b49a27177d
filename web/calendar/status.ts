import type { Texts } from '../../src/pages/texts/calendar-en.js';
import { element } from './page.js';

/** The messages of the page above its content. */
export class Status {
  constructor(
    private readonly texts: Texts,
    /** Tries again what has failed. */
    private readonly retry: () => void,
  ) {}

  /** Says that events are being loaded; that takes no room, so that nothing moves. */
  loading(): void {
    element('loading').textContent = this.texts.loading;
    setBusy(true);
  }

  /** Shows a message, or none, in place of the one before. */
  show(text = ''): void {
    element('loading').textContent = '';
    setBusy(false);
    const status = element('status');
    status.textContent = text;
    status.classList.remove('failure');
  }

  fail(text: string): void {
    this.show(text);
    element('status').classList.add('failure');
    this.offer(this.texts.retry, this.retry);
  }

  /** Adds a button to the message. */
  offer(text: string, act: () => void): void {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = text;
    button.addEventListener('click', act);
    element('status').append(' ', button);
  }
}

function setBusy(isBusy: boolean): void {
  for (const id of ['calendar', 'events']) element(id).setAttribute('aria-busy', String(isBusy));
}
