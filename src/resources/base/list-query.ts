import { writeCursor } from '../../http/params/cursor.js';
import type { PlacedRow } from '../../wordpress/posts/list-order.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';
import type { ListAdditions, ListOrder, Orders } from './list-additions.js';
import type { UnlockQuery } from './response-context.js';

/** What every list of posts is asked with. */
export interface PostListQuery extends UnlockQuery, ListAdditions {
  page: number;
  per_page: number;
}

/** What is on the page of a list. */
export interface PostPage {
  ids: readonly number[];
  /** How many match in all. */
  total: number;
  /** The rows of the page, in their order. */
  rows(): Promise<readonly PlacedRow[]>;
  /** Whether they have been read already. */
  rowsLoaded?: boolean;
  /** Where it was asked for by a cursor: the next one, null on the last page. */
  next?: string | null;
}

/** A list before it is read. */
export interface ListQuery {
  /** The records that it is of; plugins narrow it further. */
  list: PostQuery;
  /** Its address, which the links to its other pages are made of. */
  url: string;
  /** Told once the list is all that its request asks for; what plugins narrow comes after. */
  note?(order: ListOrder): void;
  /** What it may be sorted by besides what all lists of posts may. */
  orders?(): Orders;
  /** What it is sorted by without a word; by date where nothing is said. */
  defaultOrder?: string;
  /** How many metres away a record is, where the list was asked to look around a place. */
  distanceOf?(json: object): number | undefined;
}

/** The page of a list that starts after a cursor, with the next one. */
export async function pageAfter(
  list: PostQuery,
  order: ListOrder,
  perPage: number,
  read: (list: PostQuery) => Promise<PostPage>,
): Promise<PostPage> {
  // One more, which says whether there is a next page.
  const { total, rows } = await read(list.page(1, perPage + 1).startAfter(order.place));
  const found = await rows();
  const shown = found.slice(0, perPage);
  const last = found.length > perPage ? shown.at(-1) : undefined;
  const place = last?.position === undefined ? undefined : { value: last.position, id: last.id };
  return {
    ids: shown.map(({ id }) => id),
    total,
    rows: async () => shown.map(({ position: _position, ...row }) => row),
    rowsLoaded: true,
    next: place ? writeCursor({ order: order.cursorName, place }) : null,
  };
}
