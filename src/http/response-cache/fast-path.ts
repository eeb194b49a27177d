import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ApplicationConfig } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import { serializePipelinedRequests } from '../server/serialize-pipelined-requests.js';
import { isCacheableRequest } from './cacheable.decorator.js';
import { ResponseCache } from './response-cache.service.js';
import { headerFault, originForm, refuseMalformed } from '../server/malformed-request.js';
import { RequestLogger } from '../server/request-logger.service.js';
import type { SlowClientLimiter } from '../server/slow-client-limiter.js';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** A part of Express's chain: middleware, or a route. */
export interface Layer {
  route?: { path: unknown; methods: Readonly<Record<string, boolean | undefined>> };
  match(path: string): boolean;
}

/** Our own middleware and Nest's: what reads requests and answers some, two of our modules, what ends them. */
const OWN_LAYERS = 9;

/** Answers what is kept of a URL before Express sees the request; everything else goes on to it. */
export function answerBeneathExpress(app: NestExpressApplication, unread: SlowClientLimiter): void {
  const answers = app.get(ResponseCache);
  const watch = app.get(RequestLogger);
  const server: Server = app.getHttpServer();
  const [express] = server.listeners('request') as Listener[];
  if (!express) return;
  server.removeListener('request', express);
  const answer: Listener = (request, response) => {
    const target = originForm(request.url);
    request.url = target ?? '-';
    const watched = watch.begin(request);
    const fault = target === undefined ? 'The request target is not valid.' : headerFault(request);
    if (fault !== undefined) {
      refuseMalformed(request, response, fault, watch.headersOf(watched));
      return watch.answered(watched, response.statusCode);
    }
    const isPlain = isCacheableRequest(request) && !namesCalendars(request);
    const kept = isPlain ? answers.getByUrl(request.url) : undefined;
    if (!kept) return watch.follow(watched, request, response, () => express(request, response));
    kept.send(request, response, watch.headersOf(watched));
    unread.add(kept, kept.length, response);
    watch.answered(watched, response.statusCode, kept.route);
  };
  server.on('request', serializePipelinedRequests(answer));
}

/** Whether a calendar file may be wanted in place of what is kept of the URL. */
const namesCalendars = ({ headers }: IncomingMessage): boolean =>
  /text\/calendar/i.test(headers.accept ?? '');

/** Whether a plugin has a controller at `/`. */
export function hasOwnHome({ app }: Request): boolean {
  return layersOf(app).some(({ route }) => route?.path === '/');
}

/** All of the chain, in its order. */
export const layersOf = (app: Request['app']) => (app.router as unknown as { stack: readonly Layer[] }).stack;

/** Whether no middleware of somebody else is among them. */
export const hasOnlyOwnLayers = (layers: readonly Layer[]): boolean =>
  layers.filter(({ route }) => !route).length === OWN_LAYERS;

/** Whether nothing but our own code has a say before a request is handled: no guard, no middleware of somebody else. */
export function isOursAlone({ app, originalUrl, url, route }: Request, config: ApplicationConfig): boolean {
  if (hasGuards(config)) return false;
  const layers = layersOf(app);
  const paths = [originalUrl, url].map((one) => one.split('?', 1)[0] ?? '');
  const matches = (layer: Layer) => paths.some((path) => layer.match(path));
  // Middleware that is for a method, or for a controller, stands there as a route that hands on to the one that answers.
  const before = layers.slice(
    0,
    layers.findIndex((layer) => layer.route === route),
  );
  if (before.some((layer) => layer.route?.methods['get'] && matches(layer))) return false;
  return hasOnlyOwnLayers(layers) || hasOnlyOwnLayers(layers.filter(matches));
}

/** Whether somebody else has a say in who is let in anywhere. */
export const hasGuards = (config: ApplicationConfig): boolean =>
  config.getGlobalGuards().length + config.getGlobalRequestGuards().length > 0;

/** Whether somebody else has a say in what is refused. */
export const hasFilters = (config: ApplicationConfig): boolean =>
  config.getGlobalFilters().length + config.getGlobalRequestFilters().length > 1;

/** Whether nobody else changes answers, or refuses values, on the way. */
export function isUntouched(config: ApplicationConfig): boolean {
  const interceptors = config.getGlobalInterceptors().length + config.getGlobalRequestInterceptors().length;
  const pipes = config.getGlobalPipes().length + config.getGlobalRequestPipes().length;
  return interceptors === 1 && pipes === 1;
}
