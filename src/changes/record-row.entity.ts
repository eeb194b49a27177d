import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A row of `almanac_records`: the last journaled state of a record. The row of id 0 with a type tells that all records of
 * the type are stored; that without a type has the id of the journal as its checksum.
 */
@Entity('almanac_records')
export class RecordRow {
  @PrimaryColumn({ name: 'record_id', type: 'bigint', unsigned: true })
  id: number;
  @PrimaryColumn({ name: 'record_type', type: 'varchar', length: 32 })
  type: string;
  @Column({ type: 'varchar', length: 200, default: '' })
  slug: string;
  @Column({ type: 'varchar', length: 20, default: '' })
  status: string;
  @Column({ type: 'bigint', unsigned: true, default: 0 })
  author: number;
  @Column({ type: 'varchar', length: 19, default: '' })
  modified: string;
  /** The checksum of the dates of an event. */
  @Column({ type: 'varchar', length: 40, default: '' })
  dates: string;
  /** The checksum of all other rows. */
  @Column({ type: 'varchar', length: 32, default: '' })
  checksum: string;
}
