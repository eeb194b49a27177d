import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../http/request-context.js';
import { termHooks } from '../base/resource-hooks.js';
import { TermCache } from '../../wordpress/terms/term-cache.service.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import { type EventTermJson, toEventTerm } from './event-term.response.js';
import { TermTools } from './term-tools.js';
import type { TermType } from './term-type.js';

/** The terms of a record as it shows them, by the plural of their kind, ordered by name. */
export type CarriedTermsJson = Readonly<Record<string, EventTermJson[]>>;

/** Shows terms inside the records that carry them. */
@Injectable()
export class PostTermsService {
  constructor(
    private readonly tools: TermTools,
    private readonly kept: TermCache,
  ) {}

  /** By post: without terms that plugins hide, with the fields that they declare, and as their filters change them. `isFresh`: what is kept is read all the same. */
  async of(
    postIds: readonly number[],
    kinds: readonly TermType[],
    context: RequestContext,
    isFresh: boolean,
  ): Promise<(postId: number) => CarriedTermsJson> {
    const { terms, visibility } = this.tools;
    const taxonomies = kinds.map(({ taxonomy }) => taxonomy);
    const carried = await (isFresh ? terms : this.kept).ofPosts(postIds, taxonomies);
    const each = new Map([...carried.values()].flat().map((term) => [term.termTaxonomyId, term]));
    const visible = await visibility.of([...each.values()], context);
    const shown = await this.shown(await this.read(visible, context), kinds, context);
    return (postId) =>
      Object.fromEntries(
        kinds.map(({ taxonomy, many }) => {
          const own = (carried.get(postId) ?? []).filter((term) => term.taxonomy === taxonomy);
          return [many, own.flatMap(({ termTaxonomyId }) => shown.get(termTaxonomyId) ?? [])];
        }),
      );
  }

  /** As this reader counts and places them, where that is not what is stored. */
  private async read(found: readonly TermRecord[], context: RequestContext): Promise<readonly TermRecord[]> {
    const { terms, visibility } = this.tools;
    const reading = await visibility.reading(context);
    if (!reading.count && !reading.parent) return found;
    const lists = [...new Set(found.map(({ taxonomy }) => taxonomy))].map((taxonomy) => {
      const include = found.filter((term) => term.taxonomy === taxonomy).map(({ id }) => id);
      return terms.list({ taxonomy, include, reading, orderBy: 'id', direction: 'ASC' });
    });
    return (await Promise.all(lists)).flat();
  }

  private async shown(
    found: readonly TermRecord[],
    kinds: readonly TermType[],
    context: RequestContext,
  ): Promise<ReadonlyMap<number, EventTermJson>> {
    const { fields, hooks } = this.tools;
    const declared = await fields.ofTerms(found, context);
    const shown = new Map<number, EventTermJson>();
    for (const kind of kinds) {
      const { prepare } = termHooks<object, EventTermJson>(kind);
      for (const term of found.filter(({ taxonomy }) => taxonomy === kind.taxonomy)) {
        const json = { ...toEventTerm(term, kind, context), ...declared.get(term.termTaxonomyId) };
        const isFiltered = hooks.has(prepare);
        const own = isFiltered ? await hooks.applyRendered(prepare, json, { shown: term, context }) : json;
        shown.set(term.termTaxonomyId, own);
      }
    }
    return shown;
  }
}
