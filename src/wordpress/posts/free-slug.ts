import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../database/database.js';
import { forUpdate, withoutIndex } from '../../database/dialect.js';
import { updateRow } from '../../database/update-row.js';
import {
  firstFreeSlug,
  isReservedSlug,
  keepsSlug,
  slugCandidates,
  slugKey,
  slugScope,
  trashedSlug,
} from '../../lib/wordpress-text/formatting/unique-slug.js';
import { MetaWriter } from './meta-writer.js';
import { Post } from './post.entity.js';
import { inList } from './post-rows.js';

/** What a post has to say of itself to get a slug. */
type SlugOwner = Pick<Post, 'id' | 'type' | 'status'> & { slug: string };

/** The slug that a post gets for the one it wants (docs/behaviour/writes.md#slugs); what is in the trash gives way. */
export async function freeSlug(database: Database, manager: EntityManager, post: SlugOwner): Promise<string> {
  if (keepsSlug(post)) return post.slug;
  const type = slugScope(post);
  const column = withoutIndex(database.dialect, sql`post_type`);
  const ofType = type === undefined ? sql`` : sql` AND ${column} = ${type}`;
  for (const candidates of slugCandidates(post.slug, isReservedSlug(post.slug))) {
    const rows = await database.query<Pick<Post, 'id' | 'name' | 'type' | 'status'>>(
      sql`SELECT ID AS id, post_name AS name, post_type AS type, post_status AS status FROM ${database.table('posts')}
          WHERE ${inList(sql`post_name`, candidates)} AND ID <> ${post.id}${ofType}`,
      manager,
    );
    const taken: string[] = [];
    for (const row of rows)
      if (!givesWay(row, post.slug) || !(await setFree(database, manager, row))) taken.push(row.name);
    const free = firstFreeSlug(candidates, taken);
    if (free !== undefined) return free;
  }
  return post.slug;
}

/** Whether something in the trash still has the very slug that is wanted: old versions of WordPress left it there. */
function givesWay({ name, status }: Pick<Post, 'name' | 'status'>, wanted: string): boolean {
  return status === 'trash' && name !== trashedSlug(name) && slugKey(name) === slugKey(wanted);
}

/** Gives what is in the trash the slug that it would get there now; false where PHP has just taken it out. */
async function setFree(
  database: Database,
  manager: EntityManager,
  { id, name, type }: Pick<Post, 'id' | 'name' | 'type'>,
): Promise<boolean> {
  const [locked] = await database.query<Pick<Post, 'status'>>(
    sql`SELECT post_status AS status FROM ${database.table('posts')} WHERE ID = ${id}${forUpdate(database.dialect)}`,
    manager,
  );
  if (locked?.status !== 'trash') return locked === undefined;
  const slug = await freeSlug(database, manager, { slug: trashedSlug(name), status: 'trash', type, id });
  await updateRow(manager, Post, id, { name: slug });
  const meta = await MetaWriter.forExisting(manager, { id });
  await meta.set('_wp_desired_post_slug', name).save();
  return true;
}
