import { type ContentLine, readLines } from './read-lines.js';

/** A part of a calendar file: a component, or a property of the calendar itself. */
export interface CalendarPart {
  /** `VEVENT`, `VTIMEZONE`, `PRODID` … in capitals. */
  name: string;
  /** The line that it begins on, from 1. */
  line: number;
  /** Which calendar of the file it stands in, from 0. */
  calendar: number;
  /** The property, or the properties of the component; of a `VTIMEZONE` also the components within it. */
  lines: ContentLine[];
  /** Whether its `END` is missing. */
  isUnended?: boolean;
}

/** The file is no calendar, or is cut off. */
export class NotACalendar extends Error {}

/** Most characters of one component; each of its lines takes some memory besides. */
const MAX_CHARACTERS = 1_000_000;
const LINE_OVERHEAD = 32;
/** Most lines of a component that are named because they do not fit. */
const MAX_LOST = 100;

/** Components that stand in a calendar only, never within another one. */
const OUTERMOST = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VTIMEZONE']);

interface Open extends CalendarPart {
  /** Names of the components that the present line is in, from the outermost one. */
  path: string[];
  size: number;
  /** How many lines did not fit. */
  lost: number;
}

/**
 * The components of calendars and the properties beside them, one after the other as they are read: a file of any size takes the
 * memory of one component. A component without its `END` ends where another one begins, or the calendar ends. `VCALENDAR` around
 * them may be missing. Throws `NotACalendar`.
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
      if (takeLine(open, one, name, word === '' ? undefined : begins)) continue;
      yield partOf(open);
      open = undefined;
    } else if (begins) open = { name, line, calendar, lines: [], path: [name], size: 0, lost: 0 };
    else if (word === '')
      yield { name: (/^[\w-]+/.exec(text)?.[0] ?? '').toUpperCase(), line, calendar, lines: [one] };
  }
  if (calendar < 0) throw new NotACalendar('it is empty');
  if (open) throw new NotACalendar(`it ends within the ${open.name} that begins on line ${open.line}`);
}

/** Takes a line into the component that is open; false where the line ends it. */
function takeLine(open: Open, one: ContentLine, name: string, begins?: boolean): boolean {
  if (begins) open.path.push(name);
  const isWithin = open.path.length > 1;
  if (begins === false) {
    // An END closes what was left open within it; one that fits nothing means nothing.
    const at = open.path.lastIndexOf(name);
    if (at >= 0) open.path.length = at;
    if (at === 0) return false;
  }
  if ((isWithin || begins !== undefined) && open.name !== 'VTIMEZONE') return true;
  const size = one.text.length + LINE_OVERHEAD;
  if (open.size + size <= MAX_CHARACTERS) {
    open.size += size;
    open.lines.push(one);
    // What does not fit is lost, not what follows.
  } else if (open.lost++ < MAX_LOST)
    open.lines.push({ line: one.line, text: one.text.slice(0, LINE_OVERHEAD), isTooLong: true });
  return true;
}

function partOf({ name, line, calendar, lines, isUnended }: CalendarPart): CalendarPart {
  return { name, line, calendar, lines, ...(isUnended && { isUnended }) };
}
