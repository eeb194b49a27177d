/** The text of an answer whose status and headers are set already, in pieces; each character of it is one byte. */
export class WrittenText {
  constructor(readonly pieces: readonly string[]) {}
}

/** A body that is no JSON: what it is, and its text, which goes out in UTF-8. */
export class OtherBody {
  constructor(
    readonly type: string,
    readonly pieces: readonly string[],
  ) {}

  /** As the bytes that are sent. */
  get written(): WrittenText {
    return new WrittenText(this.pieces.map((piece) => Buffer.from(piece).toString('latin1')));
  }
}
