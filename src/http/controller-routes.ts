import { posix } from 'node:path';
import type { Type } from '@nestjs/common';
import { PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';

/** A route as its controller declares it. */
export interface ControllerRoute {
  /** Without what is put before it: `/cal/events/v1/events/:id`. */
  path: string;
  handler: (...args: unknown[]) => unknown;
  controller: Type;
  /** Undefined where each request has one of its own, or where it has another method in place of the handler. */
  instance?: object;
}

/** What an argument of a handler is declared to be. */
export interface DeclaredArgument {
  index: number;
  data?: unknown;
  factory?: (...given: unknown[]) => unknown;
  pipes: readonly unknown[];
}

const SCANNER = new MetadataScanner();

/**
 * The arguments of a handler by kind and place; undefined for what is no method of the controller's class. They are declared by
 * the method's name, which a function that a decorator put in its place need not have.
 */
export function declaredArguments(
  controller: Type,
  handler: unknown,
): Readonly<Record<string, DeclaredArgument>> | undefined {
  const { prototype } = controller;
  const name = SCANNER.getAllMethodNames(prototype).find((one) => prototype[one] === handler);
  return name === undefined ? undefined : (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {});
}

/** Whether a controller, in whatever modules it stands, is the same one for all requests. */
export function isForAllRequests(controller: Type, modules: ModulesContainer): boolean {
  for (const { controllers } of modules.values())
    if (controllers.get(controller)?.isDependencyTreeStatic() === false) return false;
  return true;
}

/** All routes of an application. */
export function* controllerRoutes(modules: ModulesContainer): Generator<ControllerRoute> {
  const pathsOf = (one: object): string[] => [Reflect.getMetadata(PATH_METADATA, one) ?? []].flat();
  for (const wrapper of [...modules.values()].flatMap((one) => [...one.controllers.values()])) {
    const controller = wrapper.metatype as Type | null;
    if (!controller) continue;
    const own = wrapper.isDependencyTreeStatic() ? wrapper.instance : undefined;
    for (const name of SCANNER.getAllMethodNames(controller.prototype)) {
      const handler = controller.prototype[name];
      const instance = own && Reflect.get(own, name) === handler ? own : undefined;
      for (const above of pathsOf(controller))
        for (const below of pathsOf(handler))
          yield { path: posix.resolve('/', `./${above}`, `./${below}`), handler, controller, instance };
    }
  }
}
