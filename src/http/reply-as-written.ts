import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Response } from 'express';

/** The text of an answer whose status and headers are set already; all of it is ASCII. */
export class WrittenText {
  constructor(readonly text: string) {}
}

/** Makes the application send `WrittenText` as it is: Express's own `send` would respell the content type. */
export function replyAsWritten(app: NestExpressApplication): void {
  const adapter = app.getHttpAdapter();
  const reply = adapter.reply.bind(adapter);
  adapter.reply = (response: Response, body: unknown, status?: number) => {
    if (!(body instanceof WrittenText)) return reply(response, body, status);
    response.setHeader('Content-Length', body.text.length);
    response.end(body.text);
  };
}
