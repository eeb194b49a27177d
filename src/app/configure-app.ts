import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AuthStrategies } from '../auth/auth-strategies.service.js';
import { changesPath } from '../changes/changes-path.js';
import { Environment, OWN_NAMESPACE } from '../config/env.js';
import { feedPath } from '../feeds/feed-path.js';
import { rewriteIcalSubscription } from '../feeds/rewrite-ical-subscription.js';
import { ErrorResponses } from '../http/errors/rest-error.filter.js';
import { HttpModule } from '../http/http.module.js';
import { controllerRoutes, withoutVersion } from '../http/nest-metadata.js';
import { ARRIVAL_TIME, HEADERS_MARGIN } from '../http/params/limits.js';
import { phpJson } from '../http/php-json.js';
import { installFastPath } from '../http/response-cache/fast-path.js';
import { FEEDS_BASE, ROOT_BASE } from '../http/rest-request.js';
import { BodyReader } from '../http/server/body-reader.service.js';
import { Descriptors } from '../http/server/descriptors.service.js';
import { GracefulShutdown, STOP_SIGNALS } from '../http/server/graceful-shutdown.service.js';
import { Pipeline } from '../http/server/pipeline.service.js';
import { readPlainBodies } from '../http/server/plain-bodies.js';
import { readRequest } from '../http/server/read-request.js';
import { RequestLogger } from '../http/server/request-logger.service.js';
import type { RestAdapter } from '../http/server/rest-adapter.js';
import { serveUploads } from '../http/server/serve-uploads.js';
import { SlowClientLimiter } from '../http/server/slow-client-limiter.js';
import { OpenApiService } from '../openapi/openapi.service.js';
import { PublicPages } from '../pages/public/public-pages.service.js';
import { servePlainAddresses, servePublicPages } from '../pages/public/serve-public-pages.js';
import { S3Bucket } from '../wordpress/media/s3/s3-bucket.service.js';
import { SettingsService } from '../wordpress/options/settings.service.js';

/** Configures the Nest application; the server and every test use it. */
export function configureApp(app: NestExpressApplication): void {
  const env = app.get(Environment);
  const pipeline = app.get(Pipeline);
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', env.trustProxy);
  app.use(rewriteIcalSubscription(env, app.get(SettingsService)));
  const pages = app.get(PublicPages);
  const servePages = servePublicPages(pages);
  app.use(servePlainAddresses(servePages, pipeline));
  app.use(serveUploads(env, app.get(SettingsService), app.get(S3Bucket)));
  const ownPath: typeof feedPath = (...sent) => feedPath(...sent) ?? changesPath(...sent);
  app.use(readRequest(env, ownPath, pipeline, app.get(AuthStrategies)));
  app.use(readPlainBodies(app.get(BodyReader), env.bodyLimit));
  pipeline.markOwnMiddleware();
  const excludeOwnPaths = ownPathsExcluder(app);
  const slowClients = new SlowClientLimiter();
  const adapter = app.get(HttpAdapterHost).httpAdapter as RestAdapter;
  const errors = app.get(ErrorResponses);
  errors.missingPage = (request) => pages.missing(request);
  adapter.configure({
    errors,
    slowClients,
    beforeInit: () => {
      excludeOwnPaths();
      pipeline.inspect(new Set([HttpModule]));
    },
    notFound: servePages,
  });
  installFastPath(app, slowClients);
  app.get(OpenApiService).describe(app);
  const server: Server = app.getHttpServer();
  server.requestTimeout = ARRIVAL_TIME;
  server.keepAliveTimeout = env.keepAliveTimeout;
  // Node applies the longer of this and `requestTimeout` to the whole request; `BodyReader` limits bodies.
  server.headersTimeout = env.keepAliveTimeout + HEADERS_MARGIN;
  const logger = app.get(RequestLogger);
  server.on('clientError', (error, socket: Socket) => {
    const status = rejectUnparsable(error, socket);
    if (status !== undefined) logger.logUnparsable(status);
  });
  app.get(Descriptors).watch(server);
  app.get(GracefulShutdown).watch(server);
  app.enableShutdownHooks([...STOP_SIGNALS], { useProcessExit: true });
}

const OWN_PATHS = [
  ...[OWN_NAMESPACE, ROOT_BASE, FEEDS_BASE, 'calendar', 'editor', 'assets', 'docs'].map(
    (base) => `${base}{/*below}`,
  ),
  'openapi.json',
  'livez',
  'readyz',
];

/**
 * Excludes our own routes, which `PATH_PREFIX` prefixes, from a global prefix and a default version. The returned function
 * must run once the application has its prefix.
 */
function ownPathsExcluder(app: NestExpressApplication): () => void {
  const config = app.get(ApplicationConfig);
  app.setGlobalPrefix('', { exclude: OWN_PATHS });
  const own = config.getGlobalPrefixOptions().exclude ?? [];
  config.setGlobalPrefixOptions({});
  for (const route of controllerRoutes(app.get(ModulesContainer)))
    if (own.some(({ pathRegex }) => pathRegex.test(route.path))) withoutVersion(route);
  return () => {
    const options = config.getGlobalPrefixOptions();
    if (config.getGlobalPrefix())
      config.setGlobalPrefixOptions({ ...options, exclude: [...(options.exclude ?? []), ...own] });
  };
}

const UNPARSABLE: Readonly<Record<string, [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The address and headers are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/** Responds to an unparsable request in the format of all errors; returns the status unless the client disconnected. */
function rejectUnparsable(error: Error & { code?: string }, socket: Socket): number | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) return undefined;
  const [status, message] = UNPARSABLE[error.code ?? ''] ?? [400, 'This is not an HTTP request.'];
  const text = phpJson({ code: 'rest_bad_request', message, data: { status } });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json; charset=UTF-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  return status;
}
