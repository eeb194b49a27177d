import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Answer } from '../http/answer.js';
import { pageLinks, totalHeaders } from '../http/page-links.js';
import { readerOf, type RequestContext, responseContext, type UnlockQuery } from '../http/request-context.js';
import { isLocked } from '../http/response-context.js';
import { invalidParameters, RestError } from '../http/rest-error.js';
import type { PostRecord } from '../wordpress/posts/post-record.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { Renderer } from '../wordpress/rendering/renderer.service.js';
import type { GetEventBySlugQuery, GetEventQuery, ListEventsQuery } from './event.dto.js';
import { eventListUrl } from './event.links.js';
import { eventQuery, eventWindow } from './event.query.js';
import { toEventResponse } from './event.response.js';
import { EVENT } from './event-type.js';
import { EventBundlesService, recordsOf } from './event-bundles.service.js';

/** Lists and reads events. */
@Injectable()
export class EventsService {
  constructor(
    private readonly database: Database,
    private readonly posts: PostsService,
    private readonly bundles: EventBundlesService,
    private readonly renderer: Renderer,
  ) {}

  /** A page of events; 404 `event-archive-page-not-found` past the last one. */
  async list(query: ListEventsQuery, context: RequestContext): Promise<Answer> {
    const window = eventWindow(query, context);
    const list = eventQuery(this.database, query, window, context);
    const [rows, total] = await Promise.all([list.rows(), list.total()]);
    if (rows.length === 0 && query.page > 1)
      throw new RestError(
        'event-archive-page-not-found',
        404,
        `There is no page ${query.page} of these events.`,
      );
    const bundles = await this.bundles.load(rows, context.access);
    const rendered = await this.renderer.render(recordsOf(bundles), context);
    const response = responseContext(context, rendered, query);
    const totalPages = Math.ceil(total / query.per_page);
    const status =
      query.status?.join(',') || (context.access.mayChooseStatus(EVENT.type) ? 'any' : 'publish');
    const url = eventListUrl(context.base, query, window, status);
    return new Answer(
      {
        events: bundles.map((bundle) => toEventResponse(bundle, response)),
        rest_url: url,
        ...pageLinks(url, query.page, totalPages),
        total,
        total_pages: totalPages,
      },
      200,
      totalHeaders(total, totalPages),
    );
  }

  /** One event by id. */
  async get(id: number, query: GetEventQuery, context: RequestContext): Promise<Answer> {
    const post = await this.posts.find(id);
    if (!post) throw new RestError('rest-event-not-found', 404, `There is no event with the id ${id}.`);
    if (post.type !== EVENT.type)
      throw new RestError('rest-invalid-event-id', 400, `The record with the id ${id} is not an event.`);
    return this.show(post, query, context);
  }

  /** One event by slug; an unknown slug is a parameter that is not valid, as recorded. */
  async getBySlug(slug: string, query: GetEventBySlugQuery, context: RequestContext): Promise<Answer> {
    const id = await this.posts.idBySlug(EVENT.type, slug);
    const post = id === null ? null : await this.posts.find(id);
    if (!post) throw invalidParameters([{ name: 'slug', message: 'slug names no event.' }]);
    return this.show(post, query, context);
  }

  /** An event as its writer sees it after a write; a password keeps its content hidden all the same. */
  async represent(id: number, context: RequestContext): Promise<Record<string, unknown> | undefined> {
    const post = await this.posts.find(id);
    const bundles = await this.bundles.load(post ? [post] : [], context.access);
    const rendered = await this.renderer.render(recordsOf(bundles), context);
    return bundles.map((bundle) => toEventResponse(bundle, responseContext(context, rendered)))[0];
  }

  private async show(post: PostRecord, query: UnlockQuery, context: RequestContext): Promise<Answer> {
    if (post.status === 'trash')
      throw new RestError('event-no-longer-available', 403, 'The event is in the trash.');
    if (!context.access.mayRead(post))
      throw new RestError('event-not-accessible', 403, 'You may not read this event.');
    if (isLocked(post, readerOf(context, query)))
      throw new RestError('event-password-protected', 403, 'The event is protected by a password.');
    const bundles = await this.bundles.load([post], context.access);
    const rendered = await this.renderer.render(recordsOf(bundles), context, { jsonLd: true });
    const response = responseContext(context, rendered, query);
    return new Answer(bundles.map((bundle) => toEventResponse(bundle, response, { jsonLd: true }))[0]);
  }
}
