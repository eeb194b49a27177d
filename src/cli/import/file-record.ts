import { derivedUid, type ReadEvent } from '../../lib/ical/read-event.js';
import { Unreadable } from '../../lib/ical/read-time.js';

/** A record of a file, or the reason why it is invalid. */
export interface FileRecord {
  /** Its first line, from 1. */
  line: number;
  event?: ReadEvent;
  /** Why it cannot become an event. */
  fault?: string;
}

/** Options for reading a file. */
export interface ReadOptions {
  /** The site's zone, for times without one. */
  zone: string;
  /** Maximum events from a recurring one. */
  occurrences: number;
  /** Called with warnings that do not end the reading. */
  note: (line: string) => void;
}

/** The records that `read` returns for a line, or an invalid record with its error. */
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
