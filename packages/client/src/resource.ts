import { asking, type Requests } from './ask.js';
import { AlmanacError, noCalendar } from './error.js';
import type { Scope } from './records.js';

/** How one call is made. */
export interface CallOptions {
  /** Ends it: the call rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** How a record is created. */
export interface CreateOptions extends CallOptions {
  /** Made by the caller for this record: sent again with it, the request creates nothing, and gets the same response. */
  idempotencyKey?: string;
}

/** How a record is changed or removed. */
export interface WriteOptions extends CallOptions {
  /** The `etagOf` the record as the caller knows it: rejected with status 412 if the record has changed since. */
  ifMatch?: string;
}

/** How one record is read. */
export interface GetOptions extends CallOptions {
  /**
   * A record that a password locks is opened by it, or by `context: 'edit'` for who may edit the record; to them `_raw` also
   * says the texts as they are stored.
   */
  query?: { password?: string; context?: 'view' | 'edit' | 'embed'; _raw?: boolean; recurrence?: boolean };
}

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  /** How many records there are on all pages. */
  total: number;
  totalPages: number;
  /** Of a list that was asked with `cursor`: what the next page is asked with; null on the last one. */
  nextCursor?: string | null;
}

/** What there is to do with one kind of record. Every method rejects with an `AlmanacError` when the server says no. */
export interface Resource<Item, Query, New, Changes> {
  list(query?: Query, options?: CallOptions): Promise<Page<Item>>;
  /**
   * Every record of a list, page by page: at most two pages are held. When records leave the list meanwhile, so that others
   * move up, it looks back a page and leaves none out; none comes twice within these pages. With `cursor: '*'` it follows
   * cursors instead, which hold whatever comes or goes.
   */
  all(query?: Query, options?: CallOptions): AsyncGenerator<Item, void, undefined>;
  get(id: number, options?: GetOptions): Promise<Item>;
  create(fields: New, options?: CreateOptions): Promise<Item>;
  /** Changes what is named and leaves the rest. */
  update(id: number, changes: Changes, options?: WriteOptions): Promise<Item>;
}

/** Events, venues, organizers. */
export interface PostResource<Item, Query, New, Changes> extends Resource<Item, Query, New, Changes> {
  bySlug(slug: string, options?: GetOptions): Promise<Item>;
  /** Moves it to the trash, which a later `update` with a `status` takes it out of. */
  trash(id: number, options?: WriteOptions): Promise<Item>;
}

/** Events, whose dates have ids of their own if there are several. */
export interface EventResource<Item, Query, New, Changes> extends PostResource<Item, Query, New, Changes> {
  /** Moves it to the trash; by the id of one of several dates, what `scope` says, by default this date alone. */
  trash(id: number, options?: ScopeOptions): Promise<Item>;
}

/** How a write by the id of one date is made. */
export interface ScopeOptions extends WriteOptions {
  scope?: Scope;
}

/** Categories, tags. */
export interface TermResource<Item, Query, New, Changes> extends Resource<Item, Query, New, Changes> {
  /** Deletes it for good. */
  remove(id: number, options?: WriteOptions): Promise<Item>;
}

type Listed = { id: number };
type Query = { page?: number; per_page?: number; cursor?: string };

const LARGEST_PAGE = 50;

/** The methods of one kind of record, whose lists hold it as `many`; what they take and give is said by the caller. */
export function resource<Item extends Listed>(requests: Requests, path: string, many = path) {
  const one = `/${path}/{id}`;

  const ask = asking(requests);

  async function askOne(...call: Parameters<typeof ask>): Promise<Item> {
    const record = await ask<Item>(...call);
    if (typeof record.id !== 'number') throw noCalendar();
    return record;
  }

  async function list(query: Query = {}, { signal }: CallOptions = {}): Promise<Page<Item>> {
    const {
      [many]: items,
      total,
      total_pages: totalPages,
      next_cursor: nextCursor,
    } = await ask<Record<string, unknown>>('get', `/${path}`, { params: { query }, signal });
    const size = { total: Number(total), totalPages: Number(totalPages) };
    // Counting up to them would never end.
    if (!Array.isArray(items) || Object.values(size).some(Number.isNaN)) throw noCalendar();
    return {
      items: items as Item[],
      ...size,
      nextCursor: nextCursor as Page<Item>['nextCursor'],
    };
  }

  async function* allByCursor(query: Query, options?: CallOptions): AsyncGenerator<Item, void, undefined> {
    for (let cursor = query.cursor; cursor; ) {
      const page: Page<Item> = await list({ per_page: LARGEST_PAGE, ...query, cursor }, options);
      if (page.nextCursor === undefined)
        throw new AlmanacError('This server knows no cursors.', 200, 'no_cursor');
      yield* page.items;
      if (page.nextCursor === cursor)
        throw new AlmanacError('What follows this page is the page itself.', 200, 'no_cursor');
      cursor = page.nextCursor ?? '';
    }
  }

  async function* all(query: Query = {}, options?: CallOptions): AsyncGenerator<Item, void, undefined> {
    if (query.cursor !== undefined) return yield* allByCursor(query, options);
    const first = query.page ?? 1;
    let total = 0;
    let isBack = false;
    let before = new Set<number>();
    let last = new Set<number>();
    for (let page = first; ; page++) {
      const { items, ...size } = await list({ per_page: LARGEST_PAGE, ...query, page }, options).catch(
        (error: unknown) => {
          if (page > first && error instanceof AlmanacError && error.status === 404) return GONE;
          throw error;
        },
      );
      const shrank: boolean = size.total < total && !isBack;
      total = size.total;
      isBack = shrank;
      if (shrank) {
        page -= 2;
        continue;
      }
      const seen = new Set([...before, ...last]);
      for (const item of items as Item[]) if (!seen.has(item.id)) yield item;
      if (page >= size.totalPages) return;
      before = last;
      last = new Set(items.map(({ id }) => id));
    }
  }

  const byId = (id: number) => ({ params: { path: { id } } });
  const remove = (id: number, { signal, scope, ifMatch }: ScopeOptions = {}) =>
    askOne('delete', one, {
      params: { path: { id }, query: scope && { scope } },
      headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch },
      signal,
    });
  return {
    list,
    all,
    get: (id: number, { signal, query }: GetOptions = {}) =>
      askOne('get', one, { params: { path: { id }, query }, signal }),
    bySlug: (slug: string, { signal, query }: GetOptions = {}) =>
      askOne('get', `/${path}/by-slug/{slug}`, { params: { path: { slug }, query }, signal }),
    create: (body: object, { signal, idempotencyKey: key }: CreateOptions = {}) =>
      askOne('post', `/${path}`, {
        body,
        headers: key === undefined ? {} : { 'Idempotency-Key': key },
        signal,
      }),
    update: (id: number, body: object, { signal, ifMatch }: WriteOptions = {}) =>
      askOne('put', one, {
        ...byId(id),
        body,
        headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch },
        signal,
      }),
    trash: remove,
    remove,
  };
}

/** A page that there was a moment ago. */
const GONE = { items: [], total: 0, totalPages: 0 };
