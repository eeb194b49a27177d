import 'reflect-metadata';
import type { ArgType } from '../../http/params/rest-arg.js';
import type { Resource } from './resource.js';

/** A field that a plugin adds to the records of a resource, posts or terms; a meta row stores it. */
export interface DeclaredField {
  /** Meta key whose first row holds it. */
  meta: string;
  description: string;
  /** `string` by default; a boolean is stored as `1` or ``. */
  type?: ArgType;
  /** Decorators of class-validator and of Almanac's own checks that validate the input. */
  checks?: readonly PropertyDecorator[];
  /** Whether a password-locked post still shows it; otherwise it is null there. */
  visibleWhenLocked?: boolean;
  /** Whether lists accept it as a filter parameter. */
  filter?: boolean;
  /** Capability needed to see the field and to filter by it; without one, anyone who sees the record sees it. */
  readableBy?: string;
  /** Capability needed to write the field; without one, anyone who may write the record may. */
  writableBy?: string;
}

/** The post type or taxonomy that records belong to; definitions and rows both have one of these members. */
export type ContentKind = { type: string } | { taxonomy: string };

/** A key that differs between a post type and a taxonomy of the same name. */
export const kindKey = (kind: ContentKind): string =>
  'taxonomy' in kind ? `taxonomy ${kind.taxonomy}` : `type ${kind.type}`;

/** Fields by their names in responses and request bodies. */
export type DeclaredFields = Readonly<Record<string, DeclaredField>>;

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
