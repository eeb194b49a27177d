import { type ExecutionContext, Injectable, RequestMethod } from '@nestjs/common';
import { EXCEPTION_FILTERS_METADATA, HTTP_CODE_METADATA, METHOD_METADATA } from '@nestjs/common/constants.js';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { NextFunction, Request, Response } from 'express';
import { allowReplica } from '../../common/context/abort.js';
import { OWN_NAMESPACE } from '../../config/env.js';
import { type ControllerRoute, controllerRoutes, declaredArguments } from '../controller-routes.js';
import { toHttpException } from '../errors/to-http-exception.js';
import { ParametersPipe } from '../params/parameters.js';
import { PathId } from '../params/path-id.js';
import { setCurrentUser } from '../request-authenticator.service.js';
import { ResponseWriter } from '../response-writer.service.js';
import { type RestRequest, restOf } from '../rest-request.js';
import { isCacheableRequest } from './cacheable.decorator.js';
import { hasFilters, hasGuards, hasOnlyOwnLayers, isUntouched, type Layer, layersOf } from './fast-path.js';
import { ResponseCache } from './response-cache.service.js';
import { ResponseKeys } from './response-keys.service.js';

/** Gives what a parameter of a handler is declared to be, before pipes; `value` is the one that the path ends in. */
type Argument = (execution: ExecutionContext, value: string) => unknown;

/** A handler of reads that may be called without the framework. */
interface Read extends ControllerRoute {
  args: readonly Argument[];
}

/** The lists and records of a resource, by paths that say the same in whatever way they are read. */
const PLAIN = /^\/([\w-]+)(?:\/(?:(\d+)|by-slug\/([\w-]+)))?$/;
const PATH_PARAMETER = /^5:/;
/** What handlers are declared for that may answer a GET. */
const METHODS = new Set<unknown>([RequestMethod.GET, RequestMethod.ALL]);
/** What a handler may have that is heeded on the way through the framework alone. */
const FRAMED = [EXCEPTION_FILTERS_METADATA, HTTP_CODE_METADATA];

/**
 * Answers reads of nobody in particular that nobody but us has a say in without the way through routes, guards, interceptors and
 * observables, which takes as long as the rest of a list whose records are known. The parts are the same, and so are the answers:
 * where a plugin adds middleware, guards, pipes, interceptors, or a route that may be meant, everything goes its usual way.
 */
@Injectable()
export class DirectReads {
  private reads: ReadonlyMap<string, Read> = new Map();
  /** Layers of Express when `reads` were looked up. */
  private layers = 0;

  constructor(
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
    private readonly host: HttpAdapterHost,
    private readonly pipe: ParametersPipe,
    private readonly keys: ResponseKeys,
    private readonly answers: ResponseWriter,
    private readonly kept: ResponseCache,
  ) {}

  /** Answers a request, or hands it on. */
  async answer(request: Request, response: Response, next: NextFunction): Promise<void> {
    try {
      if (await this.isAnswered(request, response)) return;
    } catch (thrown) {
      if (!hasFilters(this.config)) return next(toHttpException(thrown));
      // Somebody else's filter may ask which route refused what: it is refused once more there.
      request.route = undefined;
    }
    next();
  }

  private async isAnswered(request: Request, response: Response): Promise<boolean> {
    const rest = restOf(request);
    const match = rest && isAnybodys(rest, request) ? PLAIN.exec(rest.path) : null;
    const read = match ? this.readsOf(request).get(patternOf(match)) : undefined;
    if (!rest || !match || !read) return false;
    const [, , id, slug = ''] = match;
    const execution = new ExecutionContextHost([request, response], read.controller, read.handler);
    rest.user = null;
    request.route = { path: read.path };
    const found = await this.keys.of(execution, id === undefined ? (slug && { slug }) || {} : { id });
    if (!found) {
      request.route = undefined;
      return false;
    }
    setCurrentUser(null);
    allowReplica();
    const handle = async () => {
      const values = read.args.map(async (arg) => this.pipe.transform(await arg(execution, id ?? slug)));
      return read.handler.apply(read.instance, await Promise.all(values));
    };
    const kept = await this.answers.cachedBy(found.key, request, response, handle);
    if (!kept) {
      // Whether there is such a route is said the usual way.
      request.route = undefined;
      return false;
    }
    if (found.isOfUrl) this.kept.aliasUrl(request.originalUrl, found.key);
    this.host.httpAdapter.reply(response, kept);
    return true;
  }

  private readsOf({ app }: Request): DirectReads['reads'] {
    const layers = layersOf(app);
    if (this.layers === layers.length) return this.reads;
    this.layers = layers.length;
    const isOurs = isUntouched(this.config) && !hasGuards(this.config) && hasOnlyOwnLayers(layers);
    this.reads = isOurs ? this.find(layers) : new Map();
    return this.reads;
  }

  private find(layers: readonly Layer[]): Map<string, Read> {
    const found = new Map<string, Read>();
    const routes = [...controllerRoutes(this.modules)].filter(({ handler }) =>
      METHODS.has(methodOf(handler)),
    );
    for (const route of routes) {
      const isOnly = routes.every((other) => other === route || other.path !== route.path);
      const args = isOnly && route.instance && isRead(route) ? argumentsOf(route) : undefined;
      if (args) found.set(route.path, { ...route, args });
    }
    for (const path of found.keys()) if (!comesFirst(path, layers, found)) found.delete(path);
    return found;
  }
}

const patternOf = ([, name, id, slug]: RegExpExecArray): string =>
  `/${OWN_NAMESPACE}/${name}${id ? '/:id' : ''}${slug ? '/by-slug/:slug' : ''}`;

/** Whether a read says nothing of who sends it. */
function isAnybodys({ routeBase: place, query, refusal }: RestRequest, request: Request): boolean {
  return (
    place === OWN_NAMESPACE &&
    refusal === undefined &&
    query['_wpnonce'] === undefined &&
    isCacheableRequest(request)
  );
}

const methodOf = (handler: object): unknown => Reflect.getMetadata(METHOD_METADATA, handler);

function isRead({ handler, controller, path }: ControllerRoute): boolean {
  const isFramed = FRAMED.some((key) => [handler, controller].some((one) => Reflect.hasMetadata(key, one)));
  return methodOf(handler) === RequestMethod.GET && !isFramed && path.startsWith(`/${OWN_NAMESPACE}/`);
}

/** Undefined where a parameter is declared otherwise than by us. */
function argumentsOf({ controller, handler, path }: ControllerRoute): Argument[] | undefined {
  const args: Argument[] = [];
  const declared = Object.entries(declaredArguments(controller, handler) ?? {});
  for (const [kind, { index, data, factory, pipes }] of declared) {
    const isId = pipes.length === 1 && pipes[0] === PathId;
    const isOfPath = PATH_PARAMETER.test(kind) && path.endsWith(`/:${data}`);
    if (factory && pipes.length === 0) args[index] = (execution) => factory(data, execution);
    else if (isOfPath && isId) args[index] = (_, value) => new PathId().transform(value);
    else if (isOfPath && pipes.length === 0) args[index] = (_, value) => value;
    else return undefined;
  }
  return args;
}

/** Whether a route is the only one at its path, and none of somebody else that may match the same addresses stands before it. */
function comesFirst(path: string, layers: readonly Layer[], own: ReadonlyMap<string, unknown>): boolean {
  const reading = layers.flatMap(({ route }) => (route?.methods['get'] ? [route] : []));
  const same = reading.filter((route) => route.path === path);
  const base = fixedPart(path);
  const mayMatch = (other: unknown): boolean => {
    if (typeof other !== 'string') return true;
    const fixed = fixedPart(other);
    return fixed.startsWith(base) || (fixed !== other.toLowerCase() && base.startsWith(fixed));
  };
  return (
    same.length === 1 &&
    reading
      .slice(
        0,
        reading.findIndex((route) => route.path === path),
      )
      .every((route) => own.has(String(route.path)) || !mayMatch(route.path))
  );
}

/** What a pattern begins with before anything in it may vary. */
const fixedPart = (path: string): string => (path.split(/[:*{(\\]/, 1)[0] ?? '').toLowerCase();
