import { RecurrenceError } from './recurrence-error.js';

/** The default number of steps, a fraction of a second: a weekly series takes one per date. */
export const MAX_STEPS = 1_000_000;

/** Bounds the computation of one recurrence. */
export class Budget {
  constructor(private steps: number = MAX_STEPS) {}

  /** Counts work; throws `RecurrenceError` when there was too much. */
  spend(steps = 1): void {
    this.steps -= steps;
    if (this.steps < 0) throw new RecurrenceError('too_much', 'its dates take too long to compute');
  }
}
