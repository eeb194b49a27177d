import { type ExportedParts, plainText, venuesOf, websiteOf } from '../../resources/events/event-entry.js';
import type { EventJson } from '../../resources/events/event-json.js';
import { wholeDays } from '../../lib/ical/whole-days.js';

/** What a spreadsheet would take for a formula begins with one of these; also behind apostrophes, which a guard could not be told from. */
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** What is not in an event's JSON. */
export interface StoredCells {
  uid: string;
  cost?: string;
}

interface Column {
  name: string;
  cell(event: EventJson & ExportedParts, stored: StoredCells): unknown;
}

const plain = (name: keyof EventJson): Column => ({ name, cell: (event) => event[name] });

const ofVenues = (
  name: string,
  field: 'venue' | 'address' | 'city' | 'country' | 'province' | 'state' | 'zip' | 'phone' | 'website',
): Column => ({
  name,
  cell: (event) => lines(venuesOf(event).map((venue) => plainText(venue[field]))),
});

const ofOrganizers = (name: string, field: 'organizer' | 'email' | 'phone' | 'website'): Column => ({
  name,
  cell: ({ organizer }) => lines(organizer.map((one) => plainText(one[field]))),
});

/** The columns of events in CSV, in their order; all but `image` are read by an import as they are written by an export. */
const COLUMNS: readonly Column[] = [
  { name: 'uid', cell: (_, { uid }) => uid },
  { name: 'title', cell: ({ title }) => plainText(title) },
  plain('description'),
  plain('excerpt'),
  plain('slug'),
  plain('status'),
  // Without it a scheduled event would be published at once.
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
  ofVenues('venue', 'venue'),
  ofVenues('venue_address', 'address'),
  ofVenues('venue_city', 'city'),
  ofVenues('venue_country', 'country'),
  ofVenues('venue_province', 'province'),
  ofVenues('venue_state', 'state'),
  ofVenues('venue_zip', 'zip'),
  ofVenues('venue_phone', 'phone'),
  ofVenues('venue_website', 'website'),
  ofOrganizers('organizer', 'organizer'),
  ofOrganizers('organizer_email', 'email'),
  ofOrganizers('organizer_phone', 'phone'),
  ofOrganizers('organizer_website', 'website'),
  plain('show_map'),
  plain('show_map_link'),
  plain('hide_from_listings'),
  plain('sticky'),
  plain('featured'),
  { name: 'image', cell: ({ image }) => (image ? image.url : '') },
];

/** Names of all columns. */
export const CSV_COLUMNS = COLUMNS.map(({ name }) => name);

/** The header line, behind a byte order mark where Excel is to read UTF-8. */
export function csvHead(hasBom = false): string {
  return (hasBom ? '\ufeff' : '') + csvLine(CSV_COLUMNS);
}

/** The line of an event; it holds what the interface shows, titles and names as plain text. */
export function csvEvent(event: EventJson & ExportedParts, stored: StoredCells): string {
  return csvLine(COLUMNS.map(({ cell }) => guarded(text(cell(event, stored)))));
}

/** The text of a cell as it was before an export guarded it. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}

/** Days of one that lasts all day: when a day begins is another matter elsewhere. */
function daysOf({ start_date: start, end_date: end }: EventJson) {
  return wholeDays(start ?? '', end ?? '');
}

/** Spreadsheets run what looks like a formula: behind an apostrophe it is text. */
function guarded(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

/** Names in one cell: separated by commas, in quotes where one holds a comma. */
function items(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}

/** What belongs to several records: a line for each. */
function lines(texts: readonly string[]): string {
  return texts.every((one) => one === '') ? '' : texts.join('\n');
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

function quoted(cell: string): string {
  // Where a comma is the decimal sign, spreadsheets take a semicolon for the end of a cell.
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
