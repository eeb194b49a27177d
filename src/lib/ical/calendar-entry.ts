/** An event as a calendar file says it: plain texts, save for `html`. Dates are `YYYY-MM-DD HH:MM:SS`. */
export interface CalendarEntry {
  /** Of its record. */
  id: number;
  /** The same for the same event, wherever the file was made. */
  uid: string;
  title: string;
  /** Its description. */
  html: string;
  allDay: boolean;
  /** On the clock of `zone`. */
  start: string;
  end: string;
  utcStart: string;
  utcEnd: string;
  /** As the calendar stores it: an IANA name, `UTC+2`, an abbreviation. */
  zone: string;
  createdUtc: string;
  modifiedUtc: string;
  /** Of the record: `publish`, `private` … */
  status: string;
  /** It does not take place at this time. */
  isCancelled?: boolean;
  /** Address of its page. */
  url: string;
  website?: string;
  cost?: string;
  /** Its rows, where a file is to bring them as they are. */
  storedCost?: string;
  image?: string;
  categories: readonly string[];
  tags: readonly string[];
  venues: readonly CalendarPlace[];
  organizers: readonly CalendarPerson[];
}

/** Where an event takes place. */
export interface CalendarPlace {
  name: string;
  address?: string;
  city?: string;
  /** Of the United States. */
  state?: string;
  /** Elsewhere. */
  province?: string;
  zip?: string;
  country?: string;
  phone?: string;
  website?: string;
  /** Degrees. */
  latitude?: number;
  longitude?: number;
}

/** Who organizes it. */
export interface CalendarPerson {
  name: string;
  email?: string;
  website?: string;
  phone?: string;
}
