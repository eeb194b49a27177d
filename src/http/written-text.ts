/** The text of an answer whose status and headers are set already, in pieces; all of it is ASCII. */
export class WrittenText {
  constructor(readonly pieces: readonly string[]) {}
}
