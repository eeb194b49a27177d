import type { CalendarQuery } from '../../src/pages/calendar/calendar-query.js';
import { element } from './page.js';

type View = NonNullable<CalendarQuery['view']>;
type Way = 'prev' | 'next' | 'today';

const VIEW_KEYS: Readonly<Record<string, View>> = { m: 'month', w: 'week', d: 'day', l: 'list' };
const WAY_KEYS: Readonly<Record<string, Way>> = { p: 'prev', n: 'next', t: 'today' };

/** Single keys change the view and its dates, and `/` leads to the search; not while a field or a dialog has the focus. */
export function watchKeys(does: { view(view: View): void; go(way: Way): void }): void {
  addEventListener('keydown', (press) => {
    const { key, ctrlKey, metaKey, altKey, target } = press;
    if (ctrlKey || metaKey || altKey || press.defaultPrevented) return;
    if ((target as HTMLElement).closest?.('input, select, textarea, dialog, [role="dialog"]')) return;
    const view = VIEW_KEYS[key];
    const way = WAY_KEYS[key];
    if (view) does.view(view);
    if (way) does.go(way);
    if (key !== '/') return;
    press.preventDefault();
    element<HTMLDetailsElement>('filtering').open = true;
    document.querySelector<HTMLElement>('#filters [type="search"]')?.focus();
  });
}
