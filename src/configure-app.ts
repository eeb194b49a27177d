import type { Socket } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Environment } from './config/env.js';
import { phpJson } from './http/php-json.js';
import { readRequest } from './http/read-request.js';
import { replyAsWritten } from './http/reply-as-written.js';

/** Everything that is set on the Nest application itself; the server and every test go through it. */
export function configureApp(app: NestExpressApplication): void {
  const env = app.get(Environment);
  app.disable('x-powered-by');
  app.set('etag', false);
  // The request's own reader parses queries and bodies, by PHP's rules.
  app.set('query parser', false);
  app.set('trust proxy', env.trustProxy);
  app.use(readRequest(env));
  replyAsWritten(app);
  app.getHttpServer().on('clientError', refuseUnparsable);
  app.enableShutdownHooks();
}

/** What is no HTTP request that can be read is answered in the shape of every other error. */
function refuseUnparsable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const text = phpJson({
    code: 'rest_bad_request',
    message: status === 431 ? 'The address and headers are too long.' : 'This is not an HTTP request.',
    data: { status },
  });
  socket.end(
    `HTTP/1.1 ${status} Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=UTF-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
