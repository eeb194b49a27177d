import { parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { roundHalfUp } from '../../lib/wordpress-text/formatting/php-number.js';
import { sanitizeTextField } from '../../lib/wordpress-text/formatting/sanitize.js';
import type { PlainValue } from '../../lib/wordpress-text/php-serialize.js';
import { EXIF } from './data/exif-tags.js';
import type { ExifTags } from './exif.js';

/**
 * The member `image_meta` of an attachment's metadata: EXIF values as text, "0" or "" for unknown ones. A rotated image
 * has the orientation 1, as a number.
 */
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
