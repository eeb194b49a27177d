import { type ContentLine, readLines } from './read-lines.js';

/** A part of a calendar file: a component, or a property of the calendar itself. */
export interface CalendarPart {
  /** `VEVENT`, `VTIMEZONE`, `PRODID` … in capitals. */
  name: string;
  /** Its first line, from 1. */
  line: number;
  /** The index of its calendar in the file. */
  calendar: number;
  /** The property, or the properties of the component; of a `VTIMEZONE` also its inner components. */
  lines: ContentLine[];
  /** Whether its `END` is missing. */
  isUnended?: boolean;
}

/** The file is no calendar, or truncated. */
export class NotACalendar extends Error {}

/** The maximum size of a component in characters, with an overhead for each line. */
const MAX_CHARACTERS = 1_000_000;
const LINE_OVERHEAD = 32;
/** The maximum of listed lines that exceed the size. */
const MAX_LOST = 100;
/** The maximum of open components within one another: each `END` is compared with all of them. */
const MAX_DEPTH = 100;

/** Components directly inside a calendar, never nested. */
const OUTERMOST = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VTIMEZONE']);

interface Open extends CalendarPart {
  /** Names of the open components, outermost first. */
  path: string[];
  size: number;
  /** The number of lines that exceeded the size. */
  lost: number;
}

/**
 * Streams the components and properties of the calendars in a file, in the memory of one component. A component without
 * `END` ends where another one begins or the calendar ends; `VCALENDAR` may be missing. Throws `NotACalendar`.
 */
export async function* splitComponents(
  chunks: AsyncIterable<Uint8Array>,
  note?: (line: string) => void,
): AsyncGenerator<CalendarPart> {
  let open: Open | undefined;
  let calendar = -1;
  for await (const one of readLines(chunks, note)) {
    const { line, text } = one;
    if (text.trim() === '') continue;
    const [, word = '', given = ''] = /^(BEGIN|END):\s*(\S+)\s*$/i.exec(text) ?? [];
    const name = given.toUpperCase();
    const begins = word.toUpperCase() === 'BEGIN';
    const isCalendar = name === 'VCALENDAR';
    const isOutermost = isCalendar || OUTERMOST.has(name);
    if (calendar < 0 && !(begins && isOutermost))
      throw new NotACalendar(`line ${line} is not BEGIN:VCALENDAR`);
    if (open && isOutermost && (begins || isCalendar)) {
      yield partOf({ ...open, isUnended: true });
      open = undefined;
    }
    if (begins && (isCalendar || calendar < 0)) calendar += 1;
    if (isCalendar) continue;
    if (open) {
      if (addLine(open, one, name, word === '' ? undefined : begins)) continue;
      yield partOf(open);
      open = undefined;
    } else if (begins) open = { name, line, calendar, lines: [], path: [name], size: 0, lost: 0 };
    else if (word === '')
      yield { name: (/^[\w-]+/.exec(text)?.[0] ?? '').toUpperCase(), line, calendar, lines: [one] };
  }
  if (calendar < 0) throw new NotACalendar('it is empty');
  if (open) throw new NotACalendar(`it ends within the ${open.name} that begins on line ${open.line}`);
}

/** Adds a line to the open component; false if the line ends it. */
function addLine(open: Open, one: ContentLine, name: string, begins?: boolean): boolean {
  if (begins && open.path.length < MAX_DEPTH) open.path.push(name);
  const isWithin = open.path.length > 1;
  if (begins === false) {
    // An END also closes inner components; an unmatched one is ignored.
    const at = open.path.lastIndexOf(name);
    if (at >= 0) open.path.length = at;
    if (at === 0) return false;
  }
  if ((isWithin || begins !== undefined) && open.name !== 'VTIMEZONE') return true;
  const size = one.text.length + LINE_OVERHEAD;
  if (open.size + size <= MAX_CHARACTERS) {
    open.size += size;
    open.lines.push(one);
    // Only lines that exceed the size are dropped, not the following ones.
  } else if (open.lost++ < MAX_LOST)
    open.lines.push({ line: one.line, text: one.text.slice(0, LINE_OVERHEAD), isTooLong: true });
  return true;
}

function partOf({ name, line, calendar, lines, isUnended }: CalendarPart): CalendarPart {
  return { name, line, calendar, lines, ...(isUnended && { isUnended }) };
}
