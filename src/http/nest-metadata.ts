import { posix } from 'node:path';
import { type Type, VERSION_NEUTRAL, Version } from '@nestjs/common';
import {
  GUARDS_METADATA,
  HEADERS_METADATA,
  INTERCEPTORS_METADATA,
  PATH_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
  ROUTE_ARGS_METADATA,
  SSE_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';

interface ControllerRoute {
  /** Without global prefix and version: `/cal/events/v1/events/:id`. */
  path: string;
  handler: object;
  controller: Type;
}

/** A handler's argument as its decorator declares it. */
interface DeclaredArgument {
  data?: unknown;
  factory?: (...args: unknown[]) => unknown;
  pipes: readonly unknown[];
}

const SCANNER = new MetadataScanner();
/** Decorators that let other code act on a request or its response. */
const ROUTE_DECORATORS = [
  GUARDS_METADATA,
  HEADERS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
];
/** The kind of `@Next()` in the keys of declared arguments. */
const NEXT = /^2:/;

/**
 * The arguments of a handler by kind and index; undefined for a function that is no method of the controller's class.
 * Nest stores them by method name, which a wrapping decorator may have changed on the function.
 */
export function declaredArguments(
  controller: Type,
  handler: unknown,
): Readonly<Record<string, DeclaredArgument>> | undefined {
  const { prototype } = controller;
  const method = SCANNER.getAllMethodNames(prototype).find((name) => prototype[name] === handler);
  return method === undefined
    ? undefined
    : (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {});
}

/** Declares the arguments of one method for another one of the same class. */
export function copyArguments(prototype: object, from: PropertyKey, to: string): void {
  const { constructor: controller } = prototype;
  const args: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, from as string);
  Reflect.defineMetadata(ROUTE_ARGS_METADATA, args, controller, to);
  const types: unknown = Reflect.getMetadata('design:paramtypes', prototype, from as string);
  Reflect.defineMetadata('design:paramtypes', types, prototype, to);
}

/** Whether a handler or its controller declares guards, interceptors, pipes, headers or a redirect. */
export const hasRouteDecorators = (...targets: object[]): boolean =>
  ROUTE_DECORATORS.some((key) => targets.some((target) => Reflect.hasMetadata(key, target)));

/** Whether a handler sends server-sent events. */
export const isEventStream = (handler: object): boolean =>
  Reflect.getMetadata(SSE_METADATA, handler) === true;

/** Keeps a default version off a route that declares none. */
export function withoutVersion({ handler, controller }: ControllerRoute): void {
  const isDeclared = [handler, controller].some((target) => Reflect.getMetadata(VERSION_METADATA, target));
  if (!isDeclared) Version(VERSION_NEUTRAL)(handler, '', { value: handler });
}

/** Whether some handler takes `next`, and so may pass a request on to the next route. */
export function hasNextHandlers(modules: ModulesContainer): boolean {
  for (const { controller, handler } of controllerRoutes(modules))
    if (Object.keys(declaredArguments(controller, handler) ?? {}).some((kind) => NEXT.test(kind)))
      return true;
  return false;
}

/** Whether a controller, in all modules that declare it, is the same instance for all requests. */
export function isForAllRequests(controller: Type, modules: ModulesContainer): boolean {
  for (const { controllers } of modules.values())
    if (controllers.get(controller)?.isDependencyTreeStatic() === false) return false;
  return true;
}

export function* controllerRoutes(modules: ModulesContainer): Generator<ControllerRoute> {
  const pathsOf = (target: object): string[] => [Reflect.getMetadata(PATH_METADATA, target) ?? []].flat();
  for (const { metatype } of [...modules.values()].flatMap((one) => [...one.controllers.values()])) {
    const controller = metatype as Type | null;
    if (!controller) continue;
    for (const name of SCANNER.getAllMethodNames(controller.prototype)) {
      const handler = controller.prototype[name];
      for (const base of pathsOf(controller))
        for (const path of pathsOf(handler))
          yield { path: posix.resolve('/', `./${base}`, `./${path}`), handler, controller };
    }
  }
}
