import { Injectable } from '@nestjs/common';
import { VersionedCache } from '../../cache/versioned-cache.js';
import { TableVersions } from '../../database/table-versions.service.js';
import type { PostRecord } from './post-record.js';
import { PostsService } from './posts.service.js';

/** Characters of all cached posts, approximately. */
const MAX_SIZE = 4_000_000;
/** Characters of a post beside its texts, approximately. */
const OVERHEAD = 2000;

/** Posts that many others refer to, such as venues of events; cached while no post or meta changes. */
@Injectable()
export class PostCache {
  /** By id, also missing ones. */
  private readonly cache = new VersionedCache<number, PostRecord | undefined>({
    tables: ['posts', 'postmeta'],
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_SIZE / 16,
    sizeOf: (post) => (post ? sizeOf(post) : OVERHEAD),
  });

  constructor(
    private readonly posts: PostsService,
    private readonly versions: TableVersions,
  ) {}

  /** The posts with these ids, in no particular order; unknown ids are missing. The objects are shared. */
  async load(ids: readonly number[]): Promise<PostRecord[]> {
    if (ids.length === 0) return [];
    const load = async (missing: readonly number[]) =>
      new Map((await this.posts.load(missing)).map((post) => [post.id, post]));
    const posts = await this.cache.getMany(ids, await this.versions.snapshot(), load);
    return [...posts.values()].filter((post) => post !== undefined);
  }
}

function sizeOf({ content, excerpt, meta }: PostRecord): number {
  const values = [...meta.values()].flat();
  return [content, excerpt, ...values].reduce((sum, { length }) => sum + length, OVERHEAD);
}
