import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { In } from 'typeorm';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { Database } from '../../database/database.js';
import { straightJoin } from '../../database/dialect.js';
import type { Transaction } from '../../database/transactions.js';
import { asInteger, asMap, serialize, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import { PostMeta } from '../../wordpress/posts/post.entity.js';
import type { LinkedPostType } from './linked-post-type.js';

/** Rows per DELETE statement. */
const DELETE_BATCH = 1000;

/** Maintains the links of events to venues and organizers. */
@Injectable()
export class EventLinksService {
  constructor(private readonly database: Database) {}

  /**
   * Removes a record from all events that link to it, whatever their status; their other links stay (W14). No index
   * holds the values, so one non-locking statement reads all links of the kind; matching rows are deleted in batches.
   */
  async unlink({ manager }: Transaction, kind: LinkedPostType, id: number): Promise<void> {
    const meta = this.database.table('postmeta');
    // Old rows hold several ids as one serialized list.
    const rows = await this.database.query<{ rowId: number; value: string }>(
      sql`SELECT m.meta_id AS rowId, m.meta_value AS value FROM ${meta} m
          ${straightJoin(this.database.dialect)} ${this.database.table('posts')} e ON e.ID = m.post_id
          WHERE m.meta_key = ${kind.linkKey} AND (m.meta_value = ${String(id)} OR m.meta_value LIKE 'a:%')
          AND e.post_type = ${EVENT_POST_TYPE} ORDER BY m.meta_id`,
      manager,
    );
    const gone: number[] = [];
    // A row is changed only while it holds the value that was read, so that concurrent changes by PHP stay.
    for (const { rowId, value } of rows) {
      if (!value.startsWith('a:')) {
        gone.push(rowId);
        continue;
      }
      const ids = [...asMap(unserialize(value)).values()];
      const remaining = ids.filter((linked) => asInteger(linked) !== id);
      const asRead = { id: rowId, value };
      if (remaining.length === 0 && ids.length > 0) await manager.delete(PostMeta, asRead);
      else if (remaining.length < ids.length)
        await manager.update(PostMeta, asRead, { value: serialize(new Map(remaining.entries())) });
    }
    for (let at = 0; at < gone.length; at += DELETE_BATCH)
      await manager.delete(PostMeta, { id: In(gone.slice(at, at + DELETE_BATCH)), value: String(id) });
  }
}
