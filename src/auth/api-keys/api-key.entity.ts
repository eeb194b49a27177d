import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `almanac_api_keys`; times are epoch milliseconds. */
@Entity('almanac_api_keys')
export class ApiKey {
  /** The public part of the key. */
  @PrimaryColumn({ name: 'key_id', type: 'varchar', length: 16 })
  id: string;
  /** The SHA-256 of the secret part, in hexadecimal. */
  @Column({ name: 'secret_hash', type: 'varchar', length: 64 })
  secretHash: string;
  @Column({ name: 'name', type: 'varchar', length: 100 })
  name: string;
  @Column({ name: 'user_id', type: 'bigint', unsigned: true })
  userId: number;
  /** JSON of the capabilities that it has of the user's; null for all. */
  @Column({ name: 'capabilities', type: 'text', nullable: true })
  capabilities: string | null;
  @Column({ name: 'created_at', type: 'bigint', unsigned: true })
  createdAt: number;
  @Column({ name: 'expires_at', type: 'bigint', unsigned: true, nullable: true })
  expiresAt: number | null;
  /** The hour of the last use. */
  @Column({ name: 'used_at', type: 'bigint', unsigned: true, nullable: true })
  usedAt: number | null;
}
