import { cut } from '../safe-text.js';

/** A part of a record that is not imported. */
export interface Loss {
  /** The line of the file, from 1. */
  line: number;
  /** `URL`, `DTEND` …; in a table the field. */
  property: string;
  why: string;
}

/** The maximum of listed losses per record. */
const MAX_NAMED = 20;
const MAX_NAME_LENGTH = 40;

/** The losses of one record. */
export class Losses {
  readonly list: Loss[];

  constructor(before: readonly Loss[] = []) {
    this.list = [...before];
  }

  add(line: number, property: string, why: string): void {
    // Each occurrence of a series has the same losses.
    if (this.list.some((one) => one.line === line && one.why === why)) return;
    if (this.list.length < MAX_NAMED) this.list.push({ line, property: cut(property, MAX_NAME_LENGTH), why });
    else if (this.list.length === MAX_NAMED)
      this.list.push({ line, property: 'and more', why: `only ${MAX_NAMED} of an event are named` });
  }
}
