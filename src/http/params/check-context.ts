import type { RequestContext } from '../request-context.js';
import { itemsOf, scalarText } from './fields.js';
import type { Parameters } from './php-parameters.js';
import type { RequestLoader } from './request-loader.js';

/** The context of checks: the user's rights, the site's settings, records by id, the time. */
export interface CheckContext extends RequestContext {
  lookups: RequestLoader;
  classes: ParameterClasses;
  /** A problem of the body, reported where parameters are missing. */
  hint?: string;
  /** The raw values of declared parameters. */
  sent: Readonly<Parameters>;
  /** The raw values of parameters that were ignored as invalid (R20). */
  ignored: Readonly<Parameters>;
}

/** The argument of a function of class-transformer's `Transform`. */
export interface TransformParams {
  /** Of the declared type; undefined if the parameter is absent or null. */
  value: unknown;
  key: string;
  /** The argument of `getContext`. */
  obj: object;
}

// Functions of class-validator and class-transformer get no context but the object.
const CONTEXTS = new WeakMap<object, CheckContext>();
const SENT = new WeakMap<object, Pick<CheckContext, 'sent' | 'ignored'>>();

/** Binds the context of an object whose properties are parameters, for `getContext`. */
export function bindContext<T extends object>(values: T, context: CheckContext): T {
  CONTEXTS.set(values, context);
  return values;
}

/** Binds the raw parameters of a handler's values, for `getRawParams` and `ignoredOf`. */
export function bindRawParams<T extends object>(
  values: T,
  { sent, ignored }: Pick<CheckContext, 'sent' | 'ignored'>,
): T {
  SENT.set(values, { sent, ignored });
  return values;
}

/** The raw parameters of a handler's values; empty for values that come from no request. */
export function getRawParams(values: object): CheckContext['sent'] {
  return SENT.get(values)?.sent ?? {};
}

export function ignoredOf(values: object): CheckContext['ignored'] {
  return SENT.get(values)?.ignored ?? {};
}

/** The raw parameters as texts for a URL, lists joined by commas; `without` these names. */
export function sentTexts(values: object, without: readonly string[]): [name: string, text: string][] {
  return Object.entries(getRawParams(values)).flatMap(([name, value]) =>
    (value ?? null) === null || without.includes(name)
      ? []
      : [[name, itemsOf(value).map(scalarText).join(',')] satisfies [string, string]],
  );
}

/** The context of the request of an object's values. Throws for values that `@Parameters` did not read. */
export function getContext(values: object): CheckContext {
  const context = CONTEXTS.get(values);
  if (!context) throw new Error('parameters were read otherwise than by @Parameters');
  return context;
}

/** A class that declares parameters. */
export type DtoClass<T extends object = object> = new () => T;

/** The class that declares the parameters of a DTO: the DTO itself, or a subclass with the parameters of plugins. */
export abstract class ParameterClasses {
  abstract of<T extends object>(dto: DtoClass<T>): DtoClass<T>;
}
