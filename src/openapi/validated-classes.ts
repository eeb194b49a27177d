import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, DECORATORS } from '@nestjs/swagger';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { CheckSchema } from '../http/params/make-check.js';

type Check = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Class = new () => Record<string, unknown>;

type Schema = Readonly<Record<string, unknown>>;

const format = (name: string) => () => ({ type: 'string', format: name });

/** A URL without a scheme is not a URI. */
const url = (options?: { require_protocol?: boolean }) =>
  options?.require_protocol ? format('uri')() : { type: 'string' };

/** JSON Schema of class-validator's decorators by their names. */
const SCHEMAS: Readonly<Record<string, (...constraints: never[]) => Schema>> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isNumber: () => ({ type: 'number' }),
  isInt: () => ({ type: 'integer' }),
  isObject: () => ({ type: 'object' }),
  isEmail: format('email'),
  isUrl: url,
  isUuid: format('uuid'),
  isDateString: format('date-time'),
  isIn: (values: unknown[]) => ({ enum: values }),
  isEnum: (_: object, values: unknown[]) => ({ enum: values }),
  matches: (pattern: RegExp) => ({ pattern: pattern.source }),
  min: (minimum: number) => ({ minimum }),
  max: (maximum: number) => ({ maximum }),
  minLength: (minLength: number) => ({ minLength }),
  maxLength: (maxLength: number) => ({ maxLength }),
  isLength: (minLength: number, maxLength?: number) => ({ minLength, maxLength }),
  arrayMinSize: (minItems: number) => ({ minItems }),
  arrayMaxSize: (maxItems: number) => ({ maxItems }),
};

/** Describes the validated properties of a class to Swagger, except those with an `@ApiProperty`. */
export function describeValidated(type: unknown): void {
  if (typeof type !== 'function') return;
  const { prototype } = type;
  for (const [name, checks] of Object.entries(checksOf(type as Class))) {
    if (Reflect.hasMetadata(DECORATORS.API_MODEL_PROPERTIES, prototype, name)) continue;
    const known: unknown = Reflect.getMetadata('design:type', prototype, name) ?? Object;
    const isArray = known === Array || checks.some((check) => check.each || check.name === 'isArray');
    const nested = checks.some((check) => check.type === 'nestedValidation')
      ? nestedClass(type as Class, name, isArray)
      : undefined;
    ApiProperty({
      required: !checks.some((check) => check.name === 'isOptional'),
      ...(nested
        ? { type: () => nested, isArray }
        : {
            type: known,
            ...(isArray && { type: 'array', items: schemaOf(checks, true) }),
            ...schemaOf(checks),
          }),
    } as ApiPropertyOptions)(prototype, name);
    describeValidated(nested);
  }
}

/** The schemas of a class's checks by property. */
export function checkedSchemas(type: Type<object>): Readonly<Record<string, Schema>> {
  const properties = Object.entries(checksOf(type)).map(([name, checks]) => [name, schemaOf(checks)]);
  return Object.fromEntries(properties);
}

function checksOf(type: Type<object>): Record<string, Check[]> {
  const storage = getMetadataStorage();
  return storage.groupByPropertyName(storage.getTargetValidationMetadatas(type, '', true, false));
}

/** Merges schemas: of two limits the narrower wins, otherwise the last value. */
export function merged(schemas: readonly Schema[]): Schema {
  const all: Record<string, unknown> = {};
  for (const [key, value] of schemas.flatMap((schema) => Object.entries(schema))) {
    const limits = [all[key], value].filter((limit) => typeof limit === 'number');
    const isNarrowed = limits.length === 2 && /^(max|min)/.test(key);
    all[key] = isNarrowed ? Math[key.startsWith('max') ? 'min' : 'max'](...limits) : value;
  }
  return all;
}

const schemaOf = (checks: Check[], each = false): Schema =>
  merged(checks.filter((check) => Boolean(check.each) === each).map(saidBy));

function saidBy({ name = '', constraints = [] }: Check): Schema {
  const own = constraints.find((constraint) => constraint instanceof CheckSchema);
  return own?.schema ?? SCHEMAS[name]?.(...(constraints as never[])) ?? {};
}

/** The class of a nested value, found by instantiation because only class-transformer knows `@Type()`. */
function nestedClass(type: Class, name: string, isArray: boolean): unknown {
  const instance = plainToInstance(type, { [name]: isArray ? [{}] : {} })[name];
  const nested = Object([instance].flat()[0]).constructor;
  return nested === Object && !isArray ? Reflect.getMetadata('design:type', type.prototype, name) : nested;
}
