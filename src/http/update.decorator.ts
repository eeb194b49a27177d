import { HttpCode, Patch, Post, Put } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';

/** A route that POST, PUT and PATCH reach alike: each changes what was sent, and nothing else (W1). */
export function Update(path: string): MethodDecorator {
  return (prototype, key, descriptor) => {
    Post(path)(prototype, key, descriptor);
    HttpCode(200)(prototype, key, descriptor);
    for (const [method, name] of [
      [Put, `${String(key)}ByPut`],
      [Patch, `${String(key)}ByPatch`],
    ] as const) {
      // Nest keeps one method for each function, so each gets a function of its own with the same arguments.
      const value = function (
        this: Record<PropertyKey, (...args: unknown[]) => unknown>,
        ...args: unknown[]
      ) {
        return this[key]?.(...args);
      };
      // What other decorators say of the method, guards above all, is looked up along this chain.
      Object.setPrototypeOf(value, descriptor.value as object);
      // Swagger finds the arguments of a function by its name.
      Object.defineProperty(value, 'name', { value: name });
      Object.defineProperty(prototype, name, { value });
      method(path)(prototype, name, { value });
      const declared: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, prototype.constructor, key);
      Reflect.defineMetadata(ROUTE_ARGS_METADATA, declared, prototype.constructor, name);
      const types: unknown = Reflect.getMetadata('design:paramtypes', prototype, key);
      Reflect.defineMetadata('design:paramtypes', types, prototype, name);
    }
  };
}
