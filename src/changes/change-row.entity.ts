import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ChangeKind, ChangeSource } from './change.js';

/** A row of `almanac_changes`, the journal. */
@Entity('almanac_changes')
export class ChangeRow {
  /** Set by the writer under the write lock. */
  @PrimaryColumn({ type: 'bigint', unsigned: true })
  seq: number;
  @Column({ name: 'record_type', type: 'varchar', length: 32 })
  type: string;
  @Column({ name: 'record_id', type: 'bigint', unsigned: true })
  id: number;
  @Column({ name: 'change_kind', type: 'varchar', length: 12 })
  change: ChangeKind;
  @Column({ type: 'varchar', length: 200, default: '' })
  slug: string;
  @Column({ type: 'varchar', length: 20, default: '' })
  status: string;
  @Column({ name: 'status_before', type: 'varchar', length: 20, default: '' })
  statusBefore: string;
  @Column({ type: 'bigint', unsigned: true, default: 0 })
  author: number;
  @Column({ type: 'varchar', length: 19, default: '' })
  modified: string;
  @Column({ name: 'changed_at', type: 'bigint', unsigned: true })
  changedAt: number;
  @Column({ type: 'varchar', length: 8 })
  source: ChangeSource;
}
