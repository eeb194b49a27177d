import { Transform } from 'class-transformer';
import 'reflect-metadata';
import type { Expiring } from '../../cache/expiring.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { isNumeric, isWhole } from '../../lib/wordpress-text/formatting/php-number.js';
import type { RequestContext } from '../request-context.js';
import { getContext, type TransformParams } from './check-context.js';

/** Types of parameters, checked after the other checks. */
export type ArgType = 'integer' | 'number' | 'string' | 'boolean' | 'object';

/** A documented default: a value, or one that depends on site and time. */
type DocumentedDefault =
  | string
  | boolean
  | null
  | ((context: RequestContext) => string | number | false | Expiring<string | number | false>);

/** How one parameter is declared and documented. */
export interface ArgOptions {
  description: string;
  type?: ArgType;
  /** Whether null is a valid value. */
  nullable?: boolean;
  /** Whether a create needs it, which its service checks: hooks may add it. */
  requiredOnCreate?: boolean;
  /** Whether the value of another record is rejected with 409. */
  isUnique?: boolean;
  /** Documented default, which the handler gets when the parameter was not sent. */
  default?: unknown;
  /** Default that the index shows, where that differs from what is applied: on update, absent stays absent. */
  documentedDefault?: DocumentedDefault;
  /** Documented type of a parameter whose type is not checked. */
  shownType?: ArgType;
  /** For lists: the type of their items. */
  items?: ArgType;
  format?: 'string' | 'double';
  /** In characters, of its text or each text in it; by default that of a word. */
  maxLength?: number;
  /** The parameter that this one precedes; by default the order is that of declaration. */
  insertBefore?: string;
  /** Undeclared by the plugin, which honours it: in `/openapi.json` but in none of the recorded documents. */
  undeclared?: boolean;
  /**
   * Unlocks protected records. A value that unlocks nothing has no effect; with `refuses` it is rejected like an empty text.
   */
  unlocks?: true | 'refuses';
  /** Converts numbers and booleans to texts in inline data (`inlineParameters`). */
  castInline?: boolean;
  /** Always rejected and undocumented. */
  refused?: boolean;
  /** Further JSON Schema of its value for `/openapi.json`. */
  schema?: Readonly<Record<string, unknown>>;
  /** Our own addition, documented as `undeclared` ones are; a list that receives one responds in our format (`hasAdditions`). */
  isExtension?: boolean;
  /** An invalid value is ignored and named in `X-Almanac-Ignored`, never rejected (R20); extensions always are lenient. */
  lenient?: boolean;
}

/** Whether an invalid value is ignored instead of rejected. */
export const isLenient = ({ isExtension, lenient }: ArgOptions): boolean => Boolean(isExtension || lenient);

/** A declared parameter, as documented. */
export interface DeclaredArg extends ArgOptions {
  name: string;
  required: boolean;
}

// Own registry beside class-validator's: declaration order is part of the interface.
const DECLARED = new Map<object, Map<string, ArgOptions>>();
const REQUIRED = new Map<object, readonly string[]>();
/** All parameters by class, computed once. */
let argsByClass = new WeakMap<object, readonly DeclaredArg[]>();

/**
 * Declares a DTO property as a parameter, `below` as decorators below it. It is the topmost decorator; below it are checks of
 * class-validator, then class-transformer's `Transform`, which gets the value of the declared type.
 */
export function RestArg(options: ArgOptions, ...below: readonly PropertyDecorator[]): PropertyDecorator {
  return (prototype, property) => {
    for (const decorate of below.toReversed()) decorate(prototype, property);
    const own = DECLARED.get(prototype) ?? new Map<string, ArgOptions>();
    DECLARED.set(prototype, own.set(String(property), options));
    argsByClass = new WeakMap();
    const toTyped = ({ value, key, obj }: TransformParams) =>
      typed(options, value ?? getContext(obj).sent[key]);
    Transform(toTyped)(prototype, property);
  };
}

/** Names the parameters that must be present, in declaration order. */
export function RequiredArgs(...names: string[]): ClassDecorator {
  return (target) => {
    REQUIRED.set(target, names);
    argsByClass = new WeakMap();
  };
}

/** Every parameter of a DTO class in declaration order, inherited ones first, except for `insertBefore`. */
export function declaredArgs(dto: abstract new () => object): readonly DeclaredArg[] {
  const args = argsByClass.get(dto) ?? findArgs(dto);
  argsByClass.set(dto, args);
  return args;
}

function findArgs(dto: abstract new () => object): DeclaredArg[] {
  const all = new Map<string, ArgOptions>();
  const chain: object[] = [];
  for (let p: object | null = dto.prototype; p && p !== Object.prototype; p = Object.getPrototypeOf(p))
    chain.unshift(p);
  for (const prototype of chain)
    for (const [name, options] of DECLARED.get(prototype) ?? []) all.set(name, options);
  const required = chain.flatMap((prototype) => REQUIRED.get(prototype.constructor) ?? []);
  const args = [...all].map(([name, options]) => ({ name, ...options, required: required.includes(name) }));
  for (const arg of args.filter(({ insertBefore }) => insertBefore)) {
    args.splice(args.indexOf(arg), 1);
    const index = args.findIndex(({ name }) => name === arg.insertBefore);
    args.splice(index < 0 ? args.length : index, 0, arg);
  }
  return args;
}

/**
 * Inline data as parameters: null is absent, what PHP calls empty is an empty text, and numbers and booleans become texts
 * with `castInline`. The checks handle the rest.
 */
export function inlineParameters(
  dto: abstract new () => object,
  inline: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const texts = new Map(declaredArgs(dto).flatMap((arg) => (arg.type === 'string' ? [[arg.name, arg]] : [])));
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(inline)) {
    if (value === null) continue;
    const text = typeof value === 'number' || typeof value === 'boolean' ? texts.get(name) : undefined;
    if (text && isPhpEmpty(value)) values[name] = '';
    else values[name] = text?.castInline ? String(value) : value;
  }
  return values;
}

/** Whether a value has the declared type, possibly as text: `1.0` is an integer, `TRUE` and `0` are booleans. */
export function hasType(value: unknown, { type, nullable = false }: ArgOptions): boolean {
  if (type === undefined || (nullable && value === null)) return true;
  if (type === 'integer') return isWhole(value);
  if (type === 'number') return isNumeric(value) && Number.isFinite(Number(value));
  // A check of its own parses an object.
  if (type === 'object') return true;
  if (type === 'string') return typeof value === 'string';
  if (typeof value === 'string') return /^(0|1|true|false)$/i.test(value);
  return typeof value === 'boolean' || value === 0 || value === 1;
}

function typed({ type, nullable, default: defaultValue }: ArgOptions, value: unknown): unknown {
  if (nullable && value === null) return null;
  if (value === undefined || value === null) return defaultValue;
  // Larger numbers are inexact, and databases reject them.
  if (type === 'integer') return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  if (type === 'number') return Number(value);
  if (type === 'boolean') return typeof value === 'string' ? /^(1|true)$/i.test(value) : Boolean(value);
  return value;
}

const EXAMPLE = 'almanac:example';

/** Declares a short valid example of a body on its class. */
export const BodyExample =
  (example: Readonly<Record<string, unknown>>): ClassDecorator =>
  (dto) => {
    Reflect.defineMetadata(EXAMPLE, example, dto);
  };

/** The example of a class, possibly inherited. */
export function bodyExampleOf(dto: object): unknown {
  return Reflect.getMetadata(EXAMPLE, dto);
}
