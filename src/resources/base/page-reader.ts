import { canUseReplica, throwIfAborted } from '../../common/context/abort.js';
import { Semaphore } from '../../cache/semaphore.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';
import type { PostPage } from './list-query.js';
import type { PostResourceDeps } from './post-resource-deps.js';
import type { PostResource } from './resource.js';
import { postHooks } from './resource-hooks.js';

/** A list takes up to three connections at once; one in four is for lists that take long. */
const CONNECTIONS = 4;
/** How many such lists may wait; who comes then is refused at once. */
const MAX_WAITING = 1000;

/** Reads pages of lists of one resource from the database. */
export class PageReader {
  /** For lists of nobody in particular that take long: whoever asks for some of them leaves connections to all others. */
  private readonly turns: Semaphore;

  constructor(
    private readonly resource: PostResource<object, object, never>,
    private readonly tools: Pick<PostResourceDeps, 'env' | 'hooks' | 'totals'>,
  ) {
    const { poolSize, databaseTimeout } = tools.env;
    const limits = { waiting: MAX_WAITING, timeout: databaseTimeout };
    this.turns = new Semaphore(Math.max(1, Math.floor(poolSize / CONNECTIONS)), limits);
  }

  /** What is on a list's page, and how many match in all. */
  async page(list: PostQuery): Promise<PostPage> {
    if (!list.isLong || !canUseReplica()) return this.read(list);
    return this.turns.run(() => {
      throwIfAborted();
      return this.read(list);
    });
  }

  private async read(list: PostQuery): Promise<PostPage> {
    const { hooks, totals } = this.tools;
    // What plugins ask for may depend on more than rows.
    const isPlain = !hooks.has(postHooks(this.resource).query);
    const both = [list.rows(), isPlain ? totals.of(list) : list.total()] as const;
    // Who goes away leaves a count behind: a turn is over when the database has nothing more to do for it.
    await Promise.allSettled(both);
    const [rows, total] = await Promise.all(both);
    return { ids: rows.map(({ id }) => id), total, rows: async () => rows, rowsLoaded: true };
  }
}
