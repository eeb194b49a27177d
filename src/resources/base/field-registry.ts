import { Injectable } from '@nestjs/common';
import { StartError } from '../../database/start-error.js';
import type { ParameterClasses } from '../../http/params/parameter-classes.js';
import { declaredArgs, RestArg, applyDecorators } from '../../http/params/rest-arg.js';
import {
  type DeclaredField,
  type DeclaredFields,
  type Kind,
  keyOf,
  listedKey,
  listOf,
} from './declared-field.js';
import { membersOf } from './member.js';
import type { Resource } from './resource.js';

type DtoClass<T extends object> = new () => T;

/** The fields that plugins of this application declare on resources, and the parameters that come of them. */
@Injectable()
export class FieldRegistry implements ParameterClasses {
  private readonly fields = new Map<string, Map<string, DeclaredField>>();
  private readonly bodies = new Map<object, string>();
  private readonly made = new Map<object, DtoClass<object>>();

  /** Adds fields; throws `StartError` for a name that the resource has already. */
  add(resource: Resource, declared: DeclaredFields): void {
    const { body, json, one } = resource;
    const key = keyOf(resource);
    const fields = this.fields.get(key) ?? new Map<string, DeclaredField>();
    this.fields.set(key, fields);
    this.bodies.set(body, key);
    const shown = 'embedded' in resource && resource.embedded ? [json, resource.embedded] : [json];
    const taken = namesIn(body).concat(shown.flatMap((type) => [...membersOf(type).keys()]));
    const list = listOf(resource);
    const filters = list ? namesIn(list) : [];
    for (const [name, field] of Object.entries(declared)) {
      const isTaken = taken.includes(name) || fields.has(name) || (field.filter && filters.includes(name));
      const other = [...fields].find(([, { meta }]) => isSameKey(meta, field.meta))?.[0];
      const fault = isTaken
        ? `the ${one} has it already`
        : other === undefined
          ? (faultOf(name, field) ?? (field.filter && !list ? NO_LIST : undefined))
          : `${other} lies in ${field.meta} already`;
      if (fault !== undefined) throw new StartError(`The field ${name} can not be declared: ${fault}.`);
      fields.set(name, field);
    }
  }

  /** What plugins declare on a resource, by name. */
  declaredOn(kind: Kind): ReadonlyMap<string, DeclaredField> {
    return this.fields.get(keyOf(kind)) ?? NONE;
  }

  of<T extends object>(dto: DtoClass<T>): DtoClass<T> {
    const made = this.made.get(dto) ?? this.extended(dto);
    this.made.set(dto, made);
    return made as DtoClass<T>;
  }

  private extended(dto: DtoClass<object>): DtoClass<object> {
    const listed = listedKey(dto);
    const fields = [...(this.fields.get(listed ?? this.writtenKey(dto) ?? '') ?? NONE)];
    const taken = fields.filter(([, { filter }]) => listed === undefined || filter);
    if (taken.length === 0) return dto;
    const extended = class extends dto {};
    Object.defineProperty(extended, 'name', { value: dto.name });
    // What is shown as null where nothing is stored may be sent back.
    const nullable = listed === undefined;
    for (const [name, { type = 'string', description, checks = [] }] of taken) {
      const schema = nullable ? { type: [type, 'null'] } : {};
      applyDecorators(RestArg({ type, description, nullable, schema }), ...checks)(extended.prototype, name);
    }
    return extended;
  }

  private writtenKey(dto: object): string | undefined {
    for (let one: object | null = dto; one; one = Object.getPrototypeOf(one)) {
      const key = this.bodies.get(one);
      if (key !== undefined) return key;
    }
    return undefined;
  }
}

/** What is wrong with a declaration that no type of TypeScript held back. */
function faultOf(name: string, field: DeclaredField): string | undefined {
  const { meta, description, type = 'string', checks = [], readableBy = '', writableBy = '' } = field;
  if (!/^[a-z]\w*$/.test(name) || name in {}) return 'it is no name';
  if (typeof meta !== 'string' || meta === '') return 'it names no meta key';
  if (!META_KEY.test(meta))
    return 'its meta key is none: up to 255 characters of ASCII, without blanks around them';
  if (RESERVED.test(meta)) return `${meta} is a key that the calendar or WordPress writes itself`;
  if (typeof description !== 'string') return 'it has no description';
  if (!['string', 'integer', 'boolean'].includes(type)) return `${type} is no type of fields`;
  if (!Array.isArray(checks) || checks.some((one) => typeof one !== 'function'))
    return 'its checks are no decorators';
  if (typeof readableBy !== 'string' || typeof writableBy !== 'string')
    return 'readableBy and writableBy are names of capabilities';
  if (field.filter && field.type === undefined)
    return 'a filter needs a type, by which lists compare: string, integer or boolean';
  const unknown = Object.keys(field).find((member) => !MEMBERS.has(member));
  return unknown && `nothing is known of ${unknown}`;
}

const NO_LIST = 'no class of parameters has @ListOf of its resource, so no list would take it as a filter';

/** What a column of keys holds, and tells apart whatever its collation. */
const META_KEY = /^(?! )[ -~]{1,255}(?<! )$/;

/** Keys beside which the calendar and WordPress keep other rows, which would not follow. */
const RESERVED =
  /^_(?:event|venue|organizer|wp_|edit_|thumbnail_id$|tribe_(?:events_|featured$|modified_fields$|aggregator_|ignored_|importer_))/i;

/** Databases compare keys without letter case. */
const isSameKey = (one: unknown, other: unknown) => String(one).toLowerCase() === String(other).toLowerCase();

const MEMBERS = new Set([
  'meta',
  'description',
  'type',
  'checks',
  'kept',
  'filter',
  'readableBy',
  'writableBy',
]);

const NONE: ReadonlyMap<string, DeclaredField> = new Map();

const namesIn = (dto: DtoClass<object>): string[] => declaredArgs(dto).map(({ name }) => name);
