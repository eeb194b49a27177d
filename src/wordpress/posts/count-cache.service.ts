import { Injectable } from '@nestjs/common';
import { VersionedCache } from '../../cache/versioned-cache.js';
import { runInBackground } from '../../common/context/abort.js';
import { TableVersions } from '../../database/table-versions.service.js';
import type { PostQuery } from './post-query.js';

/** Characters of all cached statements. */
const MAX_SIZE = 1_000_000;

/** Totals of lists, cached while content is unchanged (docs/behaviour/caching.md#versioned-caches). */
@Injectable()
export class CountCache {
  private readonly cache = new VersionedCache<string, number>({
    maxSize: MAX_SIZE,
    sizeOf: (_, key) => key.length,
  });
  private running = 0;

  constructor(private readonly versions: TableVersions) {}

  async of(list: PostQuery): Promise<number> {
    const snapshot = await this.versions.snapshot();
    if (!snapshot) return this.count(list);
    const { sql, values } = list.counting();
    const key = sql + JSON.stringify(values);
    return this.cache.get(key, snapshot, () => runInBackground(() => this.count(list)));
  }

  private async count(list: PostQuery): Promise<number> {
    this.running += 1;
    try {
      return await list.total(this.running === 1);
    } finally {
      this.running -= 1;
    }
  }
}
