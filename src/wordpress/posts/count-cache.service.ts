import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { singleFlight, runInBackground } from '../../common/context/abort.js';
import { TableVersions } from '../../database/table-versions.service.js';
import type { PostQuery } from './post-query.js';

/** Characters of all statements whose totals are kept. */
const MAX_ENTRIES = 1_000_000;

/** Counts lists: once for all that ask for the same one, until something changes (docs/behaviour/caching.md#totals-of-lists). */
@Injectable()
export class CountCache {
  private readonly known = new LRUCache<string, { content: number; total: Promise<number> }>({
    maxSize: MAX_ENTRIES,
    sizeCalculation: (_, key) => key.length,
  });

  /** How many are being counted. */
  private counting = 0;

  constructor(private readonly changes: TableVersions) {}

  /** How many posts match. */
  async of(list: PostQuery): Promise<number> {
    const content = (await this.changes.current())?.content;
    if (content === undefined) return this.count(list);
    const { sql, values } = list.counting();
    const key = sql + JSON.stringify(values);
    return singleFlight(
      () => this.ofVersion(key, content),
      () => {
        const total = runInBackground(() => this.count(list));
        this.known.set(key, { content, total });
        total.catch(() => this.known.peek(key)?.total === total && this.known.delete(key));
        return total;
      },
    );
  }

  private ofVersion(key: string, content: number): Promise<number> | undefined {
    const known = this.known.get(key);
    return known?.content === content ? known.total : undefined;
  }

  private async count(list: PostQuery): Promise<number> {
    this.counting += 1;
    try {
      return await list.total(this.counting === 1);
    } finally {
      this.counting -= 1;
    }
  }
}
