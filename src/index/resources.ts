import type { DeclaredArg } from '../http/rest-arg.js';
import { type Endpoint, pathParameters, pathTemplate, type Route } from './route-table.js';

/** What the documents know of a resource beside its declared parameters: words, and the schema of its records. */
export interface Resource {
  one: string;
  many: string;
  /** Schema of one record, in both documents. */
  schema: 'Event' | 'Venue' | 'Organizer' | 'Term';
  isTerm: boolean;
}

const RESOURCES: Readonly<Record<string, Resource>> = {
  events: { one: 'event', many: 'events', schema: 'Event', isTerm: false },
  venues: { one: 'venue', many: 'venues', schema: 'Venue', isTerm: false },
  organizers: { one: 'organizer', many: 'organizers', schema: 'Organizer', isTerm: false },
  categories: { one: 'category', many: 'categories', schema: 'Term', isTerm: true },
  tags: { one: 'tag', many: 'tags', schema: 'Term', isTerm: true },
};

/** The resource that a route belongs to; undefined for the index and for routes of plugins. */
export function resourceOf({ segments }: Route): Resource | undefined {
  const [first] = segments;
  return typeof first === 'string' ? RESOURCES[first] : undefined;
}

/** Whether a route leads to all records rather than to one. */
export function isCollection({ segments }: Route): boolean {
  return segments.length === 1;
}

/** Endpoints in the recorded order: DELETE comes right after GET, but for terms, where it is the last. */
export function recordedEndpoints(route: Route): Endpoint[] {
  if (resourceOf(route)?.isTerm !== false) return route.endpoints;
  const rank = ({ methods: [method] }: Endpoint) => (method === 'GET' ? 0 : method === 'DELETE' ? 1 : 2);
  return route.endpoints.toSorted((a, b) => rank(a) - rank(b));
}

/** An endpoint's fields as recorded: one that bears the name of a parameter of the path is shown of events only. */
export function recordedFields(route: Route, { fields }: Endpoint): DeclaredArg[] {
  if (resourceOf(route)?.many === 'events') return fields;
  const inPath = pathParameters(route).map(({ name }) => name);
  return fields.filter(({ name }) => !inPath.includes(name));
}

const OWN_SUMMARIES: ReadonlyMap<string, string> = new Map([
  ['/', 'List all routes with their parameters'],
  ['/doc', 'The document that clients of the plugin know; not everything is in it'],
]);

/** What a method does on a route, in a few words. */
export function summaryOf(route: Route, method: string, handler: string): string {
  const resource = resourceOf(route);
  if (!resource)
    return (
      OWN_SUMMARIES.get(pathTemplate(route)) ??
      handler.replace(/([A-Z])/g, ' $1').replace(/^./, (letter) => letter.toUpperCase())
    );
  const { one, many, isTerm } = resource;
  if (method === 'GET') return isCollection(route) ? `List ${many}` : `Read one ${one}`;
  if (method === 'DELETE') return isTerm ? `Delete one ${one}` : `Move one ${one} to the trash`;
  return isCollection(route) ? `Create one ${one}` : `Update one ${one}: what is not sent stays`;
}
