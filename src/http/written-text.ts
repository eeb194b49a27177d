import { Readable } from 'node:stream';
import type { Response } from 'express';

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

/** Ends a response; what the reader is too slow for waits. */
export function send(response: Response, { pieces }: WrittenText): void {
  const [only = ''] = pieces;
  response.setHeader(
    'Content-Length',
    pieces.reduce((length, piece) => length + piece.length, 0),
  );
  if (pieces.length < 2) response.end(only, 'latin1');
  // Who goes away in between needs no answer; a pipeline would listen for that seven times.
  else Readable.from(bytesOf(pieces)).pipe(response);
}

function* bytesOf(pieces: readonly string[]): Generator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece, 'latin1');
}
