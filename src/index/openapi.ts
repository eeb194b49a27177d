import type { ArgType, DeclaredArg } from '../http/rest-arg.js';
import type { Resource } from '../resources/resource.js';
import { isCollection, summaryOf } from './route-words.js';
import { type Endpoint, pathParameters, pathTemplate, type Route } from './route-table.js';
import { listSchema, SCHEMAS } from './schemas.js';

/** What the document says of the server that it is of. */
export interface DocumentedServer {
  /** Where the namespaces answer; the first one is asked unless another is chosen. */
  addresses: readonly { url: string; description: string }[];
  /** Name of the site's login cookie. */
  cookie: string;
}

const WRITES = ['POST', 'PUT', 'PATCH'];
const ERRORS: Readonly<Record<string, string>> = {
  400: 'A parameter is missing or not valid, or names no record.',
  401: 'Wrong credentials, or none where some are needed.',
  403: 'The caller may not do this.',
  404: 'There is no such page or record.',
  410: 'The record is in the trash already.',
};
const OTHER_ERROR = 'Any other refusal.';

/** Parameters of every route, by docs/behaviour/parameters.md#shaping-the-answer. */
const COMMON_PARAMETERS = {
  _fields: 'Members to keep, comma-separated; dots lead into objects.',
  _envelope: 'Present: status and headers are sent inside the body.',
  _pretty: 'Present: indented JSON.',
};

/** Everything that is served, as OpenAPI 3.1: made from the controllers and from their DTO classes. */
export function toOpenApi(routes: readonly Route[], server: DocumentedServer): Record<string, unknown> {
  const documented = routes.map((route) => [pathTemplate(route), toPathItem(route)] as const);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Calendar REST interface',
      version: '1.0.0',
      description: 'Events, venues, organizers, categories and tags of a calendar.',
    },
    servers: server.addresses,
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths: Object.fromEntries(documented),
    components: {
      schemas: { ...SCHEMAS, ...listSchemas(routes) },
      parameters: mapValues(COMMON_PARAMETERS, (description, name) => ({
        name,
        in: 'query',
        description,
        schema: { type: 'string' },
      })),
      responses: {
        ...mapValues(ERRORS, toErrorResponse),
        default: toErrorResponse(OTHER_ERROR),
      },
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'User name and an application password.' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: server.cookie,
          description: "WordPress's login cookie.",
        },
        nonce: { type: 'apiKey', in: 'header', name: 'X-WP-Nonce', description: 'Goes with the cookie.' },
      },
    },
  };
}

const mapValues = <T, R>(from: Readonly<Record<string, T>>, make: (value: T, key: string) => R) =>
  Object.fromEntries(Object.entries(from).map(([key, value]) => [key, make(value, key)]));

const named = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const json = (schema: unknown) => ({ 'application/json': { schema } });

const toErrorResponse = (description: string) => ({ description, content: json(named('schemas', 'Error')) });

/** Routes are grouped by resource; those of plugins by their first segment. */
function tagOf(route: Route): string {
  const [first = 'doc'] = route.segments;
  return first === 'doc' ? 'index' : String(first);
}

const listName = ({ many }: Resource) => `${many.charAt(0).toUpperCase()}${many.slice(1)}Page`;

function listSchemas(routes: readonly Route[]): Record<string, unknown> {
  const resources = new Set(routes.map(({ resource }) => resource));
  return Object.fromEntries(
    [...resources].flatMap((resource) =>
      resource ? [[listName(resource), listSchema(resource.many, resource.schema)]] : [],
    ),
  );
}

function toPathItem(route: Route): Record<string, unknown> {
  return Object.fromEntries(
    route.endpoints.flatMap((endpoint) =>
      endpoint.methods.map((method) => [method.toLowerCase(), toOperation(route, endpoint, method)]),
    ),
  );
}

function toOperation(route: Route, endpoint: Endpoint, method: string): Record<string, unknown> {
  const { fields, handler } = endpoint;
  const writes = WRITES.includes(method);
  const signedIn = [{ basic: [] }, { cookie: [], nonce: [] }];
  const summary = summaryOf(route, method, handler);
  return {
    tags: [tagOf(route)],
    summary,
    // Methods that share a handler need names of their own.
    operationId: [
      tagOf(route),
      handler,
      ...(endpoint.methods[0] === method ? [] : [method.toLowerCase()]),
    ].join('.'),
    security: method === 'GET' ? [{}, ...signedIn] : signedIn,
    parameters: [
      ...pathParameters(route).map(({ name, type }) => ({
        name,
        in: 'path',
        required: true,
        schema: { type },
      })),
      ...(writes ? [] : fields.map(toQueryParameter)),
      ...Object.keys(COMMON_PARAMETERS).map((name) => named('parameters', name)),
    ],
    ...(writes && fields.length > 0 && { requestBody: toBody(fields, method) }),
    responses: {
      ...toSuccess(route, method),
      ...Object.fromEntries(errorsOf(route, method).map((status) => [status, named('responses', status)])),
      default: named('responses', 'default'),
    },
  };
}

function toQueryParameter(field: DeclaredArg): Record<string, unknown> {
  const { name, description, required, items } = field;
  return {
    name,
    in: 'query',
    description,
    ...(required && { required }),
    schema: items ? { type: 'array', items: { type: ['integer', 'string'] } } : toSchema(field),
    // Lists are one text with commas.
    ...(items && { style: 'form', explode: false }),
  };
}

function toBody(fields: readonly DeclaredArg[], method: string): Record<string, unknown> {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [field.name, { ...toSchema(field), description: field.description }]),
    ),
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
function toSchema(field: DeclaredArg): Record<string, unknown> {
  const { items, type, shownType, format } = field;
  const standing = 'default' in field && field.default !== undefined ? { default: field.default } : {};
  if (items) return { anyOf: [{ type: 'array', items: { type: BODY_ITEMS } }, { type: BODY_ITEMS }] };
  const known: ArgType | 'number' | undefined = type ?? shownType ?? (format && FORMATS[format]);
  return { ...(known && { type: known }), ...standing };
}

function toSuccess(route: Route, method: string): Record<string, unknown> {
  const { resource } = route;
  if (!resource) return { 200: { description: 'Done.', content: json({}) } };
  const record = json(named('schemas', resource.schema));
  if (!isCollection(route)) return { 200: { description: `The ${resource.one}.`, content: record } };
  if (method === 'POST') return { 201: { description: `The ${resource.one}.`, content: record } };
  return {
    200: {
      description: `A page of ${resource.many}.`,
      headers: mapValues(
        { 'X-TEC-Total': 'How many records there are.', 'X-TEC-TotalPages': 'How many pages they fill.' },
        (description) => ({ description, schema: { type: 'integer' } }),
      ),
      content: json(named('schemas', listName(resource))),
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
