import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Answer } from '../http/answer.js';
import { pageLinks, totalHeaders } from '../http/page-links.js';
import type { RequestContext } from '../http/request-context.js';
import { restUrl } from '../http/response-context.js';
import { invalidParameters } from '../http/rest-error.js';
import { sanitizeTitle } from '../wordpress/formatting/sanitize-title.js';
import type { TermRecord } from '../wordpress/terms/term-record.js';
import {
  keepInhabited,
  slugPath,
  type TermListQuery,
  TermsService,
} from '../wordpress/terms/terms.service.js';
import type { GetTermQuery, ListTermsQuery } from './term.dto.js';
import { embedsParent, type ShownTerm, termLinks, toEmbeddedTerm, toTermResponse } from './term.response.js';
import type { TermType } from './term-type.js';

/** Lists and reads categories and tags. */
@Injectable()
export class EventTermsService {
  constructor(private readonly terms: TermsService) {}

  /** A page of terms; past the end it is empty, never an error, as recorded. */
  async list(kind: TermType, query: ListTermsQuery, context: RequestContext): Promise<Answer> {
    const { page, per_page } = query;
    const offset = Math.min(query.offset ?? (page - 1) * per_page, Number.MAX_SAFE_INTEGER);
    const wanted: TermListQuery = {
      taxonomy: kind.taxonomy,
      search: query.search,
      slug:
        query.slug === undefined
          ? undefined
          : sanitizeTitle(query.slug, { locale: context.settings.render.locale }),
      include: query.include,
      exclude: query.include ? undefined : query.exclude,
      parent: query.parent,
      postId: query.event ?? query.post,
      orderBy: query.orderby === 'include' && !query.include ? 'name' : query.orderby,
      direction: query.order,
    };
    const { shown, total } = kind.hierarchical
      ? await this.pageOfTree(kind, wanted, query, offset)
      : await this.pageOfFlat(wanted, query, offset);
    const visible = query.context === 'edit' && !context.access.mayManageTerms(kind.taxonomy) ? [] : shown;
    const totalPages = Math.ceil(total / per_page);
    const url = restUrl(context.base, `/${kind.path}/`);
    return new Answer(
      {
        rest_url: url,
        total,
        total_pages: totalPages,
        [kind.many]: visible.map((term) => toTermResponse(kind, term, context, { ...query, inList: true })),
        ...pageLinks(url, page, totalPages),
      },
      200,
      totalHeaders(total, totalPages),
    );
  }

  /** One term, with its parent if that is asked to be embedded. */
  async get(kind: TermType, id: number, query: GetTermQuery, context: RequestContext): Promise<Answer> {
    const shown = await this.find(kind, id);
    const { parent } = shown.term;
    const above = parent > 0 && embedsParent(query._embed) ? await this.lookUp(kind, parent) : undefined;
    return new Answer({
      ...toTermResponse(kind, shown, context, { ...query, inList: false }),
      _links: termLinks(kind, shown.term, context),
      ...(above ? { _embedded: { up: [toEmbeddedTerm(kind, above, context)] } } : {}),
    });
  }

  /** The term with its ancestors' slugs; 400 for `id` when there is none. */
  async find(kind: TermType, id: number, manager?: EntityManager): Promise<ShownTerm> {
    const shown = await this.lookUp(kind, id, manager);
    if (!shown)
      throw invalidParameters([{ name: 'id', message: `id is not the id of an existing ${kind.one}.` }]);
    return shown;
  }

  private async lookUp(kind: TermType, id: number, manager?: EntityManager): Promise<ShownTerm | undefined> {
    if (!kind.hierarchical) {
      const term = await this.terms.find(kind.taxonomy, id, manager);
      return term ? { term, path: [term.slug] } : undefined;
    }
    const all = await this.terms.all(kind.taxonomy, manager);
    const term = all.get(id);
    return term && { term, path: slugPath(all, term) };
  }

  private async pageOfTree(kind: TermType, wanted: TermListQuery, query: ListTermsQuery, offset: number) {
    const [terms, all] = await Promise.all([this.terms.list(wanted), this.terms.all(kind.taxonomy)]);
    const kept = query.hide_empty ? keepInhabited(terms, all) : terms;
    return {
      shown: kept.slice(offset, offset + query.per_page).map((term) => ({ term, path: slugPath(all, term) })),
      // Parents kept for their children's sake do not count, as recorded.
      total: query.hide_empty ? terms.filter((term: TermRecord) => term.count > 0).length : terms.length,
    };
  }

  private async pageOfFlat(wanted: TermListQuery, query: ListTermsQuery, offset: number) {
    const narrowed = { ...wanted, inhabited: query.hide_empty };
    const [terms, total] = await Promise.all([
      this.terms.list({ ...narrowed, limit: query.per_page, offset }),
      this.terms.total(narrowed),
    ]);
    return { shown: terms.map((term) => ({ term, path: [term.slug] })), total };
  }
}
