import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ApplicationConfig } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import { inTurn } from './in-turn.js';
import { isPlainRead } from './keep.decorator.js';
import { KeptAnswers } from './kept-answers.service.js';
import { RequestWatch } from './request-watch.service.js';
import type { UnreadAnswers } from './unread-answers.js';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** A part of Express's chain: middleware, or a route. */
interface Layer {
  route?: { path: unknown };
  match(path: string): boolean;
}

/** Our own middleware and Nest's: what reads requests, two of our modules, what ends them. */
const OWN_LAYERS = 9;

/** Answers what is kept of a URL before Express sees the request; everything else goes on to it. */
export function answerBeneathExpress(app: NestExpressApplication, unread: UnreadAnswers): void {
  const answers = app.get(KeptAnswers);
  const watch = app.get(RequestWatch);
  const server: Server = app.getHttpServer();
  const [express] = server.listeners('request') as Listener[];
  if (!express) return;
  server.removeListener('request', express);
  const answer: Listener = (request, response) => {
    request.url = originForm(request.url);
    const watched = watch.begin(request);
    const isPlain = isPlainRead(request) && !namesCalendars(request);
    const kept = isPlain ? answers.ofUrl(request.url) : undefined;
    if (!kept) return watch.follow(watched, request, response, () => express(request, response));
    kept.send(request, response, watch.headersOf(watched));
    unread.add(kept, kept.length, response);
    watch.answered(watched, response.statusCode, kept.route);
  };
  server.on('request', inTurn(answer));
}

/** Path and query of a target, also of one that was sent as a whole address (RFC 9112, 3.2.2). */
const originForm = (target = ''): string => target.replace(/^https?:\/\/[^/?#]*\/?/i, '/');

/** Whether a calendar file may be wanted in place of what is kept of the URL. */
const namesCalendars = ({ headers }: IncomingMessage): boolean =>
  /text\/calendar/i.test(headers.accept ?? '');

/** Whether a plugin has a controller at `/`. */
export function hasOwnHome({ app }: Request): boolean {
  return stackOf(app).some(({ route }) => route?.path === '/');
}

const stackOf = (app: Request['app']) => (app.router as unknown as { stack: readonly Layer[] }).stack;

/** Whether nothing but our own code has a say before a request is handled: no guard, no middleware of somebody else. */
export function isOursAlone({ app, originalUrl, url }: Request, config: ApplicationConfig): boolean {
  const guards = config.getGlobalGuards().length + config.getGlobalRequestGuards().length;
  const paths = [originalUrl, url].map((one) => one.split('?', 1)[0] ?? '');
  const layers = stackOf(app).filter((layer) => !layer.route && paths.some((path) => layer.match(path)));
  return guards === 0 && layers.length === OWN_LAYERS;
}

/** Whether nobody else changes answers, or refuses values, on the way. */
export function isUntouched(config: ApplicationConfig): boolean {
  const interceptors = config.getGlobalInterceptors().length + config.getGlobalRequestInterceptors().length;
  const pipes = config.getGlobalPipes().length + config.getGlobalRequestPipes().length;
  return interceptors === 1 && pipes === 1;
}
