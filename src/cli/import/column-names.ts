import { CSV_COLUMNS } from '../export/event-csv.js';

/** Columns that only other programs write, such as times beside dates. */
const FURTHER = [
  ...['start_time', 'end_time', 'location', 'is_private'],
  ...['currency_symbol', 'currency_position', 'organizer_names'],
  ...['venue_address_2', 'venue_stateprovince', 'venue_description', 'organizer_description'],
] as const;

/** Column names of the calendar's plugin, Google, Outlook and other programs. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  subject: 'title',
  event_name: 'title',
  summary: 'title',
  time_zone: 'timezone',
  category: 'categories',
  tag: 'tags',
  url: 'website',
  venue_zip_code: 'venue_zip',
  venue_postal_code: 'venue_zip',
  venue_state_province: 'venue_stateprovince',
  venue_url: 'venue_website',
  organizer_url: 'organizer_website',
  featured_image: 'image',
  venue_name: 'venue',
  organizer_name: 'organizer',
  organizer_name_s: 'organizer_names',
  organizer_name_s_or_id_s: 'organizer_names',
  organizer_names: 'organizer_names',
  meeting_organizer: 'organizer',
  hide_from_event_listings: 'hide_from_listings',
  hide_event_from_event_listings: 'hide_from_listings',
  hide_from_upcoming: 'hide_from_listings',
  sticky_in_month_view: 'sticky',
  featured_event: 'featured',
  feature_event: 'featured',
  private: 'is_private',
  sensitivity: 'is_private',
};

/** Maps a column name, in any case and punctuation, with or without `Event`, to ours; undefined if unknown. */
export function columnOf(header: string): string | undefined {
  const name = header
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
  const bare = name.replace(/^event_|_event$/g, '');
  return [name, bare].map((one) => OTHER_NAMES[one] ?? own(one)).find((one) => one !== undefined);
}

/** Whether an unknown column's name suggests times. */
export function namesTime(header: string): boolean {
  const words = header.toLowerCase().split(/[^\p{L}]+/u);
  const isOther = words.some((word) => ['zone', 'reminder', 'as', 'created', 'modified'].includes(word));
  return !isOther && words.some((word) => TIME_WORDS.includes(word));
}

const TIME_WORDS = ['time', 'times', 'hour', 'hours', 'zeit', 'uhrzeit', 'heure', 'hora', 'ora', 'tijd'];

/** The column of a field of a venue or organizer, such as `venue_city`. */
export const isLinkedColumn = (name: string, kind: 'venue' | 'organizer'): boolean =>
  name.startsWith(`${kind}_`) && own(name) !== undefined;

const own = (name: string): string | undefined =>
  [...CSV_COLUMNS, ...FURTHER].find((column) => column === name);
