import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A row of `termmeta`. */
@Entity('termmeta')
export class TermMeta {
  @PrimaryGeneratedColumn({ name: 'meta_id', type: 'bigint', unsigned: true })
  id: number;
  @Column({ name: 'term_id', type: 'bigint', unsigned: true, default: 0 })
  termId: number;
  @Column({ name: 'meta_key', type: 'varchar', length: 255, nullable: true })
  key: string | null;
  @Column({ name: 'meta_value', type: 'text', nullable: true })
  value: string | null;
}
