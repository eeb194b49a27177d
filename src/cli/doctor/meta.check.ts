import sql from 'sql-template-tag';
import { PostMeta } from '../../wordpress/posts/post.entity.js';
import { counted } from '../counted.js';
import { type Check } from './check.js';
import type { SiteView } from './site-view.js';

export const metaCheck: Check = {
  kind: 'meta',
  title: 'meta rows of posts that are gone',
  tables: ['posts', 'postmeta'],
  fixSummary: 'removes these rows of postmeta',
  async find(site) {
    const { count, examples } = await site.sample(orphans(site), sql`m.post_id`);
    return {
      name: 'meta-orphaned',
      severity: 'warning',
      what: `${counted(count, 'row')} of postmeta whose post does not exist`,
      count,
      examples,
      why: 'They are invisible, but filters by meta read them, and a post that is imported with such an id would get them.',
      advice: 'Remove them: almanac doctor --fix meta',
    };
  },
  async fix(site, { transaction }) {
    const removed = await site.remove(PostMeta, orphans(site), sql`m.meta_id`, transaction);
    return `Removed ${counted(removed, 'meta row')}.`;
  },
};

function orphans(site: SiteView) {
  return sql`FROM ${site.table('postmeta')} m LEFT JOIN ${site.table('posts')} p ON p.ID = m.post_id WHERE p.ID IS NULL`;
}
