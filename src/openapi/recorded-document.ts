import type { DeclaredArg } from '../http/params/rest-arg.js';
import { type RestBase, restUrl } from '../http/rest-request.js';
import { schemaName, schemaRef } from '../resources/base/json-schema.js';
import type { Resource } from '../resources/base/resource.js';
import { RECORDED_SCHEMAS } from './data/recorded-schemas.js';
import { ERRORS, INFO, toPathParameter, toProperties, toQueryParameter } from './document-parts.js';
import { type Endpoint, pathParameters, pathTemplate, type Route } from './route-table.js';
import { isCollection, recordedFields, summaryOf } from './route-words.js';

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  ...ERRORS,
  200: 'Done.',
  201: 'Created.',
  500: 'The record could not be removed.',
};

/**
 * Builds the document of `/doc` as recorded: OpenAPI 3.0.0 without POST on collections, PUT and PATCH
 * (docs/behaviour/documents.md#the-plugins-document). `/openapi.json` has everything.
 */
export function toRecordedDocument(
  routes: readonly Route[],
  base: RestBase,
  home: string,
): Record<string, unknown> {
  const documented = routes.filter(({ segments }) => segments.length > 0);
  return {
    openapi: '3.0.0',
    info: INFO,
    components: { schemas: RECORDED_SCHEMAS },
    servers: [{ url: serverUrl(base, home) }],
    paths: Object.fromEntries(documented.map((route) => [pathTemplate(route), toPathItem(route)])),
  };
}

/** As recorded, without the port and the site's folder. */
function serverUrl(base: RestBase, home: string): string {
  const { protocol, hostname, pathname } = new URL(restUrl(base, '/'));
  const folder = URL.canParse(home) ? new URL(home).pathname.replace(/\/?$/, '/') : '/';
  return `${protocol}//${hostname}${pathname.startsWith(folder) ? pathname.slice(folder.length - 1) : pathname}`;
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
    ...fields
      .filter((field) => !inBody.includes(field))
      .map((field) => ({
        ...toQueryParameter(field, toRecordedType(field)),
        // As recorded: with an id in the path all parameters are said to be there, and lists of terms have no style.
        ...(resource && inPath.length > 0 && { in: 'path' }),
        ...(field.items && resource?.kind === 'post' && { style: 'form' }),
      })),
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

function toBody(route: Route, fields: DeclaredArg[]): Record<string, unknown> {
  // Recorded of these two only: the body repeats the path's parameter.
  const repeated = /^(organizers|categories)$/.test(route.resource?.plural ?? '')
    ? pathParameters(route).map(({ name, type }) => [name, { type, description: 'As in the path.' }])
    : [];
  const properties = { ...Object.fromEntries(repeated), ...toProperties(fields, toRecordedType) };
  return { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties } } } };
}

/** A field's schema; as recorded, every field has one type. */
function toRecordedType({ items, type, shownType, format }: DeclaredArg): Record<string, unknown> {
  if (items) return { type: 'array', items: { type: items } };
  return { type: shownType ?? type ?? (format === 'double' ? 'number' : 'string') };
}

function statuses(route: Route, method: string): string[] {
  const { resource } = route;
  if (!resource) return ['200'];
  if (method === 'POST')
    return resource.plural === 'organizers' ? ['201', '400', '403'] : ['200', '201', '400', '403'];
  if (method === 'DELETE') return ['200', '400', '403', '410', '500'];
  return isCollection(route) || resource.kind === 'term'
    ? ['200', '400', '404']
    : ['200', '400', '403', '404'];
}

function toResponse(status: string, route: Route, resource: Resource | undefined): Record<string, unknown> {
  const response = { description: STATUS_TEXTS[status] };
  if (!resource || Number(status) >= 400) return response;
  // Records of plugins are only in `/openapi.json`.
  const isRecorded = schemaName(resource.json) in RECORDED_SCHEMAS;
  const record = isRecorded ? schemaRef(resource.json) : { type: 'object' };
  const schema = isCollection(route) ? { title: resource.plural, type: 'array', items: record } : record;
  return { ...response, content: { 'application/json': { schema } } };
}
