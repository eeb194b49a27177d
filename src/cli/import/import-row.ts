import { parse } from 'csv-parse/sync';
import { StartError } from '../../database/start-error.js';
import { derivedUid, type ReadEvent } from '../../lib/ical/read-event.js';
import { asHtml, asWebsite } from '../../lib/ical/read-texts.js';
import { Unreadable } from '../../lib/ical/read-time.js';
import { CSV_COLUMNS, unguarded } from '../export/event-csv.js';
import { columnOf, isLinkedColumn, namesTime } from './column-names.js';
import { checkDate, datesOf } from './row-dates.js';

const NEEDED = ['title', 'start_date'];
/** Columns of booleans. */
const SWITCHES = 'all_day show_map show_map_link hide_from_listings sticky featured is_private'.split(' ');
/** Columns whose empty cells are ignored; in others an empty cell clears the value. */
const SILENT =
  'slug status date all_day end_date show_map show_map_link hide_from_listings sticky featured'.split(' ');

/**
 * Creates a reader of the rows below a header; fields without a column are not sent. Throws `StartError` for missing or
 * duplicate columns; `note` is called for unknown ones.
 */
export function rowReader(header: readonly string[], note: (line: string) => void) {
  const names = header.map((name) => columnOf(name) ?? '');
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new StartError(
      `The columns ${missing.join(' and ')} are missing. There may be: ${CSV_COLUMNS.join(', ')}.`,
    );
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (twice) throw new StartError(`There are two columns ${twice}.`);
  const unknown = header.filter((name, at) => names[at] === '' && name.trim() !== '');
  if (unknown.length > 0) note(`These columns are not known and not imported: ${unknown.join(', ')}.`);
  const lostTimes = header.flatMap((name, at) => (names[at] === '' && namesTime(name) ? [{ name, at }] : []));
  // Outlook separates categories with semicolons.
  const separators = header.some((name) => /^subject$/i.test(name.trim())) ? [',', ';'] : [','];

  return (cells: readonly string[], zone: string): ReadEvent => {
    if (cells.length !== names.length)
      throw new Unreadable(`it has ${cells.length} cells, and the header ${names.length}`);
    const lost = lostTimes.find(({ at }) => /\d/.test(cells[at] ?? ''));
    if (lost)
      throw new Unreadable(
        `its time in the column "${lost.name}" would be lost: call it start_time or end_time`,
      );
    const row = new Map(
      names.flatMap((name, at) => (name === '' ? [] : [[name, read(name, unguarded(cells[at] ?? ''))]])),
    );
    if (row.get('title') === '') throw new Unreadable('it has no title');
    const fields = fieldsOf(row, separators);
    checkDate('date', row.get('date') ?? '');
    const uid = row.get('uid') || derivedUid({ ...fields, timezone: row.get('timezone') || zone });
    return { uid, fields, isRow: true };
  };
}

function fieldsOf(row: ReadonlyMap<string, string>, separators: string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, cell] of row)
    if (
      CSV_COLUMNS.includes(name) &&
      name !== 'uid' &&
      !/^(venue|organizer)/.test(name) &&
      !(cell === '' && SILENT.includes(name))
    )
      fields[name] = cell;
  const { start, end, isAllDay } = datesOf(row);
  Object.assign(fields, { start_date: start, end_date: end || start, ...(isAllDay && { all_day: 'true' }) });
  fields['title'] = asHtml(row.get('title') ?? '');
  if (row.has('website')) fields['website'] = asWebsite(row.get('website') ?? '') ?? row.get('website');
  if (row.has('cost')) fields['cost'] = costOf(row);
  // Private events of Google and Outlook.
  if (/^(true|1|private|confidential)$/i.test(row.get('is_private') ?? '')) fields['status'] ??= 'private';
  for (const list of ['categories', 'tags'] as const)
    if (row.has(list)) fields[list] = itemsOf(row.get(list) ?? '', list, separators);
  for (const kind of ['venue', 'organizer'] as const) if (row.has(kind)) fields[kind] = linkedOf(row, kind);
  const location = row.get('location') ?? '';
  if (location !== '' && !row.get('venue')) fields['venue'] = [placeOf(location)];
  const people = itemsOf(row.get('organizer_names') ?? '', 'organizer', [',']);
  if (people.length > 0) fields['organizer'] ??= people.map((name) => ({ organizer: asHtml(name) }));
  return fields;
}

/** Adds the symbol of its own column to a cost that has none. */
function costOf(row: ReadonlyMap<string, string>): string {
  const [cost = '', symbol = ''] = [row.get('cost'), row.get('currency_symbol')];
  if (symbol === '' || !/^\d+([.,]\d+)?$/.test(cost)) return cost;
  return /^(postfix|suffix|after)$/i.test(row.get('currency_position') ?? '') ? cost + symbol : symbol + cost;
}

/** Splits a place into the venue's name, up to the first comma, and its address. */
function placeOf(text: string): Record<string, string> {
  const [name = '', ...rest] = text.split(/,|\r?\n/).map((part) => part.trim());
  const address = rest.filter((part) => part !== '').join(', ');
  return { venue: asHtml(name), ...(address !== '' && { address }) };
}

/** Converts a cell; with a line per record, the first lines may be empty. */
function read(name: string, cell: string): string {
  if (/^(venue|organizer)/.test(name)) return cell;
  const text = cell.trim();
  if (!SWITCHES.includes(name)) return text;
  if (/^(yes|y|on|true|x)$/i.test(text)) return 'true';
  return /^(no|n|off|false)$/i.test(text) ? 'false' : text;
}

/** Splits comma-separated names, quoted if they hold a comma. */
function itemsOf(cell: string, name: string, delimiter: string[]): string[] {
  try {
    const [items = []]: string[][] = parse(cell, { trim: true, relax_column_count: true, delimiter });
    return items.filter((item) => item !== '');
  } catch {
    throw new Unreadable(`its ${name} cannot be read: a name with a comma or a quote stands in quotes`);
  }
}

/** Records by name, one per line; the cells beside them have a line for each too. */
function linkedOf(row: ReadonlyMap<string, string>, kind: 'venue' | 'organizer'): Record<string, string>[] {
  const names = linesOf(row.get(kind) ?? '');
  const beside = [...row]
    .filter(([name]) => isLinkedColumn(name, kind))
    .map(([name, cell]) => {
      const texts = names.length > 1 ? linesOf(cell) : [cell.trim()];
      return { field: name.slice(kind.length + 1), texts };
    });
  return names.flatMap((name, at) => {
    if (name === '') return [];
    const said = beside.flatMap(({ field, texts }) => (texts[at] ? [[field, texts[at]]] : []));
    const { address_2: more, ...fields }: Record<string, string> = Object.fromEntries(said);
    const address = more && { address: [fields['address'], more].filter(Boolean).join(', ') };
    return [{ [kind]: asHtml(name), ...fields, ...address }];
  });
}

function linesOf(cell: string): string[] {
  return cell.split(/\r?\n/).map((line) => line.trim());
}
