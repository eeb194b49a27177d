import { type CalendarQuery, calendarSearch } from '../../src/pages/calendar/calendar-query.js';
import type { ScriptSettings } from '../../src/pages/calendar/script-settings.js';
import { filterParameters } from './load-events.js';
import { element } from './page.js';

/** Shows how to take the calendar elsewhere, with the filters of the moment. */
export function showSharing(query: CalendarQuery, { api }: ScriptSettings): void {
  const feed = new URL(`${api}/events.ics`, location.href);
  feed.search = String(filterParameters(query));
  element<HTMLAnchorElement>('ics').href = feed.href;
  element<HTMLAnchorElement>('webcal').href = feed.href.replace(/^https?:/, 'webcal:');
  const line = document.getElementById('iframe') as HTMLInputElement | null;
  if (!line) return;
  const own = calendarSearch(query, { embed: true, date: undefined, event: undefined });
  const address = new URL(location.pathname + own, location.href).href.replaceAll('&', '&amp;');
  const frame = document.createElement('iframe');
  frame.setAttribute('title', document.title);
  const [, title = ''] = /title=("[^"]*")/.exec(frame.outerHTML) ?? [];
  line.value = `<iframe src="${address}" title=${title} width="100%" height="900" loading="lazy" style="border:0"></iframe>`;
}

/** Lets the button copy the line for other pages. */
export function letCopy({ texts }: ScriptSettings): void {
  const line = document.getElementById('iframe') as HTMLInputElement | null;
  const button = document.getElementById('copy');
  line?.addEventListener('focus', () => line.select());
  button?.addEventListener('click', async () => {
    line?.select();
    // Pages over plain HTTP may not write to the clipboard, but their visitors may.
    if (navigator.clipboard) await navigator.clipboard.writeText(line?.value ?? '').catch(() => undefined);
    button.textContent = texts.copied;
    setTimeout(() => {
      button.textContent = texts.copy;
    }, 2000);
  });
}
