import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Answer } from '../http/answer.js';
import { scalarText } from '../http/fields.js';
import { pageLinks, totalHeaders } from '../http/page-links.js';
import { type RequestContext, responseContext } from '../http/request-context.js';
import { type ResponseContext, restUrl } from '../http/response-context.js';
import { invalidParameters, RestError } from '../http/rest-error.js';
import { addQueryArg } from '../wordpress/formatting/add-query-arg.js';
import type { PostRecord } from '../wordpress/posts/post-record.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { Renderer } from '../wordpress/rendering/renderer.service.js';
import type { GetLinkedPostQuery, ListLinkedPostsQuery } from './linked-post.dto.js';
import { linkedPostQuery } from './linked-post.query.js';
import type { LinkedPostType } from './linked-post-type.js';

/** How a kind of linked post is shown. */
export type ToResponse = (
  post: PostRecord,
  context: ResponseContext,
  options?: { jsonLd?: boolean },
) => Record<string, unknown>;

/** Lists and reads venues and organizers, which differ in their fields only. */
@Injectable()
export class LinkedPostsService {
  constructor(
    private readonly database: Database,
    private readonly posts: PostsService,
    private readonly renderer: Renderer,
  ) {}

  /** A page of records; 404 `…-archive-page-not-found` past the last one. */
  async list(
    kind: LinkedPostType,
    toResponse: ToResponse,
    query: ListLinkedPostsQuery,
    context: RequestContext,
  ): Promise<Answer> {
    const list = linkedPostQuery(this.database, kind, query, context);
    const [rows, total] = await Promise.all([list.rows(), list.total()]);
    if (rows.length === 0 && query.page > 1)
      throw new RestError(
        `${kind.one}-archive-page-not-found`,
        404,
        `There is no page ${query.page} of these ${kind.many}.`,
      );
    const meta = await this.posts.meta(rows.map(({ id }) => id));
    const records = rows.map((row) => ({ ...row, meta: meta.get(row.id) ?? new Map() }));
    const rendered = await this.renderer.render(records, context);
    const response = responseContext(context, rendered, query);
    const totalPages = Math.ceil(total / query.per_page);
    const url = addQueryArg(restUrl(context.base, `/${kind.path}/`), {
      page: query.page,
      per_page: query.per_page,
      event: query.event,
      has_events: query.has_events === undefined ? undefined : scalarText(query.has_events),
      status: query.status ?? (context.access.mayChooseStatus(kind.type) ? 'any' : 'publish'),
    });
    return new Answer(
      {
        [kind.many]: records.map((record) => toResponse(record, response)),
        rest_url: url,
        ...pageLinks(url, query.page, totalPages),
        total,
        total_pages: totalPages,
      },
      200,
      totalHeaders(total, totalPages),
    );
  }

  /** One record by id; an unknown id is a parameter that is not valid, as recorded. */
  async get(
    kind: LinkedPostType,
    toResponse: ToResponse,
    id: number,
    query: GetLinkedPostQuery,
    context: RequestContext,
  ): Promise<Answer> {
    const post = await this.posts.find(id);
    if (post?.type !== kind.type)
      throw invalidParameters([{ name: 'id', message: `id is not the id of an existing ${kind.one}.` }]);
    return this.show(kind, toResponse, post, query, context);
  }

  /** One record by slug. */
  async getBySlug(
    kind: LinkedPostType,
    toResponse: ToResponse,
    slug: string,
    query: GetLinkedPostQuery,
    context: RequestContext,
  ): Promise<Answer> {
    const id = await this.posts.idBySlug(kind.type, slug);
    const post = id === null ? null : await this.posts.find(id);
    if (!post) throw invalidParameters([{ name: 'slug', message: `slug names no ${kind.one}.` }]);
    return this.show(kind, toResponse, post, query, context);
  }

  /** A record as its writer sees it after a write; a password keeps its content hidden all the same. */
  async represent(
    kind: LinkedPostType,
    toResponse: ToResponse,
    id: number,
    context: RequestContext,
  ): Promise<Record<string, unknown>> {
    const post = await this.posts.find(id);
    if (!post) throw new Error(`the ${kind.one} ${id} vanished after it was written`);
    const rendered = await this.renderer.render([post], context);
    return toResponse(post, responseContext(context, rendered));
  }

  private async show(
    kind: LinkedPostType,
    toResponse: ToResponse,
    post: PostRecord,
    query: GetLinkedPostQuery,
    context: RequestContext,
  ): Promise<Answer> {
    if (!context.access.mayRead(post))
      throw new RestError(`${kind.one}-not-accessible`, 403, `You may not read this ${kind.one}.`);
    const rendered = await this.renderer.render([post], context, { jsonLd: true });
    return new Answer(toResponse(post, responseContext(context, rendered, query), { jsonLd: true }));
  }
}
