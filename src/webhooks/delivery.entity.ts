import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

const NUMBER = { type: 'bigint', default: 0 } as const;

/** `failed`: given up, or a test that failed. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A row of `almanac_deliveries`, a message to one webhook; times are epoch milliseconds, 0 for never. */
@Entity('almanac_deliveries')
export class Delivery {
  @PrimaryGeneratedColumn({ type: 'bigint', unsigned: true })
  id: number;
  @Column({ name: 'webhook_id', ...NUMBER })
  webhookId: number;
  /** The entry of the journal, negative if that was made anew since; null for messages without one. */
  @Column({ type: 'bigint', nullable: true })
  seq: number | null;
  /** The header `webhook-id`. */
  @Column({ name: 'message_id', type: 'varchar', length: 64 })
  messageId: string;
  /** Such as `event.created`. */
  @Column({ name: 'message_type', type: 'varchar', length: 100 })
  type: string;
  /** The post type or taxonomy; empty for messages about the webhook itself. */
  @Column({ name: 'record_type', type: 'varchar', length: 32, default: '' })
  recordType: string;
  /** Of a gap, the number of missed changes. */
  @Column({ name: 'record_id', ...NUMBER })
  recordId: number;
  /** Empty unless the record was public. */
  @Column({ type: 'varchar', length: 200, default: '' })
  slug: string;
  /** In UTC. */
  @Column({ type: 'varchar', length: 19, default: '' })
  modified: string;
  @Column({ name: 'changed_at', ...NUMBER })
  changedAt: number;
  @Column({ type: 'varchar', length: 10, default: 'pending' })
  status: DeliveryStatus;
  @Column({ type: 'int', default: 0 })
  attempts: number;
  /** When it is due. */
  @Column({ name: 'next_at', ...NUMBER })
  nextAt: number;
  /** The status of the last response; 0 without one. */
  @Column({ name: 'last_status', type: 'int', default: 0 })
  lastStatus: number;
  @Column({ name: 'last_error', type: 'varchar', length: 255, default: '' })
  lastError: string;
  @Column({ name: 'attempted_at', ...NUMBER })
  attemptedAt: number;
  @Column({ name: 'created_at', ...NUMBER })
  createdAt: number;
}
