import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { In } from 'typeorm';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { Database } from '../../database/database.js';
import { straightJoin } from '../../database/dialect.js';
import type { Transaction } from '../../database/transactions.js';
import { asInteger, asMap, serialize, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import { PostMeta } from '../../wordpress/posts/post-meta.entity.js';
import type { LinkedPostType } from './linked-post-type.js';

/** Rows that one statement deletes. */
const AT_ONCE = 1000;

/** Keeps the links of events to venues and organizers. */
@Injectable()
export class EventLinksService {
  constructor(private readonly database: Database) {}

  /**
   * Takes a record out of all events that name it, whatever their status; their other links stay (W14). No index has
   * the values, so every link of the kind is looked at, once and without locking it; a site may have many that fit, so
   * they go in few statements.
   */
  async unlink({ manager }: Transaction, kind: LinkedPostType, id: number): Promise<void> {
    const meta = this.database.table('postmeta');
    // Old rows hold several ids as one serialised list.
    const rows = await this.database.query<{ rowId: number; value: string }>(
      sql`SELECT m.meta_id AS rowId, m.meta_value AS value FROM ${meta} m
          ${straightJoin(this.database.dialect)} ${this.database.table('posts')} e ON e.ID = m.post_id
          WHERE m.meta_key = ${kind.linkKey} AND (m.meta_value = ${String(id)} OR m.meta_value LIKE 'a:%')
          AND e.post_type = ${EVENT_POST_TYPE} ORDER BY m.meta_id`,
      manager,
    );
    const gone: number[] = [];
    // What PHP has linked to something else meanwhile stays: a row is changed only while it holds what was read.
    for (const { rowId, value } of rows) {
      if (!value.startsWith('a:')) {
        gone.push(rowId);
        continue;
      }
      const ids = [...asMap(unserialize(value)).values()];
      const kept = ids.filter((linked) => asInteger(linked) !== id);
      const asRead = { id: rowId, value };
      if (kept.length === 0 && ids.length > 0) await manager.delete(PostMeta, asRead);
      else if (kept.length < ids.length)
        await manager.update(PostMeta, asRead, { value: serialize(new Map(kept.entries())) });
    }
    for (let at = 0; at < gone.length; at += AT_ONCE)
      await manager.delete(PostMeta, { id: In(gone.slice(at, at + AT_ONCE)), value: String(id) });
  }
}
