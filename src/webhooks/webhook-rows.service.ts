import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import { insertRows } from '../database/insert-rows.js';
import { updateRow } from '../database/update-row.js';
import { OwnWrites } from './own-writes.service.js';
import { Webhook } from './webhook.entity.js';

type Changes = Partial<Omit<Webhook, 'id'>>;

/** Reads and writes the rows of webhooks. */
@Injectable()
export class WebhookRows {
  readonly table = this.database.table('almanac_webhooks');

  constructor(
    private readonly database: Database,
    private readonly own: OwnWrites,
  ) {}

  /** All webhooks by id; within a transaction if given. */
  async all(manager?: EntityManager): Promise<Webhook[]> {
    return this.database.query(
      sql`SELECT ${this.database.columns(Webhook, 'w')} FROM ${this.table} w ORDER BY w.id`,
      manager,
    );
  }

  async find(id: number, manager?: EntityManager): Promise<Webhook | undefined> {
    const [row] = await this.database.query<Webhook>(
      sql`SELECT ${this.database.columns(Webhook, 'w')} FROM ${this.table} w WHERE w.id = ${id}`,
      manager,
    );
    return row;
  }

  insert(manager: EntityManager, webhook: Changes): Promise<number> {
    return insertRows(manager, Webhook, webhook);
  }

  update(manager: EntityManager, id: number, changes: Changes): Promise<void> {
    return updateRow(manager, Webhook, id, changes);
  }

  async remove(manager: EntityManager, id: number): Promise<void> {
    await manager.delete(Webhook, { id });
  }

  /** Moves a webhook on in the journal, after `missed` entries that are gone; never back. */
  async moveTo(id: number, position: number, { missed, at }: { missed?: number; at: number }): Promise<void> {
    const gap =
      missed === undefined ? sql`` : sql`, missed_changes = missed_changes + ${missed}, missed_at = ${at}`;
    await this.own.run(
      sql`UPDATE ${this.table} SET journal_position = ${position}${gap} WHERE id = ${id} AND journal_position < ${position}`,
    );
  }

  /** Sets the position of a webhook whose journal begins anew. */
  async restart(id: number, journalId: string, position: number, at: number): Promise<void> {
    await this.own.run(
      sql`UPDATE ${this.table} SET journal_id = ${journalId}, journal_position = ${position}, missed_at = ${at}
          WHERE id = ${id}`,
    );
  }
}
