import sql, { join, type Sql } from 'sql-template-tag';
import type { Database } from '../database/database.js';
import type { RequestContext } from '../http/request-context.js';
import { EVENT } from '../resources/events/event-type.js';
import { PostQuery } from '../wordpress/posts/post-query.js';
import { hasMeta, inList, openedBy, within } from '../wordpress/posts/post-rows.js';
import type { ListCoreEventsQuery } from './events.dto.js';
import { applyCoreFilters } from './post-list.query.js';

/** A filter by the `term_taxonomy_id`s of existing terms. */
export interface TermFilter {
  ids: readonly number[];
  isExcluded: boolean;
}

/**
 * The list of events for a request, without events that the caller could not read alone
 * (docs/behaviour/core-routes.md#events).
 */
export function coreEventQuery(
  database: Database,
  query: ListCoreEventsQuery,
  { access, settings }: RequestContext,
  filters: readonly TermFilter[],
): PostQuery {
  const editable = access.editable(EVENT.type);
  const list = new PostQuery(database, EVENT.type).visible(access.visibility(EVENT.type, query.status));
  // With `context=edit`, hidden events are included.
  if (query.context === 'edit') list.where(() => within(sql`p`, editable));
  else list.where(() => sql`NOT ${hasMeta(database, 'post', '_EventHideFromUpcoming')}`);
  const byTerms = filters.map((filter) => carrying(database, filter));
  if (byTerms.length > 0) list.where(sql`(${join(byTerms, query.tax_relation === 'OR' ? ' OR ' : ' AND ')})`);
  applyCoreFilters(list, query, settings.zone);
  if (query.search === undefined) return list;
  return list.search(query.search, openedBy(undefined, editable), access.signedIn);
}

function carrying(database: Database, { ids, isExcluded }: TermFilter): Sql {
  const carries = sql`EXISTS (SELECT 1 FROM ${database.table('term_relationships')} r
      WHERE r.object_id = p.ID AND ${inList(sql`r.term_taxonomy_id`, ids)})`;
  return isExcluded ? sql`NOT ${carries}` : carries;
}
