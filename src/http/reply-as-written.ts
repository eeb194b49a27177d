import { pipeline, Readable } from 'node:stream';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Response } from 'express';
import { KeptAnswer } from './kept-answer.js';
import type { UnreadAnswers } from './unread-answers.js';
import { WrittenText } from './written-text.js';

/** Makes the application send what is written already as it is: Express's own `send` would respell the content type. */
export function replyAsWritten(app: NestExpressApplication, unread: UnreadAnswers): void {
  const adapter = app.getHttpAdapter();
  const reply = adapter.reply.bind(adapter);
  adapter.reply = (response: Response, body: unknown, status?: number) => {
    if (body instanceof KeptAnswer) body.send(response.req, response);
    else if (body instanceof WrittenText) send(response, body);
    else reply(response, body, status);
    const length =
      body instanceof KeptAnswer ? body.length : Number(response.getHeader('Content-Length') ?? 0);
    // A stream may send something now and then, without end.
    if (length > 0) unread.add(body, length, response);
  };
}

/** Ends a response; what the reader is too slow for waits. */
export function send(response: Response, { pieces }: WrittenText): void {
  const [only = ''] = pieces;
  response.setHeader(
    'Content-Length',
    pieces.reduce((length, piece) => length + piece.length, 0),
  );
  if (pieces.length < 2) response.end(only, 'latin1');
  // Who goes away in between needs no answer.
  else pipeline(Readable.from(bytesOf(pieces)), response, () => undefined);
}

function* bytesOf(pieces: readonly string[]): Generator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece, 'latin1');
}
