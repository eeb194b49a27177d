import { Injectable } from '@nestjs/common';
import { StartError } from '../../database/start-error.js';
import type { DtoClass, ParameterClasses } from '../../http/params/check-context.js';
import { declaredArgs, RestArg } from '../../http/params/rest-arg.js';
import {
  type ContentKind,
  type DeclaredField,
  type DeclaredFields,
  kindKey,
  listedKindKey,
  listQueryClass,
} from './declared-field.js';
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
      const isTaken = taken.includes(name) || fields.has(name) || (field.filter && filters.includes(name));
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
    // A field without a value is null in responses, so clients may send null back.
    const nullable = listed === undefined;
    for (const [name, { type = 'string', description, checks = [] }] of accepted) {
      const schema = nullable ? { type: [type, 'null'] } : {};
      RestArg({ type, description, nullable, schema }, ...checks)(extended.prototype, name);
    }
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

/** Describes what is wrong with a declaration that TypeScript could not check. */
function declarationError(name: string, field: DeclaredField): string | undefined {
  const { meta, description, type = 'string', checks = [], readableBy = '', writableBy = '' } = field;
  if (!/^[a-z]\w*$/.test(name) || name in {})
    return 'a name begins with a small letter and holds letters, digits and _';
  if (typeof meta !== 'string' || meta === '') return 'meta must name a meta key';
  if (!META_KEY.test(meta)) return 'meta must be 1 to 255 characters of ASCII without blanks around them';
  if (RESERVED.test(meta)) return `${meta} is a key that the calendar or WordPress writes itself`;
  if (typeof description !== 'string') return 'it has no description';
  if (!['string', 'integer', 'boolean'].includes(type))
    return `type must be string, integer or boolean, not ${type}`;
  if (!Array.isArray(checks) || checks.some((one) => typeof one !== 'function'))
    return 'checks must be a list of decorators';
  if (typeof readableBy !== 'string' || typeof writableBy !== 'string')
    return 'readableBy and writableBy must be names of capabilities';
  if (field.filter && field.type === undefined) return 'filter needs a type: string, integer or boolean';
  const unknown = Object.keys(field).find((member) => !MEMBERS.has(member));
  return unknown && `the option ${unknown} is unknown`;
}

const NO_LIST_ERROR = 'filter needs a class of list parameters with @ListOf of the resource';

/** Keys that every collation of the column stores and tells apart. */
const META_KEY = /^(?! )[ -~]{1,255}(?<! )$/;

/** Keys that the calendar or WordPress writes itself. */
const RESERVED =
  /^_(?:event|venue|organizer|wp_|edit_|thumbnail_id$|tribe_(?:events_|featured$|modified_fields$|aggregator_|ignored_|importer_))/i;

/** Databases compare keys case-insensitively. */
const isSameKey = (one: unknown, other: unknown) => String(one).toLowerCase() === String(other).toLowerCase();

const MEMBERS = new Set([
  'meta',
  'description',
  'type',
  'checks',
  'visibleWhenLocked',
  'filter',
  'readableBy',
  'writableBy',
]);

const NO_FIELDS: ReadonlyMap<string, DeclaredField> = new Map();

const argNames = (dto: DtoClass): string[] => declaredArgs(dto).map(({ name }) => name);
