import { Injectable, type Type } from '@nestjs/common';
import { truncate } from '../../lib/truncate.js';
import { In } from 'typeorm';
import { Database } from '../../database/database.js';
import { insertRows } from '../../database/insert-rows.js';
import type { Transaction } from '../../database/transactions.js';
import { updateRow } from '../../database/update-row.js';
import { parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { sanitizeTitle } from '../../lib/wordpress-text/formatting/sanitize-title.js';
import { trashedSlug } from '../../lib/wordpress-text/formatting/unique-slug.js';
import { OptionWriter } from '../options/option-writer.js';
import { TermWriter } from '../terms/term-writer.js';
import { ContentTypes } from '../types/content-types.js';
import { freeSlug } from './free-slug.js';
import { keepRevision } from './keep-revision.js';
import type { MetaWriter } from './meta-writer.js';
import { permalink } from './permalink.js';
import { Post } from './post.entity.js';
import {
  changedPublication,
  isFloating,
  newPublication,
  present,
  TRASH_STATUS,
  TRASH_TIME,
} from './post-dates.js';
import { noteOldDate, noteOldSlug } from './post-history.js';
import { PostMeta } from './post-meta.entity.js';
import type { PostRecord, PostRow } from './post-record.js';
import { schedulePublication } from './publish-schedule.js';
import { Revision } from './revision.entity.js';
import type { WriteSite } from './write-site.js';

/** Columns of a post as a write gives them; texts are cleaned already, dates are wall clocks of the site and of UTC. */
export interface PostFields {
  title?: string;
  content?: string;
  excerpt?: string;
  status?: string;
  /** As sent; '' asks for one made from the title. */
  slug?: string;
  author?: number;
  date?: string;
  dateGmt?: string;
  menuOrder?: number;
  /** A pending post has no slug once somebody who may not publish says its status or slug. */
  mayPublish: boolean;
}

/** What a new post needs beside its fields. */
export interface NewPost extends PostFields {
  type: string;
  title: string;
  status: string;
  author: number;
  commentStatus?: string;
  /** Whether unpublished posts get a slug from their title too, as venues and organizers do. */
  slugWhileFloating?: boolean;
  mimeType?: string;
  /** Made from its link when absent. */
  guid?: string;
}

/** A column of a post as it was and as it is. */
export interface PostChange {
  before: PostRecord;
  status: string;
  name: string;
  date: string;
  /** Names of the columns among title, content, excerpt and status that changed, as WordPress names them. */
  changed: string[];
}

/** Inserts, changes and trashes rows of `posts` by WordPress's rules for slugs, dates and guids. */
@Injectable()
export class PostWriter {
  constructor(
    private readonly database: Database,
    private readonly options: OptionWriter,
    private readonly terms: TermWriter,
    private readonly types: ContentTypes,
  ) {}

  /** Inserts a post and returns its id; a sticky one is written twice, which leaves a revision. */
  async insert(transaction: Transaction, post: NewPost, site: WriteSite): Promise<number> {
    const { manager } = transaction;
    const { settings, now } = site;
    const { date, dateGmt, status } = newPublication(post, now, settings.zone);
    const changed = post.menuOrder ? present(now, settings.zone) : { local: date, utc: dateGmt };
    const wish = post.slug || (isFloating(status) && !post.slugWhileFloating ? '' : post.title);
    const plain = status === 'pending' && !post.mayPublish ? '' : this.slugOf(wish, settings.render.locale);
    let name = await freeSlug(this.database, manager, { slug: plain, status, type: post.type, id: 0 });
    const entity = this.entityOf(post.type);
    const addressOf = (id: number) =>
      truncate(
        post.guid ?? permalink({ id, type: post.type, status, name }, settings.links, { readable: true }),
        255,
      );
    const inserted = { name, guid: addressOf(0) };
    const id = await insertRows(manager, entity, {
      ...inserted,
      author: post.author,
      date,
      dateGmt,
      content: post.content ?? '',
      title: post.title,
      excerpt: post.excerpt ?? '',
      status,
      commentStatus: post.commentStatus ?? 'closed',
      pingStatus: 'closed',
      modified: changed.local,
      modifiedGmt: changed.utc,
      menuOrder: post.menuOrder ?? 0,
      mimeType: post.mimeType ?? '',
      toPing: '',
      pinged: '',
      contentFiltered: '',
    });
    // A title that leaves no slug gives way to the id.
    if (name === '' && !isFloating(status)) name = String(id);
    const guid = addressOf(id);
    // Most addresses hold a slug and no id.
    if (name !== inserted.name || guid !== inserted.guid)
      await updateRow(manager, entity, id, { name, guid });
    if (status === 'future') await this.schedule(transaction, id, dateGmt);
    const { title, content = '', excerpt = '' } = post;
    if (post.menuOrder) await keepRevision(transaction, { id, title, content, excerpt, status }, site);
    return id;
  }

  /**
   * Changes a post; what the fields do not name stays. The `meta` takes what a change of slug or date leaves behind, a
   * revision the texts, if they are new or there is none yet.
   */
  async update(
    transaction: Transaction,
    before: PostRecord,
    fields: PostFields,
    meta: MetaWriter,
    site: WriteSite,
  ): Promise<PostChange> {
    const { manager } = transaction;
    const { settings, now } = site;
    const title = fields.title ?? before.title;
    const wish = { status: fields.status ?? before.status, date: fields.date, dateGmt: fields.dateGmt };
    const publication = changedPublication(before, wish, now, settings.zone);
    const { status } = publication;
    // A time that stayed would be taken for that of the next trashing.
    if (before.status === 'trash' && status !== 'trash') meta.remove(TRASH_STATUS).remove(TRASH_TIME);
    const wanted = await this.changedSlug(before, fields.slug, title, status, meta, settings.render.locale);
    const isSaid = fields.status !== undefined || fields.slug !== undefined;
    const slug = status === 'pending' && isSaid && !fields.mayPublish ? '' : wanted;
    let name = await freeSlug(this.database, manager, { slug, status, type: before.type, id: before.id });
    if (name === '' && !isFloating(status) && status !== 'trash') name = String(before.id);
    const { local, utc } = present(now, settings.zone);
    const texts = {
      title,
      content: fields.content ?? before.content,
      excerpt: fields.excerpt ?? before.excerpt,
    };
    const row = {
      ...texts,
      status,
      name,
      date: publication.date,
      dateGmt: publication.dateGmt,
      author: fields.author ?? before.author,
      menuOrder: fields.menuOrder ?? before.menuOrder,
      modified: local,
      modifiedGmt: utc,
      guid: storedGuid(before.guid),
    };
    await updateRow(manager, this.entityOf(before.type), before.id, unlike(before, row));
    if (status === 'future' || before.status === 'future')
      await this.schedule(transaction, before.id, status === 'future' ? publication.dateGmt : undefined);
    await keepRevision(transaction, { id: before.id, ...texts, status }, site);
    if (status === 'publish') {
      noteOldSlug(before.name, name, meta);
      noteOldDate(before.date, publication.date, meta);
    }
    const changed = (['title', 'content', 'excerpt'] as const).filter(
      (field) => texts[field] !== before[field],
    );
    return {
      before,
      status,
      name,
      date: publication.date,
      changed: [...changed, ...(status === before.status ? [] : ['status'])].map((field) => `post_${field}`),
    };
  }

  /**
   * Moves a post to the trash: its slug is set free and kept for a return (docs/behaviour/writes.md#slugs), as are its
   * texts.
   */
  async trash(
    transaction: Transaction,
    before: PostRecord,
    meta: MetaWriter,
    site: WriteSite,
  ): Promise<void> {
    const { manager } = transaction;
    const { settings, now } = site;
    const { date, dateGmt } = changedPublication(before, { status: 'trash' }, now, settings.zone);
    const { local, utc } = present(now, settings.zone);
    const name = await freeSlug(this.database, manager, {
      slug: trashedSlug(before.name),
      status: 'trash',
      type: before.type,
      id: before.id,
    });
    meta
      .set(TRASH_STATUS, before.status)
      .set(TRASH_TIME, String(Math.floor(now / 1000)))
      .set('_wp_desired_post_slug', before.name);
    await updateRow(manager, this.entityOf(before.type), before.id, {
      status: 'trash',
      name,
      date,
      dateGmt,
      modified: local,
      modifiedGmt: utc,
      guid: storedGuid(before.guid),
    });
    if (before.status === 'future') await this.schedule(transaction, before.id);
    await keepRevision(transaction, { ...before, status: 'trash' }, site);
  }

  /** Deletes a post for good, with its terms, its meta, revisions and their meta. */
  async remove(transaction: Transaction, { id, status }: Pick<PostRecord, 'id' | 'status'>): Promise<void> {
    const { manager } = transaction;
    await this.terms.unassign(transaction, id);
    const revisions = await manager.find(Revision, { where: { parent: id }, select: { id: true } });
    const ids = [id, ...revisions.map((revision) => revision.id)];
    await manager.delete(PostMeta, { postId: In(ids) });
    await manager.delete(Post, ids);
    if (status === 'future') await this.schedule(transaction, id);
  }

  /** Keeps WordPress's own schedule in step with what was scheduled, moved or is not scheduled any more (W25). */
  private async schedule(transaction: Transaction, id: number, dateGmt?: string): Promise<void> {
    const at = dateGmt === undefined ? undefined : parseWallClock(dateGmt);
    await this.options.change(transaction, 'cron', (cron) => schedulePublication(cron, id, at), 'on');
  }

  /** The entity of a post type, through which TypeORM writes the type. */
  private entityOf(type: string): Type<Post> {
    const { entity } = this.types.postType(type);
    if (!entity) throw new Error(`posts of the type ${type} are only read`);
    return entity;
  }

  private slugOf(text: string, locale: string): string {
    return sanitizeTitle(text, { locale });
  }

  private async changedSlug(
    before: PostRecord,
    wanted: string | undefined,
    title: string,
    status: string,
    meta: MetaWriter,
    locale: string,
  ): Promise<string> {
    const wish = wanted === undefined ? undefined : this.slugOf(wanted || title, locale);
    // What is in the trash may be sent back as it is shown, under a slug that is not its own.
    const sent = before.status === 'trash' && wish === before.name ? undefined : wish;
    if (sent !== undefined && status === 'trash') {
      meta.set('_wp_desired_post_slug', sent);
      return trashedSlug(sent);
    }
    if (before.status === 'trash' && status !== 'trash') {
      const desired = sent ?? meta.get('_wp_desired_post_slug')[0];
      meta.remove('_wp_desired_post_slug');
      if (desired) return desired;
      if (before.name.startsWith(trashedSlug('')))
        return isFloating(status) ? '' : this.slugOf(title, locale);
    }
    if (sent !== undefined) return sent;
    return before.name === '' && !isFloating(status) ? this.slugOf(title, locale) : before.name;
  }
}

/** The columns that are not what they were: a long text that stays need not be sent. */
function unlike(before: PostRow, row: Partial<PostRow>): Partial<PostRow> {
  const names = Object.keys(row) as (keyof PostRow)[];
  return Object.fromEntries(
    names.filter((name) => row[name] !== before[name]).map((name) => [name, row[name]]),
  );
}

/** How a guid stands in the table once a post was updated: ampersands as entities, as recorded. */
function storedGuid(guid: string): string {
  return truncate(guid.replace(/&(?!#038;)/g, '&#038;'), 255);
}
