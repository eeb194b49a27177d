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

/** The fields of a post that decide about its slug. */
type SlugOwner = Pick<Post, 'id' | 'type' | 'status'> & { slug: string };

/** Finds a free slug for the requested one (docs/behaviour/writes.md#slugs); trashed posts give theirs up. */
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
      if (!isReleasable(row, post.slug) || !(await releaseSlug(database, manager, row))) taken.push(row.name);
    const free = firstFreeSlug(candidates, taken);
    if (free !== undefined) return free;
  }
  return post.slug;
}

/** Whether a trashed post still has the requested slug, as old versions of WordPress left it. */
function isReleasable({ name, status }: Pick<Post, 'name' | 'status'>, requested: string): boolean {
  return status === 'trash' && name !== trashedSlug(name) && slugKey(name) === slugKey(requested);
}

/** Renames the slug of a trashed post; false if PHP has just restored it. */
async function releaseSlug(
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
