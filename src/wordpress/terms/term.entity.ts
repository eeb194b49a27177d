import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A row of `terms`; the name is stored entity-escaped. */
@Entity('terms')
export class Term {
  @PrimaryGeneratedColumn({ name: 'term_id', type: 'bigint', unsigned: true })
  id: number;
  @Column({ type: 'varchar', length: 200, default: '' })
  name: string;
  @Column({ type: 'varchar', length: 200, default: '' })
  slug: string;
  @Column({ name: 'term_group', type: 'bigint', default: 0 })
  group: number;
}
