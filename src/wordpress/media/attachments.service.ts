import { Injectable } from '@nestjs/common';
import sql, { join } from 'sql-template-tag';
import { Database } from '../../database/database.js';
import { type AttachmentsInTexts, attachmentsIn } from '../formatting/attachments-in-text.js';
import { type Attachment, newRenderState, type RenderContext } from '../formatting/render-context.js';
import { unserialize } from '../options/php-serialize.js';
import type { SiteSettings } from '../options/site-settings.js';
import { attachmentLink, type LinkSettings, permalink } from '../posts/permalink.js';
import { thumbnailId } from '../posts/linked-ids.js';
import type { PostRecord } from '../posts/post-record.js';
import { inList } from '../posts/post-rows.js';
import { Breather } from '../rendering/breather.js';
import { isLong } from '../rendering/long-text.js';
import { LongTexts } from '../rendering/long-texts.service.js';

const META_KEYS = ['_wp_attached_file', '_wp_attachment_metadata', '_wp_attachment_image_alt'] as const;

/** Which attachments a request's texts and thumbnails refer to. */
export interface WantedAttachments {
  ids: readonly number[];
  /** All that are attached to these posts as well; 0 stands for the unattached ones. */
  parents: readonly number[];
}

interface Row extends Omit<Attachment, 'file' | 'alt' | 'metadata' | 'link'> {
  parentType: string | null;
  parentStatus: string | null;
  parentName: string | null;
  parentDate: string | null;
  key: string | null;
  value: string | null;
}

/** Reads attachments with the meta that rendering needs, in one statement. */
@Injectable()
export class AttachmentsService {
  constructor(
    private readonly database: Database,
    private readonly longTexts: LongTexts,
  ) {}

  /** Everything that rendering these records will ask for: one statement, or none. */
  async renderContext(
    { render, links }: Pick<SiteSettings, 'render' | 'links'>,
    posts: readonly Pick<PostRecord, 'content' | 'excerpt' | 'meta'>[],
  ): Promise<RenderContext> {
    const inTexts = await this.attachmentsIn(posts.flatMap(({ content, excerpt }) => [content, excerpt]));
    const thumbnails = posts.map(thumbnailId).filter((id) => id > 0);
    const parents = inTexts.unattached ? [...inTexts.parents, 0] : inTexts.parents;
    const wanted = { ids: [...new Set([...thumbnails, ...inTexts.ids])], parents };
    return { site: render, attachments: await this.load(wanted, links), state: newRenderState() };
  }

  private async attachmentsIn(texts: readonly string[]): Promise<AttachmentsInTexts> {
    const long = texts.filter((text) => isLong(text));
    const found = [attachmentsIn(texts.filter((text) => !isLong(text)))];
    for (const text of long) found.push(await this.longTexts.keep('attachments', { text }));
    return {
      ids: [...new Set(found.flatMap(({ ids }) => ids))],
      parents: [...new Set(found.flatMap(({ parents }) => parents))],
      unattached: found.some(({ unattached }) => unattached),
    };
  }

  private async load(
    { ids, parents }: WantedAttachments,
    links: LinkSettings,
  ): Promise<Map<number, Attachment>> {
    const all = new Map<number, Attachment>();
    if (ids.length === 0 && parents.length === 0) return all;
    const rows = await this.database.query<Row>(
      sql`SELECT p.ID AS id, p.post_title AS title, p.post_excerpt AS excerpt, p.post_content AS content,
          p.post_name AS slug, p.post_mime_type AS mimeType, p.post_parent AS parentId, p.post_date AS date,
          p.menu_order AS menuOrder, q.post_type AS parentType, q.post_status AS parentStatus,
          q.post_name AS parentName, q.post_date AS parentDate,
          m.meta_key AS ${this.database.column('key')}, m.meta_value AS value
          FROM ${this.database.table('posts')} p
          LEFT JOIN ${this.database.table('postmeta')} m ON m.post_id = p.ID AND m.meta_key IN (${join([...META_KEYS])})
          LEFT JOIN ${this.database.table('posts')} q ON q.ID = p.post_parent
          WHERE p.post_type = 'attachment'
          AND (${inList(sql`p.ID`, ids)} OR ${inList(sql`p.post_parent`, parents)})
          ORDER BY p.ID, m.meta_id`,
    );
    const breather = new Breather();
    for (const { key, value, parentType, parentStatus, parentName, parentDate, ...post } of rows) {
      if (breather.isDue) await breather.pause();
      const parent =
        parentType === null
          ? undefined
          : {
              id: post.parentId,
              type: parentType,
              status: parentStatus ?? '',
              name: parentName ?? '',
              date: parentDate ?? '',
            };
      const link = attachmentLink(
        { id: post.id, name: post.slug },
        parent && permalink(parent, links),
        links,
      );
      const attachment = all.get(post.id) ?? { ...post, link, file: '', alt: '', metadata: null };
      all.set(post.id, attachment);
      if (key === '_wp_attached_file' && attachment.file === '') attachment.file = value ?? '';
      if (key === '_wp_attachment_image_alt' && attachment.alt === '') attachment.alt = value ?? '';
      if (key === '_wp_attachment_metadata') attachment.metadata ??= unserialize(value ?? '') ?? null;
    }
    return all;
  }
}
