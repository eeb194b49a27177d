import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A row of `postmeta`; a key may have several rows, ordered by id. */
@Entity('postmeta')
export class PostMeta {
  @PrimaryGeneratedColumn({ name: 'meta_id', type: 'bigint', unsigned: true })
  id: number;
  @Column({ name: 'post_id', type: 'bigint', unsigned: true, default: 0 })
  postId: number;
  @Column({ name: 'meta_key', type: 'varchar', length: 255, nullable: true })
  key: string | null;
  @Column({ name: 'meta_value', type: 'text', nullable: true })
  value: string | null;
}
