import type { Calendar } from 'fullcalendar';
import { element } from './page.js';

/** Days and hours are not cut lower than this, in pixels. */
const MIN_HEIGHT = 560;
/** A row of a month with three events and the link to more; its head; in rem. */
const MONTH_ROW = 9;
const MONTH_HEAD = 3;
const WEEK = 7 * 86_400_000;

/** A month, week or day fills the window, or is as high as its content if it is not `fitted`. */
export function fitWindow(grid: Calendar, isFitted: boolean): void {
  const { type, activeStart, activeEnd } = grid.view;
  const isMonth = type === 'dayGridMonth';
  const top = element('toolbar').getBoundingClientRect().bottom + scrollY;
  const filters = element('filtering').getBoundingClientRect().height;
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const weeks = isMonth ? Math.round((activeEnd.getTime() - activeStart.getTime()) / WEEK) : 0;
  const needed = Math.max(MIN_HEIGHT, (weeks * MONTH_ROW + MONTH_HEAD) * rem);
  grid.setOption('height', isFitted ? Math.max(innerHeight - top - filters - 64, needed) : 'auto');
  grid.setOption('dayMaxEvents', isMonth && isFitted ? true : 4);
}
