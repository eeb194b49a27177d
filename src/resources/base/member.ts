import 'reflect-metadata';
import type { Type } from '@nestjs/common';

/** JSON Schema, as far as members are described by it; a class stands for the schema of its members. */
export interface MemberSchema {
  type?: string | readonly string[] | Type<object>;
  description?: string;
  examples?: readonly unknown[];
  format?: string;
  pattern?: string;
  const?: unknown;
  allOf?: readonly Type<object>[];
  anyOf?: readonly (MemberSchema | Type<object>)[];
  items?: MemberSchema | Type<object>;
  maxItems?: number;
  additionalProperties?: MemberSchema | Type<object>;
}

/** What is said of a member where it is declared. */
export interface MemberOptions extends MemberSchema {
  /** It is left out when it is empty; every other member is always there. */
  optional?: boolean;
  /** It is shown of a record that a password locks; every other member is blanked. */
  kept?: boolean;
  /** What is shown instead, where that is not the empty value of its type. */
  blank?: unknown;
  /** Key of the meta row that holds it as it is. */
  meta?: string;
  /** Whether lists search in that row. */
  searched?: boolean;
  /** Whether it is HTML that stays HTML in the clean form; other texts are plain there. */
  isHtml?: boolean;
  /** Of a wall clock: the member with the same time in UTC, true for those themselves; the clean form has its offset. */
  utc?: string | true;
  /** Of a wall clock: the member that names its zone; without one it is the site's. */
  zone?: string;
  /** Whether other members say the same: the clean form goes without it. */
  isDouble?: boolean;
  /** Whether only some answers have it, whatever is in the record. */
  isExtra?: boolean;
}

/** A number as text. */
export const DIGITS = '^[0-9]+$';

/** The empty list that PHP writes for an empty map. */
export const EMPTY_LIST = { type: 'array', items: {}, maxItems: 0 } as const;
/** A whole number. */
export const INTEGER = { type: 'integer' } as const;
/** An absolute URL that we make; what is made of stored texts may be no valid URI. */
export const ADDRESS = { type: 'string', format: 'uri' } as const;

type Members = ReadonlyMap<string, MemberOptions>;

const TYPES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [String, 'string'],
  [Boolean, 'boolean'],
  [Number, 'number'],
]);
/** By type: null is what all others are blanked to. */
const EMPTY: Readonly<Record<string, unknown>> = { string: '', array: [] };

// By prototype, inherited members included.
const DECLARED = new Map<object, Map<string, MemberOptions>>();

/**
 * Declares a property of a response class as a member of what is sent. The type of a text, a flag or a number need not be
 * said; a member that is inherited is changed by what is said.
 */
export function Member(options: MemberOptions = {}): PropertyDecorator {
  return (prototype, property) => {
    const members = DECLARED.get(prototype) ?? new Map(known(Object.getPrototypeOf(prototype)));
    const type = TYPES.get(Reflect.getMetadata('design:type', prototype, property));
    const name = String(property);
    members.set(name, { ...(type && { type }), ...members.get(name), ...options });
    DECLARED.set(prototype, members);
  };
}

/** The members of a response class in the order of their declaration, inherited ones first. */
export function membersOf({ prototype }: Type<object>): Members {
  return known(prototype);
}

function known(prototype: object | null): Members {
  return prototype ? (DECLARED.get(prototype) ?? known(Object.getPrototypeOf(prototype))) : new Map();
}

/** A class to extend, with the members of two. */
export function withMembers<A extends object, B extends object>(base: Type<A>, more: Type<B>): Type<A & B> {
  const both = class extends (base as Type<object>) {};
  DECLARED.set(both.prototype, new Map([...membersOf(base), ...membersOf(more)]));
  return both as Type<A & B>;
}

/** The meta keys of a class by the names of their members, in the order of their declaration. */
export function metaKeysOf<T extends object>(type: Type<T>): Readonly<Record<keyof T & string, string>> {
  const keys = [...membersOf(type)].flatMap(([name, { meta }]) => (meta ? [[name, meta] as const] : []));
  return Object.fromEntries(keys) as Record<keyof T & string, string>;
}

/** What is shown of a member while a password locks its record; undefined leaves it out. */
export function blankOf({ type, blank, optional }: MemberOptions): unknown {
  const shown = blank ?? (typeof type === 'string' ? EMPTY[type] : undefined);
  return structuredClone(shown ?? (optional ? undefined : null));
}

/** What a password leaves of a record: nothing but what its class says (docs/behaviour/visibility.md#passwords). */
export function maskProtected<Json extends object>(type: Type<Json>, json: Json): Json {
  const members = membersOf(type);
  const masked = Object.entries(json).map(([name, value]) => {
    const member = members.get(name) ?? {};
    return [name, member.kept ? value : blankOf(member)];
  });
  return Object.fromEntries(masked.filter(([, value]) => value !== undefined)) as Json;
}
