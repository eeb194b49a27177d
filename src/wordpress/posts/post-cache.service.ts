import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { TableVersions } from '../../database/table-versions.service.js';
import type { PostRecord } from './post-record.js';
import { PostsService } from './posts.service.js';

/** Characters of all posts that are kept, about. */
const MAX_ENTRIES = 4_000_000;
/** Characters that the columns and metas of a post take beside their texts, about. */
const OVERHEAD = 2000;

/** Reads posts that many others name, as events do venues; keeps them until any post or meta changes. */
@Injectable()
export class PostCache {
  /** By id, also those that are not there. */
  private readonly kept = new LRUCache<number, { version: number; post?: PostRecord }>({
    maxSize: MAX_ENTRIES,
    maxEntrySize: MAX_ENTRIES / 16,
    sizeCalculation: ({ post }) => (post ? sizeOf(post) : OVERHEAD),
  });

  constructor(
    private readonly posts: PostsService,
    private readonly changes: TableVersions,
  ) {}

  /** The posts with these ids, in no particular order; unknown ids are missing. Others get the same objects. */
  async load(ids: readonly number[]): Promise<PostRecord[]> {
    if (ids.length === 0) return [];
    const version = (await this.changes.current())?.of('posts', 'postmeta');
    if (version === undefined) return this.posts.load(ids);
    const keptOf = (id: number) => {
      const kept = this.kept.get(id);
      return kept?.version === version ? kept : undefined;
    };
    const known = ids.map((id) => keptOf(id)?.post);
    const unknown = ids.filter((id) => !keptOf(id));
    const read = new Map((await this.posts.load(unknown)).map((post) => [post.id, post]));
    for (const id of unknown) this.kept.set(id, { version, post: read.get(id) });
    return [...known, ...read.values()].filter((post) => post !== undefined);
  }
}

function sizeOf({ content, excerpt, meta }: PostRecord): number {
  const values = [...meta.values()].flat();
  return [content, excerpt, ...values].reduce((sum, { length }) => sum + length, OVERHEAD);
}
