import { TEXTS } from './catalogue.js';
import type { Tab } from './model.js';

/** As far as dates go, and what is hidden from lists: no list here leaves out anything. */
export const ALWAYS = {
  start_date: '0001-01-02',
  end_date: '9999-12-30',
  with_hidden: true,
  recurrence: true,
};
/** Lists by status, besides what each always asks for. */
export const statusTabs = (always: Readonly<Record<string, string | boolean>>): Tab[] => [
  {
    id: 'drafts',
    label: TEXTS.list.drafts,
    forEditors: true,
    query: () => ({ ...always, status: 'draft,pending' }),
  },
  {
    id: 'scheduled',
    label: TEXTS.list.scheduled,
    forEditors: true,
    query: () => ({ ...always, status: 'future' }),
  },
  { id: 'trash', label: TEXTS.list.trash, forEditors: true, query: () => ({ ...always, status: 'trash' }) },
];
export const ALL: Tab = { id: 'all', label: TEXTS.list.all, query: () => ({}) };

/** The lists of events; only `all` can be narrowed to a month. */
export const EVENT_TABS: readonly Tab[] = [
  // Every published event is in exactly one of the two: strict dates compare times of day, not whole days.
  {
    id: 'upcoming',
    label: TEXTS.list.upcoming,
    query: () => ({ ...ALWAYS, strict_dates: true, ends_after: 'now' }),
  },
  {
    id: 'past',
    label: TEXTS.list.past,
    query: () => ({ ...ALWAYS, strict_dates: true, end_date: 'now', order: 'desc' }),
  },
  {
    id: 'all',
    label: TEXTS.list.all,
    forEditors: true,
    query: () => ({ ...ALWAYS, status: 'publish,future,draft,pending,private', order: 'desc' }),
  },
  ...statusTabs(ALWAYS),
];
