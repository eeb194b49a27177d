import type { NestExpressApplication } from '@nestjs/platform-express';
import { Environment } from './config/env.js';
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
  app.enableShutdownHooks();
}
