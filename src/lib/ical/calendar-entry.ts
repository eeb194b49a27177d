import type { RecurrenceSet } from '../recurrence/recurrence-set.js';

/** An event of a calendar file. Texts are plain except `html`, dates are `YYYY-MM-DD HH:MM:SS`. */
export interface CalendarEntry {
  /** The id that responses show. */
  id: number;
  /** Stable across exports of the same event. */
  uid: string;
  /** Whether it is one of several occurrences with this UID, written one by one. */
  isOccurrence?: boolean;
  /** How it recurs, in the form of `portableSeries`, with the events of dates that differ. */
  series?: { set: RecurrenceSet; changes: readonly SeriesChange[] };
  /** The date of a series that it replaces; its UID is that of the series. */
  replaces?: { set: RecurrenceSet; key: number };
  /** Its `SEQUENCE` where it was imported from. */
  sequence?: number;
  title: string;
  /** The description. */
  html: string;
  allDay: boolean;
  /** On the wall clock of `zone`. */
  start: string;
  end: string;
  utcStart: string;
  utcEnd: string;
  /** As the plugin stores it: an IANA name, `UTC+2`, an abbreviation. */
  zone: string;
  createdUtc: string;
  modifiedUtc: string;
  /** The post status: `publish`, `private` … */
  status: string;
  /** Whether the event is cancelled or postponed. */
  isCancelled?: boolean;
  /** The URL of its page. */
  url: string;
  website?: string;
  cost?: string;
  /** The stored meta rows, for a file that restores them unchanged. */
  storedCost?: string;
  image?: string;
  categories: readonly string[];
  tags: readonly string[];
  venues: readonly CalendarPlace[];
  organizers: readonly CalendarPerson[];
}

/** A date of a series that differs from the others. */
export interface SeriesChange {
  /** The original start, see `RecurrenceSet`. */
  key: number;
  /** The event of that date, with its own dates. */
  entry: CalendarEntry;
}

/** A venue. */
export interface CalendarPlace {
  name: string;
  address?: string;
  city?: string;
  /** In the United States. */
  state?: string;
  /** In other countries. */
  province?: string;
  zip?: string;
  country?: string;
  phone?: string;
  website?: string;
  /** Degrees. */
  latitude?: number;
  longitude?: number;
}

/** An organizer. */
export interface CalendarPerson {
  name: string;
  email?: string;
  website?: string;
  phone?: string;
}
