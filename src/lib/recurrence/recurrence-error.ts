/** What a recurrence is rejected for. */
export type RecurrenceFault =
  /** A value or a combination of values that RFC 5545 forbids. */
  | 'invalid'
  /** A valid part that is not supported, such as another calendar scale. */
  | 'unsupported'
  /** More dates or more computation than a calendar needs. */
  | 'too_much';

/** The maximum length of a quoted line, in characters. */
const MAX_QUOTE_LENGTH = 120;

/** A recurrence that cannot be parsed or computed. */
export class RecurrenceError extends Error {
  constructor(
    readonly fault: RecurrenceFault,
    /** A predicate in plain text: `COUNT is 0, but must be 1 or more`. */
    readonly reason: string,
    /** The content line at fault, without its line break. */
    readonly line = '',
    /** Its index in the parsed lines. */
    readonly index?: number,
  ) {
    super(line === '' ? reason : `${quote(line)}: ${reason}`);
  }
}

function quote(line: string): string {
  return line.length > MAX_QUOTE_LENGTH ? `${line.slice(0, MAX_QUOTE_LENGTH - 1)}…` : line;
}
