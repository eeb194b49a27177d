import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

const NUMBER = { type: 'bigint', default: 0 } as const;

/** A row of `almanac_webhooks`; times are epoch milliseconds, 0 for never. */
@Entity('almanac_webhooks')
export class Webhook {
  @PrimaryGeneratedColumn({ type: 'bigint', unsigned: true })
  id: number;
  @Column({ type: 'text' })
  url: string;
  /** Types of messages, or `*` for a part of them, joined by commas. */
  @Column({ type: 'text' })
  types: string;
  @Column({ type: 'text' })
  description: string;
  /** `whsec_` and the key in base64. */
  @Column({ type: 'varchar', length: 255 })
  secret: string;
  /** The secret before, which signs too until `previousUntil`. */
  @Column({ name: 'previous_secret', type: 'varchar', length: 255, default: '' })
  previousSecret: string;
  @Column({ name: 'previous_until', ...NUMBER })
  previousUntil: number;
  /** 1 or 0. */
  @Column({ name: 'is_enabled', type: 'int', default: 1 })
  isEnabled: number;
  /** Why the server disabled it; empty otherwise. */
  @Column({ name: 'disabled_reason', type: 'varchar', length: 255, default: '' })
  disabledReason: string;
  /** `Journal.id`. */
  @Column({ name: 'journal_id', type: 'varchar', length: 32, default: '' })
  journalId: string;
  /** The last entry of the journal that was turned into messages. */
  @Column({ name: 'journal_position', ...NUMBER })
  position: number;
  /** Entries of the journal that were trimmed before they were turned into messages. */
  @Column({ name: 'missed_changes', ...NUMBER })
  missed: number;
  @Column({ name: 'missed_at', ...NUMBER })
  missedAt: number;
  @Column({ name: 'delivered_messages', ...NUMBER })
  delivered: number;
  @Column({ name: 'failed_attempts', ...NUMBER })
  failedAttempts: number;
  @Column({ name: 'delivered_at', ...NUMBER })
  deliveredAt: number;
  @Column({ name: 'created_at', ...NUMBER })
  createdAt: number;
}
