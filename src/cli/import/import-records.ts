import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { systemErrorMessage } from '../../common/errors/system-error-message.js';
import { StartError } from '../../database/start-error.js';
import { calendarRecords } from '../../imports/calendar-records.js';
import { type FileRecord, guarded, type ReadOptions } from '../../imports/file-record.js';
import { decodeText, fromWindows1252 } from '../../lib/ical/read-lines.js';
import { NotACalendar } from '../../lib/ical/split-components.js';
import { rowReader } from './import-row.js';

/** Maximum bytes of a record. */
const MAX_BYTES = 1_000_000;

/** The lines of a file, for a progress bar; undefined if it cannot be read. */
export async function countLines(path: string): Promise<number | undefined> {
  let lines = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
    return Math.max(lines, 1);
  } catch {
    return undefined;
  }
}

/** Yields the records of an `.ics` or `.csv` file in the memory of one record; throws `StartError` if it cannot be read. */
export async function* readRecords(path: string, input: ReadOptions): AsyncGenerator<FileRecord> {
  try {
    if (/\.(ics|ical|ifb)$/i.test(path)) yield* calendarRecords(() => createReadStream(path), input);
    else if (/\.(csv|tsv)$/i.test(path)) yield* tableRecords(path, input);
    else throw new StartError(`${path} is of no kind that is known: it has to end in .ics or .csv.`);
  } catch (error) {
    if (error instanceof NotACalendar) throw new StartError(`${path} is no calendar file: ${error.message}.`);
    if ((error as NodeJS.ErrnoException).syscall)
      throw new StartError(`${path} cannot be read: ${systemErrorMessage(error)}.`);
    throw error;
  }
}

async function* tableRecords(path: string, { note, zone }: ReadOptions): AsyncGenerator<FileRecord> {
  const parser = parse({
    delimiter: await delimiterOf(path),
    // Files with mixed line endings are accepted.
    record_delimiter: ['\r\n', '\n', '\r'],
    info: true,
    relax_column_count: true,
    max_record_size: MAX_BYTES,
  });
  // Errors reach the reader of the rows.
  pipeline(textOf(path, note), parser, () => undefined);
  let read: ReturnType<typeof rowReader> | undefined;
  let before = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      const line = before + 1;
      before = info.lines;
      // Spreadsheets write separators for empty rows.
      if (record.every((cell) => /^[\s,;]*$/.test(cell))) continue;
      if (!read) {
        read = rowReader(record, note);
        continue;
      }
      const row = read;
      yield* guarded(line, () => [row(record, zone)]);
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (error instanceof DamagedText)
      throw new StartError(`${path} is not UTF-8, somewhere behind line ${before}: save it as "CSV UTF-8".`);
    if (!code?.startsWith('CSV_')) throw error;
    throw new StartError(`${path} cannot be read behind line ${before}: ${message}.`);
  }
  if (!read) throw new StartError(`${path} is empty: it has to begin with the names of its columns.`);
}

/**
 * Yields the text of a table in chunks of whole lines. A file that is not UTF-8 is read as Windows-1252, as
 * spreadsheets write it; one that begins as UTF-8 is damaged.
 */
async function* textOf(path: string, note: (line: string) => void): AsyncGenerator<string> {
  let isUtf8 = false;
  let isOther = false;
  const decoded = (bytes: Buffer): string => {
    if (isOther) return fromWindows1252(bytes);
    const { text, encoding } = decodeText(bytes);
    if (encoding === 'utf-8') isUtf8 ||= /[^\x00-\x7f\ufeff]/.test(text);
    else if (isUtf8 || encoding === 'damaged') throw new DamagedText();
    else {
      isOther = true;
      note('The file is not UTF-8: it is read as Windows-1252 (Latin-1).');
    }
    return text;
  };
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    const bytes = Buffer.concat([rest, chunk]);
    // A line end never splits a character.
    const end = Math.max(bytes.lastIndexOf('\n'), bytes.lastIndexOf('\r')) + 1;
    if (bytes.length - end > MAX_BYTES) throw new StartError(`${path} has a line that does not end.`);
    rest = bytes.subarray(end);
    yield decoded(bytes.subarray(0, end));
  }
  yield decoded(rest);
}

/** A text that is only partly UTF-8. */
class DamagedText extends Error {}

/** The most frequent separator of the header. */
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
