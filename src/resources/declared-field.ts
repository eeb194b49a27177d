import { SetMetadata } from '@nestjs/common';
import type { ArgType } from '../http/rest-arg.js';
import type { PostResource } from './resource.js';

/** A field that a plugin adds to the records of a resource; it lies in their meta. */
export interface DeclaredField {
  /** Meta key whose first row holds it. */
  meta: string;
  description: string;
  /** A text, unless said otherwise; flags are stored as `1` and ``. */
  type?: ArgType;
  /** Decorators of class-validator, and of Almanac's own checks, that say what may be sent. */
  checks?: readonly PropertyDecorator[];
  /** Whether a record that is locked by its password goes on showing it; else it is null there. */
  kept?: boolean;
  /** Whether lists take it as a parameter: only records whose field is this. */
  filter?: boolean;
  /** Capability that is needed to see it and to filter by it; without one, whoever sees the record sees it. */
  readableBy?: string;
  /** Capability that is needed to send it; without one, whoever may write the record may. */
  writableBy?: string;
}

/** Fields by name, as they stand in answers and bodies. */
export type DeclaredFields = Readonly<Record<string, DeclaredField>>;

const LIST_OF = 'almanac:list of';

/** Says of a class of parameters that they ask for a list of this resource: fields that may be filtered by belong to it. */
export const ListOf = (resource: Pick<PostResource, 'type'>) => SetMetadata(LIST_OF, resource.type);

/** The post type that a class of parameters lists, undefined for other classes. */
export function listedType(dto: object): string | undefined {
  return Reflect.getMetadata(LIST_OF, dto) as string | undefined;
}
