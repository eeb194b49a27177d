import { HttpCode, Patch, Post, Put } from '@nestjs/common';
import { copyArguments } from './nest-metadata.js';

/** A route for POST, PUT and PATCH: each changes only the sent fields (W1). */
export function Update(path: string): MethodDecorator {
  return (prototype, key, descriptor) => {
    Post(path)(prototype, key, descriptor);
    HttpCode(200)(prototype, key, descriptor);
    for (const [method, name] of [
      [Put, `${String(key)}ByPut`],
      [Patch, `${String(key)}ByPatch`],
    ] as const) {
      // Nest stores one HTTP method per function, so each gets a function of its own with the same arguments.
      const value = function (
        this: Record<PropertyKey, (...args: unknown[]) => unknown>,
        ...args: unknown[]
      ) {
        return this[key]?.(...args);
      };
      // Metadata of other decorators, such as guards, is looked up along this chain.
      Object.setPrototypeOf(value, descriptor.value as object);
      // Swagger finds the arguments of a function by its name.
      Object.defineProperty(value, 'name', { value: name });
      Object.defineProperty(prototype, name, { value });
      method(path)(prototype, name, { value });
      copyArguments(prototype, key, name);
    }
  };
}
