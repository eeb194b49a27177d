import sql, { join } from 'sql-template-tag';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { CATEGORY } from '../../resources/categories/category-type.js';
import { TAG } from '../../resources/tags/tag-type.js';
import { inList } from '../../wordpress/posts/post-rows.js';
import { counted } from '../counted.js';
import { type Check } from './check.js';
import type { SiteView } from './site-view.js';

const AT_ONCE = 500;

/** Conditions for posts that count towards a term (docs/behaviour/terms.md#counts). */
const COUNTED = [
  { taxonomy: CATEGORY.taxonomy, types: [EVENT_POST_TYPE, 'tec_calendar_embed'] },
  { taxonomy: TAG.taxonomy, types: ['post', EVENT_POST_TYPE, 'tec_calendar_embed'] },
];

interface WrongCount {
  /** `term_taxonomy_id`. */
  id: number;
  termId: number;
  /** The correct count. */
  wanted: number;
}

export const countsCheck: Check = {
  kind: 'counts',
  title: 'categories and tags with a wrong count',
  tables: ['posts', 'term_taxonomy', 'term_relationships'],
  fixSummary: 'counts the published posts of these terms anew',
  async find(site) {
    const wrong = await wrongCounts(site);
    return {
      name: 'counts-wrong',
      severity: 'warning',
      what: `${counted(wrong.length, 'category or tag', 'categories and tags')} with a count that is not the number of published posts`,
      examples: wrong.map(({ termId }) => termId),
      why: 'Lists of terms leave out those whose count is 0, and show the count.',
      advice: 'Count them anew: almanac doctor --fix counts',
    };
  },
  async fix(site) {
    const wrong = await wrongCounts(site);
    for (let at = 0; at < wrong.length; at += AT_ONCE) {
      const some = wrong.slice(at, at + AT_ONCE);
      const cases = some.map(({ id, wanted }) => sql`WHEN ${id} THEN ${wanted}`);
      const ids = some.map(({ id }) => id);
      await site.rows(
        sql`UPDATE ${site.table('term_taxonomy')} SET ${site.database.column('count')} = CASE term_taxonomy_id ${join(cases, ' ')} END
            WHERE ${inList(sql`term_taxonomy_id`, ids)}`,
      );
    }
    return `Counted ${counted(wrong.length, 'term')} anew.`;
  },
};

/** Other plugins may assign tags to types of their own and count them or not: any value in between is correct. */
async function wrongCounts(site: SiteView): Promise<WrongCount[]> {
  const wrong: WrongCount[] = [];
  const count = site.database.column('count');
  for (const { taxonomy, types } of COUNTED) {
    const rows = await site.rows<{
      id: number;
      termId: number;
      storedCount: number;
      least: number;
      most: number;
    }>(
      sql`SELECT x.term_taxonomy_id AS id, x.term_id AS termId, x.${count} AS storedCount,
          COALESCE(c.least, 0) AS least, COALESCE(c.most, 0) AS most
          FROM ${site.table('term_taxonomy')} x LEFT JOIN (
            SELECT r.term_taxonomy_id AS id, COUNT(*) AS most,
            SUM(CASE WHEN ${inList(sql`p.post_type`, types)} THEN 1 ELSE 0 END) AS least
            FROM ${site.table('term_relationships')} r
            JOIN ${site.table('posts')} p ON p.ID = r.object_id AND p.post_status = 'publish'
            GROUP BY r.term_taxonomy_id
          ) c ON c.id = x.term_taxonomy_id
          WHERE x.taxonomy = ${taxonomy} AND (x.${count} < COALESCE(c.least, 0) OR x.${count} > COALESCE(c.most, 0))
          ORDER BY x.term_id`,
    );
    for (const { id, termId, storedCount, least, most } of rows)
      wrong.push({ id, termId, wanted: Number(storedCount) < Number(least) ? Number(least) : Number(most) });
  }
  return wrong;
}
