import sql from 'sql-template-tag';
import { PostMeta } from '../../wordpress/posts/post.entity.js';
import { counted } from '../counted.js';
import { type Check, EXAMPLES } from './check.js';
import { batches, type SiteView } from './site-view.js';

export const metaCheck: Check = {
  kind: 'meta',
  title: 'meta rows of posts that are gone',
  tables: ['posts', 'postmeta'],
  fixSummary: 'removes these rows of postmeta',
  async find(site) {
    const { count } = await site.row<{ count: number }>(sql`SELECT COUNT(*) AS count ${orphans(site)}`);
    const examples =
      count === 0
        ? []
        : await site.rows<{ id: number }>(
            sql`SELECT DISTINCT m.post_id AS id ${orphans(site)} ORDER BY m.post_id LIMIT ${EXAMPLES}`,
          );
    return {
      name: 'meta-orphaned',
      severity: 'warning',
      what: `${counted(count, 'row')} of postmeta whose post does not exist`,
      count,
      examples: examples.map(({ id }) => id),
      why: 'Nobody sees them, but filters by meta read past them, and a row that is imported under such an id would take them over.',
      advice: 'Remove them: almanac doctor --fix meta',
    };
  },
  async fix(site, { transaction: { manager } }) {
    const rows = batches<{ id: number }>((after, most) =>
      site.rows(
        sql`SELECT m.meta_id AS id ${orphans(site)} AND m.meta_id > ${after} ORDER BY m.meta_id LIMIT ${most}`,
      ),
    );
    let removed = 0;
    for await (const batch of rows) {
      const ids = batch.map(({ id }) => id);
      await manager.delete(PostMeta, ids);
      removed += batch.length;
      site.facts.progress(`Removed ${counted(removed, 'row')}.`);
    }
    return `Removed ${counted(removed, 'meta row')}.`;
  },
};

function orphans(site: SiteView) {
  return sql`FROM ${site.table('postmeta')} m LEFT JOIN ${site.table('posts')} p ON p.ID = m.post_id WHERE p.ID IS NULL`;
}
