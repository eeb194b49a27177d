import { Expose } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { isNumeric } from '../wordpress/formatting/php-number.js';
import type { CheckContext } from './check-context.js';
import type { RequestContext } from './request-context.js';

/** Types that a parameter can be held to; a declared type is checked in a round of its own, after the checks. */
export type ArgType = 'integer' | 'string' | 'boolean';

/** A failure with a code of its own, shown in `data.details`. */
export interface CodedFailure {
  code: string;
  message: string;
}

/** Says whether a value will do: true, false with a general message, or the text of what is wrong. */
export type Check = (
  value: unknown,
  context: CheckContext,
) => boolean | string | CodedFailure | Promise<boolean | string | CodedFailure>;

/** A default to show: a value, or what the site and the time make of it. */
export type ShownDefault = string | boolean | null | ((context: RequestContext) => unknown);

/** How one parameter is declared: it is checked, documented and parsed from this. */
export interface ArgOptions {
  description: string;
  type?: ArgType;
  /** Documented default; applied when `parse` gets undefined. */
  default?: unknown;
  /** Default that the index shows, where that differs from what is applied: on update, absent stays absent. */
  shownDefault?: ShownDefault;
  /** Type that the documents show of a parameter whose type is not checked. */
  shownType?: ArgType;
  /** For lists: the type of their items. */
  items?: 'integer' | 'string';
  format?: 'string' | 'double';
  /** Most characters of its text, or of each text in it; a single word's unless said otherwise. */
  longest?: number;
  /** The inherited parameter that this one comes before, instead of after all of them. */
  before?: string;
  /** Honoured, but not shown in the index or the documents, as recorded. */
  undeclared?: boolean;
  check?: Check;
  /** Turns the checked value into what the service works with; runs after every check has passed. */
  parse?: (value: unknown, context: CheckContext) => unknown;
}

/** A declared parameter, as the index and the documents show it. */
export interface DeclaredArg extends ArgOptions {
  name: string;
  required: boolean;
}

// Own registry beside class-validator's: declaration order is part of the interface.
const DECLARED = new Map<object, Map<string, ArgOptions>>();
const REQUIRED = new Map<object, readonly string[]>();

/** Groups of class-validator: the first round, and the round of types. */
export const ROUND = { check: 'check', type: 'type' } as const;

const CONTEXT = Symbol('check context');

/** Gives the validators of one DTO object what they need to look things up. */
export function setCheckContext(dto: object, context: CheckContext): void {
  Object.defineProperty(dto, CONTEXT, { value: context, enumerable: false });
}

function contextOf(dto: object): CheckContext {
  return (dto as { [CONTEXT]: CheckContext })[CONTEXT];
}

/** Declares a DTO property as a parameter of the interface. */
export function RestArg(options: ArgOptions): PropertyDecorator {
  return (prototype, property) => {
    const name = String(property);
    const own = DECLARED.get(prototype) ?? new Map<string, ArgOptions>();
    own.set(name, options);
    DECLARED.set(prototype, own);
    Expose()(prototype, property);
    const { check, type } = options;
    if (check) validated(ROUND.check, (value, dto) => check(value, contextOf(dto)))(prototype, property);
    else validated(ROUND.check, () => true)(prototype, property);
    if (type) validated(ROUND.type, (value) => hasType(value, type))(prototype, property);
  };
}

type Outcome = boolean | string | CodedFailure;

function validated(
  group: string,
  run: (value: unknown, dto: object) => Outcome | Promise<Outcome>,
): PropertyDecorator {
  // class-validator asks for the verdict and for the message separately.
  const said = new WeakMap<object, Outcome>();
  return ValidateBy(
    {
      name: group,
      validator: {
        async validate(value, args) {
          const dto = args?.object ?? {};
          if (value === undefined || (value === null && group === ROUND.check)) return true;
          const outcome = await run(value, dto);
          said.set(dto, outcome);
          return outcome === true;
        },
        defaultMessage: (args) => {
          const outcome = said.get(args?.object ?? {});
          return typeof outcome === 'object'
            ? JSON.stringify(outcome)
            : typeof outcome === 'string'
              ? outcome
              : '';
        },
      },
    },
    { groups: [group] },
  );
}

/** Names the parameters that must be present, in declaration order. */
export function RequiredArgs(...names: string[]): ClassDecorator {
  return (target) => {
    REQUIRED.set(target, names);
  };
}

/** Every parameter of a DTO class in declaration order, inherited ones first save for what says `before`. */
export function declaredArgs(dto: abstract new () => object): DeclaredArg[] {
  const all = new Map<string, ArgOptions>();
  const chain: object[] = [];
  for (let p: object | null = dto.prototype; p && p !== Object.prototype; p = Object.getPrototypeOf(p))
    chain.unshift(p);
  for (const prototype of chain)
    for (const [name, options] of DECLARED.get(prototype) ?? []) all.set(name, options);
  const required = REQUIRED.get(dto) ?? [];
  const args = [...all].map(([name, options]) => ({ name, ...options, required: required.includes(name) }));
  for (const arg of args.filter(({ before }) => before)) {
    args.splice(args.indexOf(arg), 1);
    const place = args.findIndex(({ name }) => name === arg.before);
    args.splice(place < 0 ? args.length : place, 0, arg);
  }
  return args;
}

/** Whether a value has, or as text stands for, a type: `1.0` is an integer, `TRUE` and `0` are booleans. */
export function hasType(value: unknown, type: ArgType): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return (
        typeof value === 'boolean' ||
        value === 0 ||
        value === 1 ||
        (typeof value === 'string' && /^(0|1|true|false)$/i.test(value))
      );
    case 'integer':
      return isNumeric(value) && Number.isInteger(Number(value));
  }
}
