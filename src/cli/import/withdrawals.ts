import type { Cancellation, SeriesIds } from './file-record.js';
import { importKey } from './import-values.js';
import type { ImportedEvent, ImportedEventIndex } from './imported-event-index.js';

/** An imported event that its source withdraws. */
export interface Withdrawal {
  key: string;
  known: ImportedEvent;
  /** The line of the file that says so. */
  line: number;
}

/** Finds the imported events that a file cancels or no longer has. */
export class Withdrawals {
  private readonly taken = new Set<string>();
  private readonly missing: { keys: readonly string[]; line: number; sequence: number | undefined }[] = [];

  constructor(private readonly brought: ImportedEventIndex) {}

  /** Records that the file has an event. */
  take(key: string): void {
    this.taken.add(key);
  }

  /**
   * Records the dates of a recurring event of the file. Imported ones that it does not have are missing, also the single
   * event that it was before; not those after the last date that was read.
   */
  takeSeries({ uid, ids, isComplete, sequence }: SeriesIds, line: number): void {
    for (const id of ids) this.taken.add(importKey(id));
    const last = ids.reduce((one, other) => (other > one ? other : one), '');
    const dates = this.brought.datesOf(uid).filter((key) => isComplete || key <= last);
    const keys = [importKey(uid), ...dates].filter((key) => !this.taken.has(key));
    if (keys.length > 0) this.missing.push({ keys, line, sequence });
  }

  /** What a cancellation withdraws. */
  cancelled({ uid, ids, sequence }: Cancellation, line: number): Withdrawal[] {
    const keys = ids?.map(importKey) ?? [importKey(uid), ...this.brought.datesOf(uid)];
    return this.standing(keys, line, sequence);
  }

  /** The missing dates, once the whole file was read. */
  missingDates(): Withdrawal[] {
    return this.missing.flatMap(({ keys, line, sequence }) =>
      this.standing(
        keys.filter((key) => !this.taken.has(key)),
        line,
        sequence,
      ),
    );
  }

  /** Those that are imported, not in the trash, and of no later revision. */
  private standing(keys: readonly string[], line: number, sequence: number | undefined): Withdrawal[] {
    return keys.flatMap((key) => {
      const known = this.brought.get(key);
      if (!known || known.status === 'trash' || isOutdated(sequence, known)) return [];
      return [{ key, known, line }];
    });
  }
}

/** Whether a revision is older than the imported one. */
export function isOutdated(sequence: number | undefined, known: ImportedEvent | undefined): boolean {
  return sequence !== undefined && known?.sequence !== undefined && sequence < known.sequence;
}
