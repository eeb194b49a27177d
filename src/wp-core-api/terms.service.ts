import { Injectable } from '@nestjs/common';
import { forbidden, RestException } from '../common/errors/rest-exception.js';
import { Database } from '../database/database.js';
import { coreUrl } from '../http/core-links.js';
import type { RequestContext } from '../http/request-context.js';
import { withHeaders } from '../http/rest-response.js';
import { withTermTag } from '../resources/base/record-tag.js';
import type { TermType } from '../resources/base/resource.js';
import { coreTermRights } from '../resources/base/resource-methods.service.js';
import type { CategoriesService } from '../resources/categories/categories.service.js';
import type { TagsService } from '../resources/tags/tags.service.js';
import { type LoadedTerm, termLinks } from '../resources/terms/term.response.js';
import { PostVisibility } from '../wordpress/posts/post-visibility.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { termException } from '../wordpress/terms/plan-term-insert.js';
import { termLink } from '../wordpress/terms/term-record.js';
import { forbiddenContext, withCorePageHeaders } from './core-response.js';
import type { CoreQuery, View } from './list.dto.js';
import type { CreateCoreTermDto, ListCoreCategoriesQuery, UpdateCoreTermDto } from './terms.dto.js';

/** The service of a taxonomy, shared with the calendar's own routes. */
export type Terms = CategoriesService | TagsService;

/** Lists, reads, creates and updates terms in the format and by the rights of `wp/v2`. */
@Injectable()
export class CoreTermsService {
  constructor(
    private readonly database: Database,
    private readonly posts: PostsService,
    private readonly visibility: PostVisibility,
  ) {}

  async list(terms: Terms, query: ListCoreCategoriesQuery, context: RequestContext) {
    const { kind } = terms;
    const { context: view, slug: slugs, post } = query;
    this.checkView(terms, view, context);
    const { terms: loaded, total } =
      post === undefined || (await this.isReadable(post, context))
        ? await terms.select({ ...query, slug: undefined, slugs }, context)
        : { terms: [], total: 0 };
    const body = loaded.map((one) => toCoreTerm(kind, one, view, context));
    return withCorePageHeaders(body, { url: coreUrl(context, kind.corePath), query, total });
  }

  async get(terms: Terms, id: number, { context: view }: CoreQuery, context: RequestContext) {
    return this.tagged(terms, id, context, async () => {
      const loaded = await this.find(terms, id, context);
      this.checkView(terms, view, context);
      return toCoreTerm(terms.kind, loaded, view, context);
    });
  }

  async create(terms: Terms, fields: CreateCoreTermDto, context: RequestContext) {
    const { kind } = terms;
    if (!coreTermRights(kind, context.access).create)
      throw forbidden(`You may not create ${kind.plural}.`, 'rest_cannot_create');
    await this.checkParent(terms, fields, context);
    const id = await terms.insertRecord(fields, context);
    const body = await this.written(terms, id, context);
    return withHeaders(body, { Location: coreUrl(context, `${kind.corePath}/${id}`) });
  }

  /** Updates a term; fields that were not sent stay. */
  async update(terms: Terms, id: number, fields: UpdateCoreTermDto, context: RequestContext) {
    const { kind } = terms;
    const { term } = await this.find(terms, id, context);
    if (!coreTermRights(kind, context.access).edit)
      throw forbidden(`You may not change ${kind.plural}.`, 'rest_cannot_update');
    await this.checkParent(terms, fields, context);
    await terms.updateRecord(term, fields, context);
    return this.written(terms, id, context);
  }

  private tagged<T extends object>(
    { kind }: Terms,
    id: number,
    context: RequestContext,
    show: () => Promise<T>,
  ): Promise<T> {
    return withTermTag(this.database, { ...kind, id }, context, show);
  }

  private written(terms: Terms, id: number, context: RequestContext) {
    return this.tagged(terms, id, context, async () =>
      toCoreTerm(terms.kind, await this.find(terms, id, context), 'edit', context),
    );
  }

  private async find(terms: Terms, id: number, context: RequestContext): Promise<LoadedTerm> {
    const loaded = await terms.tryFindVisible(id, context);
    if (!loaded)
      throw new RestException(
        'not_found',
        'rest_term_invalid',
        `There is no ${terms.kind.singular} with this id.`,
      );
    return loaded;
  }

  private checkView({ kind }: Terms, view: View, { access }: RequestContext): void {
    if (view === 'edit' && !coreTermRights(kind, access).edit) throw forbiddenContext();
  }

  /** Throws for a parent that does not exist or that plugins hide. */
  private async checkParent(
    terms: Terms,
    { parent = 0 }: UpdateCoreTermDto,
    context: RequestContext,
  ): Promise<void> {
    if (parent !== 0 && terms.kind.hierarchical && !(await terms.tryFindVisible(parent, context)))
      throw termException('missing_parent');
  }

  /** Whether the caller may read the post whose terms are listed. */
  private async isReadable(id: number, context: RequestContext): Promise<boolean> {
    const [post] = await this.posts.identities([id]);
    if (!post || !context.access.mayRead(post)) return false;
    return (await this.visibility.of([post], context)).length > 0;
  }
}

/** Makes the JSON of a term in `wp/v2` (docs/behaviour/core-routes.md#tags-and-categories). */
function toCoreTerm(kind: TermType, { term, path }: LoadedTerm, view: View, context: RequestContext) {
  const isFull = view !== 'embed';
  return {
    id: term.id,
    ...(isFull && { count: term.count, description: term.description }),
    link: termLink(kind, path, context.settings),
    name: term.name,
    slug: term.slug,
    taxonomy: term.taxonomy,
    ...(isFull && kind.hierarchical && { parent: term.parent }),
    ...(isFull && { meta: [] }),
    _links: termLinks(kind, term, context),
  };
}
