import { type ExecutionContext, Injectable, RequestMethod } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  METHOD_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants.js';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { NextFunction, Request, Response } from 'express';
import { OWN_NAMESPACE } from '../config/env.js';
import { letLag } from '../database/caller.js';
import { Answers } from './answers.service.js';
import { hasGuards, hasOnlyOwnLayers, isUntouched, type Layer, layersOf } from './beneath-express.js';
import { type ControllerRoute, controllerRoutes } from './controller-routes.js';
import { isPlainRead, keptKey } from './keep.decorator.js';
import { KeptAnswers } from './kept-answers.service.js';
import { meant } from './machine-refusal.js';
import { ParameterClasses } from './parameter-classes.js';
import { ParametersPipe } from './parameters.js';
import { PathId } from './path-id.js';
import { type RestRequest, restOf } from './rest-request.js';
import { noteSender } from './sign-in.service.js';

/** Gives what a parameter of a handler is declared to be, before pipes. */
type Argument = (execution: ExecutionContext, params: Readonly<Record<string, string>>) => unknown;

/** A handler of reads that may be called without the framework. */
interface Read extends ControllerRoute {
  args: readonly Argument[];
}

/** The lists and records of a resource, by paths that say the same in whatever way they are read. */
const PLAIN = /^\/([\w-]+)(?:\/(?:(\d+)|by-slug\/([\w-]+)))?$/;
const PATH_PARAMETER = /^5:/;

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
    private readonly classes: ParameterClasses,
    private readonly answers: Answers,
    private readonly kept: KeptAnswers,
  ) {}

  /** Answers a request, or hands it on. */
  async answer(request: Request, response: Response, next: NextFunction): Promise<void> {
    try {
      if (await this.isAnswered(request, response)) return;
    } catch (thrown) {
      return next(meant(thrown));
    }
    next();
  }

  private async isAnswered(request: Request, response: Response): Promise<boolean> {
    const rest = restOf(request);
    const match = rest && isAnybodys(rest, request) ? PLAIN.exec(rest.path) : null;
    const read = match ? this.readsOf(request).get(patternOf(match)) : undefined;
    if (!rest || !match || !read) return false;
    const [, , id = '', slug = ''] = match;
    const execution = new ExecutionContextHost([request, response], read.controller, read.handler);
    rest.user = null;
    const key = keptKey(execution, this.classes);
    if (key === undefined) return false;
    noteSender(null);
    letLag();
    request.route = { path: read.path };
    const kept = await this.answers.keptBy(key, request, response, async () => {
      const values = read.args.map(async (arg) => this.pipe.transform(await arg(execution, { id, slug })));
      return read.handler.apply(read.instance, await Promise.all(values));
    });
    if (!kept) return false;
    if (!rest.isAlias) this.kept.nameUrl(request.originalUrl, key);
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
    for (const route of controllerRoutes(this.modules)) {
      const args = route.instance && isRead(route) ? argumentsOf(route) : undefined;
      if (args) found.set(route.path, { ...route, args });
    }
    for (const path of found.keys()) if (!comesFirst(path, layers, found)) found.delete(path);
    return found;
  }
}

const patternOf = ([, name, id, slug]: RegExpExecArray): string =>
  `/${OWN_NAMESPACE}/${name}${id ? '/:id' : ''}${slug ? '/by-slug/:slug' : ''}`;

/** Whether a read says nothing of who sends it. */
function isAnybodys({ place, query, refusal }: RestRequest, request: Request): boolean {
  return (
    place === OWN_NAMESPACE &&
    refusal === undefined &&
    query['_wpnonce'] === undefined &&
    isPlainRead(request)
  );
}

function isRead({ handler, controller, path }: ControllerRoute): boolean {
  const isFiltered = [handler, controller].some((one) =>
    Reflect.hasMetadata(EXCEPTION_FILTERS_METADATA, one),
  );
  const isGet = Reflect.getMetadata(METHOD_METADATA, handler) === RequestMethod.GET;
  return isGet && !isFiltered && path.startsWith(`/${OWN_NAMESPACE}/`);
}

/** Undefined where a parameter is declared otherwise than by us. */
function argumentsOf({ controller, handler }: ControllerRoute): Argument[] | undefined {
  const declared: Record<
    string,
    { index: number; data: string; factory?: Function; pipes: readonly unknown[] }
  > = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {};
  const args: Argument[] = [];
  for (const [kind, { index, data, factory, pipes }] of Object.entries(declared)) {
    const isId = pipes.length === 1 && pipes[0] === PathId;
    if (factory && pipes.length === 0) args[index] = (execution) => factory(data, execution);
    else if (PATH_PARAMETER.test(kind) && (isId || pipes.length === 0))
      args[index] = (_, { [data]: value = '' }) => (isId ? new PathId().transform(value) : value);
    else return undefined;
  }
  return args;
}

/** Whether no route of somebody else that may match the same addresses stands before one. */
function comesFirst(path: string, layers: readonly Layer[], own: ReadonlyMap<string, unknown>): boolean {
  const at = layers.findIndex(({ route }) => route?.path === path && route.methods['get']);
  const base = fixedPart(path);
  const mayMatch = (other: unknown): boolean => {
    if (typeof other !== 'string') return true;
    const fixed = fixedPart(other);
    return fixed.startsWith(base) || (fixed !== other.toLowerCase() && base.startsWith(fixed));
  };
  return (
    at >= 0 &&
    layers
      .slice(0, at)
      .every(({ route }) => !route?.methods['get'] || own.has(String(route.path)) || !mayMatch(route.path))
  );
}

/** What a pattern begins with before anything in it may vary. */
const fixedPart = (path: string): string => (path.split(/[:*{(\\]/, 1)[0] ?? '').toLowerCase();
