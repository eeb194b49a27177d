import type { Transaction } from '../../database/transactions.js';
import { invalidParameter, forbidden, RestException } from '../../common/errors/rest-exception.js';
import { asPhpMap } from '../../http/params/fields.js';
import type { RequestContext } from '../../http/request-context.js';
import { restUrl } from '../../http/rest-request.js';
import { afterWrite } from '../after-write.js';
import type { TermFields } from '../base/fields.service.js';
import { completeUrl, hasAdditions } from '../base/list-additions.js';
import { type Page, pageLinks } from '../base/page.js';
import { termHooks } from '../base/resource-hooks.js';
import { sanitizeTitle } from '../../lib/wordpress-text/formatting/sanitize-title.js';
import type { TextToClean } from '../../wordpress/rendering/cleaning.service.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import { termException } from '../../wordpress/terms/term-exception.js';
import { slugPath, type TermListQuery, type TermReading } from '../../wordpress/terms/terms.service.js';
import type { GetTermQuery, ListTermsQuery, TermView, WriteTermDto } from './term.dto.js';
import {
  embedsParent,
  isWhole,
  type ShownTerm,
  type ShownTermJson,
  termLinks,
  toEmbeddedTerm,
  toTermResponse,
} from './term.response.js';
import { pageOfFlat, pageOfTree, type SelectedTerms } from './term-pages.js';
import type { TermTools } from './term-tools.js';
import type { TermType } from './term-type.js';

/** Which terms of a list are shown, and in which order. */
type TermSelection = ListTermsQuery & { slugs?: readonly string[] };

/** Lists, reads and writes the terms of one taxonomy: who may, in one transaction, answered through the read path. */
export abstract class EventTermsService<Many extends string, Fields extends WriteTermDto> {
  private readonly hooks;

  constructor(
    readonly kind: TermType,
    private readonly tools: TermTools,
  ) {
    this.hooks = termHooks<Fields, ShownTermJson>(kind);
  }

  /** The terms of a page, and how many there are on all; past the end there are none. */
  async select(query: TermSelection, context: RequestContext): Promise<SelectedTerms> {
    const { kind } = this;
    const { page, per_page, order = 'ASC', orderby = 'name' } = query;
    const { locale } = context.settings.render;
    const toSlug = (text: string) => sanitizeTitle(text, { locale });
    const offset = Math.min(query.offset ?? (page - 1) * per_page, Number.MAX_SAFE_INTEGER);
    const asked: TermListQuery = {
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
      where: this.tools.fields.conditions(kind, query, context),
      reading: await this.tools.visibility.reading(context),
    };
    const wanted = await this.tools.hooks.apply(this.hooks.query, asked, { query, context });
    const pageOf = kind.hierarchical ? pageOfTree : pageOfFlat;
    return pageOf(this.tools.terms, wanted, { hideEmpty: query.hide_empty ?? true, limit: per_page, offset });
  }

  /** A page of terms; past the end it is empty, never an error, as recorded. */
  async list(query: ListTermsQuery, context: RequestContext): Promise<Page<Many, ShownTermJson>> {
    const { kind } = this;
    const { page, per_page } = query;
    const { shown, total } = await this.select(query, context);
    const visible = query.context === 'edit' && !context.access.mayManageTerms(kind.taxonomy) ? [] : shown;
    const totalPages = Math.ceil(total / per_page);
    const plainUrl = this.tools.fields.linked(restUrl(context.base, `/${kind.many}/`), kind, query);
    const url = hasAdditions(query) ? completeUrl(plainUrl, query) : plainUrl;
    const items = await this.present(visible, context, { ...query, inList: true });
    return {
      rest_url: url,
      total,
      total_pages: totalPages,
      // A context that does not exist leaves nothing of them.
      [kind.many]: query._format === undefined ? items.map(asPhpMap) : items,
      ...pageLinks(url, page, totalPages),
    } as Page<Many, ShownTermJson>;
  }

  /** One term, with its parent if that is asked to be embedded. */
  async get(id: number, query: GetTermQuery, context: RequestContext): Promise<ShownTermJson> {
    return this.represent(await this.visible(id, context), query, context);
  }

  /** Creates a term and shows it. */
  async create(fields: Fields & { name: string }, context: RequestContext): Promise<ShownTermJson> {
    this.checkRights('create', context);
    const id = await this.insert(fields, context);
    return this.written(id, fields, context);
  }

  /** Creates a term for a caller who may; answers its id. */
  async insert(fields: Fields & { name: string }, context: RequestContext): Promise<number> {
    return this.write(fields, undefined, context, (wish, write) =>
      this.tools.transactions.run(async (transaction) => {
        const { locale } = context.settings.render;
        const named = { ...wish, name: wish.name ?? fields.name };
        const { writer } = this.tools;
        const made = await writer.insert(transaction, this.kind.taxonomy, named, locale, write.cleaner);
        await this.finish(transaction, { id: made, fields: named, isNew: true, context: write });
        return made;
      }),
    ).catch((error) => this.refused(error, context));
  }

  /** Of a term that plugins hide from the caller nothing is told but that the name is taken. */
  private async refused(error: unknown, context: RequestContext): Promise<never> {
    const taken = error instanceof RestException ? error.details.data?.['term_id'] : undefined;
    if (typeof taken === 'number')
      await this.visible(taken, context).catch(() => {
        throw termException('term_exists');
      });
    throw error;
  }

  /** What was not sent stays; an unknown id is a parameter that is not valid, whoever asks, as recorded. */
  async update(id: number, fields: Fields, context: RequestContext): Promise<ShownTermJson> {
    const { term: before } = await this.visible(id, context);
    this.checkRights('update', context);
    await this.change(before, fields, context);
    return this.written(id, fields, context);
  }

  /** Changes a term for a caller who may. */
  async change(before: TermRecord, fields: Fields, context: RequestContext): Promise<void> {
    const { id } = before;
    await this.write(fields, before, context, (wish, write) =>
      this.tools.transactions.run(async (transaction) => {
        const { term } = await this.find(id, transaction);
        const { locale } = context.settings.render;
        await this.tools.writer.update(transaction, term, wish, locale, write.cleaner);
        await this.finish(transaction, { id, fields: wish, isNew: false, context: write });
      }),
    );
  }

  /** Deletes for good; answers the term as it was. */
  async remove(id: number, view: TermView, context: RequestContext): Promise<ShownTermJson> {
    const last = await this.visible(id, context);
    this.checkRights('delete', context);
    const fields = await this.tools.transactions.run(async (transaction) => {
      const shown = await this.find(id, transaction);
      const declared = await this.tools.fields.ofTerms([shown.term], context, transaction.manager);
      await this.tools.writer.remove(transaction, shown.term);
      const args = { before: shown.term, isTrashed: false, context };
      transaction.afterCommit(() => this.tools.hooks.run(this.hooks.delete, args));
      return declared;
    });
    return afterWrite(() => this.presentOne(last, context, { _fields: view._fields }, fields));
  }

  /** A write is always answered in full: `context` thins out reads only. */
  private written(id: number, asked: TermView, context: RequestContext): Promise<ShownTermJson> {
    const view = { _fields: asked._fields, _embed: asked._embed };
    return afterWrite(async () => this.represent(await this.known(id, context), view, context));
  }

  private async represent(
    shown: ShownTerm,
    query: GetTermQuery,
    context: RequestContext,
  ): Promise<ShownTermJson> {
    const { kind } = this;
    const { parent } = shown.term;
    const above =
      parent > 0 && embedsParent(query._embed)
        ? await this.lookUp(parent, await this.tools.visibility.reading(context))
        : undefined;
    return {
      ...(await this.presentOne(shown, context, query)),
      _links: termLinks(kind, shown.term, context),
      ...(above ? { _embedded: { up: [await this.embedded(above, context)] } } : {}),
    };
  }

  private embedded(shown: ShownTerm, context: RequestContext): Promise<ShownTermJson> {
    const json: ShownTermJson = toEmbeddedTerm(this.kind, shown, context);
    return this.tools.hooks.applyRendered(this.hooks.prepare, json, { shown: shown.term, context });
  }

  /** The same for a caller from whom plugins do not hide it; asked outside of transactions. */
  private async visible(id: number, context: RequestContext): Promise<ShownTerm> {
    const shown = await this.locate(id, context);
    if (!shown) throw this.unknown();
    return shown;
  }

  /** A term with its ancestors' slugs; undefined where there is none, or plugins hide it from the caller. */
  async locate(id: number, context: RequestContext): Promise<ShownTerm | undefined> {
    const shown = await this.lookUp(id, await this.tools.visibility.reading(context));
    const visible = shown && (await this.tools.visibility.of([shown.term], context));
    return visible?.length ? shown : undefined;
  }

  /** The same, whatever plugins hide, but for what it counts. */
  private async known(id: number, context: RequestContext): Promise<ShownTerm> {
    return this.find(id, await this.tools.visibility.reading(context));
  }

  /** The term with its ancestors' slugs; refused as `id` when there is none. */
  private async find(id: number, reading?: TermReading): Promise<ShownTerm> {
    const shown = await this.lookUp(id, reading);
    if (!shown) throw this.unknown();
    return shown;
  }

  private unknown(): RestException {
    return invalidParameter('id', `id is not the id of an existing ${this.kind.one}.`);
  }

  private async lookUp(id: number, reading: TermReading = {}): Promise<ShownTerm | undefined> {
    const { taxonomy, hierarchical } = this.kind;
    const { count, ...placing } = reading;
    const all = hierarchical ? await this.tools.terms.all(taxonomy, placing) : undefined;
    // Where posts are looked at to be counted, they are for this term only.
    const term = all && !count ? all.get(id) : await this.tools.terms.find(taxonomy, id, reading);
    return term ? { term, path: all ? slugPath(all, term) : [term.slug] } : undefined;
  }

  private async presentOne(
    shown: ShownTerm,
    context: RequestContext,
    view: GetTermQuery,
    declared?: TermFields,
  ): Promise<ShownTermJson> {
    const [json = {}] = await this.present([shown], context, { ...view, inList: false }, declared);
    return json;
  }

  private async present(
    shown: readonly ShownTerm[],
    context: RequestContext,
    view: GetTermQuery & { inList: boolean },
    known?: TermFields,
  ): Promise<ShownTermJson[]> {
    const { hooks, fields, cleanForm } = this.tools;
    const terms = shown.map(({ term }) => term);
    const declared = known ?? (await fields.ofTerms(terms, context));
    return Promise.all(
      shown.map(async (one) => {
        const json = toTermResponse(this.kind, one, context, view, declared.get(one.term.termTaxonomyId));
        const whole = await hooks.applyRendered(this.hooks.prepare, json, { shown: one.term, context });
        return cleanForm.of(this.kind, whole, view._format, context, isWhole(view));
      }),
    );
  }

  private async finish(
    transaction: Transaction,
    args: { id: number; fields: Fields; isNew: boolean; context: RequestContext },
  ): Promise<void> {
    await this.tools.fields.store(transaction, this.kind, args.id, args.fields, args.context);
    transaction.afterCommit(() => this.tools.hooks.run(this.hooks.afterInsert, args));
  }

  private async write<T>(
    fields: Fields,
    before: TermRecord | undefined,
    context: RequestContext,
    run: (fields: Fields, context: RequestContext) => Promise<T>,
  ): Promise<T> {
    const { hierarchical, many } = this.kind;
    if (fields.parent !== undefined && !hierarchical)
      throw new RestException(
        'invalid',
        'rest_taxonomy_not_hierarchical',
        `parent: ${many} have no parents.`,
      );
    this.tools.fields.checkWritable(this.kind, fields, context);
    const wish = await this.tools.hooks.apply(this.hooks.preInsert, fields, { before, context });
    const cleaner = await this.tools.cleaning.prepare(context, textsOf(wish));
    return run(wish, { ...context, cleaner });
  }

  private checkRights(operation: string, { access }: RequestContext): void {
    const { taxonomy, many } = this.kind;
    if (!access.mayManageTerms(taxonomy)) throw forbidden(`You may not ${operation} ${many}.`);
  }
}

function textsOf({ name, description }: WriteTermDto): TextToClean[] {
  return [
    ['termName', name],
    ['termDescription', description],
  ];
}
