import { ChildEntity, Column, Entity, PrimaryGeneratedColumn, TableInheritance } from 'typeorm';

const DATE = { type: 'varchar', length: 19, default: '0000-00-00 00:00:00' } as const;
const ID = { type: 'bigint', unsigned: true, default: 0 } as const;

/** A row of `posts`, a `@ChildEntity` per type; dates are strings, as zero dates are valid. */
@Entity('posts')
@TableInheritance({ column: { name: 'type', type: 'varchar' } })
export class Post {
  @PrimaryGeneratedColumn({ name: 'ID', type: 'bigint', unsigned: true })
  id: number;
  @Column({ name: 'post_author', ...ID })
  author: number;
  @Column({ name: 'post_date', ...DATE })
  date: string;
  @Column({ name: 'post_date_gmt', ...DATE })
  dateGmt: string;
  @Column({ name: 'post_content', type: 'text' })
  content: string;
  @Column({ name: 'post_title', type: 'text' })
  title: string;
  @Column({ name: 'post_excerpt', type: 'text' })
  excerpt: string;
  @Column({ name: 'post_status', type: 'varchar', length: 20, default: 'publish' })
  status: string;
  @Column({ name: 'comment_status', type: 'varchar', length: 20, default: 'closed' })
  commentStatus: string;
  @Column({ name: 'ping_status', type: 'varchar', length: 20, default: 'closed' })
  pingStatus: string;
  @Column({ name: 'post_password', type: 'varchar', length: 255, default: '' })
  password: string;
  @Column({ name: 'post_name', type: 'varchar', length: 200, default: '' })
  name: string;
  @Column({ name: 'to_ping', type: 'text', default: '' })
  toPing: string;
  @Column({ name: 'pinged', type: 'text', default: '' })
  pinged: string;
  @Column({ name: 'post_modified', ...DATE })
  modified: string;
  @Column({ name: 'post_modified_gmt', ...DATE })
  modifiedGmt: string;
  @Column({ name: 'post_content_filtered', type: 'text', default: '' })
  contentFiltered: string;
  @Column({ name: 'post_parent', ...ID })
  parent: number;
  @Column({ name: 'guid', type: 'varchar', length: 255, default: '' })
  guid: string;
  @Column({ name: 'menu_order', type: 'int', default: 0 })
  menuOrder: number;
  /** The discriminator, written by TypeORM. */
  @Column({ name: 'post_type', type: 'varchar', length: 20, default: 'post' })
  type: string;
  @Column({ name: 'post_mime_type', type: 'varchar', length: 100, default: '' })
  mimeType: string;
  @Column({ name: 'comment_count', type: 'bigint', default: 0 })
  commentCount: number;
}

/** New rows of columns that have no use here, and no default in MySQL. */
export const UNUSED_COLUMNS = { pingStatus: 'closed', toPing: '', pinged: '', contentFiltered: '' };

@ChildEntity('revision')
export class Revision extends Post {}

@ChildEntity('attachment')
export class AttachmentPost extends Post {}

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
