import type { Event, Venue } from './records.js';

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/**
 * The text of a title or another short piece of HTML: without tags, with characters instead of references. It may hold `<`
 * again: it is text, never to be used as HTML.
 */
export function plain(html: string): string {
  return html
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,5}));/g, (whole, decimal, hex, name) =>
      name ? (NAMED[name] ?? whole) : (character(hex ? Number.parseInt(hex, 16) : Number(decimal)) ?? whole),
    );
}

const character = (code: number) =>
  code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
    ? undefined
    : String.fromCodePoint(code);

/** The venues of an event as a list, whether there is none, one or more. */
export function venuesOf({ venue }: Pick<Event, 'venue'>): Venue[] {
  return Array.isArray(venue) ? venue : [venue];
}
