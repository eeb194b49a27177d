import { Readable } from 'node:stream';
import type { Response } from 'express';
import { EventLoopYielder } from '../common/event-loop.js';
import type { SerializedJson } from './serialized-json.js';

/** A part of an answer's text: its own, or one that other answers have as well. */
export type Chunk = string | SerializedJson;

/** The characters of a piece. */
export const textOf = (piece: Chunk): string => (typeof piece === 'string' ? piece : piece.json);

/** The text of an answer whose status and headers are set already, in pieces; each character of it is one byte. */
export class ResponseBody {
  constructor(readonly chunks: readonly Chunk[]) {}
}

/** A text as it goes out in UTF-8, of which each character is one byte. */
export const inUtf8 = (text: string): string => Buffer.from(text).toString('latin1');

/** A body that is no JSON: what it is, and its text, each piece made by `inUtf8`. */
export class RawBody extends ResponseBody {
  constructor(
    readonly type: string,
    pieces: readonly string[],
  ) {
    super(pieces);
  }
}

/** Ends a response; what the reader is too slow for waits. */
export function send(response: Response, { chunks: pieces }: ResponseBody): void {
  const texts = pieces.map(textOf);
  const [only = ''] = texts;
  response.setHeader('Content-Length', lengthOf(texts));
  if (texts.length < 2) response.end(only, 'latin1');
  // Who goes away in between needs no answer; a pipeline would listen for that seven times.
  else Readable.from(bytesOf(texts)).pipe(response);
}

/** Bytes of all pieces. */
export const lengthOf = (pieces: readonly Chunk[]): number =>
  pieces.reduce((length, piece) => length + textOf(piece).length, 0);

/** Giving way to other requests: the system may take megabytes at once. */
async function* bytesOf(pieces: readonly string[]): AsyncGenerator<Buffer> {
  const breather = new EventLoopYielder();
  for (const piece of pieces) {
    if (breather.shouldYield) await breather.yield();
    yield Buffer.from(piece, 'latin1');
  }
}
