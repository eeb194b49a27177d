import 'reflect-metadata';
import type { ArgType } from '../../http/params/rest-arg.js';
import type { Resource } from './resource.js';

/** A field that a plugin adds to the records of a resource, posts or terms; it lies in their meta. */
export interface DeclaredField {
  /** Meta key whose first row holds it. */
  meta: string;
  description: string;
  /** A text, unless said otherwise; flags are stored as `1` and ``. */
  type?: ArgType;
  /** Decorators of class-validator, and of Almanac's own checks, that say what may be sent. */
  checks?: readonly PropertyDecorator[];
  /** Whether a post that is locked by its password goes on showing it; else it is null there. */
  kept?: boolean;
  /** Whether lists take it as a parameter: only records whose field is this. */
  filter?: boolean;
  /** Capability that is needed to see it and to filter by it; without one, whoever sees the record sees it. */
  readableBy?: string;
  /** Capability that is needed to send it; without one, whoever may write the record may. */
  writableBy?: string;
}

/** What records belong to: a post type or a taxonomy. Definitions say it, and so do rows. */
export type Kind = { type: string } | { taxonomy: string };

/** A post type may have the name of a taxonomy. */
export const keyOf = (kind: Kind): string =>
  'taxonomy' in kind ? `taxonomy ${kind.taxonomy}` : `type ${kind.type}`;

/** Fields by name, as they stand in answers and bodies. */
export type DeclaredFields = Readonly<Record<string, DeclaredField>>;

const LIST_OF = 'almanac:list of';
const LISTED_BY = 'almanac:listed by';

/** Says of a class of parameters that they ask for a list of this resource: fields that may be filtered by belong to it. */
export const ListOf =
  (resource: Resource): ClassDecorator =>
  (dto) => {
    Reflect.defineMetadata(LIST_OF, keyOf(resource), dto);
    Reflect.defineMetadata(LISTED_BY, dto, resource);
  };

/** The key of what a class of parameters lists, undefined for other classes. */
export function listedKey(dto: object): string | undefined {
  return Reflect.getMetadata(LIST_OF, dto) as string | undefined;
}

/** The class of parameters that asks for a list of a resource, undefined where there is none. */
export function listOf(resource: Resource): (new () => object) | undefined {
  return Reflect.getMetadata(LISTED_BY, resource) as (new () => object) | undefined;
}
