/** What is logged with members of its own: a machine gets each by its name, a person the sentence. */
export class LogEntry {
  constructor(
    /** Ends the line of a person; it must not be able to look like another line's beginning. */
    readonly message: string,
    /** In the order in which they are written; those that are undefined are left out. */
    readonly members: Readonly<Record<string, string | number | undefined>>,
  ) {}

  toString(): string {
    return this.message;
  }
}
