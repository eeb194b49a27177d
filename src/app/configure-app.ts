import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { NotFoundException, VERSION_NEUTRAL } from '@nestjs/common';
import { VERSION_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { mapToExcludeRoute } from '@nestjs/core/middleware/utils.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Environment, OWN_NAMESPACE } from '../config/env.js';
import { OpenApiService } from '../openapi/openapi.service.js';
import { rewriteIcalSubscription } from '../feeds/rewrite-ical-subscription.js';
import { feedPath } from '../feeds/feed-path.js';
import { answerBeneathExpress } from '../http/response-cache/fast-path.js';
import { BodyReader } from '../http/server/body-reader.service.js';
import { controllerRoutes } from '../http/controller-routes.js';
import { Descriptors } from '../http/server/descriptors.service.js';
import { DirectReads } from '../http/response-cache/direct-reads.service.js';
import { noRoute } from '../http/errors/error-response.js';
import { ARRIVAL_TIME, HEADERS_MARGIN } from '../http/params/limits.js';
import { phpJson } from '../http/php-json.js';
import { readPlainBodies } from '../http/server/plain-bodies.js';
import { readRequest } from '../http/server/read-request.js';
import { patchAdapterReply } from '../http/server/patch-adapter-reply.js';
import { RequestLogger } from '../http/server/request-logger.service.js';
import { FEEDS_BASE, ROOT_BASE } from '../http/rest-request.js';
import { STOP_SIGNALS, GracefulShutdown } from '../http/server/graceful-shutdown.service.js';
import { SlowClientLimiter } from '../http/server/slow-client-limiter.js';
import { CalendarPageService } from '../pages/calendar/calendar-page.service.js';
import { redirectToCalendar } from '../pages/calendar/redirect-to-calendar.js';
import { SettingsService } from '../wordpress/options/settings.service.js';

/** Everything that is set on the Nest application itself; the server and every test go through it. */
export function configureApp(app: NestExpressApplication): void {
  const env = app.get(Environment);
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', env.trustProxy);
  app.use(rewriteIcalSubscription(env, app.get(SettingsService)));
  app.use(readRequest(env, feedPath));
  const reads = app.get(DirectReads);
  app.use((request: Request, response: Response, next: NextFunction) =>
    reads.answer(request, response, next),
  );
  app.use(readPlainBodies(app.get(BodyReader), env.bodyLimit));
  whereNothingAnswers(app, redirectToCalendar(app.get(SettingsService), app.get(CalendarPageService)));
  keepOwnAddresses(app);
  const unread = new SlowClientLimiter();
  patchAdapterReply(app, unread);
  answerBeneathExpress(app, unread);
  app.get(OpenApiService).describe(app);
  const server: Server = app.getHttpServer();
  server.requestTimeout = ARRIVAL_TIME;
  server.keepAliveTimeout = env.keepAliveTimeout;
  // Node takes the longer one of this and the time above for the whole request; of bodies `BodyReader` sees to it.
  server.headersTimeout = env.keepAliveTimeout + HEADERS_MARGIN;
  const watch = app.get(RequestLogger);
  server.on('clientError', (error, socket: Socket) => {
    const status = refuseUnparsable(error, socket);
    if (status !== undefined) watch.refused(status);
  });
  app.get(Descriptors).watch(server);
  app.get(GracefulShutdown).watch(server);
  app.enableShutdownHooks([...STOP_SIGNALS], { useProcessExit: true });
}

/**
 * Lets a handler have its say behind all routes, plugins' ones too, before a request is refused; below a global prefix and
 * beside it.
 */
function whereNothingAnswers(app: NestExpressApplication, handler: RequestHandler): void {
  // As Nest says it, which filters that lead elsewhere wait for.
  const nothing = () => new NotFoundException(noRoute().getResponse());
  app.getHttpAdapter().setNotFoundHandler = () => {
    app.use((request: Request, response: Response, next: NextFunction) =>
      handler(request, response, (error: unknown) => next(error ?? nothing())),
    );
  };
}

/** What stands at addresses of our own. */
const OWN_PATHS = [
  ...[OWN_NAMESPACE, ROOT_BASE, FEEDS_BASE, 'calendar', 'editor', 'assets', 'docs'].map(
    (place) => `${place}{/*below}`,
  ),
  'openapi.json',
  'livez',
  'readyz',
];

/**
 * Makes a global prefix and a default version hold for the routes of plugins alone: where ours stand `PATH_PREFIX` says, and who
 * asks for them knows.
 */
function keepOwnAddresses(app: NestExpressApplication): void {
  const config = app.get(ApplicationConfig);
  const said = config.getGlobalPrefixOptions.bind(config);
  const own = mapToExcludeRoute(OWN_PATHS);
  for (const { path, handler, controller } of controllerRoutes(app.get(ModulesContainer))) {
    const isOwn = own.some(({ pathRegex }) => pathRegex.test(path));
    const isSaid = [handler, controller].some((one) => Reflect.getMetadata(VERSION_METADATA, one));
    if (isOwn && !isSaid) Reflect.defineMetadata(VERSION_METADATA, VERSION_NEUTRAL, handler);
  }
  config.getGlobalPrefixOptions = () =>
    config.getGlobalPrefix() ? { ...said(), exclude: [...(said().exclude ?? []), ...own] } : said();
}

const UNPARSABLE: Readonly<Record<string, [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The address and headers are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/** What is no HTTP request that can be read is answered in the shape of every other error; the status, where anybody hears it. */
function refuseUnparsable(error: Error & { code?: string }, socket: Socket): number | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) return undefined;
  const [status, message] = UNPARSABLE[error.code ?? ''] ?? [400, 'This is not an HTTP request.'];
  const text = phpJson({ code: 'rest_bad_request', message, data: { status } });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json; charset=UTF-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  return status;
}
