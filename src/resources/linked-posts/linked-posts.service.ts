import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { invalidParameter } from '../../common/errors/rest-exception.js';
import type { Transaction } from '../../database/transactions.js';
import type { RequestContext } from '../../http/request-context.js';
import { restUrl } from '../../http/rest-request.js';
import { addQueryArg } from '../../lib/wordpress-text/formatting/add-query-arg.js';
import { sanitizeTitleForQuery } from '../../lib/wordpress-text/formatting/sanitize-title.js';
import type { PostRecord } from '../../wordpress/posts/post-record.js';
import type { ListQuery } from '../base/list-query.js';
import { PostResourceService } from '../base/post-resource.service.js';
import { PostResourceDeps } from '../base/post-resource-deps.js';
import type { CreateResult, WriteArgs } from '../base/record-writer.js';
import type { LoadedPost } from '../base/resource.js';
import type { ReadQuery } from '../base/response-context.js';
import type { ListLinkedPostsQuery } from './linked-post.dto.js';
import { linkedPostQuery } from './linked-post.query.js';
import type { LinkedPostFields, LinkedPostType } from './linked-post-type.js';
import { LinkedPostWriter } from './linked-post-writer.js';
import { LinkedRecordIndex } from './linked-record-index.service.js';

/** Lists, reads and writes venues or organizers, which differ only in their fields. */
export abstract class LinkedPostsService<
  Many extends string,
  Json extends object,
> extends PostResourceService<Many, LinkedPostFields, Json, ListLinkedPostsQuery, LoadedPost> {
  constructor(
    readonly kind: LinkedPostType<Json>,
    tools: PostResourceDeps,
    linkedPosts: LinkedPostWriter,
    private readonly linkedRecords: LinkedRecordIndex,
  ) {
    super(kind, tools, tools.loader, linkedPosts.of(kind));
  }

  protected async query(query: ListLinkedPostsQuery, context: RequestContext): Promise<ListQuery> {
    const { database, visibility } = this.tools;
    const events = await visibility.query(EVENT_POST_TYPE, context);
    const url = addQueryArg(restUrl(context.base, `/${this.kind.plural}/`), {
      page: query.page,
      per_page: query.per_page,
      event: query.event,
      has_events: query.has_events === undefined ? undefined : String(query.has_events),
      status: query.status ?? (context.access.mayChooseStatus(this.kind.type) ? 'any' : 'publish'),
    });
    const known = events ? {} : await this.linkedRecords.of(this.kind, query, context);
    return { list: linkedPostQuery(database, this.kind, query, context, events, known), url };
  }

  /** A slug that sanitizes to nothing is reported as not accessible, as recorded. */
  override async getBySlug(slug: string, query: ReadQuery, context: RequestContext): Promise<Json> {
    if (sanitizeTitleForQuery(slug) === '') throw this.notAccessible();
    return super.getBySlug(slug, query, context);
  }

  /** The writer calls the plugins, as it finds out whether the record exists. */
  protected override insertRecord(
    transaction: Transaction,
    ...args: WriteArgs<LinkedPostFields>
  ): Promise<CreateResult> {
    return this.recordWriter.insert(transaction, ...args);
  }

  /** An unknown id is an invalid parameter, as recorded. */
  protected override known(_name: string, post: PostRecord | null): PostRecord {
    if (post?.type === this.kind.type) return post;
    throw invalidParameter('id', `id is not the id of an existing ${this.kind.singular}.`);
  }

  /** Existence is reported before rights, as recorded. */
  protected override checkWritable(
    name: string,
    post: PostRecord | null,
    operation: 'edit' | 'delete',
    context: RequestContext,
  ): PostRecord {
    return super.checkWritable(name, this.known(name, post), operation, context);
  }

  /** A permanent delete responds with an empty list, as recorded. */
  protected override async deletedResponse(): Promise<Json | []> {
    return [];
  }
}
