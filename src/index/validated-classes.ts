import { ApiProperty, type ApiPropertyOptions, DECORATORS } from '@nestjs/swagger';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';

type Check = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Class = new () => Record<string, unknown>;

const format = (name: string) => () => ({ type: 'string', format: name });

/** What class-validator's decorators say of a value, in JSON Schema; by the names that it gives them. */
const SCHEMAS: Readonly<Record<string, (...constraints: never[]) => object>> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isNumber: () => ({ type: 'number' }),
  isInt: () => ({ type: 'integer' }),
  isObject: () => ({ type: 'object' }),
  isEmail: format('email'),
  isUrl: format('uri'),
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

/** Tells Swagger of the properties of a class that class-validator checks, but for those that have an `@ApiProperty`. */
export function describeValidated(type: unknown): void {
  if (typeof type !== 'function') return;
  const { prototype } = type;
  const storage = getMetadataStorage();
  const checked = storage.groupByPropertyName(storage.getTargetValidationMetadatas(type, '', true, false));
  for (const [name, checks] of Object.entries(checked)) {
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

const schemaOf = (checks: Check[], each = false): object =>
  Object.assign(
    {},
    ...checks
      .filter((check) => Boolean(check.each) === each)
      .map(({ name = '', constraints }) => SCHEMAS[name]?.(...((constraints ?? []) as never[]))),
  );

/** The class of a nested value: only class-transformer knows what `@Type()` says, so it makes one. */
function nestedClass(type: Class, name: string, isArray: boolean): unknown {
  const made = plainToInstance(type, { [name]: isArray ? [{}] : {} })[name];
  const nested = Object([made].flat()[0]).constructor;
  return nested === Object && !isArray ? Reflect.getMetadata('design:type', type.prototype, name) : nested;
}
