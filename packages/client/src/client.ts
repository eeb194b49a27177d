import createClient, { type Client } from 'openapi-fetch';
import type { Auth } from './auth.js';
import { type BatchOptions, type BatchResult, type BatchWrite, batching } from './batch.js';
import type { Category, Changes, Event, New, Organizer, Query, Tag, Venue } from './records.js';
import {
  type EventResource,
  type PostResource,
  type Requests,
  resource,
  type TermResource,
} from './resource.js';
import type { paths } from './schema.js';
import { type Send, sending } from './send.js';

/** How the server is reached. */
export interface ClientOptions {
  /** The REST root: `https://example.org/wp-json`, or in a browser a relative one such as `.`. */
  baseUrl: string;
  /** What follows it, by default `cal/events/v1`. */
  namespace?: string;
  /** The caller: `applicationPassword(…)`, `nonce(…)`, or a function that says so before each request. */
  auth?: Auth;
  /** Whether browsers send cookies, as `fetch` has it. */
  credentials?: 'omit' | 'same-origin' | 'include';
  /** Sends requests instead of the runtime's own `fetch`. */
  fetch?: Send;
  /** How often a request that may be sent twice is sent again when the server is busy; by default 2. */
  retries?: number;
}

/** A calendar: its records, and as `raw` every route of openapi.json with openapi-fetch's methods. */
export interface AlmanacClient {
  readonly events: EventResource<Event, Query<'events'>, New<'events'>, Changes<'events'>>;
  readonly venues: PostResource<Venue, Query<'venues'>, New<'venues'>, Changes<'venues'>>;
  readonly organizers: PostResource<Organizer, Query<'organizers'>, New<'organizers'>, Changes<'organizers'>>;
  readonly categories: TermResource<Category, Query<'categories'>, New<'categories'>, Changes<'categories'>>;
  readonly tags: TermResource<Tag, Query<'tags'>, New<'tags'>, Changes<'tags'>>;
  readonly raw: Client<paths>;
  /**
   * Sends several writes in one request. It rejects if the server refuses the whole; what it says of each write is in the
   * result.
   */
  batch(writes: readonly BatchWrite[], options?: BatchOptions): Promise<BatchResult>;
}

/** A client of one calendar. It sends nothing by itself and keeps nothing. */
export function createAlmanacClient({
  baseUrl,
  namespace = 'cal/events/v1',
  auth,
  credentials,
  fetch = (request) => globalThis.fetch(request),
  retries = 2,
}: ClientOptions): AlmanacClient {
  const root = baseUrl.replace(/\/$/, '');
  const sent = { fetch: sending(fetch, retries, auth), credentials };
  const raw = createClient<paths>({
    baseUrl: `${root}/${namespace}`,
    ...sent,
    // As PHP reads lists from one parameter: `include=1,2`.
    querySerializer: { array: { style: 'form', explode: false } },
  });
  const requests = raw as unknown as Requests;
  return {
    events: resource<Event>(requests, 'events'),
    venues: resource<Venue>(requests, 'venues'),
    organizers: resource<Organizer>(requests, 'organizers'),
    categories: resource<Category>(requests, 'categories'),
    tags: resource<Tag>(requests, 'tags'),
    raw,
    batch: batching(createClient({ baseUrl: root, ...sent }) as unknown as Requests, namespace),
  };
}
