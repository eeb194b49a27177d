import type { DtoClass } from '../http/params/check-context.js';
import { MAX_ITEMS, MAX_LENGTH } from '../http/params/limits.js';
import { bodyExampleOf, type DeclaredArg, declaredArgs } from '../http/params/rest-arg.js';
import { toProperties } from './document-parts.js';
import { checkedSchemas, merged } from './validated-classes.js';

type Schema = Readonly<Record<string, unknown>>;

/** A parameter with everything that its declaration and checks say. */
export interface DocumentedArg extends DeclaredArg {
  schema: Schema;
}

const FORMATS = { string: 'string', double: 'number' } as const;
const ID_OR_NAME = { type: ['integer', 'string'] };

/** The parameters of a class for `/openapi.json`; those outside the recorded documents come last. */
export function documentedArgs(dto: DtoClass): DocumentedArg[] {
  const checked = checkedSchemas(dto);
  const args = declaredArgs(dto).filter(({ refused }) => !refused);
  return args
    .toSorted((a, b) => rank(a) - rank(b))
    .map((arg) => ({ ...arg, schema: schemaOf(arg, checked[arg.name] ?? {}) }));
}

const rank = ({ isExtension, undeclared }: DeclaredArg) => (undeclared ? 2 : isExtension ? 1 : 0);

/** The parameters of a body; those that shape the response are in the query. */
export const argsInBody = (dto: DtoClass): DocumentedArg[] =>
  documentedArgs(dto).filter(({ name }) => !name.startsWith('_'));

/** The schema of a value, or of a list, which a query may send as comma text. */
function schemaOf(arg: DeclaredArg, checked: Schema): Schema {
  const {
    items,
    type,
    shownType,
    format,
    default: defaultValue,
    maxLength = MAX_LENGTH.word,
    schema = {},
  } = arg;
  if (items) {
    const item = withMaxLength((checked['items'] as Schema | undefined) ?? ID_OR_NAME, maxLength);
    return { type: 'array', ...merged([checked, schema, { maxItems: MAX_ITEMS }]), items: item };
  }
  const known = type ?? checked['type'] ?? shownType ?? (format && FORMATS[format]);
  const own = {
    ...(known !== undefined && { type: known }),
    ...(defaultValue !== undefined && { default: defaultValue }),
  };
  return withMaxLength(merged([own, checked, schema]), maxLength);
}

/** Only strings without an enumeration have a length. */
function withMaxLength(schema: Schema, maxLength: number): Schema {
  const isText = !('enum' in schema) && [schema['type']].flat().includes('string');
  if (isText) return merged([schema, { maxLength }]);
  const { minLength: _min, maxLength: _max, ...rest } = schema;
  return rest;
}

/** The schema of a body, where a list may also be a single item or a comma text; `isCreate` says of a new record. */
export function bodySchema(args: readonly DocumentedArg[], isCreate = false) {
  const required = args
    .filter((arg) => arg.required || (isCreate && arg.requiredOnCreate))
    .map(({ name }) => name);
  return {
    type: 'object',
    properties: toProperties(args, ({ items, schema }) =>
      // An object alone is no list of objects.
      items && items !== 'object' ? { anyOf: [schema, schema['items']] } : schema,
    ),
    ...(required.length > 0 && { required }),
  };
}

/** The media types of a request body; only POST accepts multipart, as in PHP. */
export function requestBody(args: readonly DocumentedArg[], schema: object, dto: DtoClass, method: string) {
  const example = bodyExampleOf(dto);
  const types = ['application/x-www-form-urlencoded', ...(method === 'POST' ? ['multipart/form-data'] : [])];
  return {
    ...(args.some(({ required }) => required) && { required: true }),
    content: {
      'application/json': { schema, ...(example !== undefined && { example }) },
      ...Object.fromEntries(types.map((type) => [type, { schema }])),
    },
  };
}
