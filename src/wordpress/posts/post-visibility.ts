import { Injectable } from '@nestjs/common';
import { type FilterHook, Hooks } from '../../common/hooks/hooks.js';
import { Database } from '../../database/database.js';
import { PostQuery } from './post-query.js';
import type { PostRow } from './post-record.js';

/** Hides posts that plugins filter out of lists everywhere else too. */
@Injectable()
export class PostVisibility {
  constructor(
    private readonly database: Database,
    private readonly hooks: Hooks,
  ) {}

  /** The visible posts, in order; queries the database only if a plugin filters their type. */
  async of<T extends Pick<PostRow, 'id' | 'type'>>(posts: readonly T[], context: object): Promise<T[]> {
    const hidden = new Set<number>();
    for (const type of new Set(posts.map((post) => post.type))) {
      if (!this.hooks.has(queryHook(type))) continue;
      const ids = posts.filter((post) => post.type === type).map(({ id }) => id);
      const query = await this.query(type, context);
      if (!query) continue;
      const visible = new Set(await query.include(ids).ids());
      for (const id of ids) if (!visible.has(id)) hidden.add(id);
    }
    return posts.filter(({ id }) => !hidden.has(id));
  }

  /** The visible posts of a type as a query; undefined if no plugin filters it. */
  async query(type: string, context: object): Promise<PostQuery | undefined> {
    const hook = queryHook(type);
    if (!this.hooks.has(hook)) return undefined;
    return this.hooks.apply(hook, new PostQuery(this.database, type), { query: {}, context });
  }
}

/** The filter `rest_<type>_query` for lists of a post type or taxonomy. */
export function queryHook<List = PostQuery>(
  type: string,
): FilterHook<List, { query: object; context: object }> {
  return { name: `rest_${type}_query` };
}
