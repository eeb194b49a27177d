import createClient, { type Client } from 'openapi-fetch';
import type { Requests } from './ask.js';
import type { Auth } from './auth.js';
import { type BatchOptions, type BatchResult, type BatchWrite, batching } from './batch.js';
import type { Changes, New, Query, RecordOf } from './records.js';
import { type EventResource, type PostResource, resource, type TermResource } from './resource.js';
import type { paths } from './schema.js';
import { type Send, sending } from './send.js';
import { type SyncBatch, type SyncKind, type SyncOptions, syncing } from './sync.js';

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

/** The methods of one kind of record, which take and give what the paths of an /openapi.json say. */
type Of<Kind extends string, Paths> = [
  RecordOf<Kind, Paths>,
  Query<Kind, Paths>,
  New<Kind, Paths>,
  Changes<Kind, Paths>,
];
type Events<T extends unknown[]> = EventResource<T[0], T[1], T[2], T[3]>;
type Posts<T extends unknown[]> = PostResource<T[0], T[1], T[2], T[3]>;
type Terms<T extends unknown[]> = TermResource<T[0], T[1], T[2], T[3]>;

/** A calendar: its records, and as `raw` every route of openapi.json with openapi-fetch's methods. */
export interface AlmanacClient<Paths extends object = paths> {
  readonly events: Events<Of<'events', Paths>>;
  readonly venues: Posts<Of<'venues', Paths>>;
  readonly organizers: Posts<Of<'organizers', Paths>>;
  readonly categories: Terms<Of<'categories', Paths>>;
  readonly tags: Terms<Of<'tags', Paths>>;
  /** Records of a plugin's resource, by its path: `resource('series')`; `many`: the plural, where it is another word. */
  resource<Kind extends string>(path: Kind, many?: string): Posts<Of<Kind, Paths>>;
  /**
   * Everything, and then what changes, as an async iterator of batches: a copy stores each with its token, and goes on from
   * there. A token that has expired begins again, which `reset` tells.
   */
  sync<Kind extends SyncKind = SyncKind>(
    options?: SyncOptions<Kind>,
  ): AsyncGenerator<SyncBatch<Kind>, void, undefined>;
  readonly raw: Client<Paths>;
  /**
   * Sends several writes in one request. It rejects if the server refuses the whole; what it says of each write is in the
   * result.
   */
  batch(writes: readonly BatchWrite[], options?: BatchOptions): Promise<BatchResult>;
}

/**
 * A client of one calendar. It sends nothing by itself and keeps nothing. `createAlmanacClient<paths>(…)` has the types
 * of a server with plugins, which openapi-typescript makes of its /openapi.json.
 */
export function createAlmanacClient<Paths extends object = paths>({
  baseUrl,
  namespace = 'cal/events/v1',
  auth,
  credentials,
  fetch = (request) => globalThis.fetch(request),
  retries = 2,
}: ClientOptions): AlmanacClient<Paths> {
  const root = baseUrl.replace(/\/$/, '');
  const sent = { fetch: sending(fetch, retries, auth), credentials };
  const raw = createClient<Paths>({
    baseUrl: `${root}/${namespace}`,
    ...sent,
    // As PHP reads lists from one parameter: `include=1,2`.
    querySerializer: { array: { style: 'form', explode: false } },
  });
  const requests = raw as unknown as Requests;
  const client = {
    events: resource(requests, 'events'),
    venues: resource(requests, 'venues'),
    organizers: resource(requests, 'organizers'),
    categories: resource(requests, 'categories'),
    tags: resource(requests, 'tags'),
    resource: (path: string, many?: string) => resource(requests, path, many),
    sync: syncing(requests),
    raw,
    batch: batching(createClient({ baseUrl: root, ...sent }) as unknown as Requests, namespace),
  };
  return client as unknown as AlmanacClient<Paths>;
}
