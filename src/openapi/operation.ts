import { mapValues } from '../common/map-values.js';
import { pageSchema, pascalCase, schemaRef } from '../resources/base/json-schema.js';
import { normalizedRef } from '../resources/base/normalized-schema.js';
import type { Resource } from '../resources/base/resource.js';
import { toPathParameter, toQueryParameter } from './document-parts.js';
import { argsInBody, bodySchema, type DocumentedArg, documentedArgs, requestBody } from './field-schemas.js';
import { type Endpoint, pathParameters, type Route } from './route-table.js';
import { isCollection, isOfWebhooks, operationIdOf, rightsOf, summaryOf } from './route-words.js';
import { ETAG, writeErrorsOf, writeHeadersOf } from './safe-writes.js';

type Objects = Record<string, object>;

const WRITES = ['POST', 'PUT', 'PATCH'];

/** Parameters of every route (docs/behaviour/parameters.md#shaping-the-response). */
export const COMMON_PARAMETERS = mapValues(
  {
    _fields: 'Members to keep, comma-separated; dots lead into objects.',
    _envelope: 'Present: status and headers are sent inside the body.',
    _pretty: 'Present: indented JSON.',
  },
  (description, name) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string', ...(name !== '_fields' && { enum: ['1'] }) },
  }),
);

export const named = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

const listName = ({ plural }: Resource) => `${plural.charAt(0).toUpperCase()}${plural.slice(1)}Page`;

/** The schemas of a list page by name, in the ordinary and the normalized format. */
export const listSchemas = (resource: Resource): Objects => ({
  [listName(resource)]: pageSchema(resource, schemaRef(resource.json)),
  [`Clean${listName(resource)}`]: pageSchema(resource, normalizedRef(resource.json)),
});

/** The schema name of the body of a resource or webhook: `CreateEvent`, `UpdateEvent`, `UpdateEventBySlug`. */
export function nameOfBody(route: Route, handler: string): string | undefined {
  if (isOfWebhooks(route)) return pascalCase(handler);
  return route.resource && pascalCase(operationIdOf(route, 'POST', handler));
}

/** Components that operations refer to. */
export interface Known {
  /** Security requirements. */
  signedIn: readonly object[];
  /** Body schemas by name. */
  bodies: Objects;
}

/** An operation of an endpoint and Swagger's responses. */
interface OperationContext extends Known {
  method: string;
  found: Readonly<Record<string, unknown>>;
}

/** Describes an operation by our own declarations. */
export function toDeclared(
  route: Route,
  endpoint: Endpoint,
  { method, found, signedIn, bodies }: OperationContext,
) {
  const writes = WRITES.includes(method);
  const args = endpoint.dto ? documentedArgs(endpoint.dto) : [];
  const inBody = writes && endpoint.dto ? argsInBody(endpoint.dto) : [];
  const inQuery = args.filter(
    ({ name }) => !(name in COMMON_PARAMETERS) && !inBody.some((arg) => arg.name === name),
  );
  const body = nameOfBody(route, endpoint.handler) ?? '';
  const rights = rightsOf(route, method);
  const headers = route.resource ? writeHeadersOf(method, isCollection(route)) : [];
  return {
    summary: summaryOf(route, method, endpoint.handler),
    ...(rights !== undefined && { description: rights }),
    operationId: operationIdOf(route, method, endpoint.handler),
    security: method === 'GET' ? [{}, ...signedIn] : signedIn,
    parameters: [
      ...pathParameters(route).map(toPathParameter),
      ...inQuery.map(toParameter),
      ...[...headers, ...Object.keys(COMMON_PARAMETERS)].map((name) => named('parameters', name)),
    ],
    ...(endpoint.dto &&
      inBody.length > 0 && {
        requestBody: requestBody(
          inBody,
          body in bodies ? named('schemas', body) : bodySchema(inBody),
          endpoint.dto,
          method,
        ),
      }),
    responses: {
      ...Object.fromEntries(
        errorsOf(route, method, inBody).map((status) => [status, named('responses', status)]),
      ),
      ...(toRestResponse(route, endpoint, method) ?? mapValues(found, () => answer('Done.', {}))),
    },
  };
}

const toParameter = ({ schema, ...arg }: DocumentedArg) => ({
  ...toQueryParameter(arg, schema),
  ...(schema['type'] === 'array' && { style: 'form', explode: false }),
});

const answer = (description: string, schema: object) => ({
  description,
  content: { 'application/json': { schema } },
});

/** Any read may report ignored parameters (R20). */
const IGNORED = {
  'X-Almanac-Ignored': {
    description: 'Names of parameters that were ignored because their value was not understood.',
    schema: { type: 'string' },
  },
};

/** The successful response of a resource's route. */
function toRestResponse(route: Route, endpoint: Endpoint, method: string): Objects | undefined {
  const { resource } = route;
  if (!resource) return undefined;
  const hasForms =
    method === 'GET' && endpoint.dto && documentedArgs(endpoint.dto).some(({ name }) => name === '_format');
  const described = (description: string, plain: object, clean: object) =>
    hasForms
      ? answer(`${description}; in the clean form with \`_format=clean\`.`, { anyOf: [plain, clean] })
      : answer(`${description}.`, plain);
  const record = described(
    `The ${resource.singular}`,
    schemaRef(resource.json),
    normalizedRef(resource.json),
  );
  if (!isCollection(route))
    return { 200: { ...record, headers: { ...ETAG, ...(method === 'GET' && IGNORED) } } };
  if (method === 'POST') return { 201: { ...record, headers: ETAG } };
  const list = listName(resource);
  const headers = {
    'X-TEC-Total': 'How many records there are.',
    'X-TEC-TotalPages': 'How many pages they fill.',
  };
  return {
    200: {
      ...described(`A page of ${resource.plural}`, named('schemas', list), named('schemas', `Clean${list}`)),
      headers: {
        ...mapValues(headers, (description) => ({ description, schema: { type: 'integer' } })),
        ...IGNORED,
      },
    },
  };
}

function errorsOf(route: Route, method: string, body: readonly DocumentedArg[]): string[] {
  const { resource } = route;
  // A missing term is an invalid parameter, and a page past the end is empty.
  const isMissed = !resource || (resource.kind === 'post' && (method === 'GET' || !isCollection(route)));
  const isTrashed = resource?.kind === 'post' && method === 'DELETE';
  return [
    '400',
    '401',
    '403',
    ...(isMissed ? ['404'] : []),
    ...(body.some(({ isUnique }) => isUnique) ? ['409'] : []),
    ...(isTrashed ? ['410'] : []),
    ...writeErrorsOf(resource, method),
    ...(WRITES.includes(method) ? ['413'] : []),
    '429',
    '503',
  ];
}
