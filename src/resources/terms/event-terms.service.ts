import { RestException } from '../../common/errors/rest-exception.js';
import type { Transaction } from '../../database/transactions.js';
import { asPhpMap } from '../../http/params/fields.js';
import { type RequestContext, toWriteContext, type WriteContext } from '../../http/request-context.js';
import { restUrl } from '../../http/rest-request.js';
import { sanitizeTitle } from '../../lib/wordpress-text/formatting/sanitize-title.js';
import { termException } from '../../wordpress/terms/plan-term-insert.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import { slugPath, type TermListQuery, type TermReading } from '../../wordpress/terms/terms.service.js';
import { checkNewTerm, checkTerm } from '../base/conditional-writes.js';
import type { TermFields } from '../base/fields.service.js';
import { completeUrl, hasAdditions } from '../base/list-additions.js';
import { type Page, pageLinks } from '../base/page.js';
import type { RecordReader } from '../base/record-readers.service.js';
import { withTermTag } from '../base/record-tag.js';
import type { TermType } from '../base/resource.js';
import { respondAfterWrite, termHooks } from '../base/resource-hooks.js';
import {
  type GetTermQuery,
  type ListTermsQuery,
  type TermView,
  textsOf,
  type WriteTermDto,
} from './term.dto.js';
import {
  embedsParent,
  isWhole,
  type LoadedTerm,
  type TermJsonView,
  termLinks,
  toEmbeddedTerm,
  toTermResponse,
} from './term.response.js';
import { checkParent, checkRights, knownTerm } from './term-checks.js';
import type { TermDeps } from './term-deps.js';
import { pageOfFlat, pageOfTree, type SelectedTerms, type TermSelection } from './term-pages.js';

/** Lists, reads and writes the terms of one taxonomy. */
export abstract class EventTermsService<Many extends string, Fields extends WriteTermDto>
  implements RecordReader
{
  private readonly hooks;

  constructor(
    readonly kind: TermType,
    private readonly tools: TermDeps,
  ) {
    this.hooks = termHooks<Fields, TermJsonView>(kind);
    tools.readers.add(kind, this);
  }

  /** The terms of a page and the total; a page past the end is empty. */
  async select(query: TermSelection, context: RequestContext): Promise<SelectedTerms> {
    const { kind } = this;
    const { page, per_page, order = 'ASC', orderby = 'name' } = query;
    const { locale } = context.settings.render;
    const toSlug = (text: string) => sanitizeTitle(text, { locale });
    const offset = Math.min(query.offset ?? (page - 1) * per_page, Number.MAX_SAFE_INTEGER);
    const list: TermListQuery = {
      taxonomy: kind.taxonomy,
      search: query.search,
      slug: query.slug === undefined ? undefined : toSlug(query.slug),
      slugs: query.slugs?.map(toSlug),
      include: query.include,
      exclude: query.include ? undefined : query.exclude,
      parent: query.parent,
      postId: query.event ?? query.post,
      orderBy: orderby === 'include' && !query.include ? 'name' : orderby,
      direction: order,
      where: this.tools.fields.termConditions(kind, query, context),
      reading: await this.tools.visibility.reading(context),
    };
    const filtered = await this.tools.hooks.apply(this.hooks.query, list, { query, context });
    const pageOf = kind.hierarchical ? pageOfTree : pageOfFlat;
    return pageOf(this.tools.terms, filtered, {
      hideEmpty: query.hide_empty ?? true,
      limit: per_page,
      offset,
    });
  }

  /** A page of terms; past the end it is empty, not an error, as recorded. */
  async list(query: ListTermsQuery, context: RequestContext): Promise<Page<Many, TermJsonView>> {
    const { kind } = this;
    const { page, per_page } = query;
    const { terms: loaded, total } = await this.select(query, context);
    const visible = query.context === 'edit' && !context.access.mayManageTerms(kind.taxonomy) ? [] : loaded;
    const totalPages = Math.ceil(total / per_page);
    const plainUrl = this.tools.fields.withFilters(restUrl(context.base, `/${kind.plural}/`), kind, query);
    const url = hasAdditions(query) ? completeUrl(plainUrl, query) : plainUrl;
    const items = await this.present(visible, context, { ...query, inList: true });
    return {
      rest_url: url,
      total,
      total_pages: totalPages,
      // An unknown `context` leaves empty objects, which PHP writes as lists.
      [kind.plural]: query._format === undefined ? items.map(asPhpMap) : items,
      ...pageLinks(url, page, totalPages),
    } as Page<Many, TermJsonView>;
  }

  /** One term, with its parent if `_embed` requests it. */
  async get(id: number, query: GetTermQuery, context: RequestContext): Promise<TermJsonView> {
    return withTermTag(this.tools.database, { ...this.kind, id }, context, async () =>
      this.respond(await this.findVisible(id, context), query, context),
    );
  }

  async readMany(
    ids: readonly number[],
    context: RequestContext,
  ): Promise<ReadonlyMap<number, TermJsonView>> {
    const query = { include: [...ids], hide_empty: false, page: 1, per_page: ids.length };
    const { terms } = await this.select(query, context);
    const items = await this.present(terms, context, { inList: false });
    return new Map(
      terms.map(({ term }, at) => [term.id, { ...items[at], _links: termLinks(this.kind, term, context) }]),
    );
  }

  async create(fields: Fields & { name: string }, context: RequestContext): Promise<TermJsonView> {
    checkRights(this.kind, 'create', context);
    const id = await this.insertRecord(fields, context);
    return this.writeResponse(id, fields, context);
  }

  /** Creates a term without a check of rights and returns its id. */
  async insertRecord(fields: Fields & { name: string }, context: RequestContext): Promise<number> {
    context.preconditions?.bind(`new ${this.kind.taxonomy}`);
    return this.write(fields, undefined, context, (input, write) =>
      this.tools.transactions.run(async (transaction) => {
        const named = { ...input, name: input.name ?? fields.name };
        await checkNewTerm(this.tools.terms, this.kind, named, context, transaction);
        return this.tools.creator.create(transaction, this.kind, named, write);
      }),
    ).catch((error) => this.rethrowHidden(error, context));
  }

  /** If the name is taken by a term that plugins hide, the error reveals nothing else about it. */
  private async rethrowHidden(error: unknown, context: RequestContext): Promise<never> {
    const taken = error instanceof RestException ? error.details.data?.['term_id'] : undefined;
    if (typeof taken === 'number')
      await this.findVisible(taken, context).catch(() => {
        throw termException('term_exists');
      });
    throw error;
  }

  /**
   * Updates a term; fields that were not sent stay. An unknown id is an invalid parameter even for callers without
   * rights, as recorded.
   */
  async update(id: number, fields: Fields, context: RequestContext): Promise<TermJsonView> {
    const { term: before } = await this.findVisible(id, context);
    checkRights(this.kind, 'update', context);
    await this.updateRecord(before, fields, context);
    return this.writeResponse(id, fields, context);
  }

  /** Updates a term without a check of rights. */
  async updateRecord(before: TermRecord, fields: Fields, context: RequestContext): Promise<void> {
    context.preconditions?.bind(`${before.taxonomy} ${before.id}`);
    await this.write(fields, before, context, (input, write) =>
      this.tools.transactions.run(async (transaction) => {
        const { term } = await this.find(before.id, transaction);
        await checkTerm(this.tools.database, term, context, transaction);
        const { locale } = context.settings.render;
        const { writes, writer } = this.tools;
        const written = { id: term.id, isNew: false, before: term, fields: input, context: write };
        await writes.validateInsert(transaction, this.kind, written);
        await writer.update(transaction, term, input, locale, write.cleaner);
        await writes.finish(transaction, this.kind, written);
      }),
    );
  }

  /** Deletes a term permanently and responds with its last state. */
  async remove(id: number, view: TermView, context: RequestContext): Promise<TermJsonView> {
    const last = await this.findVisible(id, context);
    checkRights(this.kind, 'delete', context);
    const write = toWriteContext(context);
    const { transactions, writes, writer } = this.tools;
    // Read before taking the lock: holding a connection while waiting for another one could deadlock.
    const fields = await this.tools.fields.valuesOfTerms([last.term], context);
    const remove = async (transaction: Transaction) => {
      const { term } = await this.find(id, transaction);
      await checkTerm(this.tools.database, term, context, transaction);
      const removed = { before: term, isTrashed: false, context: write };
      await writes.remove(transaction, this.kind, removed, () => writer.remove(transaction, term));
    };
    await writes.attempt(this.kind, { before: last.term, context }, () => transactions.run(remove));
    return respondAfterWrite(() => this.presentOne(last, context, { _fields: view._fields }, fields));
  }

  /** Writes respond in full: `context` applies to reads only. */
  private writeResponse(id: number, termView: TermView, context: RequestContext): Promise<TermJsonView> {
    const { _fields, _embed } = termView;
    const show = async () => {
      const loaded = await this.find(id, await this.tools.visibility.reading(context));
      return this.respond(loaded, { _fields, _embed }, context);
    };
    return respondAfterWrite(() => withTermTag(this.tools.database, { ...this.kind, id }, context, show));
  }

  private async respond(
    loaded: LoadedTerm,
    query: GetTermQuery,
    context: RequestContext,
  ): Promise<TermJsonView> {
    const { kind } = this;
    const { parent } = loaded.term;
    const above =
      parent > 0 && embedsParent(query._embed)
        ? await this.load(parent, await this.tools.visibility.reading(context))
        : undefined;
    return {
      ...(await this.presentOne(loaded, context, query)),
      _links: termLinks(kind, loaded.term, context),
      ...(above ? { _embedded: { up: [await this.renderEmbedded(above, context)] } } : {}),
    };
  }

  private renderEmbedded(loaded: LoadedTerm, context: RequestContext): Promise<TermJsonView> {
    const json: TermJsonView = toEmbeddedTerm(this.kind, loaded, context);
    return this.tools.hooks.applyRendered(this.hooks.prepare, json, { record: loaded.term, context });
  }

  /** A term that plugins do not hide from the caller; queries outside the transaction. */
  private async findVisible(id: number, context: RequestContext): Promise<LoadedTerm> {
    return knownTerm(this.kind, await this.tryFindVisible(id, context));
  }

  /** A term with its ancestors' slugs; undefined if it does not exist or plugins hide it. */
  async tryFindVisible(id: number, context: RequestContext): Promise<LoadedTerm | undefined> {
    const loaded = await this.load(id, await this.tools.visibility.reading(context));
    const visible = loaded && (await this.tools.visibility.of([loaded.term], context));
    return visible?.length ? loaded : undefined;
  }

  /** A term with its ancestors' slugs, also if plugins hide it. */
  private async find(id: number, reading?: TermReading): Promise<LoadedTerm> {
    return knownTerm(this.kind, await this.load(id, reading));
  }

  private async load(id: number, reading: TermReading = {}): Promise<LoadedTerm | undefined> {
    const { taxonomy, hierarchical } = this.kind;
    const { count, ...placing } = reading;
    const all = hierarchical ? await this.tools.terms.all(taxonomy, placing) : undefined;
    // Counting visible posts is expensive, so only this term is counted.
    const term = all && !count ? all.get(id) : await this.tools.terms.find(taxonomy, id, reading);
    return term ? { term, path: all ? slugPath(all, term) : [term.slug] } : undefined;
  }

  private async presentOne(
    loaded: LoadedTerm,
    context: RequestContext,
    view: GetTermQuery,
    declared?: TermFields,
  ): Promise<TermJsonView> {
    const [json = {}] = await this.present([loaded], context, { ...view, inList: false }, declared);
    return json;
  }

  private async present(
    loaded: readonly LoadedTerm[],
    context: RequestContext,
    view: GetTermQuery & { inList: boolean },
    known?: TermFields,
  ): Promise<TermJsonView[]> {
    const { hooks, fields, normalizedFormat } = this.tools;
    const terms = loaded.map(({ term }) => term);
    const declared = known ?? (await fields.valuesOfTerms(terms, context));
    return Promise.all(
      loaded.map(async (one) => {
        const json = toTermResponse(this.kind, one, context, view, declared.get(one.term.termTaxonomyId));
        const whole = await hooks.applyRendered(this.hooks.prepare, json, { record: one.term, context });
        return normalizedFormat.of(this.kind, whole, view._format, context, isWhole(view));
      }),
    );
  }

  private async write<T>(
    fields: Fields,
    before: TermRecord | undefined,
    context: RequestContext,
    run: (fields: Fields, context: WriteContext) => Promise<T>,
  ): Promise<T> {
    checkParent(this.kind, fields.parent);
    this.tools.fields.checkWritable(this.kind, fields, context);
    const input = { before, fields, context };
    return this.tools.writes.attempt(this.kind, input, async () => {
      input.fields = await this.tools.hooks.apply(this.hooks.preInsert, fields, { before, context });
      const cleaner = await this.tools.cleaning.prepare(context, textsOf(input.fields));
      return run(input.fields, toWriteContext({ ...context, cleaner }));
    });
  }
}
