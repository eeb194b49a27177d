import { type PosixZone, parsePosixZone, posixOffset, posixTransitions } from './posix-zone.js';
import type { ReadTransitions, Transition } from './zone-offsets.js';

const HEADER = 44;

/** Parses a compiled zone (TZif, RFC 9636); undefined for other bytes, version 1 files and leap seconds. */
export function parseZoneFile(bytes: Buffer): ReadTransitions | undefined {
  if (!isHeader(bytes, 0) || bytes.readUInt8(4) < 0x32) return undefined;
  const start = HEADER + blockSize(countsAt(bytes, 0), 4);
  if (!isHeader(bytes, start)) return undefined;
  const counts = countsAt(bytes, start);
  const end = start + HEADER + blockSize(counts, 8);
  // The footer also shows that the file is complete.
  const [, footer] = /^\n(.*)\n$/.exec(bytes.toString('latin1', end)) ?? [];
  if (counts.leaps > 0 || counts.types === 0 || footer === undefined) return undefined;
  const times = start + HEADER;
  const types = times + counts.times * 8;
  const records = types + counts.times;
  const names = records + counts.types * 6;
  const typeAt = (index: number): Omit<Transition, 'at'> => {
    const record = records + index * 6;
    const name = names + bytes.readUInt8(record + 5);
    return {
      offset: bytes.readInt32BE(record),
      name: bytes.toString('latin1', name, bytes.indexOf(0, name)),
    };
  };
  const known: Transition[] = [];
  for (let index = 0; index < counts.times; index++)
    known.push({
      at: Number(bytes.readBigInt64BE(times + index * 8)),
      ...typeAt(bytes.readUInt8(types + index)),
    });
  return reader(typeAt(0), known, parsePosixZone(footer));
}

function reader(
  before: Omit<Transition, 'at'>,
  known: readonly Transition[],
  after: PosixZone | undefined,
): ReadTransitions {
  const end = known.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  return (from, to) => {
    const holds =
      after && from > end ? posixOffset(after, from) : (known.findLast(({ at }) => at <= from) ?? before);
    const listed = known.filter(({ at }) => at > from && at < to);
    const ruled = after && to > end ? posixTransitions(after, Math.max(from, end) + 1, to) : [];
    return [{ at: from, offset: holds.offset, name: holds.name }, ...listed, ...ruled];
  };
}

function isHeader(bytes: Buffer, at: number): boolean {
  return bytes.length >= at + HEADER && bytes.toString('latin1', at, at + 4) === 'TZif';
}

function countsAt(bytes: Buffer, at: number) {
  const [isUt = 0, isStandard = 0, leaps = 0, times = 0, types = 0, characters = 0] = [
    20, 24, 28, 32, 36, 40,
  ].map((offset) => bytes.readUInt32BE(at + offset));
  return { isUt, isStandard, leaps, times, types, characters };
}

function blockSize(
  { isUt, isStandard, leaps, times, types, characters }: ReturnType<typeof countsAt>,
  time: 4 | 8,
): number {
  return times * (time + 1) + types * 6 + characters + leaps * (time + 4) + isStandard + isUt;
}
