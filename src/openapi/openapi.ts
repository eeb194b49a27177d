import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { mapYielding } from '../common/event-loop.js';
import { mapValues } from '../common/map-values.js';
import { OWN_NAMESPACE } from '../config/env.js';
import { FEEDS_BASE } from '../http/rest-request.js';
import { pascalCase } from '../resources/base/json-schema.js';
import { DOCUMENT_INFO } from './document-parts.js';
import { errorResponses } from './error-responses.js';
import { argsInBody, bodySchema } from './field-schemas.js';
import { COMMON_PARAMETERS, type Known, listSchemas, named, nameOfBody, toDeclared } from './operation.js';
import { METHODS, pathTemplate, type Route, type RouteTable } from './route-table.js';
import { isCollection, tagOf } from './route-words.js';
import { WRITE_HEADERS } from './safe-writes.js';
import { usedComponents } from './used-components.js';
import { describeValidated } from './validated-classes.js';

type Scanned = Pick<OpenAPIObject, 'paths' | 'components'>;
type Paths = Scanned['paths'];
/** Swagger's description of a method of a path. */
type SwaggerOperation = NonNullable<Paths[string]['get']>;
type Objects = Record<string, object>;

/** Prefix of the operation ids that Swagger generates. */
const NO_NAME = '-';
/** Parts of the document besides the controllers' declarations. */
interface OpenApiParts {
  /** URLs of the namespaces. */
  servers: readonly object[];
  schemas: Objects;
  signedIn: Known['signedIn'];
}

/**
 * Builds OpenAPI 3.1 for everything that is served, without security schemes. Swagger describes all controllers; the
 * route table adds what it cannot know: the parameters of `@Parameters(Dto)` and the responses of resources.
 */
export async function toOpenApi(
  app: INestApplication,
  table: RouteTable,
  { servers, schemas, signedIn }: OpenApiParts,
) {
  await mapYielding(table.argumentTypes(), describeValidated);
  const routes = table.routes();
  const bodies = await bodySchemas(routes, schemas);
  const ours = { ...schemas, ...(await pageSchemas(routes)), ...bodies };
  const { paths, components } = apartFrom(ours, await scanned(app));
  const documented = await toPaths(paths, [...routes, ...table.routes(FEEDS_BASE)], { signedIn, bodies });
  const foundSchemas = components?.schemas ?? {};
  const { schemas: used, ...shared } = await usedComponents(
    [...Object.values(documented), ...Object.values(foundSchemas)],
    { schemas: ours, parameters: { ...COMMON_PARAMETERS, ...WRITE_HEADERS }, responses: errorResponses() },
  );
  return {
    openapi: '3.1.0',
    info: DOCUMENT_INFO,
    servers,
    // For operations without their own.
    security: [{}, ...signedIn],
    tags: toTags(documented, routes),
    paths: documented,
    components: { schemas: { ...used, ...foundSchemas }, ...shared },
  };
}

/** Swagger's documents of all modules, yielding between them. */
async function scanned(app: INestApplication): Promise<Scanned> {
  const modules = [...app.get(ModulesContainer).values()].filter(({ controllers }) => controllers.size > 0);
  const types = new Set(modules.map(({ metatype }) => metatype));
  const documents = await mapYielding(types, (type) =>
    SwaggerModule.createDocument(
      app,
      { openapi: '3.1.0', info: DOCUMENT_INFO },
      { include: [type], autoTagControllers: false, operationIdFactory: () => NO_NAME },
    ),
  );
  const paths: Paths = {};
  // Several modules may have methods at one path.
  for (const [path, item] of documents.flatMap(({ paths }) => Object.entries(paths)))
    paths[path] = { ...paths[path], ...item };
  const schemas = Object.fromEntries(
    documents.flatMap(({ components }) => Object.entries(components?.schemas ?? {})),
  );
  return { paths, components: { schemas } };
}

/** Renames schemas of plugin classes that have the name of one of ours. */
function apartFrom(ours: object, { paths, components }: Scanned): Scanned {
  const found = components?.schemas ?? {};
  const apart = (name: string) => (name in ours && name in found ? `plugin.${name}` : name);
  const schemas = Object.entries(found).map(([name, schema]) => [apart(name), schema]);
  const json = JSON.stringify({ paths, components: { schemas: Object.fromEntries(schemas) } });
  return JSON.parse(json, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace(/[^/]+$/, apart) : value,
  );
}

async function pageSchemas(routes: readonly Route[]): Promise<Objects> {
  const resources = new Set(routes.flatMap(({ resource }) => resource ?? []));
  return Object.assign({}, ...(await mapYielding(resources, listSchemas)));
}

/** Body schemas by name; a resource whose name is taken has none. */
async function bodySchemas(routes: readonly Route[], taken: object): Promise<Objects> {
  const bodies = routes.flatMap((route) =>
    route.endpoints.flatMap(({ dto, methods, handler }) => {
      const name = methods.includes('POST') && dto ? nameOfBody(route, handler) : undefined;
      return name && dto && !(name in taken) ? [[name, dto, isCollection(route)] as const] : [];
    }),
  );
  return Object.fromEntries(
    await mapYielding(
      bodies,
      ([name, dto, isCreate]) => [name, bodySchema(argsInBody(dto), isCreate)] as const,
    ),
  );
}

/** Resources first, then other routes in the namespaces, then routes outside. */
function inOrder(found: Paths, table: ReadonlyMap<string, Route>) {
  const rank = ([full]: [string, unknown]) => {
    const path = pathInside(full);
    if (path === undefined) return 3;
    return table.get(path)?.resource ? 0 : isBelow(FEEDS_BASE, full) ? 1 : 2;
  };
  return Object.entries(found).toSorted((a, b) => rank(a) - rank(b));
}

const isBelow = (routeBase: string, full: string) => `${full}/`.startsWith(`/${routeBase}/`);

/** The path below the servers; undefined outside the namespaces. */
function pathInside(full: string): string | undefined {
  const routeBase = [OWN_NAMESPACE, FEEDS_BASE].find((one) => isBelow(one, full));
  return routeBase === undefined ? undefined : full.slice(routeBase.length + 1) || '/';
}

const OWN_TAGS: ReadonlyMap<string, string> = new Map([
  ['changes', 'What has changed, for copies of the calendar.'],
  ['feeds', 'The same events for calendar programs and feed readers.'],
  ['index', 'What there is.'],
  ['webhooks', 'Addresses that are told of changes, for users who manage options.'],
]);

function toTags(paths: Awaited<ReturnType<typeof toPaths>>, routes: readonly Route[]) {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return [...new Set(operations.flatMap(({ tags = [] }) => tags))].map((name) => {
    const description =
      routes.find(({ resource }) => resource?.path === name)?.resource?.description ?? OWN_TAGS.get(name);
    return { name, ...(description !== undefined && { description }) };
  });
}

/** Paths relative to the servers; those outside the namespaces get a server of their own. */
async function toPaths(found: Paths, routes: readonly Route[], known: Known) {
  const table = new Map(routes.map((route) => [pathTemplate(route), route]));
  const names = new Set<string>();
  const documented: Record<string, Record<string, { tags?: string[] }>> = {};
  await mapYielding(inOrder(found, table), ([full, item]) => {
    const inside = pathInside(full);
    const path = inside ?? full;
    const operations = METHODS.flatMap((method) => {
      const key = method.toLowerCase() as 'get';
      if (!item[key]) return [];
      const operation = toOperation(item[key], {
        path,
        method,
        route: inside ? table.get(path) : undefined,
        known,
      });
      const { operationId: id } = operation;
      // Methods may share a handler, and controllers an operation id.
      const free =
        [id, `${id}By${pascalCase(key)}`, `${method} ${full}`].find((name) => !names.has(name)) ?? id;
      names.add(free);
      return [[key, { ...operation, operationId: free }]];
    });
    if (operations.length === 0) return;
    // `/./events` resolves to `/events`, which may also be a path in a namespace.
    const key = inside === undefined && table.has(path) ? `/.${path}` : path;
    documented[key] = {
      ...Object.fromEntries(operations),
      ...(inside === undefined && { servers: [{ url: '.' }] }),
    };
  });
  return documented;
}

interface OperationParts {
  path: string;
  method: string;
  route: Route | undefined;
  known: Known;
}

/** Merges Swagger's description, our declarations and the author's own Swagger decorators, in this order. */
function toOperation(found: SwaggerOperation, { path, method, route, known }: OperationParts) {
  const { operationId = NO_NAME, parameters = [], responses, ...rest } = found;
  const endpoint = route?.endpoints.find(({ methods }) => methods.includes(method));
  const own = route && endpoint && toDeclared(route, endpoint, { ...known, method, found: responses });
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

/** Drops members that Swagger leaves empty. */
function said<T extends object>(members: T): Partial<T> {
  const isSaid = (value: unknown) => Object.values(Object(value)).some(Boolean) || value === true;
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isSaid(value))) as Partial<T>;
}

/** Removes duplicate parameters by location and name. */
function firstOfEach(parameters: readonly object[]): object[] {
  const keys = parameters.map((parameter) => {
    const { in: location, name, $ref } = parameter as Record<string, string>;
    return $ref ?? `${location} ${name}`;
  });
  return parameters.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}
