import sql, { empty, join, type Sql } from 'sql-template-tag';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import type { Database } from '../../database/database.js';
import { straightJoin } from '../../database/dialect.js';
import type { RequestContext } from '../../http/request-context.js';
import { formatWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { isTruthyWord } from '../../lib/wordpress-text/formatting/truthy-word.js';
import { PostQuery } from '../../wordpress/posts/post-query.js';
import { containing, inList, openedBy, within } from '../../wordpress/posts/post-rows.js';
import { searchPieces } from '../../wordpress/posts/search-terms.js';
import { membersOf } from '../base/member.js';
import type { ListLinkedPostsQuery } from './linked-post.dto.js';
import type { LinkedPostType } from './linked-post-type.js';

/** The list of venues or organizers for a request (docs/behaviour/lists.md#venues-and-organizers with R1, R4, R5). */
export function linkedPostQuery(
  database: Database,
  kind: LinkedPostType,
  query: ListLinkedPostsQuery,
  context: RequestContext,
  visibleEvents?: PostQuery,
  known: { linked?: readonly number[]; upcoming?: readonly number[] } = {},
): PostQuery {
  const { access, time } = context;
  const list = new PostQuery(database, kind.type)
    .visible(access.visibility(kind.type, query.status))
    .orderBy(sql`p.post_date`, 'DESC')
    .page(query.page, query.per_page);
  if (query.event === undefined) list.inOrder();
  const named = (filter: Sql) => sql`p.ID IN (SELECT CAST(m.meta_value AS UNSIGNED) ${filter})`;
  if (query.event !== undefined)
    list.where(
      named(
        sql`FROM ${database.table('postmeta')} m WHERE m.post_id = ${query.event} AND m.meta_key = ${kind.linkKey}`,
      ),
    );
  // Events hidden by plugins must not be inferable from these filters.
  const isVisible = visibleEvents ? sql` AND e.ID IN (${visibleEvents.subquery})` : empty;
  const among = (ids: readonly number[] | undefined, links: () => Links) => {
    if (ids) return inList(sql`p.ID`, ids);
    list.inOnePass();
    return named(sql`${linksFrom(database, kind, links())}${isVisible}`);
  };
  if (query.has_events !== undefined) {
    const linked = among(known.linked, () => allLinks(context));
    list.where(isTruthyWord(query.has_events) ? linked : sql`NOT (${linked})`);
  }
  if (query.only_with_upcoming) {
    const from = time.atSecond(formatWallClock).value;
    list.where(among(known.upcoming, () => upcomingLinks(database, from)));
  }
  if (query.search !== undefined)
    search(list, database, kind, query.search, openedBy(query.password, access.editable(kind.type)));
  return list;
}

/** The condition on events `e` whose links `m` count, and the occurrences table `o` if it is needed. */
export interface Links {
  occurrences?: Sql;
  where: Sql;
}

/** Links count unless their event is a draft, pending or not readable by the caller (R13). */
export function allLinks({ access }: RequestContext): Links {
  const counted = [...access.types.statuses.keys()].filter((one) => one !== 'draft' && one !== 'pending');
  return { where: within(sql`e`, access.visibility(EVENT_POST_TYPE, counted)) };
}

/** Links of published, listed events; only of those that start at the UTC time or later, if one is given. */
export function upcomingLinks(database: Database, from?: string): Links {
  const hidden = sql`SELECT h.post_id FROM ${database.table('postmeta')} h WHERE h.meta_key = '_EventHideFromUpcoming'`;
  const later = from === undefined ? empty : sql` AND o.start_date_utc >= ${from}`;
  return {
    occurrences: database.table('tec_occurrences'),
    where: sql`e.post_status = 'publish' AND e.ID NOT IN (${hidden})${later}`,
  };
}

/** Selects linked ids, each with the last start of its events if occurrences are joined. */
export function linkedIdsQuery(database: Database, kind: LinkedPostType, links: Links, most: number): Sql {
  const start = links.occurrences ? sql`MAX(o.start_date_utc)` : sql`''`;
  const id = sql`CAST(m.meta_value AS UNSIGNED)`;
  return sql`SELECT ${id} AS id, ${start} AS start ${linksFrom(database, kind, links)} GROUP BY ${id} LIMIT ${most}`;
}

/** A fixed join order, because MariaDB's own choice reads all meta of each event. */
function linksFrom(database: Database, { linkKey }: LinkedPostType, { occurrences, where }: Links): Sql {
  const straight = straightJoin(database.dialect);
  const occurrenceJoin = occurrences ? sql`${straight} ${occurrences} o ON o.post_id = m.post_id` : empty;
  return sql`FROM ${database.table('postmeta')} m ${occurrenceJoin} ${straight} ${database.table('posts')} e ON e.ID = m.post_id
    WHERE m.meta_key = ${linkKey} AND m.meta_value IS NOT NULL AND e.post_type = ${EVENT_POST_TYPE} AND ${where}`;
}

/**
 * Matches records with a field that contains every word of the text
 * (docs/behaviour/lists.md#search-for-venues-and-organizers). Trashed records and an empty text never match; records
 * that the caller may not open match by title only (R14).
 */
function search(list: PostQuery, database: Database, kind: LinkedPostType, text: string, open: Sql): void {
  const pieces = searchPieces(text);
  list.inOnePass().where(sql`p.post_status <> 'trash'`);
  if (pieces.length === 0) {
    list.where(sql`1 = 0`);
    return;
  }
  const searched = [...membersOf(kind.json).values()].flatMap(({ metaKey, searched }) =>
    metaKey && searched ? [metaKey] : [],
  );
  const holdsAll = (column: ReturnType<typeof sql>) =>
    join(
      pieces.map((piece) => sql`${column} LIKE ${containing(piece)} ESCAPE '|'`),
      ' AND ',
    );
  list.where(
    sql`((${holdsAll(sql`p.post_title`)}) OR (${open} AND ((${holdsAll(sql`p.post_content`)})
      OR (${holdsAll(sql`p.post_excerpt`)}) OR EXISTS (SELECT 1 FROM ${database.table('postmeta')} m WHERE m.post_id = p.ID
        AND ${inList(sql`m.meta_key`, searched)} AND ${holdsAll(sql`m.meta_value`)}))))`,
  );
}

/** Selects records with one of the names (and descriptions, if given), published ones first, then the oldest. */
export function matchingRecords(
  database: Database,
  { type }: LinkedPostType,
  titles: readonly string[],
  contents?: readonly string[],
): Sql {
  const described = contents ? sql` AND ${inList(sql`p.post_content`, contents)}` : empty;
  return sql`SELECT p.ID AS id, p.post_author AS author, p.post_status AS status FROM ${database.table('posts')} p
    WHERE p.post_type = ${type} AND p.post_status NOT IN ('trash', 'auto-draft')
    AND ${inList(sql`p.post_title`, titles)}${described}
    ORDER BY CASE p.post_status WHEN 'publish' THEN 0 ELSE 1 END, p.ID`;
}
