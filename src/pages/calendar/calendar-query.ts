export const VIEWS = ['month', 'week', 'day', 'list'] as const;
const THEMES = ['light', 'dark'] as const;
/** The clock of times: the site's, the visitor's, or each event's own. */
const ZONES = ['site', 'local', 'event'] as const;
/** The filters by their names in the page's URL and in the interface. */
export const FILTERS = {
  search: 'search',
  category: 'categories',
  tag: 'tags',
  venue: 'venue',
  organizer: 'organizer',
} as const;

export type FilterName = keyof typeof FILTERS;

/** The page's URL parameters; undefined if absent. */
export interface CalendarQuery {
  view?: (typeof VIEWS)[number];
  /** `YYYY-MM-DD`; a month is its first day. */
  date?: string;
  zone?: (typeof ZONES)[number];
  filters: Partial<Record<FilterName, string>>;
  /** Page of the list. */
  page: number;
  /** Id of a single event. */
  event?: number;
  embed: boolean;
  /** Colours, whatever the visitor's system prefers. */
  theme?: (typeof THEMES)[number];
  /** Accent colour: six hexadecimal digits. */
  accent?: string;
}

const MAX_PAGES = 10_000;

/** An invalid page URL; the message names the parameter. The script throws it too. */
export class InvalidCalendarUrl extends Error {
  constructor(
    readonly parameter: string,
    message: string,
  ) {
    super(message);
  }
}

/** Parses the page's URL; throws `InvalidCalendarUrl`. Unknown parameters are ignored. */
export function readCalendarQuery(search: string): CalendarQuery {
  const given = new URLSearchParams(search);
  // Forms send empty fields too.
  const text = (name: string) => given.get(name)?.trim() || undefined;
  const filters = Object.keys(FILTERS).flatMap((name) => {
    const value = text(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    view: oneOf('view', text('view'), VIEWS),
    date: dateOf(text('date')),
    zone: oneOf('zone', text('zone'), ZONES),
    filters: Object.fromEntries(filters),
    page: numberOf('page', text('page'), MAX_PAGES) ?? 1,
    event: numberOf('event', text('event'), Number.MAX_SAFE_INTEGER),
    embed: oneOf('embed', text('embed'), ['0', '1']) === '1',
    theme: oneOf('theme', text('theme'), THEMES),
    accent: colorOf(text('accent')),
  };
}

/** The requested clock, or else the calendar's default. */
export function chosenZone(
  { zone }: CalendarQuery,
  { onSiteClock }: { onSiteClock: boolean },
): (typeof ZONES)[number] {
  return zone ?? (onSiteClock ? 'site' : 'event');
}

/** Builds the query string with changed parameters; `?` if it is empty. */
export function calendarSearch(query: CalendarQuery, other: Partial<CalendarQuery> = {}): string {
  const { filters, page, embed, date, ...rest } = { ...query, ...other };
  const all = {
    ...rest,
    date: date?.replace(/-01$/, ''),
    ...filters,
    page: page > 1 ? page : undefined,
    embed: embed ? '1' : undefined,
  };
  const said = Object.entries(all).filter(([, value]) => value !== undefined);
  return `?${new URLSearchParams(Object.fromEntries(said.map(([name, value]) => [name, String(value)])))}`;
}

function oneOf<T extends string>(
  name: string,
  value: string | undefined,
  known: readonly T[],
): T | undefined {
  if (value === undefined || (known as readonly string[]).includes(value)) return value as T | undefined;
  throw invalid(name, `must be ${known.join(', ')}.`);
}

function numberOf(name: string, value: string | undefined, most: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^[1-9]\d*$/.test(value) && number <= most) return number;
  throw invalid(name, `must be a whole number from 1 to ${most}.`);
}

function dateOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const day = /^\d{4}-\d\d$/.test(value) ? `${value}-01` : value;
  const date = new Date(`${day}T00:00:00Z`);
  // JavaScript accepts dates such as February 30.
  const isDay = /^(?!0000)\d{4}-\d\d-\d\d$/.test(day);
  if (isDay && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)) return day;
  throw invalid('date', 'must be a month or a day, such as 2026-11 or 2026-11-22.');
}

function colorOf(value: string | undefined): string | undefined {
  if (value === undefined || /^[0-9a-f]{6}$/i.test(value)) return value?.toLowerCase();
  throw invalid('accent', 'must be six hexadecimal digits, such as 3949ab.');
}

const invalid = (name: string, what: string) => new InvalidCalendarUrl(name, `${name} ${what}`);

/** The filters under their names in the interface. */
export function filterParameters({ filters }: CalendarQuery): Record<string, string> {
  const named = Object.entries(filters).map(([name, value]) => [FILTERS[name as FilterName], value]);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

export function isFiltered(filters: Readonly<Record<string, string | undefined>>): boolean {
  return Object.keys(FILTERS).some((name) => filters[name] !== undefined);
}
