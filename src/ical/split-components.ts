import { TextDecoder } from 'node:util';

/** A part of a calendar file: a component with all that is in it, or a property of the calendar itself. */
export interface CalendarPart {
  /** `VEVENT`, `VTIMEZONE`, `PRODID` … in capitals. */
  name: string;
  /** The line that it begins on, from 1. */
  line: number;
  /** As it stands in the file; undefined for a component that is larger than `MOST_CHARACTERS`. */
  text?: string;
}

/** The file is no calendar, or is cut off. */
export class NotACalendar extends Error {}

/** Most characters of one component, and of one line. */
const MOST_CHARACTERS = 1_000_000;

/**
 * The components of calendars and the properties beside them, one after the other as they are read: a file of any size takes the
 * memory of one component. Throws `NotACalendar`.
 */
export async function* splitComponents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CalendarPart> {
  let open: { name: string; line: number; depth: number; lines: string[]; size: number } | undefined;
  let isInCalendar = false;
  let number = 0;
  for await (const line of linesOf(chunks)) {
    number += 1;
    if (line.trim() === '') continue;
    const [, word = '', name = ''] = /^(BEGIN|END):\s*(\S+)\s*$/i.exec(line) ?? [];
    const begins = word.toUpperCase() === 'BEGIN';
    if (!isInCalendar) {
      if (!begins || name.toUpperCase() !== 'VCALENDAR')
        throw new NotACalendar(`line ${number} is not BEGIN:VCALENDAR`);
      isInCalendar = true;
    } else if (!open) {
      if (begins)
        open = { name: name.toUpperCase(), line: number, depth: 1, lines: [line], size: line.length };
      else if (word) isInCalendar = false;
      else yield { name: (/^[\w-]+/.exec(line)?.[0] ?? '').toUpperCase(), line: number, text: line };
    } else {
      open.size += line.length;
      if (open.size <= MOST_CHARACTERS) open.lines.push(line);
      open.depth += begins ? 1 : word ? -1 : 0;
      if (open.depth > 0) continue;
      const { name, line: at, lines, size } = open;
      yield { name, line: at, ...(size <= MOST_CHARACTERS && { text: `${lines.join('\r\n')}\r\n` }) };
      open = undefined;
    }
  }
  if (number === 0) throw new NotACalendar('it is empty');
  if (open) throw new NotACalendar(`it ends within the ${open.name} that begins on line ${open.line}`);
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const bytes of byteLinesOf(chunks)) {
    // Programs that fold by octets may do so within a character: its other bytes follow the blank of the next line.
    const blank = bytes[0] === 0x20 || bytes[0] === 0x09 ? 1 : 0;
    yield bytes.toString('latin1', 0, blank) + decoded(decoder, bytes.subarray(blank));
  }
  decoded(decoder);
}

async function* byteLinesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      yield bytes.subarray(from, bytes[end - 1] === CR && end > from ? end - 1 : end);
      from = end + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length > MOST_CHARACTERS) throw new NotACalendar('it has a line that does not end');
  }
  if (rest.length > 0) yield rest;
}

const LF = 0x0a;
const CR = 0x0d;

function decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw new NotACalendar('it is not UTF-8');
  }
}
