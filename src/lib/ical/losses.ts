import { cut } from '../safe-text.js';

/** What of a record is not imported, while the rest is. */
export interface Loss {
  /** Of the file, from 1. */
  line: number;
  /** `URL`, `DTEND` …; of a table the field. */
  property: string;
  why: string;
}

/** Most losses of one record that are named. */
const MAX_NAMED = 20;
const MAX_NAME_LENGTH = 40;

/** The losses of one record. */
export class Losses {
  readonly list: Loss[];

  constructor(before: readonly Loss[] = []) {
    this.list = [...before];
  }

  add(line: number, property: string, why: string): void {
    // Of a series each occurrence loses the same.
    if (this.list.some((one) => one.line === line && one.why === why)) return;
    if (this.list.length < MAX_NAMED) this.list.push({ line, property: cut(property, MAX_NAME_LENGTH), why });
    else if (this.list.length === MAX_NAMED)
      this.list.push({ line, property: 'and more', why: `only ${MAX_NAMED} of an event are named` });
  }
}
