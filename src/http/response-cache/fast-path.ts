import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AuthStrategies } from '../../auth/auth-strategies.service.js';
import { headerFault, originForm, rejectMalformed } from '../server/malformed-request.js';
import { RequestLogger } from '../server/request-logger.service.js';
import type { SlowClientLimiter } from '../server/slow-client-limiter.js';
import { isCacheableRequest } from './cacheable.decorator.js';
import { ResponseCache } from './response-cache.service.js';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Sends the cached response of a URL before Express sees the request; Express gets all others. */
export function installFastPath(app: NestExpressApplication, slowClients: SlowClientLimiter): void {
  const cache = app.get(ResponseCache);
  const logger = app.get(RequestLogger);
  const strategies = app.get(AuthStrategies);
  const server: Server = app.getHttpServer();
  const [express] = server.listeners('request') as Listener[];
  if (!express) return;
  server.removeListener('request', express);
  const respond: Listener = (request, response) => {
    const target = originForm(request.url);
    request.url = target ?? '-';
    const tracked = logger.begin(request);
    const fault =
      target === undefined
        ? 'The request target is not valid.'
        : headerFault(request, strategies.singleHeaders);
    if (fault !== undefined) {
      rejectMalformed(request, response, fault, logger.headersOf(tracked));
      return logger.log(tracked, response.statusCode);
    }
    const isCacheable =
      isCacheableRequest(request, strategies.uncachedHeaders) && !acceptsOtherFormat(request);
    const cached = isCacheable ? cache.getByUrl(request.url) : undefined;
    if (!cached) return logger.follow(tracked, request, response, () => express(request, response));
    cached.send(request, response, logger.headersOf(tracked));
    slowClients.add(cached, cached.length, response);
    logger.log(tracked, response.statusCode, cached.validity.route);
  };
  server.on('request', serializePipelinedRequests(respond));
}

/** Whether a request may get a calendar file or a stream in place of the cached JSON of its URL. */
const acceptsOtherFormat = ({ headers }: IncomingMessage): boolean =>
  /text\/(calendar|event-stream)/i.test(headers.accept ?? '');

/** Maximum queued requests of one connection; above it the connection is closed. */
const MAX_WAITING = 100;

/**
 * Handles the requests of a connection one after the other, so that pipelining gets no more time, memory and statements than
 * waiting for each response.
 */
export function serializePipelinedRequests(handle: Listener): Listener {
  const waiting = new WeakMap<Socket, number>();
  return (request, response) => {
    // A response gets its connection when those before it are sent.
    if (response.socket) return handle(request, response);
    const { socket } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    if (count > MAX_WAITING) socket.destroy();
    else
      response.once('socket', () => {
        waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
        setImmediate(handle, request, response);
      });
  };
}
