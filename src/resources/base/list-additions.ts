import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../database/database.js';
import { caseInsensitive } from '../../database/dialect.js';
import { invalidParameter } from '../../common/errors/rest-exception.js';
import { getRawParams, sentTexts } from '../../http/params/check-context.js';
import { FIRST, readCursor } from '../../http/params/cursor.js';
import type { RequestContext } from '../../http/request-context.js';
import { declaredArgs } from '../../http/params/rest-arg.js';
import { fromUtc } from '../../lib/wordpress-text/dates/convert.js';
import { instantText } from '../../lib/wordpress-text/dates/instant-text.js';
import {
  comparableDate,
  formatWallClock,
  parseWallClock,
} from '../../lib/wordpress-text/dates/wall-clock.js';
import { addQueryArg, phpUrlencode } from '../../lib/wordpress-text/formatting/add-query-arg.js';
import type { Direction, ListJoin, Place } from '../../wordpress/posts/list-order.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';

/** Our own parameters of lists of posts (docs/behaviour/additions.md), checked already. */
export interface ListAdditions {
  orderby?: string;
  order?: string;
  cursor?: string;
  modified_after?: string;
  modified_before?: string;
  _format?: string;
}

/** What a list may be sorted by, and what its values are like. */
export interface OrderKey {
  key: Sql;
  /** The table that it is of, if not `p`: the one that the list joins, or one of its own. Or: an index has posts in its order. */
  source?: 'joined' | 'indexed' | ListJoin;
  holds: 'date' | 'number' | 'text';
}

/** What a list may be sorted by, by name. */
export type Orders = Readonly<Record<string, OrderKey>>;

/** Characters of titles that lists are sorted by: a cursor has to hold them. */
const TITLE_LENGTH = 100;

/** Names that links never repeat, or that have a word of their own there. */
const NOT_REPEATED = ['page', 'password'];

/** Whether a request makes use of any of our own parameters; without, nothing differs from what was recorded. */
export function hasAdditions(query: object): boolean {
  const sent = getRawParams(query);
  return argsOf(query).some(({ name, isExtension: ours }) => ours && (sent[name] ?? null) !== null);
}

/** What all lists of posts may be sorted by. `open`: where titles may be seen, undefined for everywhere. */
export function postOrders({ dialect }: Database, open?: Sql): Orders {
  const title = sql`SUBSTR(p.post_title, 1, ${TITLE_LENGTH})`;
  return {
    date: { key: sql`p.post_date`, source: 'indexed', holds: 'date' },
    modified: { key: sql`p.post_modified`, holds: 'date' },
    title: {
      key: caseInsensitive(dialect, open ? sql`CASE WHEN ${open} THEN ${title} ELSE '' END` : title),
      holds: 'text',
    },
    id: { key: sql`p.ID`, source: 'indexed', holds: 'number' },
  };
}

/** What a list was asked to be sorted by, which way, and after which place it starts. */
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

  /** As cursors name it. */
  get text(): string {
    return `${this.name} ${this.direction}`;
  }

  /** Whether the list is sorted otherwise than it is without a word. */
  get isAsked(): boolean {
    const { orderby, order, cursor } = this.query;
    return (orderby ?? order ?? cursor) !== undefined;
  }

  /** Sorts a list, where that was asked for. */
  sort(list: PostQuery): void {
    if (!this.isAsked) return;
    const found = this.orders()[this.name];
    if (found) list.orderOnlyBy(found.key, this.direction, found.source);
  }

  /** Where the list starts: undefined at its beginning. Throws for a cursor of another order. */
  get place(): Place | undefined {
    const { cursor = FIRST } = this.query;
    if ((getRawParams(this.query)['page'] ?? null) !== null)
      throw invalidParameter('cursor', 'cursor does not go with page.');
    if (cursor === FIRST) return undefined;
    const read = readCursor(cursor);
    const kind = this.orders()[this.name]?.holds;
    if (!read || read.order !== this.text || !isOf(kind, read.place.value))
      throw invalidParameter('cursor', 'cursor is none of a list in this order.');
    return read.place;
  }
}

/** A moment that changes lie before or after: in UTC, and on the site's clock for those that are known on it only. */
export interface ModifiedEdge {
  isAfter: boolean;
  utc: string;
  local: string;
}

/** Between which moments the records of a list were changed last. */
export function modifiedEdges(query: ListAdditions, { settings: { zone } }: RequestContext): ModifiedEdge[] {
  const edge = (text: string | undefined, isAfter: boolean): ModifiedEdge[] => {
    const utc = text === undefined ? undefined : instantText(text, zone);
    return utc === undefined ? [] : [{ isAfter, utc, local: comparableDate(fromUtc(utc, zone)) }];
  };
  return [...edge(query.modified_after, true), ...edge(query.modified_before, false)];
}

/** What posts `p` must be by the times of their last change. A draft's may be known on the site's clock only. */
export function modifiedConditions(query: ListAdditions, context: RequestContext): Sql[] {
  const [inUtc, onSite] = [sql`p.post_modified_gmt`, sql`p.post_modified`];
  return modifiedEdges(query, context).map(({ isAfter, utc, local }) => {
    const beyond = isAfter ? sql`>=` : sql`<`;
    return sql`(${inUtc} ${beyond} ${utc} AND ${inUtc} >= ${FIRST_DATE}
      OR ${inUtc} < ${FIRST_DATE} AND ${onSite} ${beyond} ${local})`;
  });
}

/**
 * The address of a list with all that it was asked with, but for passwords; what it says already stays, except for `status=any`, which
 * stands for none and would be refused.
 */
export function completeUrl(url: string, query: object): string {
  const said = new URL(url).searchParams;
  const all = sentTexts(query, NOT_REPEATED);
  const pairs = all.filter(([name]) => !said.has(name)).map(([name, text]) => [name, phpUrlencode(text)]);
  return addQueryArg(url, {
    // A cursor says which page.
    ...(all.some(([name]) => name === 'cursor') && { page: undefined }),
    ...(said.get('status') === 'any' && { status: undefined }),
    ...Object.fromEntries(pairs),
  });
}

/** Zero dates come before it. */
export const FIRST_DATE = '0001-01-01 00:00:00';
const DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

const argsOf = (query: object) => declaredArgs(query.constructor as new () => object);

function isOf(kind: OrderKey['holds'] | undefined, value: string | number): boolean {
  if (typeof value === 'number') return kind === 'number';
  return kind === 'text' || (kind === 'date' && isStored(value));
}

/** Whether a column may hold a date: one that there is, or a zero date. */
function isStored(text: string): boolean {
  const seconds =
    DATE.test(text) && !text.includes(' 24:') && !text.endsWith(':60') ? parseWallClock(text) : undefined;
  return seconds !== undefined && (text.includes('-00') || formatWallClock(seconds) === text);
}
