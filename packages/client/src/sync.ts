import { asking, type Requests } from './ask.js';
import { AlmanacError, noCalendar, toError } from './error.js';
import { type SentEvent, sentEvents } from './event-stream.js';
import type { Category, Event, Organizer, Tag, Venue } from './records.js';
import type { CallOptions } from './resource.js';
import { pause } from './send.js';

/** The kinds of records that a copy may hold. */
interface Records {
  events: Event;
  venues: Venue;
  organizers: Organizer;
  categories: Category;
  tags: Tag;
}
export type SyncKind = keyof Records;

interface ChangeOf<Kind> {
  type: Kind;
  id: number;
  /** The last slug that this caller could see; null where there is none. */
  slug: string | null;
  /** UTC; null for terms. */
  modified: string | null;
  /** When the change was noticed; null in a listing of everything. */
  changed_at: string | null;
}

/** A record to store. */
interface StoredRecord<Kind extends SyncKind> extends ChangeOf<Kind> {
  change: 'created' | 'updated' | 'rescheduled' | 'restored';
  deleted?: undefined;
  record: Records[Kind];
}

/** A record to remove: it was trashed or deleted, or this caller may not see it any more. */
interface RemovedRecord<Kind extends SyncKind> extends ChangeOf<Kind> {
  change: 'trashed' | 'deleted';
  deleted: true;
  record?: undefined;
}

/** A change of a record; `type` tells which `record` it has. */
export type SyncChange<Kind extends SyncKind = SyncKind> = {
  [Each in Kind]: StoredRecord<Each> | RemovedRecord<Each>;
}[Kind];

/** Changes that are stored together with the token after them. */
export interface SyncBatch<Kind extends SyncKind = SyncKind> {
  changes: SyncChange<Kind>[];
  /** What the next `sync` begins with. */
  token: string;
  /** Whether everything comes again: the copy is emptied before these changes are stored. */
  reset: boolean;
  /** Whether the copy is now as the calendar was a moment ago. */
  complete: boolean;
}

/** What is followed, and from where on. */
export interface SyncOptions<Kind extends SyncKind = SyncKind> extends CallOptions {
  /** The token of the last batch that was stored; without one everything comes. */
  since?: string;
  /** The kinds of records; by default all. They belong to the token: other kinds need a new start. */
  types?: readonly Kind[];
  /** Whether to go on with changes as they happen, until `signal` ends it; by default it ends when there are no more. */
  follow?: boolean;
}

interface Page<Kind extends SyncKind> {
  changes: SyncChange<Kind>[];
  token: string;
  has_more: boolean;
}

const PAGE_SIZE = 100;
/** Pauses before a broken stream is opened again, in milliseconds. */
const PAUSE = { first: 1000, longest: 60_000 };
/** The server gives a sign of life every 15 seconds. */
const MAX_SILENCE_MS = 60_000;

/** Makes the function that reads changes, batch after batch (docs/sync.md). */
export function syncing(requests: Requests) {
  const ask = asking(requests);

  async function read<Kind extends SyncKind>({
    since,
    types,
    signal,
  }: SyncOptions<Kind>): Promise<Page<Kind>> {
    const query = { since, types, per_page: PAGE_SIZE };
    const page = await ask<Page<Kind>>('get', '/changes', { params: { query }, signal });
    if (!Array.isArray(page.changes) || typeof page.token !== 'string') throw noCalendar();
    return page;
  }

  async function* stream<Kind extends SyncKind>(
    since: string,
    { signal }: SyncOptions<Kind>,
  ): AsyncGenerator<SyncBatch<Kind>, void, undefined> {
    const { data, error, response } = await requests.request('get', '/changes', {
      params: { query: { since, per_page: PAGE_SIZE } },
      headers: { Accept: 'text/event-stream' },
      signal,
      parseAs: 'stream',
    });
    if (!response.ok) throw toError(response, error);
    if (!(data instanceof ReadableStream)) throw noCalendar();
    let changes: SyncChange<Kind>[] = [];
    let token = since;
    for await (const { event, data: json, id } of sentEvents(data, MAX_SILENCE_MS, signal)) {
      if (isChange(event) && json !== undefined) changes.push(JSON.parse(json) as SyncChange<Kind>);
      if (id === undefined || id === token) continue;
      token = id;
      yield { changes, token, reset: false, complete: true };
      changes = [];
    }
  }

  return async function* sync<Kind extends SyncKind = SyncKind>(
    options: SyncOptions<Kind> = {},
  ): AsyncGenerator<SyncBatch<Kind>, void, undefined> {
    const { since, follow = false, signal } = options;
    let token = since;
    let reset = since === undefined;
    let wait = PAUSE.first;
    for (;;) {
      try {
        const {
          changes,
          token: next,
          has_more: hasMore,
        }: Page<Kind> = await read({ ...options, since: token });
        token = next;
        yield { changes, token, reset, complete: !hasMore };
        reset = false;
        if (hasMore) continue;
        if (!follow) return;
        for await (const batch of stream(token, options)) {
          token = batch.token;
          wait = PAUSE.first;
          yield batch;
        }
      } catch (error) {
        if (signal?.aborted) throw error;
        if (isExpired(error) && token !== undefined) {
          token = undefined;
          reset = true;
          continue;
        }
        if (!follow || !isTemporary(error)) throw error;
      }
      await pause(wait * (0.5 + Math.random() / 2), signal);
      wait = Math.min(wait * 2, PAUSE.longest);
    }
  };
}

const isChange = (event: SentEvent['event']): boolean => event !== undefined && event !== 'token';

const isExpired = (error: unknown): boolean =>
  error instanceof AlmanacError && error.code === 'sync_token_expired';

/** Whether the same call may succeed later: the network failed, or the server is busy or restarts. */
const isTemporary = (error: unknown): boolean =>
  error instanceof AlmanacError ? error.status === 429 || error.status >= 500 : error instanceof TypeError;
