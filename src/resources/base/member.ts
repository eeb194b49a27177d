import 'reflect-metadata';
import type { Type } from '@nestjs/common';

/** The subset of JSON Schema that describes members; a class stands for the schema of its members. */
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
  maxLength?: number;
  additionalProperties?: MemberSchema | Type<object> | false;
  title?: string;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, MemberSchema>>;
  required?: readonly string[];
}

/** Options of a member declaration. */
export interface MemberOptions extends MemberSchema {
  /** Left out when empty; other members are always present. */
  optional?: boolean;
  /** Visible in password-locked records; other members are blanked. */
  visibleWhenLocked?: boolean;
  /** The blanked value, if it is not the empty value of the type. */
  blank?: unknown;
  /** Key of the meta row that holds the value as stored. */
  metaKey?: string;
  /** Whether lists search that meta row. */
  searched?: boolean;
  /** Whether the value stays HTML in the normalized format, where other texts are plain. */
  isHtml?: boolean;
  /** For a wall clock: the member with the UTC time, or true for a UTC time itself; the normalized format has its offset. */
  utc?: string | true;
  /** For a wall clock: the member that names its zone; by default the site's zone. */
  zone?: string;
  /** Whether other members hold the same data, so that the normalized format omits it. */
  isRedundant?: boolean;
  /** Whether only some responses have it, independent of the record. */
  isConditional?: boolean;
}

/** Pattern of a number sent as text. */
export const DIGITS = '^[0-9]+$';

/** The empty list that PHP writes for an empty map. */
export const EMPTY_LIST = { type: 'array', items: {}, maxItems: 0 } as const;
export const INTEGER = { type: 'integer' } as const;
/** An absolute URL that we build; URLs from stored texts may not be valid URIs. */
export const URL_MEMBER = { type: 'string', format: 'uri' } as const;

type Members = ReadonlyMap<string, MemberOptions>;

const TYPES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [String, 'string'],
  [Boolean, 'boolean'],
  [Number, 'number'],
]);
/** Blanked values by type; values of other types become null. */
const EMPTY_VALUES: Readonly<Record<string, unknown>> = { string: '', array: [] };

// Keyed by prototype; each map includes inherited members.
const MEMBERS_BY_PROTOTYPE = new Map<object, Map<string, MemberOptions>>();

/**
 * Declares a property of a response class as a JSON member. The type of strings, booleans and numbers is inferred;
 * options override those of an inherited member.
 */
export function Member(options: MemberOptions = {}): PropertyDecorator {
  return (prototype, property) => {
    const members =
      MEMBERS_BY_PROTOTYPE.get(prototype) ?? new Map(inheritedMembers(Object.getPrototypeOf(prototype)));
    const type = TYPES.get(Reflect.getMetadata('design:type', prototype, property));
    const name = String(property);
    members.set(name, { ...(type && { type }), ...members.get(name), ...options });
    MEMBERS_BY_PROTOTYPE.set(prototype, members);
  };
}

/** The members of a response class in order of declaration, inherited ones first. */
export function membersOf({ prototype }: Type<object>): Members {
  return inheritedMembers(prototype);
}

function inheritedMembers(prototype: object | null): Members {
  return prototype
    ? (MEMBERS_BY_PROTOTYPE.get(prototype) ?? inheritedMembers(Object.getPrototypeOf(prototype)))
    : new Map();
}

/** Creates a base class with the members of both classes. */
export function withMembers<A extends object, B extends object>(base: Type<A>, more: Type<B>): Type<A & B> {
  const both = class extends (base as Type<object>) {};
  MEMBERS_BY_PROTOTYPE.set(both.prototype, new Map([...membersOf(base), ...membersOf(more)]));
  return both as Type<A & B>;
}

/** The meta keys of a class by member name, in order of declaration. */
export function metaKeysOf<T extends object>(type: Type<T>): Readonly<Record<keyof T & string, string>> {
  const keys = [...membersOf(type)].flatMap(([name, { metaKey }]) =>
    metaKey ? [[name, metaKey] as const] : [],
  );
  return Object.fromEntries(keys) as Record<keyof T & string, string>;
}

/** The blanked value of a member in a locked record; undefined omits it. */
export function blankOf({ type, blank, optional }: MemberOptions): unknown {
  const example = blank ?? (typeof type === 'string' ? EMPTY_VALUES[type] : undefined);
  return structuredClone(example ?? (optional ? undefined : null));
}

/** Blanks all members that are not visible in a locked record (docs/behaviour/visibility.md#passwords). */
export function maskProtected<Json extends object>(type: Type<Json>, json: Json): Json {
  const members = membersOf(type);
  const masked = Object.entries(json).map(([name, value]) => {
    const member = members.get(name) ?? {};
    return [name, member.visibleWhenLocked ? value : blankOf(member)];
  });
  return Object.fromEntries(masked.filter(([, value]) => value !== undefined)) as Json;
}
