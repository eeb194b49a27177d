import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { OWN_NAMESPACE } from '../config/env.js';
import type { DeclaredArg } from '../http/rest-arg.js';
import { ERRORS, INFO, toPathParameter, toProperties, toQueryParameter } from './document-parts.js';
import { pageSchema, schemaRef } from '../resources/json-schema.js';
import type { Resource } from '../resources/resource.js';
import { isCollection, summaryOf } from './route-words.js';
import {
  type Endpoint,
  METHODS,
  pathParameters,
  pathTemplate,
  type Route,
  type RouteTable,
} from './route-table.js';
import { FEEDS_PLACE } from '../http/rest-request.js';
import { describeValidated } from './validated-classes.js';

type Paths = OpenAPIObject['paths'];
/** What Swagger finds out about one method of a path. */
type Found = NonNullable<Paths[string]['get']>;
type Objects = Record<string, object>;

const WRITES = ['POST', 'PUT', 'PATCH'];
/** Begins the names that Swagger makes for operations of which the author names none. */
const NO_NAME = '-';
const SIGNED_IN = [{ basic: [] }, { cookie: [], nonce: [] }];

/** Parameters of every route, by docs/behaviour/parameters.md#shaping-the-answer. */
const COMMON_PARAMETERS = {
  _fields: 'Members to keep, comma-separated; dots lead into objects.',
  _envelope: 'Present: status and headers are sent inside the body.',
  _pretty: 'Present: indented JSON.',
};

/**
 * Everything that is served, as OpenAPI 3.1, but for the security schemes. Swagger says what it finds in all
 * controllers, at any path; the route table what Swagger cannot know of those in the namespaces: the parameters of
 * `@Parameters(Dto)`, and what resources answer. `servers` are where the namespaces answer; `schemas` those
 * that belong to no resource, by name.
 */
export function toOpenApi(
  app: INestApplication,
  table: RouteTable,
  servers: readonly object[],
  schemas: Objects,
) {
  for (const type of table.argumentTypes()) describeValidated(type);
  const ours = { ...schemas, ...listSchemas(table.routes()) };
  const scanned = SwaggerModule.createDocument(
    app,
    { openapi: '3.1.0', info: INFO },
    { autoTagControllers: false, operationIdFactory: () => NO_NAME },
  );
  const { paths, components } = apartFrom(ours, scanned);
  const documented = toPaths(paths, table);
  const operations = Object.values(documented).flatMap((item) => Object.values(item));
  return {
    openapi: '3.1.0',
    info: INFO,
    servers,
    // Of operations that say nothing else.
    security: [{}, ...SIGNED_IN],
    tags: [...new Set(operations.flatMap(({ tags = [] }) => tags))].map((name) => ({ name })),
    paths: documented,
    components: {
      schemas: { ...ours, ...components?.schemas },
      parameters: mapValues(COMMON_PARAMETERS, (description, name) => ({
        name,
        in: 'query',
        description,
        schema: { type: 'string' },
      })),
      responses: mapValues({ ...ERRORS, default: 'Any other refusal.' }, (description) =>
        answer(description, named('schemas', 'Error')),
      ),
    },
  };
}

const mapValues = <T, R>(from: Readonly<Record<string, T>>, make: (value: T, key: string) => R) =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, make(value, key)]));

const named = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const answer = (description: string, schema: object) => ({
  description,
  content: { 'application/json': { schema } },
});

/** What was found; a plugin's class that is named as one of our schemas gets a name that no class can have. */
function apartFrom(ours: object, { paths, components }: OpenAPIObject): OpenAPIObject {
  const apart = (name: string) => (name in ours ? `plugin.${name}` : name);
  const schemas = Object.entries(components?.schemas ?? {}).map(([name, schema]) => [apart(name), schema]);
  const found = JSON.stringify({ paths, components: { schemas: Object.fromEntries(schemas) } });
  return JSON.parse(found, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace(/[^/]+$/, apart) : value,
  );
}

const listName = ({ many }: Resource) => `${many.charAt(0).toUpperCase()}${many.slice(1)}Page`;

function listSchemas(routes: readonly Route[]): Objects {
  const resources = routes.flatMap(({ resource }) => resource ?? []);
  return Object.fromEntries(resources.map((resource) => [listName(resource), pageSchema(resource)]));
}

/** Paths as they follow the servers: of the namespaces without their prefix, others with a server of their own. */
function toPaths(found: Paths, routes: RouteTable) {
  const inside = [...routes.routes(), ...routes.routes(FEEDS_PLACE)];
  const table = new Map(inside.map((route) => [pathTemplate(route), route]));
  const names = new Set<string>();
  const documented: Record<string, Record<string, { tags?: string[] }>> = {};
  for (const [full, item] of Object.entries(found)) {
    const place = [OWN_NAMESPACE, FEEDS_PLACE].find((one) => `${full}/`.startsWith(`/${one}/`));
    const isInside = place !== undefined;
    const path = isInside ? full.slice(place.length + 1) || '/' : full;
    const operations = METHODS.flatMap((method) => {
      const key = method.toLowerCase() as 'get';
      if (!item[key]) return [];
      const operation = toOperation(item[key], path, method, isInside ? table.get(path) : undefined);
      const { operationId: id } = operation;
      // Methods may share a handler, and controllers a name for one.
      const free = [id, `${id}.${key}`, `${method} ${full}`].find((name) => !names.has(name)) ?? id;
      names.add(free);
      return [[key, { ...operation, operationId: free }]];
    });
    if (operations.length === 0) continue;
    // `/./events` leads where `/events` does, which may be a path of the namespaces as well.
    const key = !isInside && table.has(path) ? `/.${path}` : path;
    documented[key] = { ...Object.fromEntries(operations), ...(!isInside && { servers: [{ url: '.' }] }) };
  }
  return documented;
}

/** Routes are grouped by resource; those of plugins by their first segment. */
function tagOf(path: string): string {
  const [, first = ''] = path.split('/');
  return first === '' || first === 'doc' ? 'index' : first;
}

/** What Swagger knows of an operation, what our declarations say instead, what its author says in Swagger's words. */
function toOperation(found: Found, path: string, method: string, route?: Route) {
  const { operationId = NO_NAME, parameters = [], responses, ...rest } = found;
  const endpoint = route?.endpoints.find(({ methods }) => methods.includes(method));
  const own = route && endpoint && toDeclared(route, endpoint, method, responses);
  const inPath = [...path.matchAll(/{(.+?)}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    tags: [tagOf(path)],
    ...own,
    ...said(rest),
    operationId: operationId.startsWith(NO_NAME) ? (own?.operationId ?? `${method} ${path}`) : operationId,
    parameters: firstOfEach([...(own?.parameters ?? []), ...parameters, ...inPath]),
    responses: {
      default: named('responses', 'default'),
      ...(own?.responses ?? mapValues(responses, () => ({ description: 'Done.' }))),
      ...said(responses),
    },
  };
}

/** The members that say something: Swagger leaves empty what nobody told it. */
function said<T extends object>(members: T): Partial<T> {
  const isSaid = (value: unknown) => Object.values(Object(value)).some(Boolean) || value === true;
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isSaid(value))) as Partial<T>;
}

/** The first parameter of each place and name. */
function firstOfEach(parameters: readonly object[]): object[] {
  const keys = parameters.map((parameter) => {
    const { in: place, name, $ref } = parameter as Record<string, string>;
    return $ref ?? `${place} ${name}`;
  });
  return parameters.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

function toDeclared(route: Route, { fields, handler }: Endpoint, method: string, found: Found['responses']) {
  const writes = WRITES.includes(method);
  return {
    summary: summaryOf(route, method, handler),
    operationId: `${tagOf(pathTemplate(route))}.${handler}`,
    ...(method !== 'GET' && { security: SIGNED_IN }),
    parameters: [
      ...pathParameters(route).map(toPathParameter),
      ...(writes ? [] : fields.map((field) => toQueryParameter(field, toQuerySchema(field)))),
      ...Object.keys(COMMON_PARAMETERS).map((name) => named('parameters', name)),
    ],
    ...(writes && fields.length > 0 && { requestBody: toBody(fields, method) }),
    responses: {
      ...Object.fromEntries(errorsOf(route, method).map((status) => [status, named('responses', status)])),
      ...(toAnswer(route, method) ?? mapValues(found, () => answer('Done.', {}))),
    },
  };
}

const toQuerySchema = (field: DeclaredArg) =>
  field.items ? { type: 'array', items: { type: ['integer', 'string'] } } : toSchema(field);

function toBody(fields: readonly DeclaredArg[], method: string) {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: toProperties(fields, toSchema),
    ...(required.length > 0 && { required }),
  };
  const types = ['application/json', 'application/x-www-form-urlencoded'];
  // As in PHP, only POST takes a multipart body.
  if (method === 'POST') types.push('multipart/form-data');
  return {
    ...(required.length > 0 && { required: true }),
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}

const FORMATS = { string: 'string', double: 'number' } as const;
const BODY_ITEMS = ['integer', 'string', 'object'];

/** A field's schema; fields that declare no type take several. */
function toSchema({
  items,
  type,
  shownType,
  format,
  textFormat,
  default: standing,
  enum: words,
}: DeclaredArg): object {
  if (items) return { anyOf: [{ type: 'array', items: { type: BODY_ITEMS } }, { type: BODY_ITEMS }] };
  const known = type ?? shownType ?? (format && FORMATS[format]);
  return {
    ...(known && { type: known }),
    ...(textFormat && { format: textFormat }),
    ...(words && { enum: words }),
    ...(standing !== undefined && { default: standing }),
  };
}

/** What a route of a resource answers if all goes well. */
function toAnswer(route: Route, method: string): Objects | undefined {
  const { resource } = route;
  if (!resource) return undefined;
  const record = answer(`The ${resource.one}.`, schemaRef(resource.json));
  if (!isCollection(route)) return { 200: record };
  if (method === 'POST') return { 201: record };
  const headers = {
    'X-TEC-Total': 'How many records there are.',
    'X-TEC-TotalPages': 'How many pages they fill.',
  };
  return {
    200: {
      ...answer(`A page of ${resource.many}.`, named('schemas', listName(resource))),
      headers: mapValues(headers, (description) => ({ description, schema: { type: 'integer' } })),
    },
  };
}

function errorsOf(route: Route, method: string): string[] {
  const { resource } = route;
  if (!resource) return ['400', '401', '404'];
  const reads = method === 'GET';
  // A term that does not exist is a parameter that is not valid, and a page past the last one is empty.
  if (resource.kind === 'term') return reads ? ['400', '401'] : ['400', '401', '403'];
  if (isCollection(route)) return reads ? ['400', '401', '404'] : ['400', '401', '403'];
  return ['400', '401', '403', '404', ...(method === 'DELETE' ? ['410'] : [])];
}
