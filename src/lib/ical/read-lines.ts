import { WINDOWS_1252 } from '../windows-1252.js';
import { fromQuotedPrintable, isQuotedPrintable } from './quoted-printable.js';

/** An unfolded content line of a calendar file. */
export interface ContentLine {
  /** The first line in the file, from 1. */
  line: number;
  text: string;
  /** Whether it exceeds `MAX_LINE_BYTES`: then `text` is truncated. */
  isTooLong?: boolean;
}

/** The maximum length of a content line in bytes. */
export const MAX_LINE_BYTES = 1_000_000;
/** Bytes read of a longer one. */
const BEGINNING = 200;

/** Yields the content lines of a file in bounded memory; calls `note` for the first line that is not UTF-8. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  note: (line: string) => void = () => undefined,
): AsyncGenerator<ContentLine> {
  let isNoted = false;
  const finished = ({ line, pieces, size }: Unfinished): ContentLine => {
    const isTooLong = size > MAX_LINE_BYTES;
    // Other programs may fold within a character: bytes are joined before decoding.
    const bytes = Buffer.concat(pieces);
    const { text, encoding } = decodeText(isTooLong ? bytes.subarray(0, BEGINNING) : bytes);
    if (encoding !== 'utf-8' && !isTooLong && !isNoted) {
      isNoted = true;
      const reading = encoding === 'damaged' ? 'it is damaged' : 'it is read as Windows-1252 (Latin-1)';
      note(`Line ${line} is not UTF-8: ${reading}; further ones are not named.`);
    }
    const plain = isQuotedPrintable(text) ? fromQuotedPrintable(text, (one) => decodeText(one).text) : text;
    return { line, text: plain, ...(isTooLong && { isTooLong }) };
  };
  let open: Unfinished | undefined;
  let number = 0;
  for await (const bytes of byteLines(withoutUtf16(chunks))) {
    number += 1;
    const isBroken = open !== undefined && takeSoftBreak(open);
    // Other programs write empty lines, also within folded ones.
    if (bytes.length === 0) continue;
    const isFolded = bytes[0] === SPACE || bytes[0] === TAB;
    if (open && (isFolded || isBroken)) {
      const rest = isBroken ? bytes : bytes.subarray(1);
      open.size += rest.length;
      if (rest.length > 0 && open.size <= MAX_LINE_BYTES) open.pieces.push(rest);
    } else {
      if (open) yield finished(open);
      open = { line: number, pieces: [bytes], size: bytes.length };
    }
  }
  if (open) yield finished(open);
}

interface Unfinished {
  line: number;
  pieces: Buffer[];
  size: number;
}

/** Removes the `=` that ends a line of a quoted-printable value before its next one. */
function takeSoftBreak({ pieces }: Unfinished): boolean {
  const last = pieces.at(-1);
  if (last?.at(-1) !== EQUALS || !isQuotedPrintable(pieces[0]?.toString('latin1', 0, BEGINNING) ?? ''))
    return false;
  pieces[pieces.length - 1] = last.subarray(0, -1);
  return true;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes bytes as UTF-8, else as Windows-1252 unless valid characters show that it is damaged UTF-8. */
export function decodeText(bytes: Uint8Array): {
  text: string;
  encoding: 'utf-8' | 'windows-1252' | 'damaged';
} {
  try {
    return { text: UTF8.decode(bytes), encoding: 'utf-8' };
  } catch {
    const text = Buffer.from(bytes).toString('utf8');
    if (/[^\x00-\x7f\ufffd]/.test(text)) return { text, encoding: 'damaged' };
    return { text: fromWindows1252(bytes), encoding: 'windows-1252' };
  }
}

/** Decodes Windows-1252; Node's decoder leaves some bytes undecoded. */
export function fromWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (sign) => WINDOWS_1252.charAt(sign.charCodeAt(0) - 0x80));
}

/** Converts a file that begins with the byte order mark of UTF-16 to UTF-8. */
async function* withoutUtf16(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    const mark = isFirst ? chunk.subarray(0, 2).join() : '';
    if (mark === '255,254') decoder = new TextDecoder('utf-16le');
    if (mark === '254,255') decoder = new TextDecoder('utf-16be');
    isFirst = false;
    yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk;
  }
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const EQUALS = 0x3d;

/**
 * Yields lines without line breaks; one that is too long is cut one byte above the limit. A file without LF at its
 * beginning has CR alone, as old Macs write it.
 */
async function* byteLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let size = 0;
  let lineEnd: number | undefined;
  const add = (bytes: Buffer) => {
    rest.push(bytes.subarray(0, Math.max(0, MAX_LINE_BYTES + 1 - size)));
    size += bytes.length;
  };
  const takeLine = () => {
    const [first = Buffer.alloc(0)] = rest;
    const bytes = rest.length > 1 ? Buffer.concat(rest) : first;
    rest = [];
    size = 0;
    let end = bytes.length;
    // Some files have several of them.
    while (bytes[end - 1] === CR) end--;
    return bytes.subarray(0, end);
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    lineEnd ??= !bytes.includes(LF) && bytes.subarray(0, -1).includes(CR) ? CR : LF;
    let from = 0;
    for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, from)) {
      add(bytes.subarray(from, end));
      yield takeLine();
      from = end + 1;
    }
    if (from < bytes.length) add(Buffer.from(bytes.subarray(from)));
  }
  if (size > 0) yield takeLine();
}
