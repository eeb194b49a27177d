import { parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { roundHalfUp } from '../../lib/wordpress-text/formatting/php-number.js';
import { sanitizeTextField } from '../../lib/wordpress-text/formatting/sanitize.js';
import type { PlainValue } from '../../lib/wordpress-text/php-serialize.js';
import { jpegSegments } from './image-type.js';

/** The EXIF tags in an attachment's metadata. */
export const EXIF = {
  model: 0x0110,
  orientation: 0x0112,
  artist: 0x013b,
  copyright: 0x8298,
  exposureTime: 0x829a,
  fNumber: 0x829d,
  iso: 0x8827,
  dateTimeDigitized: 0x9004,
  focalLength: 0x920a,
} as const;

/** The tag with the offset of the EXIF directory. */
const SETTINGS_DIRECTORY = 0x8769;
const ASCII = 2;
const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;
const SIZES: Readonly<Record<number, number>> = { [ASCII]: 1, [SHORT]: 2, [LONG]: 4, [RATIONAL]: 8 };
/** The maximum of entries read per directory. */
const MAX_ENTRIES = 200;

/** Tags by number, of the supported types; rationals are numbers. */
export type ExifTags = ReadonlyMap<number, string | number>;

/** The EXIF tags of a JPEG file; empty without any and for other files. */
export function readExif(bytes: Buffer): ExifTags {
  for (const { marker, start, end } of jpegSegments(bytes))
    if (marker === 0xe1 && bytes.toString('latin1', start, start + 6) === 'Exif\0\0')
      return readTiff(bytes.subarray(start + 6, end));
  return new Map();
}

function readTiff(bytes: Buffer): ExifTags {
  const order = bytes.toString('latin1', 0, 2);
  if (bytes.length < 8 || (order !== 'II' && order !== 'MM')) return new Map();
  const tiff = new Tiff(bytes, order === 'II');
  const first = tiff.directory(tiff.long(4));
  const settings = first.get(SETTINGS_DIRECTORY);
  return typeof settings === 'number' ? new Map([...first, ...tiff.directory(settings)]) : first;
}

/** Reads directories of tags, never beyond the end. */
class Tiff {
  constructor(
    private readonly bytes: Buffer,
    private readonly littleEndian: boolean,
  ) {}

  directory(start: number): Map<number, string | number> {
    const tags = new Map<number, string | number>();
    if (start + 2 > this.bytes.length) return tags;
    const end = start + 2 + Math.min(this.short(start), MAX_ENTRIES) * 12;
    for (let at = start + 2; at + 12 <= Math.min(end, this.bytes.length); at += 12) {
      const type = this.short(at + 2);
      const length = (SIZES[type] ?? 0) * this.long(at + 4);
      // Up to four bytes are inline, longer values at an offset.
      const from = length > 4 ? this.long(at + 8) : at + 8;
      if (length === 0 || from + length > this.bytes.length) continue;
      tags.set(this.short(at), this.value(type, from, length));
    }
    return tags;
  }

  short(at: number): number {
    return this.littleEndian ? this.bytes.readUInt16LE(at) : this.bytes.readUInt16BE(at);
  }

  long(at: number): number {
    return this.littleEndian ? this.bytes.readUInt32LE(at) : this.bytes.readUInt32BE(at);
  }

  private value(type: number, from: number, length: number): string | number {
    if (type === ASCII) return this.bytes.toString('utf8', from, from + length).replace(/\0.*$/s, '');
    if (type === SHORT) return this.short(from);
    if (type === LONG) return this.long(from);
    return this.long(from) / (this.long(from + 4) || Number.NaN);
  }
}

/** The member `image_meta`: EXIF values as text, "0" or "" for unknown ones; a rotated image has 1. */
export function imageMeta(exif: ExifTags, isTurned: boolean): Record<string, PlainValue> {
  const text = (tag: number) => sanitizeTextField(String(exif.get(tag) ?? ''));
  return {
    aperture: decimal(exif.get(EXIF.fNumber), 2),
    credit: text(EXIF.artist),
    camera: text(EXIF.model),
    caption: '',
    created_timestamp: timestamp(exif.get(EXIF.dateTimeDigitized)),
    copyright: text(EXIF.copyright),
    focal_length: decimal(exif.get(EXIF.focalLength)),
    iso: decimal(exif.get(EXIF.iso)),
    shutter_speed: decimal(exif.get(EXIF.exposureTime)),
    title: '',
    orientation: isTurned ? 1 : decimal(exif.get(EXIF.orientation)),
    keywords: [],
  };
}

/** A number as PHP writes it, with 14 digits, optionally rounded. */
function decimal(value: string | number | undefined, places?: number): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return '0';
  return String(Number((places === undefined ? value : roundHalfUp(value, places)).toPrecision(14)));
}

/** Unix seconds of `2024:05:06 07:08:09`, read as UTC. */
function timestamp(value: string | number | undefined): string {
  const date = String(value ?? '').replace(/^(\d{4}):(\d\d):/, '$1-$2-');
  const seconds = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(date) ? parseWallClock(date) : undefined;
  return String(Math.max(0, seconds ?? 0));
}
