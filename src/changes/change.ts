/** What happened to a record. */
export type ChangeKind = 'created' | 'updated' | 'rescheduled' | 'trashed' | 'restored' | 'deleted';

/** Who changed it: Almanac, another program, or nobody, as only a record that it shows was changed. */
export type ChangeSource = 'almanac' | 'foreign' | 'linked';

/** An entry of the journal. */
export interface Change {
  /** Its number: without gaps, in the order of the commits. */
  seq: number;
  /** The post type or taxonomy. */
  type: string;
  /** The post id or term id. */
  id: number;
  change: ChangeKind;
  /** Of a deleted record the last known one, as the four below. */
  slug: string;
  /** '' for terms. */
  status: string;
  /** '' for terms and created records. */
  statusBefore: string;
  author: number;
  /** UTC, `YYYY-MM-DD HH:MM:SS`; '' for terms. */
  modified: string;
  /** When it was journaled, in epoch milliseconds. */
  changedAt: number;
  source: ChangeSource;
}
