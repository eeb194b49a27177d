import ICAL from 'ical.js';
import { cut } from '../safe-text.js';
import { isEmptyDate, preparedLine } from './date-lines.js';
import { Losses } from './losses.js';
import { type ContentLine, MAX_LINE_BYTES } from './read-lines.js';
import { Unreadable } from './read-time.js';

/** Properties that determine the identity and time of an event. */
const REQUIRED = /^(?:UID|DTSTART|RECURRENCE-ID)\b/i;
/** Properties that `Series` reads from their lines. */
const RECURRENCE = /^(?:RRULE|RDATE|EXRULE|EXDATE)$/i;

/** The maximum length of a message of ical.js, which quotes the whole line. */
const MAX_MESSAGE_LENGTH = 200;

/** A component without its invalid properties, which are listed as losses. */
export interface ParsedComponent {
  component: ICAL.Component;
  losses: Losses;
  /** Removes a property and records the loss. */
  lose(property: ICAL.Property, why: string): void;
  /** The line of a property in the file. */
  lineOf(property: ICAL.Property | null): number;
}

/** Parses the properties of a component; throws `Unreadable` when a required one is invalid. */
export function parseComponent(lines: readonly ContentLine[]): ParsedComponent {
  const losses = new Losses();
  const found: { line: number; property: ICAL.Property }[] = [];
  for (const one of lines) {
    const property = propertyOf(one, losses);
    if (property) found.push({ line: one.line, property });
  }
  const component = new ICAL.Component('vevent');
  const numbers = new Map<ICAL.Property | null, number>();
  for (const { line, property } of found) numbers.set(component.addProperty(property), line);
  const lineOf = (property: ICAL.Property | null) => numbers.get(property) ?? lines[0]?.line ?? 1;
  return {
    component,
    losses,
    lineOf,
    lose: (property, why) => {
      losses.add(lineOf(property), property.name.toUpperCase(), why);
      component.removeProperty(property);
    },
  };
}

function propertyOf({ line, text, isTooLong }: ContentLine, losses: Losses): ICAL.Property | undefined {
  const name = /^[\w-]+(?=[;:])/.exec(text)?.[0].toUpperCase() ?? text;
  if (isTooLong && RECURRENCE.test(name)) throw new Unreadable(`its ${name} is too long`);
  if (isTooLong) {
    losses.add(line, name, `it is longer than ${MAX_LINE_BYTES} bytes, or the event is`);
    return undefined;
  }
  if (isEmptyDate(text)) {
    losses.add(line, name, 'it is empty');
    return undefined;
  }
  if (RECURRENCE.test(name)) return undefined;
  try {
    const property = new ICAL.Property(ICAL.parse.property(preparedLine(text)));
    if (REQUIRED.test(name)) property.getValues();
    return property;
  } catch (error) {
    const why = whyUnreadable(error);
    if (REQUIRED.test(name)) throw new Unreadable(why);
    losses.add(line, name, why);
    return undefined;
  }
}

/** The message of an error of ical.js; a `TypeError` inside it carries no useful message. */
export function whyUnreadable(error: unknown): string {
  const why =
    error instanceof Error && !(error instanceof TypeError)
      ? `: ${cut(error.message, MAX_MESSAGE_LENGTH)}`
      : '';
  return `it cannot be read${why}`;
}
