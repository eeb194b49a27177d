import sql from 'sql-template-tag';
import { invalidParameter } from '../../common/errors/rest-exception.js';
import type { Transaction } from '../../database/transactions.js';
import type { RequestContext, WriteContext } from '../../http/request-context.js';
import { restUrl } from '../../http/rest-request.js';
import { addQueryArg } from '../../lib/wordpress-text/formatting/add-query-arg.js';
import { MetaWriter, writeThumbnail } from '../../wordpress/posts/meta-writer.js';
import { PostQuery } from '../../wordpress/posts/post-query.js';
import type { PostRecord } from '../../wordpress/posts/post-record.js';
import { openedBy } from '../../wordpress/posts/post-rows.js';
import type { PostFields, PostWriter } from '../../wordpress/posts/post-writer.js';
import type { StoreImage } from './images.js';
import type { ListQuery } from './list-query.js';
import type { PlainPostFields, PlainPostListQuery } from './plain-post.dto.js';
import type { PlainPostJson } from './plain-post.response.js';
import { PostResourceService } from './post-resource.service.js';
import type { PostResourceDeps } from './post-resource-deps.js';
import type { CreateResult, RecordWriter } from './record-writer.js';
import type { LoadedPost, PostResource } from './resource.js';

/**
 * Lists, reads and writes posts whose only own data are declared fields: newest first, with titles, descriptions,
 * slugs, statuses, dates and images by WordPress's rules.
 */
export abstract class PlainPostsService<
  Many extends string,
  Fields extends PlainPostFields = PlainPostFields,
  Query extends PlainPostListQuery & { status?: string[] } = PlainPostListQuery & { status?: string[] },
> extends PostResourceService<Many, Fields, PlainPostJson, Query, LoadedPost> {
  constructor(resource: PostResource<Fields, PlainPostJson>, tools: PostResourceDeps) {
    super(resource, tools, tools.loader, new PlainPostWriter(resource.type, tools.writer));
  }

  protected query(query: Query, { access, base, settings }: RequestContext): ListQuery {
    const { type, path } = this.resource;
    const { page, per_page, search, status } = query;
    const list = new PostQuery(this.tools.database, type)
      .visible(access.visibility(type, status))
      .orderBy(sql`p.post_date`, 'DESC')
      .page(page, per_page);
    const open = openedBy(query.password, access.editable(type));
    if (search !== undefined) list.search(search, open, access.signedIn, settings.render.locale);
    return { list, url: addQueryArg(restUrl(base, `/${path}/`), { page, per_page, search, status }) };
  }
}

/** Writes posts and their images. */
class PlainPostWriter implements RecordWriter<PlainPostFields> {
  constructor(
    private readonly type: string,
    private readonly posts: PostWriter,
  ) {}

  async insert(
    transaction: Transaction,
    fields: PlainPostFields,
    context: WriteContext,
    storeImage: StoreImage,
  ): Promise<CreateResult> {
    const { access } = context;
    const { type } = this;
    const { title = '', ...columns } = columnsOf(fields, context);
    const imageId = await storeImage(transaction, fields.image);
    const post = {
      ...columns,
      type,
      title,
      status: access.statusOnWrite(type, fields.status),
      author: fields.author ?? access.user.id,
      mayPublish: access.mayPublish(type),
    };
    const id = await this.posts.insert(transaction, post, context);
    const meta = MetaWriter.forNew(transaction.manager, id);
    writeThumbnail(meta, { imageId });
    await meta.save();
    return { id, isNew: true };
  }

  async update(
    transaction: Transaction,
    before: PostRecord,
    fields: PlainPostFields,
    context: WriteContext,
    storeImage: StoreImage,
  ): Promise<void> {
    const imageId = await storeImage(transaction, fields.image);
    const meta = await MetaWriter.forExisting(transaction.manager, before);
    const { status } = fields;
    const change: PostFields = {
      ...columnsOf(fields, context),
      status: status && context.access.statusOnWrite(before.type, status),
      author: fields.author,
      mayPublish: context.access.mayPublish(before.type),
    };
    await this.posts.update(transaction, before, change, meta, context);
    writeThumbnail(meta, { imageId });
    await meta.save();
  }

  async trash(transaction: Transaction, before: PostRecord, context: WriteContext): Promise<void> {
    const meta = await MetaWriter.forExisting(transaction.manager, before);
    await this.posts.trash(transaction, before, meta, context);
    await meta.save();
  }

  remove(transaction: Transaction, before: PostRecord): Promise<void> {
    return this.posts.remove(transaction, before);
  }
}

/** The sent fields as columns; throws for a title that cleaning empties. */
function columnsOf(
  { title, description, slug, date, date_utc }: PlainPostFields,
  { cleaner }: RequestContext,
): Pick<PostFields, 'title' | 'content' | 'slug' | 'date' | 'dateGmt'> {
  const cleaned = title === undefined ? undefined : cleaner.clean('title', title);
  if (cleaned === '') throw invalidParameter('title', 'title must hold some text.');
  const content = description === undefined ? undefined : cleaner.clean('content', description);
  return { title: cleaned, content, slug, date, dateGmt: date_utc };
}
