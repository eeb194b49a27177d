import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../http/request-context.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import type { RecordSource, TermType } from '../base/resource.js';
import { termHooks } from '../base/resource-hooks.js';
import { type EventTermJson, toEventTerm } from './term.response.js';
import { TermDeps } from './term-deps.js';

/** The terms of a post as JSON by plural name, ordered by name. */
export type PostTermsJson = Readonly<Record<string, EventTermJson[]>>;

/** Makes the JSON of terms inside posts. */
@Injectable()
export class PostTermsService {
  constructor(private readonly tools: TermDeps) {}

  /** The terms by post, without hidden ones, with declared fields and plugin filters applied. */
  async of(
    postIds: readonly number[],
    kinds: readonly TermType[],
    context: RequestContext,
    source: Pick<RecordSource, 'terms'>,
  ): Promise<(postId: number) => PostTermsJson> {
    const { visibility } = this.tools;
    const taxonomies = kinds.map(({ taxonomy }) => taxonomy);
    const carried = await source.terms.ofPosts(postIds, taxonomies);
    const each = new Map([...carried.values()].flat().map((term) => [term.termTaxonomyId, term]));
    const visible = await visibility.of([...each.values()], context);
    const rendered = await this.render(await this.applyReading(visible, context), kinds, context);
    return (postId) =>
      Object.fromEntries(
        kinds.map(({ taxonomy, plural }) => {
          const own = (carried.get(postId) ?? []).filter((term) => term.taxonomy === taxonomy);
          return [plural, own.flatMap(({ termTaxonomyId }) => rendered.get(termTaxonomyId) ?? [])];
        }),
      );
  }

  /** Recounts and reparents terms for readers from whom plugins hide posts or terms. */
  private async applyReading(
    found: readonly TermRecord[],
    context: RequestContext,
  ): Promise<readonly TermRecord[]> {
    const { terms, visibility } = this.tools;
    const reading = await visibility.reading(context);
    if (!reading.count && !reading.parent) return found;
    const lists = [...new Set(found.map(({ taxonomy }) => taxonomy))].map((taxonomy) => {
      const include = found.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id);
      return terms.list({ taxonomy, include, reading, orderBy: 'id', direction: 'ASC' });
    });
    return (await Promise.all(lists)).flat();
  }

  private async render(
    found: readonly TermRecord[],
    kinds: readonly TermType[],
    context: RequestContext,
  ): Promise<ReadonlyMap<number, EventTermJson>> {
    const { fields, hooks } = this.tools;
    const declared = await fields.valuesOfTerms(found, context);
    const rendered = new Map<number, EventTermJson>();
    for (const kind of kinds) {
      const { prepare } = termHooks<object, EventTermJson>(kind);
      for (const term of found.filter(({ taxonomy }) => taxonomy === kind.taxonomy)) {
        const json = { ...toEventTerm(term, kind, context), ...declared.get(term.termTaxonomyId) };
        const isFiltered = hooks.has(prepare);
        const own = isFiltered ? await hooks.applyRendered(prepare, json, { record: term, context }) : json;
        rendered.set(term.termTaxonomyId, own);
      }
    }
    return rendered;
  }
}
