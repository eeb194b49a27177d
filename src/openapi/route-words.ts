import type { DeclaredArg } from '../http/params/rest-arg.js';
import { pascalCase } from '../resources/base/json-schema.js';
import type { Resource } from '../resources/base/resource.js';
import { type Endpoint, pathParameters, pathTemplate, type Route } from './route-table.js';

export function isCollection({ segments }: Route): boolean {
  return segments.length === 1;
}

/** Endpoints in the recorded order: DELETE follows GET, except for terms, where it is last. */
export function recordedEndpoints(route: Route): Endpoint[] {
  if (route.resource?.kind !== 'post') return route.endpoints;
  const rank = ({ methods: [method] }: Endpoint) => (method === 'GET' ? 0 : method === 'DELETE' ? 1 : 2);
  return route.endpoints.toSorted((a, b) => rank(a) - rank(b));
}

/** An endpoint's fields as recorded: one named like a path parameter is shown for events only. */
export function recordedFields(route: Route, { fields }: Endpoint): DeclaredArg[] {
  const inPath = route.resource?.path === 'events' ? [] : pathParameters(route).map(({ name }) => name);
  return fields.filter(({ name }) => !inPath.includes(name));
}

/** Whether a route manages webhooks, which the recorded documents do not have. */
export const isOfWebhooks = ({ segments: [first] }: Route): boolean => first === 'webhooks';

const OWN_SUMMARIES: ReadonlyMap<string, string> = new Map([
  ['/', 'List all routes with their parameters'],
  ['/doc', 'The document that clients of the plugin know; not everything is in it'],
]);

export function summaryOf(route: Route, method: string, handler: string): string {
  if (!route.resource)
    return (
      OWN_SUMMARIES.get(pathTemplate(route)) ??
      handler.replace(/([A-Z])/g, ' $1').replace(/^./, (letter) => letter.toUpperCase())
    );
  const { singular, plural, kind } = route.resource;
  if (method === 'GET') return isCollection(route) ? `List ${plural}` : `Read one ${singular}`;
  if (method === 'DELETE')
    return kind === 'term' ? `Delete one ${singular}` : `Move one ${singular} to the trash`;
  return isCollection(route) ? `Create one ${singular}` : `Update one ${singular}: what is not sent stays`;
}

const OWN_IDS: ReadonlyMap<string, string> = new Map([
  ['/', 'getIndex'],
  ['/doc', 'getPluginDocument'],
]);

/** The operation id for generated clients: `listEvents`, `patchEvent`, `getEventBySlug` …; it must not change. */
export function operationIdOf(route: Route, method: string, handler: string): string {
  const { resource } = route;
  if (isOfWebhooks(route))
    return method === 'PUT' || method === 'PATCH' ? handler.replace('update', method.toLowerCase()) : handler;
  if (!resource)
    return OWN_IDS.get(pathTemplate(route)) ?? `${handler}${pascalCase(tagOf(pathTemplate(route)))}`;
  const [, first = '', rest = ''] = /^([a-z]+)(.*)$/.exec(handler) ?? [];
  const verbs: Readonly<Record<string, string>> = {
    remove: 'delete',
    ...(method !== 'POST' && { update: method.toLowerCase() }),
  };
  const noun = first === 'list' ? resource.plural : resource.singular;
  return `${verbs[first] ?? first}${pascalCase(noun)}${rest}`;
}

/** Groups routes by resource, those of plugins by their first segment. */
export function tagOf(path: string): string {
  const [, first = ''] = path.split('/');
  return first === '' || first === 'doc' ? 'index' : first;
}

/** Describes who may use a method of a resource's route; `http/allowed-methods.ts` enforces it. */
export function rightsOf(route: Route, method: string): string | undefined {
  if (!route.resource) return undefined;
  return method === 'GET' ? mayRead(route, route.resource) : mayWrite(route, route.resource, method);
}

function mayRead(route: Route, { kind, plural }: Resource): string {
  if (kind === 'term') return 'Anybody may.';
  return isCollection(route)
    ? `Anybody sees what is published; whoever may edit ${plural} may ask for other statuses.`
    : 'Anybody sees what is published; anything else is for whoever may read it when signed in.';
}

function mayWrite(route: Route, resource: Resource, method: string): string {
  if (resource.kind === 'term')
    return `Needs ${resource.capabilities.manage.map((name) => `\`${name}\``).join(' and ')}.`;
  const { capabilities: base, singular } = resource;
  if (isCollection(route))
    return `Needs \`edit_${base}\`; without \`publish_${base}\` the ${singular} becomes a draft or waits for review.`;
  const verb = method === 'DELETE' ? 'delete' : 'edit';
  return `Needs \`${verb}_${base}\`; what is published \`${verb}_published_${base}\`, what others wrote \`${verb}_others_${base}\`.`;
}
