import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn, TableInheritance } from 'typeorm';

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

@Entity('term_relationships')
export class TermRelationship {
  @PrimaryColumn({ name: 'object_id', type: 'bigint', unsigned: true })
  objectId: number;
  @PrimaryColumn({ name: 'term_taxonomy_id', type: 'bigint', unsigned: true })
  termTaxonomyId: number;
  @Column({ name: 'term_order', type: 'int', default: 0 })
  order: number;
}

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
