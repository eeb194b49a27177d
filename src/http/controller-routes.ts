import { posix } from 'node:path';
import type { Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';

/** A route as its controller declares it. */
export interface ControllerRoute {
  /** Without what is put before it: `/cal/events/v1/events/:id`. */
  path: string;
  handler: (...args: unknown[]) => unknown;
  controller: Type;
  /** Undefined where each request has one of its own. */
  instance?: object;
}

/** Whether a controller, in whatever modules it stands, is the same one for all requests. */
export function isForAllRequests(controller: Type, modules: ModulesContainer): boolean {
  for (const { controllers } of modules.values())
    if (controllers.get(controller)?.isDependencyTreeStatic() === false) return false;
  return true;
}

/** All routes of an application. */
export function* controllerRoutes(modules: ModulesContainer): Generator<ControllerRoute> {
  const scanner = new MetadataScanner();
  const pathsOf = (one: object): string[] => [Reflect.getMetadata(PATH_METADATA, one) ?? []].flat();
  for (const wrapper of [...modules.values()].flatMap((one) => [...one.controllers.values()])) {
    const controller = wrapper.metatype as Type | null;
    if (!controller) continue;
    const instance = wrapper.isDependencyTreeStatic() ? wrapper.instance : undefined;
    for (const name of scanner.getAllMethodNames(controller.prototype)) {
      const handler = controller.prototype[name];
      for (const above of pathsOf(controller))
        for (const below of pathsOf(handler))
          yield { path: posix.resolve('/', `./${above}`, `./${below}`), handler, controller, instance };
    }
  }
}
