import type { DeclaredArg } from '../http/rest-arg.js';
import { restUrl } from '../http/rest-request.js';
import type { RestBase } from '../http/rest-request.js';
import { RECORDED_SCHEMAS } from './recorded-schemas.js';
import type { Resource } from '../resources/resource.js';
import { isCollection, recordedFields, summaryOf } from './route-words.js';
import {
  type Endpoint,
  type PathParameter,
  pathParameters,
  pathTemplate,
  type Route,
} from './route-table.js';

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  400: 'A parameter is missing or not valid, or names no record.',
  403: 'The caller may not do this.',
  404: 'There is no such page or record.',
  410: 'The record is in the trash already.',
  500: 'The record could not be removed.',
};

/**
 * The document of `/doc`: OpenAPI 3.0.0 with what the recorded one holds
 * (docs/behaviour/documents.md#the-plugins-document), so without POST on collections and without PUT and PATCH.
 * Everything that is served is in `/openapi.json`.
 */
export function toRecordedDocument(routes: readonly Route[], base: RestBase): Record<string, unknown> {
  const documented = routes.filter(({ segments }) => segments.length > 0);
  return {
    openapi: '3.0.0',
    info: {
      version: '1.0.0',
      title: 'Calendar REST interface',
      description: 'Events, venues, organizers, categories and tags of a calendar.',
    },
    components: { schemas: RECORDED_SCHEMAS },
    servers: [{ url: restUrl(base, '/') }],
    paths: Object.fromEntries(documented.map((route) => [pathTemplate(route), toPathItem(route)])),
  };
}

function toPathItem(route: Route): Record<string, unknown> {
  const methods = isCollection(route) ? ['GET'] : ['GET', 'POST', 'DELETE'];
  return Object.fromEntries(
    methods.flatMap((method) => {
      const endpoint = route.endpoints.find((known) => known.methods.includes(method));
      return endpoint ? [[method.toLowerCase(), toOperation(route, endpoint, method)]] : [];
    }),
  );
}

function toOperation(route: Route, endpoint: Endpoint, method: string): Record<string, unknown> {
  const { resource } = route;
  const inPath = pathParameters(route);
  const fields = recordedFields(route, endpoint);
  const inBody = method === 'POST' ? fields.filter(({ name }) => name !== 'password') : [];
  const parameters = [
    ...inPath.map(toPathParameter),
    ...fields.filter((field) => !inBody.includes(field)).map(toQueryParameter),
  ];
  return {
    summary: summaryOf(route, method, endpoint.handler),
    ...(parameters.length > 0 && { parameters }),
    ...(inBody.length > 0 && { requestBody: toBody(route, inBody) }),
    responses: Object.fromEntries(
      statuses(route, method).map((status) => [status, toResponse(status, route, resource)]),
    ),
  };
}

function toPathParameter({ name, type }: PathParameter): Record<string, unknown> {
  return { in: 'path', schema: { type }, description: `The ${name} of the record.`, required: true, name };
}

function toQueryParameter(field: DeclaredArg): Record<string, unknown> {
  const { name, description, required } = field;
  return {
    in: 'query',
    schema: toRecordedType(field),
    description,
    required,
    name,
    // Lists are one text with commas.
    ...(field.items && { style: 'form', explode: false }),
  };
}

function toBody(route: Route, fields: DeclaredArg[]): Record<string, unknown> {
  const properties = fields.map((field) => [
    field.name,
    { ...toRecordedType(field), description: field.description },
  ]);
  // Recorded of these two only: the body names the path's parameter again.
  const repeated = /^(organizers|categories)$/.test(route.resource?.many ?? '')
    ? pathParameters(route).map(({ name, type }) => [name, { type, description: 'As in the path.' }])
    : [];
  return {
    content: {
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', properties: Object.fromEntries([...repeated, ...properties]) },
      },
    },
  };
}

/** A field's schema: every field has a type here, also those that take more. */
function toRecordedType({ items, type, shownType, format }: DeclaredArg): Record<string, unknown> {
  if (items) return { type: 'array', items: { type: items } };
  return { type: shownType ?? type ?? (format === 'double' ? 'number' : 'string') };
}

function statuses(route: Route, method: string): string[] {
  const { resource } = route;
  if (!resource) return ['200'];
  if (method === 'POST')
    return resource.many === 'organizers' ? ['201', '400', '403'] : ['200', '201', '400', '403'];
  if (method === 'DELETE') return ['200', '400', '403', '410', '500'];
  return isCollection(route) || resource.kind === 'term'
    ? ['200', '400', '404']
    : ['200', '400', '403', '404'];
}

function toResponse(status: string, route: Route, resource: Resource | undefined): Record<string, unknown> {
  const response = { description: STATUS_TEXTS[status] };
  if (!resource || Number(status) >= 400) return response;
  const record = { $ref: `#/components/schemas/${resource.schema}` };
  const schema = isCollection(route) ? { title: resource.many, type: 'array', items: record } : record;
  return { ...response, content: { 'application/json': { schema } } };
}
