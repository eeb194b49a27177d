import 'reflect-metadata';
import type { Resource } from './resource.js';

/** Types of fields, and of the values in objects and lists. */
export const FIELD_TYPES = [
  'string',
  'integer',
  'number',
  'boolean',
  'date',
  'enum',
  'reference',
  'object',
  'list',
] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

/** What a value is: that of a field, a member of an object or an item of a list. */
export interface DeclaredValue {
  /** `string` by default. */
  type?: FieldType;
  /** Label for people, such as that of a form's input. */
  title?: string;
  description?: string;
  /** Decorators of class-validator and of Almanac's own checks that validate the input. */
  checks?: readonly PropertyDecorator[];
  /** The values of an `enum`. */
  values?: readonly string[];
  /** IANA zone whose clock a `date` is stored and shown in; the site's zone by default. */
  zone?: string;
  /** The resource whose records a `reference` names. */
  to?: Resource;
  /** The members of an `object`. */
  properties?: Readonly<Record<string, DeclaredMember>>;
  /** The items of a `list`. */
  items?: DeclaredValue;
  /** Maximum number of items of a `list`; 100 by default. */
  maxItems?: number;
}

/** A member of an object. */
export interface DeclaredMember extends DeclaredValue {
  /** Whether each object must have it. */
  required?: boolean;
}

/** A field that a plugin adds to the records of a resource, posts or terms; meta rows store it. */
export interface DeclaredField extends DeclaredValue {
  /** Meta key whose first row holds it; a list has a row per item. */
  meta: string;
  description: string;
  /** Position among the fields of a form, lowest first; by default that of the declaration. */
  order?: number;
  /** Whether a password-locked post still shows it; otherwise it is null there. */
  visibleWhenLocked?: boolean;
  /** Whether lists accept it as a filter parameter; `range` adds `min_` and `max_` parameters. */
  filter?: boolean | 'range';
  /** Whether new records need it, and updates must not remove it. */
  required?: boolean;
  /** Shown where nothing is stored; never stored itself. */
  default?: string | number | boolean;
  /** Whether no two records of the resource may have the same value; those in the trash do not count. */
  unique?: boolean;
  /** Capability needed to see the field and to filter by it; without one, anyone who sees the record sees it. */
  readableBy?: string;
  /** Capability needed to write the field; without one, anyone who may write the record may. */
  writableBy?: string;
}

/** The post type or taxonomy that records belong to; definitions and rows both have one of these members. */
export type ContentKind = { type: string } | { taxonomy: string };

/** The post type or taxonomy of a kind. */
export const recordTypeOf = (kind: ContentKind): string => ('taxonomy' in kind ? kind.taxonomy : kind.type);

/** A key that differs between a post type and a taxonomy of the same name. */
export const kindKey = (kind: ContentKind): string =>
  'taxonomy' in kind ? `taxonomy ${kind.taxonomy}` : `type ${kind.type}`;

/** Fields by their names in responses and request bodies. */
export type DeclaredFields = Readonly<Record<string, DeclaredField>>;

/** Types fields precisely, for `FieldsOf` and `FieldsJson`: `const fields = defineFields({ dress_code: … })`. */
export const defineFields = <const Fields extends DeclaredFields>(fields: Fields): Fields => fields;

/** The TypeScript type of a declared value; an unset member of an object is null, and may be absent from input. */
type ValueOf<V, IsInput extends boolean> = V extends { type: 'enum'; values: readonly (infer Value)[] }
  ? Value
  : V extends { type: 'object'; properties: infer Members }
    ? IsInput extends true
      ? { [Name in keyof Members]?: ValueOf<Members[Name], true> | null }
      : { [Name in keyof Members]: ValueOf<Members[Name], false> | null }
    : V extends { type: 'list'; items: infer Item }
      ? ValueOf<Item, IsInput>[]
      : V extends { type: 'integer' | 'number' | 'reference' }
        ? number
        : V extends { type: 'boolean' }
          ? boolean
          : string;

/** The fields as hooks and services receive them; undefined was not sent, null removes the value. */
export type FieldsOf<Fields> = { [Name in keyof Fields]?: ValueOf<Fields[Name], true> | null };

/** The fields in responses. */
export type FieldsJson<Fields> = { [Name in keyof Fields]: ValueOf<Fields[Name], false> | null };

const LISTED_KIND = 'almanac:list of';
const LIST_QUERY = 'almanac:listed by';

/** Marks a class of parameters as the list query of a resource, so that its filterable fields are added to it. */
export const ListOf =
  (resource: Resource): ClassDecorator =>
  (dto) => {
    Reflect.defineMetadata(LISTED_KIND, kindKey(resource), dto);
    Reflect.defineMetadata(LIST_QUERY, dto, resource);
  };

/** The kind key of the resource that a class of parameters lists, undefined for other classes. */
export function listedKindKey(dto: object): string | undefined {
  return Reflect.getMetadata(LISTED_KIND, dto) as string | undefined;
}

/** The list query class of a resource, undefined if it has none. */
export function listQueryClass(resource: Resource): (new () => object) | undefined {
  return Reflect.getMetadata(LIST_QUERY, resource) as (new () => object) | undefined;
}
