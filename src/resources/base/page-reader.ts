import { Semaphore } from '../../cache/semaphore.js';
import { canUseReplica, throwIfAborted } from '../../common/context/abort.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';
import { entryId, entryKey } from '../../wordpress/posts/post-record.js';
import type { PostPage } from './list-query.js';
import type { PostResourceDeps } from './post-resource-deps.js';
import type { PostResource } from './resource.js';
import { postHooks } from './resource-hooks.js';

/** A list takes up to three connections at once; one slot per four connections is for slow lists. */
const CONNECTIONS_PER_SLOT = 4;
/** Maximum waiting lists; further ones are rejected at once. */
const MAX_WAITING = 1000;

/** Reads pages of lists of one resource from the database. */
export class PageReader {
  /** Limits slow anonymous lists, so that connections remain for all other requests. */
  private readonly slots: Semaphore;

  constructor(
    private readonly resource: PostResource<object, object, never>,
    private readonly tools: Pick<PostResourceDeps, 'env' | 'hooks' | 'totals'>,
  ) {
    const { poolSize, databaseTimeout } = tools.env;
    const limits = { waiting: MAX_WAITING, timeout: databaseTimeout };
    this.slots = new Semaphore(Math.max(1, Math.floor(poolSize / CONNECTIONS_PER_SLOT)), limits);
  }

  /** The ids on a list's page and the total number of matches. */
  async page(list: PostQuery): Promise<PostPage> {
    if (!list.isLong || !canUseReplica()) return this.read(list);
    return this.slots.run(() => {
      throwIfAborted();
      return this.read(list);
    });
  }

  private async read(list: PostQuery): Promise<PostPage> {
    const { hooks, totals } = this.tools;
    // Conditions of plugins may depend on more than rows, so totals are not cached.
    const isPlain = !hooks.has(postHooks(this.resource).query);
    const both = [list.rows(), isPlain ? totals.of(list) : list.total()] as const;
    // An aborted request leaves its count running: the slot is released once the database has finished both statements.
    await Promise.allSettled(both);
    const [rows, total] = await Promise.all(both);
    const [ids, keys] = [rows.map(entryId), rows.map(entryKey)];
    return { ids, keys, total, rows: async () => rows, rowsLoaded: true };
  }
}
