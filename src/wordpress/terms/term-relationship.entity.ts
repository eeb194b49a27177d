import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A term of a post. */
@Entity('term_relationships')
export class TermRelationship {
  @PrimaryColumn({ name: 'object_id', type: 'bigint', unsigned: true })
  objectId: number;
  @PrimaryColumn({ name: 'term_taxonomy_id', type: 'bigint', unsigned: true })
  termTaxonomyId: number;
  @Column({ name: 'term_order', type: 'int', default: 0 })
  order: number;
}
