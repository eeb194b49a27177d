import sql, { type Sql } from 'sql-template-tag';
import { CATEGORY } from '../../resources/categories/category-type.js';
import { TAG } from '../../resources/tags/tag-type.js';
import { inList } from '../../wordpress/posts/post-rows.js';
import { counted } from '../counted.js';
import { type Check, type Found } from './check.js';
import type { SiteView } from './site-view.js';

const AT_ONCE = 2000;
// Taxonomies of posts; others may relate links or users.
const OF_POSTS = [CATEGORY.taxonomy, TAG.taxonomy, 'category', 'post_format'];

interface Relation {
  object: number;
  term: number;
}

export const relationsCheck: Check = {
  kind: 'relations',
  title: 'terms carried by posts that are gone, and relations to terms that are gone',
  tables: ['posts', 'term_taxonomy', 'term_relationships'],
  fixSummary: 'removes these rows of term_relationships',
  async find(site) {
    const found: Found[] = [];
    for (const { name, from, of, why } of lost(site)) {
      const { count, examples } = await site.sample(from, of);
      found.push({
        name: `relations-without-${name}`,
        severity: 'warning',
        what: `${counted(count, 'row')} of term_relationships whose ${name} does not exist`,
        count,
        examples,
        why,
        advice: 'Remove them: almanac doctor --fix relations',
      });
    }
    return found;
  },
  async fix(site) {
    let removed = 0;
    for (const { from } of lost(site))
      for (let isMore = true; isMore; ) {
        const rows = await site.rows<Relation>(
          sql`SELECT r.object_id AS ${site.database.column('object')}, r.term_taxonomy_id AS ${site.database.column('term')} ${from} LIMIT ${AT_ONCE}`,
        );
        await remove(site, rows);
        removed += rows.length;
        isMore = rows.length === AT_ONCE;
      }
    return `Removed ${counted(removed, 'relation')}.`;
  },
};

function lost(site: SiteView): { name: string; from: Sql; of: Sql; why: string }[] {
  const relations = sql`FROM ${site.table('term_relationships')} r`;
  const terms = sql`${site.table('term_taxonomy')} x ON x.term_taxonomy_id = r.term_taxonomy_id`;
  return [
    {
      name: 'post',
      from: sql`${relations} JOIN ${terms} LEFT JOIN ${site.table('posts')} p ON p.ID = r.object_id
          WHERE ${inList(sql`x.taxonomy`, OF_POSTS)} AND p.ID IS NULL`,
      of: sql`r.object_id`,
      why: 'They are invisible, but filters by term read them, and a post that gets the id later would have the term.',
    },
    {
      name: 'term',
      from: sql`${relations} LEFT JOIN ${terms} WHERE x.term_taxonomy_id IS NULL`,
      of: sql`r.term_taxonomy_id`,
      why: 'They are invisible, but these posts would have any term that gets the id later.',
    },
  ];
}

/** Deletes the rows of one term with one statement. */
async function remove(site: SiteView, rows: readonly Relation[]): Promise<void> {
  const byTerm = new Map<number, number[]>();
  for (const { object, term } of rows) byTerm.set(term, [...(byTerm.get(term) ?? []), object]);
  for (const [term, objects] of byTerm)
    await site.rows(
      sql`DELETE FROM ${site.table('term_relationships')}
          WHERE term_taxonomy_id = ${term} AND ${inList(sql`object_id`, objects)}`,
    );
}
