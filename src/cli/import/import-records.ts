import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import type ICAL from 'ical.js';
import { StartError } from '../../database/start-error.js';
import { whyRefused } from '../../errors/system-error.js';
import { derivedUid, type ReadEvent, readEvents, readTimeZone } from '../../ical/read-event.js';
import { Unreadable, zoneOfId } from '../../ical/read-time.js';
import { NotACalendar, splitComponents } from '../../ical/split-components.js';
import { rowReader } from './import-row.js';

/** A record of a file, or why it is none. */
export interface FileRecord {
  /** Where it begins, from 1. */
  line: number;
  event?: ReadEvent;
  /** Why it can not be an event here. */
  fault?: string;
}

/** Largest record of a file, in bytes. */
const MOST_BYTES = 1_000_000;

/** What is asked of a file. */
export interface ReadWish {
  /** The site's zone, in which times are that name none. */
  zone: string;
  /** How many events a recurring one becomes. */
  occurrences: number;
  /** Hears what does not end the reading. */
  note: (line: string) => void;
}

/**
 * The records of an `.ics` or `.csv` file, one after the other; a file of any size takes the memory of a record. A `StartError` says
 * why it can not be read, or read any further.
 */
export async function* readRecords(path: string, wish: ReadWish): AsyncGenerator<FileRecord> {
  try {
    if (/\.(ics|ical|ifb)$/i.test(path)) yield* calendarRecords(path, wish);
    else if (/\.(csv|tsv)$/i.test(path)) yield* tableRecords(path, wish);
    else throw new StartError(`${path} is of no kind that is known: it has to end in .ics or .csv.`);
  } catch (error) {
    if (error instanceof NotACalendar) throw new StartError(`${path} is no calendar file: ${error.message}.`);
    if ((error as NodeJS.ErrnoException).syscall)
      throw new StartError(`${path} can not be read: ${whyRefused(error)}.`);
    throw error;
  }
}

async function* calendarRecords(path: string, { zone, occurrences }: ReadWish): AsyncGenerator<FileRecord> {
  const changed = occurrences > 0 ? await changedOccurrences(path) : new Set<string>();
  const described = new Map<string, ICAL.Timezone>();
  let zones = { local: zone, described };
  let isOurs = false;
  for await (const { name, line, text } of splitComponents(createReadStream(path))) {
    const value = text?.slice(text.indexOf(':') + 1).trim() ?? '';
    if (name === 'X-WR-TIMEZONE') zones = { ...zones, local: zoneOfId(value) ?? zone };
    else if (name === 'PRODID') isOurs = value.startsWith('-//Almanac//');
    else if (name === 'VTIMEZONE' && text !== undefined) describe(text, described);
    else if (name !== 'VEVENT') continue;
    else if (text === undefined) yield { line, fault: `it is larger than ${MOST_BYTES} characters` };
    else
      yield* guarded(line, () => {
        const events = readEvents(text, { zones, isOurs, occurrences });
        return isChange(text) ? events : events.filter(({ uid }) => !changed.has(uid));
      });
  }
}

const isChange = (text: string): boolean => /^RECURRENCE-ID\b/im.test(text);

/** Ids of occurrences that stand in the file by themselves: what recurs is not to say otherwise of them. */
async function changedOccurrences(path: string): Promise<Set<string>> {
  const zones = { local: 'UTC', described: new Map() };
  const ids = new Set<string>();
  for await (const { name, line, text } of splitComponents(createReadStream(path)))
    if (name === 'VEVENT' && text !== undefined && isChange(text))
      for (const { event } of guarded(line, () => readEvents(text, { zones, isOurs: false, occurrences: 1 })))
        if (event) ids.add(event.uid);
  return ids;
}

function* guarded(line: number, read: () => ReadEvent[]): Generator<FileRecord> {
  try {
    for (const { uid, fields } of read()) yield { line, event: { uid: uid || derivedUid(fields), fields } };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    yield { line, fault: error.message };
  }
}

/** One that can not be read is missed by the events that name it, if the name itself says nothing. */
function describe(text: string, described: Map<string, ICAL.Timezone>): void {
  try {
    const zone = readTimeZone(text);
    if (described.size < 1000) described.set(zone.tzid, zone);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
}

async function* tableRecords(path: string, { note, zone }: ReadWish): AsyncGenerator<FileRecord> {
  const parser = parse({
    delimiter: await delimiterOf(path),
    // Of lines that end in several ways each is one.
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MOST_BYTES,
  });
  // What goes wrong is thrown to whoever reads the rows.
  pipeline(textOf(path), parser, () => undefined);
  let read: ReturnType<typeof rowReader> | undefined;
  let before = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      const line = before + 1;
      before = info.lines;
      if (!read) {
        read = rowReader(record, note);
        continue;
      }
      const row = read;
      yield* guarded(line, () => [row(record, zone)]);
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new StartError(`${path} is not UTF-8, somewhere behind line ${before}: save it as "CSV UTF-8".`);
    if (!code?.startsWith('CSV_')) throw error;
    throw new StartError(`${path} can not be read behind line ${before}: ${message}.`);
  }
  if (!read) throw new StartError(`${path} is empty: it has to begin with the names of its columns.`);
}

/** Other encodings are not guessed: their letters would be lost. */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of createReadStream(path)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** What separates the names of the columns most often. */
async function delimiterOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    const [head = ''] = buffer.toString('utf8', 0, bytesRead).split(/\r?\n/, 1);
    const count = (sign: string) => head.split(sign).length;
    return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ',';
  } finally {
    await file.close();
  }
}
