import { Injectable } from '@nestjs/common';
import { StartError } from '../../database/start-error.js';
import type { DtoClass, ParameterClasses } from '../../http/params/check-context.js';
import { declaredArgs } from '../../http/params/rest-arg.js';
import {
  type ContentKind,
  type DeclaredField,
  type DeclaredFields,
  kindKey,
  listedKindKey,
  listQueryClass,
} from './declared-field.js';
import { bodyArg, filterArgs } from './field-args.js';
import { declarationError } from './field-declaration.js';
import { describeFields, type FieldDescription } from './field-description.js';
import { hasReferences } from './field-values.js';
import { membersOf } from './member.js';
import type { Resource } from './resource.js';

/** The fields that plugins declare on resources, and the parameter classes extended by them. */
@Injectable()
export class FieldRegistry implements ParameterClasses {
  /** Fields by the key of their kind and by name. */
  private readonly fields = new Map<string, Map<string, DeclaredField>>();
  /** Keys of kinds by the class of a write's parameters. */
  private readonly kindsByBody = new Map<object, string>();
  private readonly extendedClasses = new Map<object, DtoClass>();

  /** Adds fields; throws `StartError` for a name or meta key that is taken. */
  add(resource: Resource, declared: DeclaredFields): void {
    const { body, json, singular } = resource;
    const key = kindKey(resource);
    const fields = this.fields.get(key) ?? new Map<string, DeclaredField>();
    this.fields.set(key, fields);
    this.kindsByBody.set(body, key);
    const responses = 'embedded' in resource && resource.embedded ? [json, resource.embedded] : [json];
    const taken = argNames(body).concat(responses.flatMap((type) => [...membersOf(type).keys()]));
    const list = listQueryClass(resource);
    const filters = list ? argNames(list) : [];
    for (const [name, field] of Object.entries(declared)) {
      const ownFilters = filterNames(name, field);
      const isTaken =
        taken.includes(name) ||
        fields.has(name) ||
        ownFilters.some((filter) => filters.includes(filter) || filtersOf(fields).includes(filter));
      const other = [...fields].find(([, { meta }]) => isSameKey(meta, field.meta))?.[0];
      const fault = isTaken
        ? `the ${singular} already has a member of that name`
        : other === undefined
          ? (declarationError(name, field) ?? (field.filter && !list ? NO_LIST_ERROR : undefined))
          : `${field.meta} already stores ${other}`;
      if (fault !== undefined) throw new StartError(`The field ${name} cannot be declared: ${fault}.`);
      fields.set(name, field);
    }
  }

  /** The declared fields of a resource as data, in their order, for forms. */
  describe(resource: Resource): FieldDescription[] {
    return describeFields(this.declaredOn(resource));
  }

  /** The declared fields of a kind that refer to other records. */
  referencesOn(kind: ContentKind): DeclaredField[] {
    return [...this.declaredOn(kind).values()].filter(hasReferences);
  }

  /** The declared fields of a resource, by name. */
  declaredOn(kind: ContentKind): ReadonlyMap<string, DeclaredField> {
    return this.fields.get(kindKey(kind)) ?? NO_FIELDS;
  }

  of<T extends object>(dto: DtoClass<T>): DtoClass<T> {
    const extended = this.extendedClasses.get(dto) ?? this.extend(dto);
    this.extendedClasses.set(dto, extended);
    return extended as DtoClass<T>;
  }

  private extend(dto: DtoClass): DtoClass {
    const listed = listedKindKey(dto);
    const fields = [...(this.fields.get(listed ?? this.kindOfBody(dto) ?? '') ?? NO_FIELDS)];
    const accepted = fields.filter(([, { filter }]) => listed === undefined || filter);
    if (accepted.length === 0) return dto;
    const extended = class extends dto {};
    Object.defineProperty(extended, 'name', { value: dto.name });
    for (const [name, field] of accepted)
      if (listed === undefined) bodyArg(field)(extended.prototype, name);
      else for (const [filter, arg] of filterArgs(name, field)) arg(extended.prototype, filter);
    return extended;
  }

  private kindOfBody(dto: object): string | undefined {
    for (let one: object | null = dto; one; one = Object.getPrototypeOf(one)) {
      const key = this.kindsByBody.get(one);
      if (key !== undefined) return key;
    }
    return undefined;
  }
}

/** The parameters of lists that filter by a field. */
export const filterNames = (name: string, { filter }: DeclaredField): string[] => [
  ...(filter ? [name] : []),
  ...(filter === 'range' ? [`min_${name}`, `max_${name}`] : []),
];

const filtersOf = (fields: ReadonlyMap<string, DeclaredField>): string[] =>
  [...fields].flatMap(([name, field]) => filterNames(name, field));

const NO_LIST_ERROR = 'filter needs a class of list parameters with @ListOf of the resource';

/** Databases compare keys case-insensitively. */
const isSameKey = (one: unknown, other: unknown) => String(one).toLowerCase() === String(other).toLowerCase();

const NO_FIELDS: ReadonlyMap<string, DeclaredField> = new Map();

const argNames = (dto: DtoClass): string[] => declaredArgs(dto).map(({ name }) => name);
