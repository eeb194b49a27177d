import type { Lookups } from './lookups.js';
import type { ParameterClasses } from './parameter-classes.js';
import type { Parameters } from './php-parameters.js';
import type { RequestContext } from './request-context.js';

/** What the checks of one request may ask: what the caller may do, the site's settings, records by id, the time. */
export interface CheckContext extends RequestContext {
  lookups: Lookups;
  classes: ParameterClasses;
}

/** What functions of class-transformer's `Transform` are handed: the value, of its declared type, and whom to ask. */
export interface Given {
  /** Undefined when nothing, or null, was sent. */
  value: unknown;
  /** `contextOf` knows it. */
  obj: object;
}

/** A request's parameters as they were sent, with whom to ask. */
export interface Reading {
  context: CheckContext;
  sent: Parameters;
}

// class-validator and class-transformer hand their functions nothing but the object that is being checked or made.
const READINGS = new WeakMap<object, Reading>();

/** Lets `contextOf` and `sentTo` know an object whose properties are parameters. */
export function giveContext<T extends object>(values: T, reading: Reading): T {
  READINGS.set(values, reading);
  return values;
}

/** The context of the request that an object's values came with. Throws for an object that `@Parameters` did not make. */
export function contextOf(values: object): CheckContext {
  return readingOf(values).context;
}

/** A parameter as it was sent. */
export function sentTo(values: object, name: string): unknown {
  return readingOf(values).sent[name];
}

function readingOf(values: object): Reading {
  const reading = READINGS.get(values);
  if (!reading) throw new Error('parameters were read otherwise than by @Parameters');
  return reading;
}
