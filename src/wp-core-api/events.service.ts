import { Injectable } from '@nestjs/common';
import { forbidden, RestException } from '../common/errors/rest-exception.js';
import { Hooks } from '../common/hooks/hooks.js';
import { Database } from '../database/database.js';
import { coreUrl } from '../http/core-links.js';
import type { RequestContext } from '../http/request-context.js';
import { isLocked, readerOf } from '../resources/base/response-context.js';
import { EVENT } from '../resources/events/event-type.js';
import type { PostRecord } from '../wordpress/posts/post-record.js';
import { PostVisibility, queryHook } from '../wordpress/posts/post-visibility.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { Renderer } from '../wordpress/rendering/renderer.service.js';
import { TermCache } from '../wordpress/terms/term-cache.service.js';
import { TermVisibility } from '../wordpress/terms/term-visibility.js';
import { TermsService } from '../wordpress/terms/terms.service.js';
import { forbiddenContext, withCorePageHeaders } from './core-response.js';
import { toCoreEvent } from './event.response.js';
import type { GetCoreEventQuery, ListCoreEventsQuery } from './events.dto.js';
import { coreEventQuery, type TermFilter } from './events.query.js';
import type { View } from './list.dto.js';
import { discussionOf, readPage } from './post-list.query.js';

const TAXONOMIES = EVENT.taxonomies.map(({ taxonomy }) => taxonomy);

/** Reads events in the format and by the rights of `wp/v2`. */
@Injectable()
export class CoreEventsService {
  constructor(
    private readonly database: Database,
    private readonly posts: PostsService,
    private readonly visibility: PostVisibility,
    private readonly terms: TermsService,
    private readonly cachedTerms: TermCache,
    private readonly termVisibility: TermVisibility,
    private readonly renderer: Renderer,
    private readonly hooks: Hooks,
  ) {}

  async list(query: ListCoreEventsQuery, context: RequestContext) {
    if (query.context === 'edit' && !context.access.canOfType('edit', EVENT.type)) throw forbiddenContext();
    const filters = await this.filters(query, context);
    const listQuery = coreEventQuery(this.database, query, context, filters);
    const list = await this.hooks.apply(queryHook(EVENT.type), listQuery, { query, context });
    const { rows, total } = await readPage(list, query.page);
    const body = await this.show(await this.posts.withMeta(rows), query.context, context);
    return withCorePageHeaders(body, { url: coreUrl(context, EVENT.corePath), query, total });
  }

  async get(id: number, { context: view, password }: GetCoreEventQuery, context: RequestContext) {
    const post = await this.posts.find(id);
    const [event] = post?.type === EVENT.type ? await this.visibility.of([post], context) : [];
    if (!event)
      throw new RestException('not_found', 'rest_post_invalid_id', 'There is no event with this id.');
    if (view === 'edit' && !context.access.may('edit', event)) throw forbiddenContext();
    if (!context.access.mayRead(event)) throw forbidden('You may not see this event.');
    if (password !== undefined && isLocked(event, readerOf(context, { password, context: view })))
      throw new RestException(
        'forbidden_for_all',
        'rest_post_incorrect_password',
        'This is not the password of the event.',
      );
    const [rendered] = await this.show([event], view, context, password);
    return rendered;
  }

  private async show(
    posts: readonly PostRecord[],
    view: View,
    context: RequestContext,
    password?: string,
  ): Promise<object[]> {
    const ids = posts.map(({ id }) => id);
    const [{ texts }, termsOfPosts, discussions] = await Promise.all([
      this.renderer.render(posts, context),
      this.cachedTerms.ofPosts(ids, TAXONOMIES),
      discussionOf(this.database, ids),
    ]);
    const visible = new Set(await this.termVisibility.of([...termsOfPosts.values()].flat(), context));
    const reader = readerOf(context, { password, context: view });
    return posts.map((post) => {
      const terms = (termsOfPosts.get(post.id) ?? []).filter((term) => visible.has(term));
      const more = { texts: texts.get(post.id), terms, discussion: discussions.get(post.id) };
      return toCoreEvent({ post, isLocked: isLocked(post, reader), ...more }, view, context);
    });
  }

  /** Terms that plugins hide filter like unknown ones. */
  private async filters(query: ListCoreEventsQuery, context: RequestContext): Promise<TermFilter[]> {
    const named = EVENT.taxonomies.flatMap(({ taxonomy, corePath }) => [
      { taxonomy, include: query[corePath], isExcluded: false },
      { taxonomy, include: query[`${corePath}_exclude`], isExcluded: true },
    ]);
    const filters = named.map(async ({ taxonomy, include, isExcluded }) => {
      if (!include) return [];
      const terms = await this.terms.list({ taxonomy, include, orderBy: 'id', direction: 'ASC' });
      const visible = await this.termVisibility.of(terms, context);
      return [{ ids: visible.map(({ termTaxonomyId }) => termTaxonomyId), isExcluded }];
    });
    return (await Promise.all(filters)).flat();
  }
}
