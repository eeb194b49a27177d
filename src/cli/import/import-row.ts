import { parse } from 'csv-parse/sync';
import { StartError } from '../../database/start-error.js';
import { derivedUid, type ReadEvent } from '../../ical/read-event.js';
import { asHtml, asWebsite } from '../../ical/read-texts.js';
import { Unreadable } from '../../ical/read-time.js';
import { isDay } from '../../ical/whole-days.js';
import { CSV_COLUMNS, unguarded } from '../export/event-csv.js';

const NEEDED = ['title', 'start_date'];
const DATES = ['start_date', 'end_date', 'date'];
/** Of these an empty cell says nothing; of all others, that there is none. */
const SILENT =
  'slug status date all_day end_date show_map show_map_link hide_from_listings sticky featured'.split(' ');

/**
 * What reads the rows below a header: each becomes an event as a create takes it, and what has no column is not said. A `StartError`
 * where columns are missing or named twice; `note` hears of those that are not known.
 */
export function rowReader(header: readonly string[], note: (line: string) => void) {
  const names = header.map((name) => name.trim().toLowerCase().replace(/[ -]/g, '_'));
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new StartError(
      `The columns ${missing.join(' and ')} are missing. There may be: ${CSV_COLUMNS.join(', ')}.`,
    );
  const twice = names.find((name, at) => CSV_COLUMNS.includes(name) && names.indexOf(name) !== at);
  if (twice) throw new StartError(`There are two columns ${twice}.`);
  const unknown = header.filter((_, at) => !CSV_COLUMNS.includes(names[at] ?? ''));
  if (unknown.length > 0) note(`These columns are not known and not imported: ${unknown.join(', ')}.`);

  return (cells: readonly string[], zone: string): ReadEvent => {
    if (cells.length !== names.length)
      throw new Unreadable(`it has ${cells.length} cells, and the header ${names.length}`);
    const row = new Map(names.map((name, at) => [name, trimmed(name, unguarded(cells[at] ?? ''))]));
    const fields = fieldsOf(row);
    if (row.get('title') === '') throw new Unreadable('it has no title');
    for (const name of DATES) checkDate(name, row.get(name) ?? '');
    const uid = row.get('uid') || derivedUid({ ...fields, timezone: row.get('timezone') || zone });
    return { uid, fields };
  };
}

/** The interface takes a number for seconds since 1970 and `13.04.27` for a time of today; whoever writes a table means neither. */
function checkDate(name: string, cell: string): void {
  if (cell === '' && name !== 'start_date') return;
  if (!/\d{4}/.test(cell) || /^\d+([.,]\d+)?$/.test(cell))
    throw new Unreadable(`its ${name} has to be a date with a year of four digits, such as 2027-03-10 19:00`);
  const { year, month = '', day = '' } = DIGITS.map((order) => order.exec(cell)?.groups).find(Boolean) ?? {};
  if (year && !isDay(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`))
    throw new Unreadable(`its ${name} is a day that does not exist`);
}

/** Days in digits, in the orders that signs stand for: of the 30th of February the interface would make the 2nd of March. */
const DIGITS = [
  /^(?<year>\d{4})[-/](?<month>\d\d?)[-/](?<day>\d\d?)(?!\d)/,
  /^(?<day>\d\d?)[-.](?<month>\d\d?)[-.](?<year>\d{4})(?!\d)/,
  /^(?<month>\d\d?)\/(?<day>\d\d?)\/(?<year>\d{4})(?!\d)/,
];

function fieldsOf(row: ReadonlyMap<string, string>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, cell] of row)
    if (
      CSV_COLUMNS.includes(name) &&
      name !== 'uid' &&
      !/^(venue|organizer)/.test(name) &&
      !(cell === '' && SILENT.includes(name))
    )
      fields[name] = cell;
  fields['title'] = asHtml(row.get('title') ?? '');
  if (row.has('website')) fields['website'] = asWebsite(row.get('website') ?? '') ?? row.get('website');
  fields['end_date'] ??= row.get('start_date');
  for (const list of ['categories', 'tags'] as const)
    if (row.has(list)) fields[list] = itemsOf(row.get(list) ?? '', list);
  for (const kind of ['venue', 'organizer'] as const) if (row.has(kind)) fields[kind] = linkedOf(row, kind);
  return fields;
}

/** Where a cell has a line for each of several records the first ones may be empty. */
function trimmed(name: string, cell: string): string {
  return /^(venue|organizer)/.test(name) ? cell : cell.trim();
}

/** Names between commas, each in quotes if it holds one itself. */
function itemsOf(cell: string, name: string): string[] {
  try {
    const [items = []]: string[][] = parse(cell, { trim: true, relax_column_count: true });
    return items.filter((item) => item !== '');
  } catch {
    throw new Unreadable(`its ${name} can not be read: a name with a comma or a quote stands in quotes`);
  }
}

/** Records by name, a line for each; of several, the cells beside them have a line for each too. */
function linkedOf(row: ReadonlyMap<string, string>, kind: 'venue' | 'organizer'): Record<string, string>[] {
  const names = linesOf(row.get(kind) ?? '');
  const beside = [...row]
    .filter(([name]) => name.startsWith(`${kind}_`) && CSV_COLUMNS.includes(name))
    .map(([name, cell]) => {
      const texts = names.length > 1 ? linesOf(cell) : [cell.trim()];
      return { field: name.slice(kind.length + 1), texts };
    });
  return names.flatMap((name, at) => {
    if (name === '') return [];
    const said = beside.flatMap(({ field, texts }) => (texts[at] ? [[field, texts[at]]] : []));
    return [{ [kind]: asHtml(name), ...Object.fromEntries(said) }];
  });
}

function linesOf(cell: string): string[] {
  return cell.split(/\r?\n/).map((line) => line.trim());
}
