import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A row of `almanac_idempotency`: one request with an `Idempotency-Key` that has written something. */
@Entity('almanac_idempotency')
export class IdempotencyRow {
  /** The digest of user, route and key. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  id: string;
  /** The digest of query and body. */
  @Column({ type: 'varchar', length: 43 })
  fingerprint: string;
  /** What its transactions returned, by number, as JSON. */
  @Column({ type: 'text' })
  results: string;
  /** Its response as JSON; null until it was sent, or if it is too long. */
  @Column({ type: 'text', nullable: true })
  response: string | null;
  /** Epoch milliseconds. */
  @Index()
  @Column({ name: 'created_at', type: 'bigint', unsigned: true })
  createdAt: number;
}
