import sql, { join, type Sql } from 'sql-template-tag';
import type { Database } from '../database/database.js';
import type { RequestContext } from '../http/request-context.js';
import { PostQuery } from '../wordpress/posts/post-query.js';
import { containing, inList, within } from '../wordpress/posts/post-rows.js';
import type { ListMediaQuery } from './media.dto.js';
import { applyCoreFilters } from './post-list.query.js';

/** Visible records by post type, for types that plugins filter. */
export type VisiblePosts = ReadonlyMap<string, PostQuery>;

/** The list of files for a request, without files that `/media/<id>` would reject (docs/behaviour/core-routes.md#media). */
export function mediaQuery(
  database: Database,
  query: ListMediaQuery,
  context: RequestContext,
  visiblePosts: VisiblePosts,
): PostQuery {
  const { context: view, search, media_type: kind } = query;
  const editable = within(sql`p`, context.access.editable('attachment'));
  const open = sql`p.post_password = '' AND NOT EXISTS (SELECT 1 FROM ${database.table('posts')} a
    WHERE a.ID = p.post_parent AND NOT (${readableParent(context, visiblePosts)}))`;
  const list = new PostQuery(database, 'attachment')
    .where(() => sql`p.post_status = 'inherit'`)
    .where(() => (view === 'edit' ? editable : sql`(${editable} OR (${open}))`));
  applyCoreFilters(list, query, context.settings.zone);
  if (query.parent) list.where(inList(sql`p.post_parent`, query.parent));
  if (query.parent_exclude) list.where(sql`NOT (${inList(sql`p.post_parent`, query.parent_exclude)})`);
  if (query.mime_type !== undefined) list.where(sql`p.post_mime_type = ${query.mime_type}`);
  if (kind !== undefined) list.where(() => sql`p.post_mime_type LIKE ${`${kind}/%`}`);
  if (search === undefined) return list;
  const holds = (column: Sql) => sql`${column} LIKE ${containing(search)} ESCAPE '|'`;
  return list.inOnePass().where(
    () => sql`(${holds(sql`p.post_title`)} OR EXISTS (SELECT 1 FROM ${database.table('postmeta')} m
      WHERE m.post_id = p.ID AND m.meta_key = '_wp_attached_file' AND ${holds(sql`m.meta_value`)}))`,
  );
}

/** The condition on parent records `a` whose files this reader may see. */
function readableParent({ access, settings }: RequestContext, visiblePosts: VisiblePosts): Sql {
  const { postTypes, statuses } = access.types;
  const types = [...postTypes.keys()];
  const ofTypes = types.map((type) => {
    const readable = within(sql`a`, access.visibility(type, [...statuses.keys()]));
    const visible = visiblePosts.get(type);
    const all = visible ? sql`${readable} AND a.ID IN (${visible.subquery})` : readable;
    return sql`(a.post_type = ${type} AND ${all})`;
  });
  // For types that only other plugins register.
  ofTypes.push(sql`(a.post_status = 'publish' AND NOT (${inList(sql`a.post_type`, types)}))`);
  // Fewer users may read the site's own unpublished pages.
  const sitePages = access.can('manage_options') ? [] : settings.frontPages;
  return sql`a.post_password = '' AND (a.post_status = 'publish' OR NOT (${inList(sql`a.ID`, sitePages)}))
    AND (${join(ofTypes, ' OR ')})`;
}
