import type { Loss } from '../lib/ical/losses.js';
import { derivedUid, type ReadEvent } from '../lib/ical/read-event.js';
import { Unreadable } from '../lib/ical/read-time.js';

/** A record of a file, or the reason why it is invalid. */
export interface FileRecord {
  /** Its first line, from 1. */
  line: number;
  /** Its `UID` as written. */
  uid?: string;
  event?: ReadEvent;
  /** Why it cannot become an event. */
  fault?: string;
  /** What it withdraws, instead of an event. */
  cancelled?: Cancellation;
  /** The recurring event whose first record it is. */
  series?: SeriesIds;
}

/** An event, or dates of a recurring one, that the source cancels. */
export interface Cancellation {
  uid: string;
  /** Ids that the date may have been imported with; undefined for the event with all its dates. */
  ids?: readonly string[];
  /** Its revision. */
  sequence?: number;
  /** Whether its series is in the file, and leaves the dates out. */
  isExcluded?: boolean;
}

/** The events that the file has of a recurring one, besides the one with its `UID`. */
export interface SeriesIds {
  uid: string;
  ids: readonly string[];
  /** Whether there are no further ones. */
  isComplete: boolean;
  /** Its revision. */
  sequence?: number;
}

/** Result of a record. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'withdrawn' | 'left out';

/** A record with its result. */
export interface ImportedRecord {
  line: number;
  uid: string;
  outcome: Outcome;
  /** Id of the event; undefined if it was not created. */
  id?: number;
  /** Why the record was skipped. */
  fault?: string;
  /** Whether the same record may be accepted later, as the database did not answer. */
  isTemporary?: boolean;
  /** Properties that were lost. */
  lost?: readonly Loss[];
}

/** Options for reading a file. */
export interface ReadOptions {
  /** The site's zone, for times without one. */
  zone: string;
  /** Maximum events from a recurring one; undefined keeps it one event. */
  occurrences: number | undefined;
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
