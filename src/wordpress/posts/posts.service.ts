import { Injectable } from '@nestjs/common';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { Database } from '../../database/database.js';
import { forUpdate } from '../../database/dialect.js';
import type { Transaction } from '../../database/transactions.js';
import { sanitizeTitleForQuery } from '../../lib/wordpress-text/formatting/sanitize-title.js';
import type { PostRecord, PostRow } from './post-record.js';
import { inList, metaIn, metaOf, metaRowsOf, postColumns } from './post-rows.js';

/** The fields of a post that checks need. */
export type PostIdentity = Pick<PostRow, 'id' | 'type' | 'status' | 'author' | 'mimeType' | 'parent'>;

/** Posts read to find the one at an address. */
const MAX_NAMESAKES = 20;

/** Reads posts of any type with their meta; one `IN` query per table for any number of posts. */
@Injectable()
export class PostsService {
  constructor(private readonly database: Database) {}

  /** The posts with these ids, unordered, without unknown ones. */
  async load(ids: readonly number[], manager?: EntityManager): Promise<PostRecord[]> {
    if (ids.length === 0) return [];
    const [rows, meta] = await Promise.all([
      this.rows(ids, manager),
      metaOf(this.database, 'post', ids, { manager }),
    ]);
    return rows.map((row) => ({ meta: meta.get(row.id) ?? new Map(), ...row }));
  }

  /** The rows of these posts without meta, unordered; `lock` is appended to the statement. */
  rows(ids: readonly number[], manager?: EntityManager, lock = empty): Promise<PostRow[]> {
    return this.database.query<PostRow>(
      sql`SELECT ${postColumns(this.database)} FROM ${this.database.table('posts')} p
          WHERE ${inList(sql`p.ID`, ids)}${lock}`,
      manager,
    );
  }

  /** Adds the meta to rows that lack it, keeping their order. */
  async withMeta(rows: readonly (PostRow | PostRecord)[]): Promise<PostRecord[]> {
    const bare = rows.filter((row) => !('meta' in row));
    const ids = bare.map(({ id }) => id);
    const meta = await metaOf(this.database, 'post', ids);
    return rows.map((row) => ('meta' in row ? row : { meta: meta.get(row.id) ?? new Map(), ...row }));
  }

  async find(id: number, manager?: EntityManager): Promise<PostRecord | null> {
    const [post] = await this.load([id], manager);
    return post ?? null;
  }

  /** Reads and locks a post with its meta rows, or null; PHP writes before this read or after the commit. */
  async findToWrite(id: number, { manager }: Transaction): Promise<PostRecord | null> {
    const [row] = await this.rows([id], manager, forUpdate(this.database.dialect));
    if (!row) return null;
    const metaRows = await metaRowsOf(manager, id);
    return { ...row, meta: metaIn(metaRows), metaRows };
  }

  /** Like `findToWrite`, but null unless the post still has the status: of concurrent writers one wins. */
  async claim(id: number, status: string, transaction: Transaction): Promise<PostRecord | null> {
    const post = await this.findToWrite(id, transaction);
    return post?.status === status ? post : null;
  }

  /** The id of a top-level post by slug, in any status, or null. */
  async idBySlug(type: string, slug: string, manager?: EntityManager): Promise<number | null> {
    const [post] = await this.named<Pick<PostRow, 'id'>>(sql`p.ID AS id`, type, slug, manager);
    return post?.id ?? null;
  }

  /**
   * The id of the post at a public address, a published one first, or null. Addresses name no parents, and contain slugs
   * as they are stored.
   */
  async idAtAddress(type: string, slug: string): Promise<number | null> {
    if (isDoubleEncoded(slug)) return null;
    const names = [slug, sanitizeTitleForQuery(slug)].filter((name) => name !== '');
    const posts = await this.database.query<Pick<PostRow, 'id' | 'name' | 'status'>>(
      sql`SELECT p.ID AS id, p.post_name AS name, p.post_status AS status FROM ${this.database.table('posts')} p
          WHERE ${inList(sql`p.post_name`, names)} AND p.post_type = ${type}
          ORDER BY p.post_status = 'publish' DESC, p.post_parent, p.ID LIMIT ${MAX_NAMESAKES}`,
    );
    // MariaDB also finds names that differ in accents.
    const rank = ({ name, status }: (typeof posts)[number]) => {
      const at = names.indexOf(name.toLowerCase());
      return (status === 'publish' ? 0 : MAX_NAMESAKES) + (at < 0 ? names.length : at);
    };
    return posts.toSorted((a, b) => rank(a) - rank(b))[0]?.id ?? null;
  }

  /** A top-level post by slug, in any status, or null. */
  async findBySlug(type: string, slug: string): Promise<PostRecord | null> {
    const [post] = await this.withMeta(await this.named<PostRow>(postColumns(this.database), type, slug));
    return post ?? null;
  }

  private async named<Row>(columns: Sql, type: string, slug: string, manager?: EntityManager) {
    const name = isDoubleEncoded(slug) ? '' : sanitizeTitleForQuery(slug);
    if (name === '') return [];
    return this.database.query<Row>(
      sql`SELECT ${columns} FROM ${this.database.table('posts')} p
          WHERE p.post_name = ${name} AND p.post_type = ${type} AND p.post_parent = 0 ORDER BY p.ID LIMIT 1`,
      manager,
    );
  }

  /** Type and status of the posts with these ids. */
  async identities(ids: readonly number[]): Promise<PostIdentity[]> {
    if (ids.length === 0) return [];
    return this.database.query<PostIdentity>(
      sql`SELECT p.ID AS id, p.post_type AS type, p.post_status AS status, p.post_author AS author, p.post_mime_type AS mimeType,
          p.post_parent AS parent FROM ${this.database.table('posts')} p WHERE ${inList(sql`p.ID`, ids)}`,
    );
  }
}

/** Whether a decoded slug would look like a stored one. */
const isDoubleEncoded = (slug: string) => /%[\da-f]{2}/i.test(slug);
