import type { DeclaredArg } from '../http/rest-arg.js';
import { type Endpoint, pathParameters, pathTemplate, type Route } from './route-table.js';

/** Whether a route leads to all records rather than to one. */
export function isCollection({ segments }: Route): boolean {
  return segments.length === 1;
}

/** Endpoints in the recorded order: DELETE comes right after GET, but for terms, where it is the last. */
export function recordedEndpoints(route: Route): Endpoint[] {
  if (route.resource?.kind !== 'post') return route.endpoints;
  const rank = ({ methods: [method] }: Endpoint) => (method === 'GET' ? 0 : method === 'DELETE' ? 1 : 2);
  return route.endpoints.toSorted((a, b) => rank(a) - rank(b));
}

/** An endpoint's fields as recorded, without our own: one that bears the name of a parameter of the path is shown of events only. */
export function recordedFields(route: Route, { fields }: Endpoint): DeclaredArg[] {
  const inPath = route.resource?.path === 'events' ? [] : pathParameters(route).map(({ name }) => name);
  return fields.filter(({ name, ours }) => !ours && !inPath.includes(name));
}

const OWN_SUMMARIES: ReadonlyMap<string, string> = new Map([
  ['/', 'List all routes with their parameters'],
  ['/doc', 'The document that clients of the plugin know; not everything is in it'],
]);

/** What a method does on a route, in a few words. */
export function summaryOf(route: Route, method: string, handler: string): string {
  if (!route.resource)
    return (
      OWN_SUMMARIES.get(pathTemplate(route)) ??
      handler.replace(/([A-Z])/g, ' $1').replace(/^./, (letter) => letter.toUpperCase())
    );
  const { one, many, kind } = route.resource;
  if (method === 'GET') return isCollection(route) ? `List ${many}` : `Read one ${one}`;
  if (method === 'DELETE') return kind === 'term' ? `Delete one ${one}` : `Move one ${one} to the trash`;
  return isCollection(route) ? `Create one ${one}` : `Update one ${one}: what is not sent stays`;
}
