import { CSV_COLUMNS } from '../export/event-csv.js';

/** Columns that only tables of other programs have: times beside their dates, and what they say of an event in other words. */
const FURTHER = [
  ...['start_time', 'end_time', 'location', 'is_private'],
  ...['currency_symbol', 'currency_position', 'organizer_names'],
] as const;

/** Names that other programs, the calendar's plugin, Google and Outlook among them, have for our columns. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  subject: 'title',
  event_name: 'title',
  summary: 'title',
  time_zone: 'timezone',
  category: 'categories',
  tag: 'tags',
  url: 'website',
  featured_image: 'image',
  venue_name: 'venue',
  organizer_name: 'organizer',
  organizer_name_s_or_id_s: 'organizer_names',
  organizer_names: 'organizer_names',
  meeting_organizer: 'organizer',
  hide_from_listings: 'hide_from_listings',
  hide_from_event_listings: 'hide_from_listings',
  hide_event_from_event_listings: 'hide_from_listings',
  hide_from_upcoming: 'hide_from_listings',
  sticky_in_month_view: 'sticky',
  featured_event: 'featured',
  feature_event: 'featured',
  private: 'is_private',
  sensitivity: 'is_private',
};

/**
 * The name of ours that the name of a column stands for, in any letter case, with any signs between its words and with `Event` around
 * it; undefined for one that is not known.
 */
export function columnOf(header: string): string | undefined {
  const name = header
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
  const bare = name.replace(/^event_|_event$/g, '');
  return [name, bare].map((one) => OTHER_NAMES[one] ?? own(one)).find((one) => one !== undefined);
}

/** Whether the name of a column that is not known says that times stand in it. */
export function namesTime(header: string): boolean {
  const words = header.toLowerCase().split(/[^\p{L}]+/u);
  const isOther = words.some((word) => ['zone', 'reminder', 'as', 'created', 'modified'].includes(word));
  return !isOther && words.some((word) => TIME_WORDS.includes(word));
}

const TIME_WORDS = ['time', 'times', 'hour', 'hours', 'zeit', 'uhrzeit', 'heure', 'hora', 'ora', 'tijd'];

const own = (name: string): string | undefined =>
  [...CSV_COLUMNS, ...FURTHER].find((column) => column === name);
