import { Semaphore } from '../../cache/semaphore.js';
import { canUseReplica, throwIfAborted } from '../../common/context/abort.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';
import type { PostPage } from './list-query.js';
import type { PostResourceDeps } from './post-resource-deps.js';
import type { PostResource } from './resource.js';
import { postHooks } from './resource-hooks.js';

/** A list takes up to three connections at once; one in four is for lists that take long. */
const CONNECTIONS = 4;
/** Slow lists that may wait; further ones are rejected at once. */
const MAX_WAITING = 1000;

/** Reads pages of lists of one resource from the database. */
export class PageReader {
  /** Limits slow anonymous lists, so that others find a free connection. */
  private readonly slowLists: Semaphore;

  constructor(
    private readonly resource: PostResource<object, object, never>,
    private readonly tools: Pick<PostResourceDeps, 'env' | 'hooks' | 'totals'>,
  ) {
    const { poolSize, databaseTimeout } = tools.env;
    const limits = { waiting: MAX_WAITING, timeout: databaseTimeout };
    this.slowLists = new Semaphore(Math.max(1, Math.floor(poolSize / CONNECTIONS)), limits);
  }

  /** The rows on the page of a list, and the total. */
  async page(list: PostQuery): Promise<PostPage> {
    if (!list.isLong || !canUseReplica()) return this.read(list);
    return this.slowLists.run(() => {
      throwIfAborted();
      return this.read(list);
    });
  }

  private async read(list: PostQuery): Promise<PostPage> {
    const { hooks, totals } = this.tools;
    // A total that plugins filter may depend on more than rows.
    const isPlain = !hooks.has(postHooks(this.resource).query);
    const both = [list.rows(), isPlain ? totals.of(list) : list.total()] as const;
    // An aborted request leaves a count behind: its slot is free when the database has finished.
    await Promise.allSettled(both);
    const [rows, total] = await Promise.all(both);
    return { ids: rows.map(({ id }) => id), total, rows: async () => rows, rowsLoaded: true };
  }
}
