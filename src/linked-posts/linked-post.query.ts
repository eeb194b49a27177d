import sql, { empty, join, type Sql } from 'sql-template-tag';
import { EVENT_POST_TYPE } from '../calendar/event-post-type.js';
import type { Database } from '../database/database.js';
import { straightJoin } from '../database/dialect.js';
import { lasts, type RequestContext } from '../http/request-context.js';
import { membersOf } from '../resources/member.js';
import { formatWallClock } from '../wordpress/dates/wall-clock.js';
import { isTruthyWord } from '../wordpress/formatting/truthy-word.js';
import { PostQuery } from '../wordpress/posts/post-query.js';
import { searchPieces } from '../wordpress/posts/search-terms.js';
import { containing, inList } from '../wordpress/posts/post-rows.js';
import { openedBy, within } from '../wordpress/posts/visible-posts.js';
import type { ListLinkedPostsQuery } from './linked-post.dto.js';
import type { LinkedPostType } from './linked-post-type.js';

/**
 * The list of venues or organizers that a request asks for (docs/behaviour/lists.md#venues-and-organizers with R1, R4,
 * R5).
 */
export function linkedPostQuery(
  database: Database,
  kind: LinkedPostType,
  query: ListLinkedPostsQuery,
  context: RequestContext,
  visibleEvents?: PostQuery,
): PostQuery {
  const { access, now } = context;
  if (query.only_with_upcoming) lasts(context);
  const list = new PostQuery(database, kind.type)
    .visible(access.visibility(kind.type, query.status))
    .orderBy(sql`p.post_date`, 'DESC')
    .page(query.page, query.per_page);
  if (query.event === undefined) list.inOrder();
  const meta = database.table('postmeta');
  const links = sql`SELECT CAST(m.meta_value AS UNSIGNED) FROM ${meta} m`;
  const posts = database.table('posts');
  const straight = straightJoin(database.dialect);
  // Events that a plugin hides from this reader must not tell of themselves here either.
  const isVisible = visibleEvents ? sql` AND e.ID IN (${visibleEvents.subquery})` : empty;
  if (query.event !== undefined)
    list.where(sql`p.ID IN (${links} WHERE m.post_id = ${query.event} AND m.meta_key = ${kind.linkKey})`);
  if (query.has_events !== undefined) {
    // An event makes its venue one that has events unless it is unfinished, or the reader may not know of it (R13).
    const counted = [...access.types.statuses.keys()].filter((one) => one !== 'draft' && one !== 'pending');
    list.inOnePass();
    const linked = sql`p.ID IN (${links} JOIN ${posts} e ON e.ID = m.post_id WHERE m.meta_key = ${kind.linkKey}
      AND e.post_type = ${EVENT_POST_TYPE} AND ${within(sql`e`, access.visibility(EVENT_POST_TYPE, counted))}${isVisible})`;
    list.where(isTruthyWord(query.has_events) ? linked : sql`NOT (${linked})`);
  }
  if (query.only_with_upcoming)
    // In this order, and with what is hidden found once: MariaDB's own choice looks through all meta of each event.
    list
      .inOnePass()
      .where(sql`p.ID IN (${links} ${straight} ${database.table('tec_occurrences')} o ON o.post_id = m.post_id
      ${straight} ${posts} e ON e.ID = m.post_id
      WHERE m.meta_key = ${kind.linkKey} AND e.post_type = ${EVENT_POST_TYPE} AND e.post_status = 'publish'
      AND o.start_date_utc >= ${formatWallClock(Math.floor(now / 1000))}
      AND e.ID NOT IN (SELECT h.post_id FROM ${meta} h WHERE h.meta_key = '_EventHideFromUpcoming')${isVisible})`);
  if (query.search !== undefined)
    search(list, database, kind, query.search, openedBy(query.password, access.editable(kind.type)));
  return list;
}

/**
 * A record matches when one of its fields holds every piece of the text
 * (docs/behaviour/lists.md#search-for-venues-and-organizers). What is in the trash never matches, nor does a text
 * without a piece; what the caller may not open matches by its title only (R14).
 */
function search(list: PostQuery, database: Database, kind: LinkedPostType, text: string, open: Sql): void {
  const pieces = searchPieces(text);
  list.inOnePass().where(sql`p.post_status <> 'trash'`);
  if (pieces.length === 0) {
    list.where(sql`1 = 0`);
    return;
  }
  const searched = [...membersOf(kind.json).values()].flatMap(({ meta: key, searched }) =>
    key && searched ? [key] : [],
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

/** Records with one of the names (and one of the descriptions, when given): published ones first, then the oldest. */
export function namesakes(
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
