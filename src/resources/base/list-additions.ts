import sql, { type Sql } from 'sql-template-tag';
import { invalidParameter } from '../../common/errors/rest-exception.js';
import type { Database } from '../../database/database.js';
import { caseInsensitive } from '../../database/dialect.js';
import { getRawParams, sentTexts } from '../../http/params/check-context.js';
import { FIRST, readCursor } from '../../http/params/cursor.js';
import { declaredArgs } from '../../http/params/rest-arg.js';
import type { RequestContext } from '../../http/request-context.js';
import { fromUtc, instantText } from '../../lib/wordpress-text/dates/convert.js';
import {
  comparableDate,
  formatWallClock,
  parseWallClock,
} from '../../lib/wordpress-text/dates/wall-clock.js';
import { addQueryArg, phpUrlencode } from '../../lib/wordpress-text/formatting/add-query-arg.js';
import type { Direction, Place, RowsOfPosts } from '../../wordpress/posts/list-order.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';
import { inList } from '../../wordpress/posts/post-rows.js';

/** Our own parameters of post lists (docs/behaviour/additions.md), already validated. */
export interface ListAdditions {
  orderby?: string;
  order?: string;
  cursor?: string;
  author?: string;
  modified_after?: string;
  modified_before?: string;
  _format?: string;
}

/** A sort key and the type of its values. */
interface OrderKey {
  key: Sql;
  /** The table that holds the key: the joined one, or one with rows of posts; `indexed` if an index of `posts` has this order; by default a column of `p`. */
  source?: 'joined' | 'indexed' | RowsOfPosts;
  valueType: 'date' | 'number' | 'text';
}

/** Sort keys by name. */
export type Orders = Readonly<Record<string, OrderKey>>;

/** Number of title characters used for sorting: a cursor has to hold them. */
const TITLE_LENGTH = 100;

/** Parameters that links leave out or set themselves. */
const UNREPEATED_PARAMS = ['page', 'password'];

/** Whether a request uses any of our own parameters; without them the response is as recorded. */
export function hasAdditions(query: object): boolean {
  const sent = getRawParams(query);
  return argsOf(query).some(({ name, isExtension }) => isExtension && (sent[name] ?? null) !== null);
}

/** The sort keys of all post lists; `open` is the condition under which titles are visible, undefined means always. */
export function postOrderKeys({ dialect }: Database, open?: Sql): Orders {
  const title = sql`SUBSTR(p.post_title, 1, ${TITLE_LENGTH})`;
  return {
    date: { key: sql`p.post_date`, source: 'indexed', valueType: 'date' },
    modified: { key: sql`p.post_modified`, valueType: 'date' },
    title: {
      key: caseInsensitive(dialect, open ? sql`CASE WHEN ${open} THEN ${title} ELSE '' END` : title),
      valueType: 'text',
    },
    id: { key: sql`p.ID`, source: 'indexed', valueType: 'number' },
  };
}

/** The requested sort key, direction and starting position of a list. */
export class ListOrder {
  readonly name: string;
  readonly direction: Direction;

  constructor(
    private readonly query: ListAdditions,
    private readonly orders: () => Orders,
    standing: string,
  ) {
    this.name = query.orderby ?? standing;
    const usual = this.name === 'date' || this.name === 'modified' ? 'desc' : 'asc';
    this.direction = (query.order ?? usual) === 'asc' ? 'ASC' : 'DESC';
  }

  /** The order's name inside cursors. */
  get cursorName(): string {
    return `${this.name} ${this.direction}`;
  }

  /** Whether the request sets the order or position. */
  get isRequested(): boolean {
    const { orderby, order, cursor } = this.query;
    return (orderby ?? order ?? cursor) !== undefined;
  }

  /** Sorts the list if the request asks for an order. */
  sort(list: PostQuery): void {
    if (!this.isRequested) return;
    const found = this.orders()[this.name];
    if (found) list.orderOnlyBy(found.key, this.direction, found.source);
  }

  /** The position after which the list starts, undefined for its beginning; throws for a cursor of another order. */
  get place(): Place | undefined {
    const { cursor = FIRST } = this.query;
    if ((getRawParams(this.query)['page'] ?? null) !== null)
      throw invalidParameter('cursor', 'cursor does not go with page.');
    if (cursor === FIRST) return undefined;
    const read = readCursor(cursor);
    const kind = this.orders()[this.name]?.valueType;
    if (!read || read.order !== this.cursorName || !isOfType(kind, read.place.value))
      throw invalidParameter('cursor', 'cursor is none of a list in this order.');
    return read.place;
  }
}

/** A bound of the modification time, in UTC and on the site's clock for posts without a UTC time. */
export interface ModifiedEdge {
  isAfter: boolean;
  utc: string;
  local: string;
}

/** The requested bounds of the modification time. */
export function modifiedEdges(query: ListAdditions, { settings: { zone } }: RequestContext): ModifiedEdge[] {
  const edge = (text: string | undefined, isAfter: boolean): ModifiedEdge[] => {
    const utc = text === undefined ? undefined : instantText(text, zone);
    return utc === undefined ? [] : [{ isAfter, utc, local: comparableDate(fromUtc(utc, zone)) }];
  };
  return [...edge(query.modified_after, true), ...edge(query.modified_before, false)];
}

/** The condition on the authors of posts `p`. */
export function authorConditions({ author }: ListAdditions): Sql[] {
  return author === undefined ? [] : [inList(sql`p.post_author`, author.split(',').map(Number))];
}

/** Conditions on the modification time of posts `p`; a draft may only have a time on the site's clock. */
export function modifiedConditions(query: ListAdditions, context: RequestContext): Sql[] {
  const [inUtc, onSite] = [sql`p.post_modified_gmt`, sql`p.post_modified`];
  return modifiedEdges(query, context).map(({ isAfter, utc, local }) => {
    const beyond = isAfter ? sql`>=` : sql`<`;
    return sql`(${inUtc} ${beyond} ${utc} AND ${inUtc} >= ${MIN_DATE}
      OR ${inUtc} < ${MIN_DATE} AND ${onSite} ${beyond} ${local})`;
  });
}

/**
 * The URL of a list with all sent parameters but passwords; parameters that it holds already stay, except `status=any`,
 * which the interface itself rejects.
 */
export function completeUrl(url: string, query: object): string {
  const said = new URL(url).searchParams;
  const all = sentTexts(query, UNREPEATED_PARAMS);
  const pairs = all.filter(([name]) => !said.has(name)).map(([name, text]) => [name, phpUrlencode(text)]);
  return addQueryArg(url, {
    // A cursor replaces the page.
    ...(all.some(([name]) => name === 'cursor') && { page: undefined }),
    ...(said.get('status') === 'any' && { status: undefined }),
    ...Object.fromEntries(pairs),
  });
}

/** The first real date; zero dates sort before it. */
export const MIN_DATE = '0001-01-01 00:00:00';
const DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

const argsOf = (query: object) => declaredArgs(query.constructor as new () => object);

function isOfType(kind: OrderKey['valueType'] | undefined, value: string | number): boolean {
  if (typeof value === 'number') return kind === 'number';
  return kind === 'text' || (kind === 'date' && isStorableDate(value));
}

/** Whether a column may hold the text: a valid date or a zero date. */
function isStorableDate(text: string): boolean {
  const seconds =
    DATE.test(text) && !text.includes(' 24:') && !text.endsWith(':60') ? parseWallClock(text) : undefined;
  return seconds !== undefined && (text.includes('-00') || formatWallClock(seconds) === text);
}
