import { wholeDays } from '../../lib/ical/whole-days.js';
import { type ExportedParts, plainText, venuesOf, websiteOf } from '../../resources/events/event-entry.js';
import type { EventJson } from '../../resources/events/event-json.js';

/** The beginning of a text that a spreadsheet takes for a formula, also behind apostrophes, which a guard adds. */
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** Cell values that are not in an event's JSON. */
export interface StoredCells {
  uid: string;
  cost?: string;
}

interface Column {
  name: string;
  cell(event: EventJson & ExportedParts, stored: StoredCells): unknown;
}

const plain = (name: keyof EventJson): Column => ({ name, cell: (event) => event[name] });

/** A column `venue_city` and so on; that of the name is `venue`. */
const ofVenues = (field: (typeof VENUE_FIELDS)[number]): Column => ({
  name: field === 'venue' ? field : `venue_${field}`,
  cell: (event) => lines(venuesOf(event).map((venue) => plainText(venue[field]))),
});

const ofOrganizers = (field: (typeof ORGANIZER_FIELDS)[number]): Column => ({
  name: field === 'organizer' ? field : `organizer_${field}`,
  cell: ({ organizer }) => lines(organizer.map((one) => plainText(one[field]))),
});

const VENUE_FIELDS = [
  'venue',
  'address',
  'city',
  'country',
  'province',
  'state',
  'zip',
  'phone',
  'website',
] as const;
const ORGANIZER_FIELDS = ['organizer', 'email', 'phone', 'website'] as const;
const FLAGS = ['show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured'] as const;

/** The CSV columns in order; an import reads all but `image` back unchanged. */
const COLUMNS: readonly Column[] = [
  { name: 'uid', cell: (_, { uid }) => uid },
  { name: 'title', cell: ({ title }) => plainText(title) },
  plain('description'),
  plain('excerpt'),
  plain('slug'),
  plain('status'),
  // An import without the date would publish a scheduled event at once.
  { name: 'date', cell: ({ status, date }) => (status === 'future' ? date : '') },
  { name: 'start_date', cell: (event) => (event.all_day ? daysOf(event).first : event.start_date) },
  { name: 'end_date', cell: (event) => (event.all_day ? daysOf(event).last : event.end_date) },
  plain('timezone'),
  plain('all_day'),
  { name: 'cost', cell: (_, { cost }) => cost },
  { name: 'cost_stored', cell: (event) => event.cost_stored },
  { name: 'website', cell: websiteOf },
  { name: 'categories', cell: ({ categories }) => items(categories.map(({ name }) => plainText(name))) },
  { name: 'tags', cell: ({ tags }) => items(tags.map(({ name }) => plainText(name))) },
  ...VENUE_FIELDS.map(ofVenues),
  ...ORGANIZER_FIELDS.map(ofOrganizers),
  ...FLAGS.map(plain),
  { name: 'image', cell: ({ image }) => (image ? image.url : '') },
];

export const CSV_COLUMNS = COLUMNS.map(({ name }) => name);

/** The header line, with a byte order mark for Excel if requested. */
export function csvHead(hasBom = false): string {
  return (hasBom ? '\ufeff' : '') + csvLine(CSV_COLUMNS);
}

/** The line of an event, with titles and names as plain text. */
export function csvEvent(event: EventJson & ExportedParts, stored: StoredCells): string {
  return csvLine(COLUMNS.map(({ cell }) => guarded(text(cell(event, stored)))));
}

/** Removes the guard that an export added to a cell. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}

/** Dates without times for all-day events, since other programs start days at midnight. */
function daysOf({ start_date: start, end_date: end }: EventJson) {
  return wholeDays(start ?? '', end ?? '');
}

/** Prefixes a formula with an apostrophe, so that spreadsheets treat it as text. */
function guarded(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

/** Joins names with commas, quoting names with a comma. */
function items(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}

/** Joins the values of several records with line breaks. */
function lines(texts: readonly string[]): string {
  return texts.every((one) => one === '') ? '' : texts.join('\n');
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

function quoted(cell: string): string {
  // With a decimal comma, spreadsheets separate cells by semicolons.
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
