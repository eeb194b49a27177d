import { Column, Entity, PrimaryGeneratedColumn, TableInheritance } from 'typeorm';

/** A term in one taxonomy; categories and tags are its `@ChildEntity`s. */
@Entity('term_taxonomy')
@TableInheritance({ column: { name: 'taxonomy', type: 'varchar' } })
export class TermTaxonomy {
  @PrimaryGeneratedColumn({ name: 'term_taxonomy_id', type: 'bigint', unsigned: true })
  id: number;
  @Column({ name: 'term_id', type: 'bigint', unsigned: true, default: 0 })
  termId: number;
  @Column({ type: 'varchar', length: 32, default: '' })
  taxonomy: string;
  @Column({ type: 'text', default: '' })
  description: string;
  @Column({ type: 'bigint', unsigned: true, default: 0 })
  parent: number;
  /** The number of published posts with this term, without descendants. */
  @Column({ type: 'bigint', default: 0 })
  count: number;
}
