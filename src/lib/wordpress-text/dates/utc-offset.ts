import { UTC_OFFSET_CITIES } from './data/utc-offset-cities.js';

const HOURS = /^\s*(?:([+-]?\d+):(\d+)|([+-]?(?:\d+\.?\d*|\.\d+)))$/;
const FIXED = /^UTC([+-])(\d[\d.]{0,3})$/;

/** Whether a zone text is a manual offset of WordPress (`UTC+5.5`, `UTC-3:30`): `UTC` with anything after it. */
export function isUtcOffset(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith('UTC') && trimmed.length > 3;
}

/**
 * The IANA zone that the plugin guesses for `UTC±H[.f]` or `UTC±H:MM`; other texts are returned unchanged. Minutes after
 * a colon are added whatever the sign, as recorded: `UTC-3:30` counts as -2.5 hours and becomes `UTC`.
 */
export function guessZoneName(text: string): string {
  if (!isUtcOffset(text)) return text;
  const [, whole, minutes = 0, number] = HOURS.exec(text.trim().slice(3)) ?? [];
  return UTC_OFFSET_CITIES.get(Number(whole ?? number) + Number(minutes) / 60) ?? 'UTC';
}

/** Seconds of `UTC±H[.f]` in JSON-LD (at most 4 characters after the sign, below 100 hours); else undefined. */
export function fixedUtcOffset(text: string): number | undefined {
  const match = FIXED.exec(text);
  const hours = Number(match?.[2]);
  if (!match || Number.isNaN(hours) || hours >= 100) return undefined;
  const minutes = Math.floor(hours * 60 + 1e-9);
  return (match[1] === '-' ? -minutes : minutes) * 60;
}

/**
 * Minutes that `UTC±H[.f]` or `UTC±H:MM` shifts a wall clock (the sign holds for both parts); less than a whole hour
 * counts as 0, as recorded.
 */
export function shiftMinutes(text: string): number {
  const match = /^\s*UTC\s*([+-]?)(\d+)(?:\.(\d*)|:(\d+))?/.exec(text);
  const hours = Number(match?.[2] ?? 0);
  if (!match || hours === 0) return 0;
  const minutes = match[4] === undefined ? Number(`0.${match[3] ?? ''}0`) * 60 : Number(match[4]);
  const size = Math.round(hours * 60 + minutes);
  return match[1] === '-' ? -size : size;
}
