import { Injectable, type Type } from '@nestjs/common';
import { In } from 'typeorm';
import { Database } from '../../database/database.js';
import { insertRows } from '../../database/insert-rows.js';
import type { Transaction } from '../../database/transactions.js';
import { updateRow } from '../../database/update-row.js';
import { truncate } from '../../lib/truncate.js';
import { parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { sanitizeTitle } from '../../lib/wordpress-text/formatting/sanitize-title.js';
import { trashedSlug } from '../../lib/wordpress-text/formatting/unique-slug.js';
import { OptionWriter } from '../options/option-writer.js';
import type { WriteSite } from '../options/site-settings.js';
import { TermWriter } from '../terms/term-writer.js';
import { ContentTypes } from '../types/content-types.js';
import { freeSlug } from './free-slug.js';
import type { MetaWriter } from './meta-writer.js';
import { permalink } from './permalink.js';
import { Post, PostMeta, Revision, UNUSED_COLUMNS } from './post.entity.js';
import {
  changedPublication,
  isFloating,
  newPublication,
  nowInZone,
  TRASH_STATUS,
  TRASH_TIME,
} from './post-dates.js';
import { recordOldDate, recordOldSlug, saveRevision, schedulePublication } from './post-history.js';
import type { PostRecord, PostRow } from './post-record.js';

/** The columns of a write; texts are sanitized already, dates are on the site's clock and in UTC. */
export interface PostFields {
  title?: string;
  content?: string;
  excerpt?: string;
  status?: string;
  /** As sent; '' requests one from the title. */
  slug?: string;
  author?: number;
  date?: string;
  dateGmt?: string;
  menuOrder?: number;
  parent?: number;
  /** Without it, setting status or slug of a pending post clears the slug. */
  mayPublish: boolean;
}

interface NewPost extends PostFields {
  type: string;
  title: string;
  status: string;
  author: number;
  commentStatus?: string;
  /** Whether unpublished posts get a slug from their title too, as for venues and organizers. */
  slugWhileFloating?: boolean;
  mimeType?: string;
  /** By default the post's link. */
  guid?: string;
}

interface PostChange {
  before: PostRecord;
  status: string;
  name: string;
  date: string;
  /** The changed columns among title, content, excerpt and status. */
  changed: string[];
}

const TEXTS = ['title', 'content', 'excerpt'] as const;

/** Writes rows of `posts` by WordPress's rules for slugs, dates and guids. */
@Injectable()
export class PostWriter {
  constructor(
    private readonly database: Database,
    private readonly options: OptionWriter,
    private readonly terms: TermWriter,
    private readonly types: ContentTypes,
  ) {}

  /** Inserts a post and returns its id; one with a menu order (sticky) also gets a revision, as WordPress writes it twice. */
  async insert(transaction: Transaction, post: NewPost, site: WriteSite): Promise<number> {
    const { manager } = transaction;
    const { settings, now } = site;
    const publication = newPublication(post, now, settings.zone);
    const { date, dateGmt, status } = publication;
    const changed = post.menuOrder ? nowInZone(now, settings.zone) : { local: date, utc: dateGmt };
    const source = post.slug || (isFloating(status) && !post.slugWhileFloating ? '' : post.title);
    const { locale } = settings.render;
    const slug = status === 'pending' && !post.mayPublish ? '' : sanitizeTitle(source, { locale });
    let name = await freeSlug(this.database, manager, { slug, status, type: post.type, id: 0 });
    const entity = this.entityOf(post.type);
    const guidOf = (id: number) =>
      truncate(
        post.guid ?? permalink({ id, type: post.type, status, name }, settings.links, { readable: true }),
        255,
      );
    const inserted = { name, guid: guidOf(0) };
    const { title, content = '', excerpt = '', menuOrder = 0, parent = 0 } = post;
    const id = await insertRows(manager, entity, {
      ...UNUSED_COLUMNS,
      ...inserted,
      ...publication,
      author: post.author,
      title,
      content,
      excerpt,
      menuOrder,
      parent,
      mimeType: post.mimeType ?? '',
      commentStatus: post.commentStatus ?? 'closed',
      modified: changed.local,
      modifiedGmt: changed.utc,
    });
    transaction.touch('post', id);
    // Without a slug the id is used.
    if (name === '' && !isFloating(status)) name = String(id);
    const guid = guidOf(id);
    // Most links contain a slug and no id.
    if (name !== inserted.name || guid !== inserted.guid)
      await updateRow(manager, entity, id, { name, guid });
    if (status === 'future') await this.schedule(transaction, id, dateGmt);
    if (menuOrder) await saveRevision(transaction, { id, title, content, excerpt, status }, site);
    return id;
  }

  /** Updates fields of a post; old slugs and dates go to `meta`, changed and first texts to a revision. */
  async update(
    transaction: Transaction,
    before: PostRecord,
    fields: PostFields,
    meta: MetaWriter,
    site: WriteSite,
  ): Promise<PostChange> {
    const { manager } = transaction;
    transaction.touch('post', before.id);
    const { settings, now } = site;
    const title = fields.title ?? before.title;
    const input = { status: fields.status ?? before.status, date: fields.date, dateGmt: fields.dateGmt };
    const publication = changedPublication(before, input, now, settings.zone);
    const { status } = publication;
    // A remaining time would count for the next trashing.
    if (before.status === 'trash' && status !== 'trash') meta.remove(TRASH_STATUS).remove(TRASH_TIME);
    const requested = changedSlug(before, { title, slug: fields.slug, status }, meta, settings.render);
    const isExplicit = fields.status !== undefined || fields.slug !== undefined;
    const slug = status === 'pending' && isExplicit && !fields.mayPublish ? '' : requested;
    let name = await freeSlug(this.database, manager, { ...before, slug, status });
    if (name === '' && !isFloating(status) && status !== 'trash') name = String(before.id);
    const { local, utc } = nowInZone(now, settings.zone);
    const texts = {
      title,
      content: fields.content ?? before.content,
      excerpt: fields.excerpt ?? before.excerpt,
    };
    const row = {
      ...texts,
      ...publication,
      name,
      author: fields.author ?? before.author,
      menuOrder: fields.menuOrder ?? before.menuOrder,
      parent: fields.parent ?? before.parent,
      modified: local,
      modifiedGmt: utc,
      guid: storedGuid(before.guid),
    };
    await updateRow(manager, this.entityOf(before.type), before.id, changedColumns(before, row));
    if (status === 'future' || before.status === 'future')
      await this.schedule(transaction, before.id, status === 'future' ? publication.dateGmt : undefined);
    // WordPress keeps no revisions of files.
    if (before.type !== 'attachment')
      await saveRevision(transaction, { id: before.id, ...texts, status }, site);
    if (status === 'publish') {
      recordOldSlug(before.name, name, meta);
      recordOldDate(before.date, publication.date, meta);
    }
    const changed = TEXTS.filter((field) => texts[field] !== before[field]);
    return {
      before,
      status,
      name,
      date: publication.date,
      changed: [...changed, ...(status === before.status ? [] : ['status'])].map((field) => `post_${field}`),
    };
  }

  /** Moves a post to the trash; its slug becomes free and is recorded for a restore (docs/behaviour/writes.md#slugs). */
  async trash(transaction: Transaction, before: PostRecord, meta: MetaWriter, site: WriteSite) {
    const { manager } = transaction;
    transaction.touch('post', before.id);
    const { settings, now } = site;
    const publication = changedPublication(before, { status: 'trash' }, now, settings.zone);
    const { local, utc } = nowInZone(now, settings.zone);
    const slug = trashedSlug(before.name);
    const name = await freeSlug(this.database, manager, { ...before, ...publication, slug });
    meta
      .set(TRASH_STATUS, before.status)
      .set(TRASH_TIME, String(Math.floor(now / 1000)))
      .set('_wp_desired_post_slug', before.name);
    await updateRow(manager, this.entityOf(before.type), before.id, {
      ...publication,
      name,
      modified: local,
      modifiedGmt: utc,
      guid: storedGuid(before.guid),
    });
    if (before.status === 'future') await this.schedule(transaction, before.id);
    await saveRevision(transaction, { ...before, status: 'trash' }, site);
  }

  /** Deletes a post permanently, with its terms, meta and revisions. */
  async remove(transaction: Transaction, { id, status }: Pick<PostRecord, 'id' | 'status'>): Promise<void> {
    const { manager } = transaction;
    transaction.touch('post', id);
    await this.terms.unassign(transaction, id);
    const revisions = await manager.find(Revision, { where: { parent: id }, select: { id: true } });
    const ids = [id, ...revisions.map((revision) => revision.id)];
    await manager.delete(PostMeta, { postId: In(ids) });
    await manager.delete(Post, ids);
    if (status === 'future') await this.schedule(transaction, id);
  }

  /** Updates WordPress's cron entry of a post (W25); without a date removes it. */
  private async schedule(transaction: Transaction, id: number, dateGmt?: string): Promise<void> {
    const at = dateGmt === undefined ? undefined : parseWallClock(dateGmt);
    await this.options.change(transaction, 'cron', (cron) => schedulePublication(cron, id, at), 'on');
  }

  private entityOf(type: string): Type<Post> {
    const { entity } = this.types.postType(type);
    if (!entity) throw new Error(`posts of the type ${type} are only read`);
    return entity;
  }
}

/** The requested slug after an update, not yet a free one. */
function changedSlug(
  before: PostRecord,
  { title, slug, status }: { title: string; slug?: string; status: string },
  meta: MetaWriter,
  { locale }: { locale: string },
): string {
  const requested = slug === undefined ? undefined : sanitizeTitle(slug || title, { locale });
  // A client may send a trashed record back with its temporary slug.
  const sent = before.status === 'trash' && requested === before.name ? undefined : requested;
  if (sent !== undefined && status === 'trash') {
    meta.set('_wp_desired_post_slug', sent);
    return trashedSlug(sent);
  }
  const ofTitle = () => (isFloating(status) ? '' : sanitizeTitle(title, { locale }));
  if (before.status === 'trash' && status !== 'trash') {
    const desired = sent ?? meta.get('_wp_desired_post_slug')[0];
    meta.remove('_wp_desired_post_slug');
    if (desired) return desired;
    if (before.name.startsWith(trashedSlug(''))) return ofTitle();
  }
  return sent ?? (before.name || ofTitle());
}

function changedColumns(before: PostRow, row: Partial<PostRow>): Partial<PostRow> {
  const names = Object.keys(row) as (keyof PostRow)[];
  const changed = names.filter((name) => row[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, row[name]]));
}

/** The guid after an update: ampersands become entities, as recorded. */
function storedGuid(guid: string): string {
  return truncate(guid.replace(/&(?!#038;)/g, '&#038;'), 255);
}
