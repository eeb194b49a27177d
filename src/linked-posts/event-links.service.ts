import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/transactions.js';
import { asInteger, asMap, serialize, unserialize } from '../wordpress/options/php-serialize.js';
import { PostMeta } from '../wordpress/posts/post-meta.entity.js';
import type { LinkedPostType } from './linked-post-type.js';

/** Keeps the links of events to venues and organizers. */
@Injectable()
export class EventLinksService {
  constructor(private readonly database: Database) {}

  /**
   * Takes a record out of all events that name it, whatever their status; their other links stay (W14).
   * A site may have many of them, so rows go in one statement.
   */
  async unlink({ manager }: Transaction, kind: LinkedPostType, id: number): Promise<void> {
    const meta = this.database.table('postmeta');
    const events = sql`SELECT e.ID FROM ${this.database.table('posts')} e WHERE e.post_type = 'tribe_events'`;
    await this.database.query(
      sql`DELETE FROM ${meta} WHERE meta_key = ${kind.linkKey} AND meta_value = ${String(id)} AND post_id IN (${events})`,
      manager,
    );
    // Old rows hold several ids as one serialised list.
    const lists = await this.database.query<{ rowId: number; value: string }>(
      sql`SELECT m.meta_id AS rowId, m.meta_value AS value FROM ${meta} m
          WHERE m.meta_key = ${kind.linkKey} AND m.meta_value LIKE 'a:%' AND m.post_id IN (${events})`,
      manager,
    );
    for (const { rowId, value } of lists) {
      const ids = [...asMap(unserialize(value)).values()];
      const kept = ids.filter((linked) => asInteger(linked) !== id);
      if (kept.length === 0) await manager.delete(PostMeta, rowId);
      else if (kept.length < ids.length)
        await manager.update(PostMeta, rowId, { value: serialize(new Map(kept.entries())) });
    }
  }
}
