import type { Cancellation, SeriesIds } from './file-record.js';
import { importKey } from './import-values.js';
import type { ImportedEvent, ImportedEventIndex } from './imported-event-index.js';

/** An imported event that its source withdraws. */
export interface Withdrawal {
  key: string;
  known: ImportedEvent;
  /** The line of the file that says so. */
  line: number;
  /** The revision that withdraws it. */
  sequence?: number;
}

/** Finds the imported events that a file cancels or no longer has. */
export class Withdrawals {
  private readonly taken = new Set<string>();
  private readonly missing: { keys: readonly string[]; line: number; sequence: number | undefined }[] = [];

  constructor(private readonly index: ImportedEventIndex) {}

  /** Whether the file has an event. */
  isTaken(key: string): boolean {
    return this.taken.has(key);
  }

  /** Records that the file has an event. */
  take(key: string): void {
    this.taken.add(key);
  }

  /**
   * Records the events of a recurring one of the file. Imported ones that it does not have are missing, also the single
   * event that it was before, and those of the dates that it holds itself; not those after the last date that was read.
   */
  takeSeries({ uid, ids, isComplete, sequence }: SeriesIds, own: readonly string[], line: number): void {
    for (const id of ids) this.taken.add(importKey(id));
    const last = ids.reduce((one, other) => (other > one ? other : one), '');
    // The order of digests says nothing.
    const isRead = (key: string) => isComplete || (key <= last && !key.startsWith('sha256:'));
    const dates = this.index.datesOf(importKey(uid)).filter(isRead);
    const keys = new Set([importKey(uid), ...dates, ...own.map(importKey)]);
    this.missing.push({ keys: [...keys], line, sequence });
  }

  /** Records that an event does not recur: those that were dates of it are missing. */
  takeSingle(key: string, sequence: number | undefined, line: number): void {
    const keys = this.index.datesOf(key).filter((one) => this.index.get(one)?.series === key);
    if (keys.length > 0) this.missing.push({ keys, line, sequence });
  }

  /** What a cancellation withdraws. */
  cancelled({ uid, ids, sequence }: Cancellation, line: number): Withdrawal[] {
    const keys = ids?.map(importKey) ?? [importKey(uid), ...this.index.datesOf(importKey(uid))];
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
      const known = this.index.get(key);
      if (!known || known.status === 'trash' || isOutdated(sequence, known)) return [];
      return [{ key, known, line, ...(sequence !== undefined && { sequence }) }];
    });
  }
}

/** Whether a revision is older than the imported one. */
export function isOutdated(sequence: number | undefined, known: ImportedEvent | undefined): boolean {
  return sequence !== undefined && known?.sequence !== undefined && sequence < known.sequence;
}
