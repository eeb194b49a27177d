import type { RequestContext } from '../request-context.js';
import { itemsOf, scalarText } from './fields.js';
import type { ParameterClasses } from './parameter-classes.js';
import type { Parameters } from './php-parameters.js';
import type { RequestLoader } from './request-loader.js';

/** What the checks of one request may ask: what the caller may do, the site's settings, records by id, the time. */
export interface CheckContext extends RequestContext {
  lookups: RequestLoader;
  classes: ParameterClasses;
  /** What is odd about the body, to be said where parameters are missing. */
  hint?: string;
  /** The declared parameters as they were sent. */
  sent: Readonly<Parameters>;
  /** Those that were ignored because they were not understood, as they were sent (R20). */
  ignored: Readonly<Parameters>;
}

/** What functions of class-transformer's `Transform` are handed. */
export interface TransformParams {
  /** Of the declared type; undefined when nothing, or null, was sent. */
  value: unknown;
  key: string;
  /** What `contextOf` knows. */
  obj: object;
}

// class-validator and class-transformer hand their functions nothing but the object that is being checked or made.
const CONTEXTS = new WeakMap<object, CheckContext>();
const SENT = new WeakMap<object, Pick<CheckContext, 'sent' | 'ignored'>>();

/** Lets `contextOf` know an object whose properties are parameters. */
export function bindContext<T extends object>(values: T, context: CheckContext): T {
  CONTEXTS.set(values, context);
  return values;
}

/** Lets `sentOf` and `ignoredOf` know values that are handed on. */
export function bindRawParams<T extends object>(
  values: T,
  { sent, ignored }: Pick<CheckContext, 'sent' | 'ignored'>,
): T {
  SENT.set(values, { sent, ignored });
  return values;
}

/** What was sent of the parameters of a handler's values; nothing of values that no request brought. */
export function getRawParams(values: object): CheckContext['sent'] {
  return SENT.get(values)?.sent ?? {};
}

/** The parameters that were ignored, as they were sent. */
export function ignoredOf(values: object): CheckContext['ignored'] {
  return SENT.get(values)?.ignored ?? {};
}

/** The same as texts that an address may hold, lists joined by commas; without what is named. */
export function sentTexts(values: object, without: readonly string[]): [name: string, text: string][] {
  return Object.entries(getRawParams(values)).flatMap(([name, value]) =>
    (value ?? null) === null || without.includes(name)
      ? []
      : [[name, itemsOf(value).map(scalarText).join(',')] satisfies [string, string]],
  );
}

/** The context of the request that an object's values came with. Throws for what was not read by `@Parameters`. */
export function getContext(values: object): CheckContext {
  const context = CONTEXTS.get(values);
  if (!context) throw new Error('parameters were read otherwise than by @Parameters');
  return context;
}
