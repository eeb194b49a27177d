import { Injectable } from '@nestjs/common';
import sql, { join } from 'sql-template-tag';
import { EventLoopYielder } from '../../common/event-loop.js';
import { Database } from '../../database/database.js';
import {
  type AttachmentsInTexts,
  attachmentsIn,
  NO_ATTACHMENTS,
} from '../../lib/wordpress-text/formatting/attachments-in-text.js';
import {
  type Attachment,
  newRenderState,
  type RenderContext,
} from '../../lib/wordpress-text/formatting/render-context.js';
import { textOf, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import type { SiteSettings } from '../options/site-settings.js';
import { attachmentLink, type LinkSettings, permalink } from '../posts/permalink.js';
import { hasPassword, type MetaMap, type PostRecord, thumbnailId } from '../posts/post-record.js';
import { inList } from '../posts/post-rows.js';
import { isLong, LongTexts } from '../rendering/long-texts.service.js';

/** The fields of a record that decide who may read it. */
type ReadablePost = Pick<PostRecord, 'id' | 'type' | 'author' | 'status' | 'meta'>;

/** The user for whom a text is rendered. */
export interface Reader {
  mayRead(post: ReadablePost): boolean;
}

export interface RenderedFor {
  settings: Pick<SiteSettings, 'render' | 'links'>;
  access: Reader;
}

/** Whether galleries and playlists omit the attachments of a record (R15). */
export function isHiddenParent(parent: ReadablePost & Pick<PostRecord, 'password'>, reader: Reader): boolean {
  return hasPassword(parent) || !reader.mayRead(parent);
}

/** Without meta a trashed record counts as a draft. */
const NO_META: MetaMap = new Map();
const META_KEYS = ['_wp_attached_file', '_wp_attachment_metadata', '_wp_attachment_image_alt'] as const;

interface Row extends Omit<Attachment, 'file' | 'alt' | 'metadata' | 'link' | 'isHidden'> {
  type: string;
  status: string;
  author: number;
  password: string;
  parentType: string | null;
  parentStatus: string | null;
  parentAuthor: number | null;
  parentPassword: string | null;
  parentName: string | null;
  parentDate: string | null;
  key: string | null;
  value: string | null;
}

/** The attachments of a request's texts, as visible to its user. */
type LoadedAttachments = Required<Pick<RenderContext, 'attachments' | 'hiddenParents'>>;

/** Reads attachments with the meta that rendering needs, in one statement. */
@Injectable()
export class AttachmentsService {
  constructor(
    private readonly database: Database,
    private readonly longTexts: LongTexts,
  ) {}

  /** Loads everything that rendering these records needs, in at most one statement. */
  async renderContext(
    { settings, access }: RenderedFor,
    posts: readonly Pick<PostRecord, 'content' | 'excerpt' | 'meta'>[],
  ): Promise<RenderContext & { namesAttachments: boolean }> {
    const inTexts = await this.attachmentsIn(posts.flatMap(({ content, excerpt }) => [content, excerpt]));
    const thumbnails = posts.map(thumbnailId).filter((id) => id > 0);
    const parents = inTexts.unattached ? [...inTexts.parents, 0] : inTexts.parents;
    const ids = [...new Set([...thumbnails, ...inTexts.ids])];
    const loaded = await this.load(ids, parents, settings.links, access);
    const namesAttachments = inTexts.ids.length > 0 || parents.length > 0;
    return { site: settings.render, ...loaded, state: newRenderState(), namesAttachments };
  }

  private async attachmentsIn(texts: readonly string[]): Promise<AttachmentsInTexts> {
    const long = texts.filter((text) => isLong(text));
    const found = [attachmentsIn(texts.filter((text) => !isLong(text)))];
    for (const text of long) found.push(await this.longTexts.get('attachments', { text }, NO_ATTACHMENTS));
    return {
      ids: [...new Set(found.flatMap(({ ids }) => ids))],
      parents: [...new Set(found.flatMap(({ parents }) => parents))],
      unattached: found.some(({ unattached }) => unattached),
    };
  }

  /** Loads attachments by id and by parent; parent 0 means unattached. */
  private async load(
    ids: readonly number[],
    parents: readonly number[],
    links: LinkSettings,
    reader: Reader,
  ): Promise<LoadedAttachments> {
    const attachments = new Map<number, Attachment>();
    const hiddenParents = new Set<number>();
    if (ids.length === 0 && parents.length === 0) return { attachments, hiddenParents };
    const rows = await this.database.query<Row>(
      sql`SELECT p.ID AS id, p.post_title AS title, p.post_excerpt AS excerpt, p.post_content AS content,
          p.post_name AS slug, p.post_mime_type AS mimeType, p.post_parent AS parentId, p.post_date AS date,
          p.menu_order AS menuOrder, p.guid AS guid, p.post_type AS type, p.post_status AS status, p.post_author AS author,
          p.post_password AS password, q.post_type AS parentType, q.post_status AS parentStatus,
          q.post_author AS parentAuthor, q.post_password AS parentPassword, q.post_name AS parentName,
          q.post_date AS parentDate, m.meta_key AS ${this.database.column('key')}, m.meta_value AS value
          FROM ${this.database.table('posts')} p
          LEFT JOIN ${this.database.table('postmeta')} m ON m.post_id = p.ID AND m.meta_key IN (${join([...META_KEYS])})
          LEFT JOIN ${this.database.table('posts')} q ON q.ID = p.post_parent
          WHERE (p.post_type = 'attachment' OR ${inList(sql`p.ID`, parents)})
          AND (${inList(sql`p.ID`, [...ids, ...parents])} OR ${inList(sql`p.post_parent`, parents)})
          ORDER BY p.ID, m.meta_id`,
    );
    const yielder = new EventLoopYielder();
    const requested = new Set(parents);
    for (const row of rows) {
      if (yielder.shouldYield) await yielder.yield();
      if (requested.has(row.id) && isHiddenParent({ ...row, meta: NO_META }, reader))
        hiddenParents.add(row.id);
      if (row.type !== 'attachment') continue;
      const attachment = attachments.get(row.id) ?? toAttachment(row, links, reader);
      attachments.set(row.id, attachment);
      const { key, value } = row;
      if (key === '_wp_attached_file' && attachment.file === '') attachment.file = textOf(value ?? '');
      if (key === '_wp_attachment_image_alt' && attachment.alt === '') attachment.alt = textOf(value ?? '');
      if (key === '_wp_attachment_metadata') attachment.metadata ??= unserialize(value ?? '') ?? null;
    }
    return { attachments, hiddenParents };
  }
}

/** An attachment without its meta, which comes row by row. */
function toAttachment(row: Row, links: LinkSettings, reader: Reader): Attachment {
  const { id, title, excerpt, content, slug, mimeType, parentId, date, menuOrder, guid } = row;
  const parent = parentOf(row);
  const isHidden = row.status !== 'inherit' || (parent !== undefined && isHiddenParent(parent, reader));
  const parentLink = parent && permalink(parent, links, { readable: reader.mayRead(parent) });
  const link = attachmentLink({ id, name: slug }, parentLink, links);
  const post = { id, title, excerpt, content, slug, mimeType, parentId, date, menuOrder, guid };
  return { ...post, isHidden, link, file: '', alt: '', metadata: null };
}

function parentOf(row: Row) {
  if (row.parentType === null) return undefined;
  return {
    id: row.parentId,
    type: row.parentType,
    author: row.parentAuthor ?? 0,
    status: row.parentStatus ?? '',
    password: row.parentPassword ?? '',
    name: row.parentName ?? '',
    date: row.parentDate ?? '',
    meta: NO_META,
  };
}
