import { Injectable } from '@nestjs/common';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import { insertRows } from '../database/insert-rows.js';
import { inList } from '../wordpress/posts/post-rows.js';
import { Delivery, type DeliveryStatus } from './delivery.entity.js';
import { OwnWrites } from './own-writes.service.js';
import type { Webhook } from './webhook.entity.js';
import { WebhookRows } from './webhook-rows.service.js';

/** A message that was attempted, as its row records it. */
export interface Attempted extends Pick<Delivery, 'nextAt' | 'lastStatus' | 'lastError' | 'attemptedAt'> {
  /** Undefined leaves it as it is. */
  status?: DeliveryStatus;
  /** Why its webhook is disabled with it. */
  disables?: string;
}

/** How many messages of a webhook stay after their delivery, and for how many milliseconds. */
const KEPT = 1_000;
const KEPT_MS = 30 * 86_400_000;

/** Reads and writes the rows of messages. */
@Injectable()
export class DeliveryRows {
  private readonly table = this.database.table('almanac_deliveries');

  constructor(
    private readonly database: Database,
    private readonly own: OwnWrites,
    private readonly webhooks: WebhookRows,
  ) {}

  /** A page of a webhook's messages, newest first, and their number. */
  async page(
    webhookId: number,
    { status, page, perPage }: { status?: string; page: number; perPage: number },
  ): Promise<{ rows: Delivery[]; total: number }> {
    const where = sql`d.webhook_id = ${webhookId}${status === undefined ? empty : sql` AND d.status = ${status}`}`;
    const [{ total = 0 } = {}] = await this.database.query<{ total: number }>(
      sql`SELECT COUNT(*) AS total FROM ${this.table} d WHERE ${where}`,
    );
    const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER);
    const rows = await this.select(sql`${where} ORDER BY d.id DESC LIMIT ${perPage} OFFSET ${offset}`);
    return { rows, total: Number(total) };
  }

  async find(webhookId: number, messageId: string): Promise<Delivery | undefined> {
    const [row] = await this.select(sql`d.message_id = ${messageId} AND d.webhook_id = ${webhookId}`);
    return row;
  }

  /** The numbers of pending messages by webhook. */
  async pending(webhookId?: number): Promise<ReadonlyMap<number, number>> {
    const one = webhookId === undefined ? empty : sql`d.webhook_id = ${webhookId} AND `;
    const rows = await this.database.query<{ id: number; pending: number }>(
      sql`SELECT d.webhook_id AS id, COUNT(*) AS pending FROM ${this.table} d
          WHERE ${one}d.status = 'pending' GROUP BY d.webhook_id`,
    );
    return new Map(rows.map(({ id, pending }) => [id, Number(pending)]));
  }

  /** Adds messages in their order. */
  async add(messages: readonly Omit<Delivery, 'id'>[]): Promise<void> {
    if (messages.length > 0) await this.own.do((manager) => insertRows(manager, Delivery, ...messages));
  }

  /** The last entry of the journal that a webhook has a message of; 0 without one. */
  async lastSeq(webhookId: number): Promise<number> {
    const [row] = await this.database.query<{ seq: number | null }>(
      sql`SELECT MAX(d.seq) AS seq FROM ${this.table} d WHERE d.webhook_id = ${webhookId}`,
    );
    return Number(row?.seq ?? 0);
  }

  /** Moves the numbers of a former journal below those of a new one, in their order. */
  async restart(webhookId: number, now: number): Promise<void> {
    await this.own.run(
      sql`UPDATE ${this.table} SET seq = seq - ${now} WHERE webhook_id = ${webhookId} AND seq > 0`,
    );
  }

  /** Due messages, each the earliest pending one of its record, except those being sent. */
  due(webhookId: number, now: number, sending: readonly number[], most: number): Promise<Delivery[]> {
    const others = sending.length === 0 ? empty : sql` AND NOT (${inList(sql`d.id`, sending)})`;
    return this.select(
      sql`d.webhook_id = ${webhookId} AND d.status = 'pending' AND d.next_at <= ${now}${others}
          AND NOT EXISTS (
            SELECT 1 FROM ${this.table} e WHERE e.webhook_id = d.webhook_id AND e.record_type = d.record_type
            AND e.record_id = d.record_id AND e.status = 'pending' AND e.seq < d.seq
          ) ORDER BY d.next_at, d.id LIMIT ${most}`,
    );
  }

  /** When the next message of enabled webhooks is due after `now`; undefined without one. */
  async nextAt(webhookIds: readonly number[], now: number): Promise<number | undefined> {
    const [row] = await this.database.query<{ nextAt: number | null }>(
      sql`SELECT MIN(d.next_at) AS nextAt FROM ${this.table} d
          WHERE ${inList(sql`d.webhook_id`, webhookIds)} AND d.status = 'pending' AND d.next_at > ${now}`,
    );
    return row?.nextAt === null || row?.nextAt === undefined ? undefined : Number(row.nextAt);
  }

  /** Whether a message is still to be sent. */
  async isPending(id: number): Promise<boolean> {
    return (await this.select(sql`d.id = ${id} AND d.status = 'pending'`)).length > 0;
  }

  /** Records an attempt; a delivered message stays that. */
  async record(delivery: Delivery, webhook: Webhook, attempted: Attempted): Promise<void> {
    const { status, nextAt, lastStatus, lastError, attemptedAt, disables } = attempted;
    const statements = [
      sql`UPDATE ${this.table} SET status = CASE WHEN status = 'delivered' THEN status ELSE COALESCE(${status ?? null}, status) END,
          attempts = attempts + 1, next_at = ${nextAt}, last_status = ${lastStatus}, last_error = ${lastError},
          attempted_at = ${attemptedAt} WHERE id = ${delivery.id}`,
      status === 'delivered'
        ? sql`UPDATE ${this.webhooks.table} SET delivered_messages = delivered_messages + 1, delivered_at = ${attemptedAt}
              WHERE id = ${webhook.id}`
        : sql`UPDATE ${this.webhooks.table} SET failed_attempts = failed_attempts + 1 WHERE id = ${webhook.id}`,
    ];
    if (disables !== undefined)
      statements.push(
        sql`UPDATE ${this.webhooks.table} SET is_enabled = 0, disabled_reason = ${disables}
            WHERE id = ${webhook.id} AND is_enabled = 1`,
      );
    await this.own.run(...statements);
  }

  /** Makes all messages that wait, or were given up, due at once. */
  async resume(manager: EntityManager, webhookId: number, now: number): Promise<void> {
    await this.database.query(
      sql`UPDATE ${this.table} SET status = 'pending', attempts = 0, next_at = ${now}
          WHERE webhook_id = ${webhookId} AND status IN ('pending', 'failed') AND seq IS NOT NULL`,
      manager,
    );
  }

  async removeAll(manager: EntityManager, webhookId: number): Promise<void> {
    await manager.delete(Delivery, { webhookId });
  }

  /** Deletes old messages that are not pending, and those of deleted webhooks. */
  async trim(webhookIds: readonly number[], now: number): Promise<void> {
    for (const id of webhookIds) {
      const [last] = await this.select(sql`d.webhook_id = ${id} ORDER BY d.id DESC LIMIT 1 OFFSET ${KEPT}`);
      await this.own.run(
        // What was given up is sent again when the webhook is enabled.
        sql`DELETE FROM ${this.table} WHERE webhook_id = ${id} AND status <> 'pending' AND (created_at < ${now - KEPT_MS}
            OR (id <= ${last?.id ?? 0} AND (status = 'delivered' OR seq IS NULL)))`,
      );
    }
    const orphans = sql`FROM ${this.table} WHERE webhook_id NOT IN (SELECT w.id FROM ${this.webhooks.table} w)`;
    const found = await this.database.query(sql`SELECT id ${orphans} LIMIT 1`);
    if (found.length > 0) await this.own.run(sql`DELETE ${orphans}`);
  }

  private select(where: Sql): Promise<Delivery[]> {
    return this.database.query<Delivery>(
      sql`SELECT ${this.database.columns(Delivery, 'd')} FROM ${this.table} d WHERE ${where}`,
    );
  }
}
