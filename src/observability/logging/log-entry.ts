/** A structured log entry: JSON logs contain the members, text logs the message. */
export class LogEntry {
  constructor(
    /** One line of text; it must not contain line breaks. */
    readonly message: string,
    /** In output order; undefined members are omitted. */
    readonly members: Readonly<Record<string, string | number | undefined>>,
  ) {}

  toString(): string {
    return this.message;
  }
}
