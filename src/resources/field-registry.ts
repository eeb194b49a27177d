import { Injectable } from '@nestjs/common';
import { StartError } from '../database/start-error.js';
import type { ParameterClasses } from '../http/parameter-classes.js';
import { declaredArgs, RestArg, stacked } from '../http/rest-arg.js';
import { type DeclaredField, type DeclaredFields, listedType } from './declared-field.js';
import { membersOf } from './member.js';
import type { PostResource } from './resource.js';

type DtoClass<T extends object> = new () => T;

/** The fields that plugins of this application declare on resources, and the parameters that come of them. */
@Injectable()
export class FieldRegistry implements ParameterClasses {
  private readonly fields = new Map<string, Map<string, DeclaredField>>();
  private readonly bodies = new Map<object, string>();
  private readonly made = new Map<object, DtoClass<object>>();

  /** Adds fields; throws `StartError` for a name that the resource has already. */
  add({ type, body, json, one }: PostResource, declared: DeclaredFields): void {
    const fields = this.fields.get(type) ?? new Map<string, DeclaredField>();
    this.fields.set(type, fields);
    this.bodies.set(body, type);
    const taken = new Set([...declaredArgs(body).map(({ name }) => name), ...membersOf(json).keys()]);
    for (const [name, field] of Object.entries(declared)) {
      if (taken.has(name) || fields.has(name) || !/^[a-z]\w*$/.test(name))
        throw new StartError(
          `The field ${name} can not be declared: a ${one} has it already, or it is no name.`,
        );
      fields.set(name, field);
    }
  }

  /** What plugins declare on a resource, by name. */
  declaredOn({ type }: Pick<PostResource, 'type'>): ReadonlyMap<string, DeclaredField> {
    return this.fields.get(type) ?? NONE;
  }

  of<T extends object>(dto: DtoClass<T>): DtoClass<T> {
    const made = this.made.get(dto) ?? this.extended(dto);
    this.made.set(dto, made);
    return made as DtoClass<T>;
  }

  private extended(dto: DtoClass<object>): DtoClass<object> {
    const listed = listedType(dto);
    const fields = [...(this.fields.get(listed ?? this.writtenType(dto) ?? '') ?? NONE)];
    const taken = fields.filter(([, { filter }]) => listed === undefined || filter);
    if (taken.length === 0) return dto;
    const extended = class extends dto {};
    Object.defineProperty(extended, 'name', { value: dto.name });
    for (const [name, { type = 'string', description, checks = [] }] of taken)
      stacked(RestArg({ type, description }), ...checks)(extended.prototype, name);
    return extended;
  }

  private writtenType(dto: object): string | undefined {
    for (let one: object | null = dto; one; one = Object.getPrototypeOf(one)) {
      const type = this.bodies.get(one);
      if (type !== undefined) return type;
    }
    return undefined;
  }
}

const NONE: ReadonlyMap<string, DeclaredField> = new Map();
