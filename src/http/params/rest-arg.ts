import { Transform } from 'class-transformer';
import type { Expiring } from '../../cache/expiring.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { isWhole } from '../../lib/wordpress-text/formatting/php-number.js';
import type { RequestContext } from '../request-context.js';
import { getContext, type TransformParams } from './check-context.js';

/** Types that a parameter can be held to; a declared type is checked in a round of its own, after the checks. */
export type ArgType = 'integer' | 'string' | 'boolean';

/** A default to show: a value, or what the site and the time make of it. */
export type DocumentedDefault =
  | string
  | boolean
  | null
  | ((context: RequestContext) => string | number | false | Expiring<string | number | false>);

/** How one parameter is declared and documented. */
export interface ArgOptions {
  description: string;
  type?: ArgType;
  /** Whether null is taken, as it is. */
  nullable?: boolean;
  /** Documented default; what the handler gets when nothing was sent. */
  default?: unknown;
  /** Default that the index shows, where that differs from what is applied: on update, absent stays absent. */
  documentedDefault?: DocumentedDefault;
  /** Type that the documents show of a parameter whose type is not checked. */
  shownType?: ArgType;
  /** For lists: the type of their items. */
  items?: 'integer' | 'string';
  format?: 'string' | 'double';
  /** Most characters of its text, or of each text in it; a single word's unless said otherwise. */
  maxLength?: number;
  /** The parameter that this one comes before, instead of after those that are declared earlier. */
  insertBefore?: string;
  /** Honoured by the plugin without a word: in `/openapi.json`, and in none of the documents that were recorded. */
  undeclared?: boolean;
  /**
   * Opens protected records, for who may open them. Where it opens nothing it makes no difference; with `refuses` it is then refused
   * as an empty text is.
   */
  unlocks?: true | 'refuses';
  /** Where it is a member of inline data, numbers and booleans stand for their texts (`inlineParameters`). */
  castInline?: boolean;
  /** Never taken: no document shows it. */
  refused?: boolean;
  /** What `/openapi.json` says of its value besides what follows from the rest, as JSON Schema. */
  schema?: Readonly<Record<string, unknown>>;
  /** Our own addition, which is shown where `undeclared` ones are; a list that is sent one answers in our way (`hasAdditions`). */
  isExtension?: boolean;
  /** A value that is not understood is ignored and named in `X-Almanac-Ignored`, never refused (R20); so is any of `ours`. */
  lenient?: boolean;
}

/** Whether a value that is not understood is ignored instead of refused. */
export const isLenient = ({ isExtension: ours, lenient }: ArgOptions): boolean => Boolean(ours || lenient);

/** A declared parameter, as the index and the documents show it. */
export interface DeclaredArg extends ArgOptions {
  name: string;
  required: boolean;
}

// Own registry beside class-validator's: declaration order is part of the interface.
const DECLARED = new Map<object, Map<string, ArgOptions>>();
const REQUIRED = new Map<object, readonly string[]>();
/** What each class declares in all: every request asks. */
let known = new WeakMap<object, readonly DeclaredArg[]>();

/**
 * Declares a DTO property as a parameter of the interface. It stands on top; below it the checks of class-validator, then
 * class-transformer's `Transform`, which goes on from the value of the declared type.
 */
export function RestArg(options: ArgOptions): PropertyDecorator {
  return (prototype, property) => {
    const own = DECLARED.get(prototype) ?? new Map<string, ArgOptions>();
    DECLARED.set(prototype, own.set(String(property), options));
    known = new WeakMap();
    const toTyped = ({ value, key, obj }: TransformParams) =>
      typed(options, value ?? getContext(obj).sent[key]);
    Transform(toTyped)(prototype, property);
  };
}

/** One decorator for several that stand on each other in this order. */
export function applyDecorators(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (prototype, property) => {
    for (const decorate of decorators.toReversed()) decorate(prototype, property);
  };
}

/** Names the parameters that must be present, in declaration order. */
export function RequiredArgs(...names: string[]): ClassDecorator {
  return (target) => {
    REQUIRED.set(target, names);
    known = new WeakMap();
  };
}

/** Every parameter of a DTO class in declaration order, inherited ones first save for what says `before`. */
export function declaredArgs(dto: abstract new () => object): readonly DeclaredArg[] {
  const args = known.get(dto) ?? findArgs(dto);
  known.set(dto, args);
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
  for (const arg of args.filter(({ insertBefore: before }) => before)) {
    args.splice(args.indexOf(arg), 1);
    const place = args.findIndex(({ name }) => name === arg.insertBefore);
    args.splice(place < 0 ? args.length : place, 0, arg);
  }
  return args;
}

/**
 * Inline data as the parameters that they stand for: types are asked of parameters only, so null is absent, what PHP calls
 * empty is an empty text, and numbers and booleans stand for texts where `castInline` says so. The rest is left to the checks.
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

/** Whether a value has the declared type, or stands for it as text: `1.0` is an integer, `TRUE` and `0` are booleans. */
export function hasType(value: unknown, { type, nullable = false }: ArgOptions): boolean {
  if (type === undefined || (nullable && value === null)) return true;
  if (type === 'integer') return isWhole(value);
  if (type === 'string') return typeof value === 'string';
  if (typeof value === 'string') return /^(0|1|true|false)$/i.test(value);
  return typeof value === 'boolean' || value === 0 || value === 1;
}

function typed({ type, nullable, default: absent }: ArgOptions, value: unknown): unknown {
  if (nullable && value === null) return null;
  if (value === undefined || value === null) return absent;
  // Beyond that numbers lose their last digits, and databases refuse them.
  if (type === 'integer') return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  if (type === 'boolean') return typeof value === 'string' ? /^(1|true)$/i.test(value) : Boolean(value);
  return value;
}
