import { derivedUid, type ReadEvent } from '../../lib/ical/read-event.js';
import { Unreadable } from '../../lib/ical/read-time.js';

/** A record of a file, or why it is none. */
export interface FileRecord {
  /** Where it begins, from 1. */
  line: number;
  event?: ReadEvent;
  /** Why it can not be an event here. */
  fault?: string;
}

/** What is asked of a file. */
export interface ReadOptions {
  /** The site's zone, in which times are that name none. */
  zone: string;
  /** How many events a recurring one becomes. */
  occurrences: number;
  /** Hears what does not end the reading. */
  note: (line: string) => void;
}

/** The records that `read` makes of what begins on a line, or the one that says why it makes none. */
export function guarded(line: number, read: () => ReadEvent[]): FileRecord[] {
  try {
    return read().map((event) => ({
      line,
      event: { ...event, uid: event.uid || derivedUid(event.fields) },
    }));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return [{ line, fault: error.message }];
  }
}
