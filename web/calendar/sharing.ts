import {
  type CalendarQuery,
  calendarSearch,
  filterParameters,
} from '../../src/pages/calendar/calendar-query.js';
import type { ScriptSettings } from '../../src/pages/calendar/script-settings.js';
import { element } from './page.js';

/** Shows how to take the calendar elsewhere, with the filters of the moment. */
export function showSharing(query: CalendarQuery, { api, embedScript }: ScriptSettings): void {
  const feed = new URL(`${api}/events.ics`, location.href);
  feed.search = String(new URLSearchParams(filterParameters(query)));
  element<HTMLAnchorElement>('ics').href = feed.href;
  const webcal = feed.href.replace(/^https?:/, 'webcal:');
  element<HTMLAnchorElement>('webcal').href = webcal;
  element<HTMLAnchorElement>('google').href =
    `https://calendar.google.com/calendar/render?${new URLSearchParams({ cid: webcal })}`;
  const outlook = new URLSearchParams({ url: feed.href, name: document.title });
  element<HTMLAnchorElement>('outlook').href = `https://outlook.live.com/calendar/0/addfromweb?${outlook}`;
  const line = document.getElementById('iframe') as HTMLInputElement | null;
  if (!line) return;
  const own = calendarSearch(query, { embed: true, date: undefined, event: undefined });
  const address = new URL(location.pathname + own, location.href).href.replaceAll('&', '&amp;');
  const frame = document.createElement('iframe');
  frame.setAttribute('title', document.title);
  const [, title = ''] = /title=("[^"]*")/.exec(frame.outerHTML) ?? [];
  line.value = `<iframe src="${address}" title=${title} width="100%" height="900" loading="lazy" style="border:0"></iframe><script src="${new URL(embedScript, location.href).href}" async></script>`;
}

/** Lets the buttons share the address and copy the line for other pages. */
export function letShare({ texts }: ScriptSettings): void {
  const line = document.getElementById('iframe') as HTMLInputElement | null;
  const button = document.getElementById('copy');
  line?.addEventListener('focus', () => line.select());
  const share = element('share');
  share.addEventListener('click', async () => {
    const { href } = location;
    if (navigator.share)
      return void navigator.share({ title: document.title, url: href }).catch(() => undefined);
    await navigator.clipboard?.writeText(href).catch(() => undefined);
    share.textContent = texts.copied;
    setTimeout(() => {
      share.textContent = texts.share;
    }, 2000);
  });
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
