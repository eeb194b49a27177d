import sql from 'sql-template-tag';
import { EVENT } from '../../resources/events/event-type.js';
import { inList } from '../../wordpress/posts/post-rows.js';
import { counted } from '../counted.js';
import { type Check } from './check.js';
import { EXAMPLES } from './site-view.js';

const TYPES = [EVENT, ...EVENT.linked];
/** What has no address of its own yet, or any more. */
const WITHOUT_ADDRESS = ['draft', 'pending', 'auto-draft', 'trash'];

export const slugsCheck: Check = {
  kind: 'slugs',
  title: 'records that share a slug',
  tables: ['posts'],
  async find(site) {
    const types = TYPES.map(({ type }) => type);
    const shared = sql`FROM ${site.table('posts')} WHERE ${inList(sql`post_type`, types)} AND post_name <> ''
        AND NOT ${inList(sql`post_status`, WITHOUT_ADDRESS)} GROUP BY post_type, post_name HAVING COUNT(*) > 1`;
    const { count } = await site.row<{ count: number }>(
      sql`SELECT COUNT(*) AS count FROM (SELECT post_name ${shared}) g`,
    );
    const rows = await site.rows<{ type: string; slug: string; first: number; last: number }>(
      sql`SELECT MIN(post_type) AS type, MIN(post_name) AS slug, MIN(ID) AS first, MAX(ID) AS last ${shared}
          ORDER BY MIN(ID) LIMIT ${EXAMPLES}`,
    );
    const pathOf = new Map<string, string>(TYPES.map(({ type, path }) => [type, path]));
    return {
      name: 'slugs-shared',
      severity: 'warning',
      what: `${counted(count, 'slug')} that two or more records of a type share`,
      count,
      examples: rows.map(
        ({ type, slug, first, last }) => `${pathOf.get(type)}/${slug}: ${first} and ${last}`,
      ),
      why: 'They have the same address: a request for it, or by slug, gets only one of them.',
      advice: 'Give all but one of them another slug in the editor, or with PATCH {"slug": "…"}.',
    };
  },
};
