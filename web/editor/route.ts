import { type Resource, resourceOf } from './model.js';

/** Position in a list. */
export interface ListPlace {
  /** A month of events instead of the list. */
  view: '' | 'month';
  tab: string;
  page: number;
  search: string;
  /** The order of `SORTS`; empty for that of the tab. */
  sort: string;
  /** `YYYY-MM`, or empty. */
  month: string;
  /** Numbers of records by the filters of the kind. */
  filters: Readonly<Record<string, number>>;
}

/** What the address's part behind `#` stands for. */
export interface Route {
  resource: Resource;
  /** A record, or a new one; else the list. */
  record?: number | 'new';
  /** The record that a new one begins as a copy of. */
  copy?: number;
  /** The day that a new event begins with, `YYYY-MM-DD`. */
  day?: string;
  place: ListPlace;
}

/** `#/events?tab=past&page=2`, `#/events/new`, `#/events/12`; anything else is the first list. */
export function parseRoute(hash: string, resources: readonly Resource[]): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [kind = '', record] = path.split('/');
  const said = new URLSearchParams(query);
  const words = {
    view: said.get('view') === 'month' ? ('month' as const) : ('' as const),
    tab: said.get('tab') ?? '',
    page: Math.max(1, Math.trunc(Number(said.get('page'))) || 1),
    search: said.get('search') ?? '',
    sort: said.get('sort') ?? '',
    month: /^\d{4}-(0[1-9]|1[0-2])$/.exec(said.get('month') ?? '')?.[0] ?? '',
  };
  const visible = resources.filter(({ isHidden }) => !isHidden);
  const resource = resourceOf(visible, kind) ?? (visible[0] as Resource);
  const filters = (resource.filters ?? []).flatMap(({ name }) => {
    const id = idOf(said.get(name));
    return id === undefined ? [] : [[name, id] as const];
  });
  const place: ListPlace = { ...words, filters: Object.fromEntries(filters) };
  const copy = idOf(said.get('copy'));
  const day = /^\d{4}-\d\d-\d\d$/.exec(said.get('day') ?? '')?.[0];
  if (record === 'new') return { resource, record, place, ...(copy && { copy }), ...(day && { day }) };
  const id = idOf(record);
  return { resource, place, ...(id && { record: id }) };
}

/** The number of a record; undefined for other texts. */
function idOf(text: string | null | undefined): number | undefined {
  return /^[1-9]\d{0,15}$/.test(text ?? '') ? Number(text) : undefined;
}

/** The address of a list. */
export function listHash(kind: string, { view, tab, page, search, sort, month, filters }: ListPlace): string {
  const said = new URLSearchParams();
  if (view !== '') said.set('view', view);
  if (tab !== '') said.set('tab', tab);
  if (search !== '') said.set('search', search);
  if (sort !== '') said.set('sort', sort);
  if (month !== '') said.set('month', month);
  for (const [name, id] of Object.entries(filters)) said.set(name, String(id));
  if (page > 1) said.set('page', String(page));
  return `#/${kind}${said.size > 0 ? `?${said}` : ''}`;
}
