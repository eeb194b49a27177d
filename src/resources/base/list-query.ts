import { writeCursor } from '../../http/params/cursor.js';
import type { PlacedRow } from '../../wordpress/posts/list-order.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';
import { entryId, entryKey } from '../../wordpress/posts/post-record.js';
import type { ListAdditions, ListOrder, Orders } from './list-additions.js';
import type { ReadQuery } from './response-context.js';

/** The parameters of every list of posts. */
export interface PostListQuery extends ReadQuery, ListAdditions {
  page: number;
  per_page: number;
}

/** A page of a list. */
export interface PostPage {
  /** As responses name them: of posts, or of their entries. */
  ids: readonly number[];
  /** As the record cache names them (`entryKey`). */
  keys: readonly string[];
  /** How many match in all. */
  total: number;
  /** The rows of the page, in their order. */
  rows(): Promise<readonly PlacedRow[]>;
  /** Whether `rows` were read before the record cache lookup. */
  rowsLoaded?: boolean;
  /** Of a page requested by cursor: the next cursor, null on the last page. */
  next?: string | null;
}

/** A list before it is read. */
export interface ListQuery {
  /** Its records; plugins narrow it further. */
  list: PostQuery;
  /** Its address, the base of the links to its other pages. */
  url: string;
  /** Called once the list has all conditions of its request, before plugins narrow it. */
  note?(order: ListOrder): void;
  /** Further orders besides those of all lists of posts. */
  orders?(): Orders;
  /** Its default order; by date without it. */
  defaultOrder?: string;
  /** The distance of a record in metres, in lists around a place. */
  distanceOf?(json: object): number | undefined;
}

/** The page of a list that starts after a cursor, with the next one. */
export async function pageAfter(
  list: PostQuery,
  order: ListOrder,
  perPage: number,
  read: (list: PostQuery) => Promise<PostPage>,
): Promise<PostPage> {
  // One row more tells whether there is a next page.
  const { total, rows } = await read(list.page(1, perPage + 1).startAfter(order.place));
  const found = await rows();
  const pageRows = found.slice(0, perPage);
  const last = found.length > perPage ? pageRows.at(-1) : undefined;
  const place =
    last?.position === undefined
      ? undefined
      : { value: last.position, id: last.id, ...(last.entry && { row: last.entry.row }) };
  return {
    ids: pageRows.map(entryId),
    keys: pageRows.map(entryKey),
    total,
    rows: async () => pageRows.map(({ position: _position, ...row }) => row),
    rowsLoaded: true,
    next: place ? writeCursor({ order: order.cursorName, place }) : null,
  };
}
