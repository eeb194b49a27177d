import { Injectable } from '@nestjs/common';
import sql, { join, type Sql } from 'sql-template-tag';
import { Hooks } from '../../common/hooks/hooks.js';
import { Database } from '../../database/database.js';
import { preTermSlug } from '../../lib/wordpress-text/formatting/sanitize.js';
import { inList } from '../posts/post-rows.js';
import { PostVisibility, queryHook } from '../posts/post-visibility.js';
import type { TextCleaner } from '../posts/text-cleaner.js';
import { ContentTypes } from '../types/content-types.js';
import { type TermItem, textOfItem } from './named-terms.js';
import type { TermRecord } from './term-record.js';
import { type TermListQuery, type TermReading, TermsService } from './terms.service.js';

const QUERIES = /^rest_.+_query$/;

/** Hides terms that plugins filter out of lists everywhere else too. */
@Injectable()
export class TermVisibility {
  constructor(
    private readonly terms: TermsService,
    private readonly hooks: Hooks,
    private readonly posts: PostVisibility,
    private readonly types: ContentTypes,
    private readonly database: Database,
  ) {}

  /** Counts without posts that plugins hide, and no parent for children of a hidden term. */
  async reading(context: object): Promise<TermReading> {
    if (!this.hooks.hasAny(QUERIES)) return {};
    const [count, parent] = await Promise.all([this.count(context), this.parent(context)]);
    return { ...(count && { count }), ...(parent && { parent }) };
  }

  private async parent(context: object): Promise<Sql | undefined> {
    const trees = [...this.types.taxonomies.values()].filter(
      ({ taxonomy, hierarchical }) => hierarchical && this.hooks.has(queryHook(taxonomy)),
    );
    const queries = trees.map(async ({ taxonomy }) => {
      const all = [...(await this.terms.all(taxonomy)).values()];
      const visible = new Set(await this.of(all, context));
      const hidden = all.filter((term) => !visible.has(term)).map(({ id }) => id);
      return hidden.length === 0
        ? []
        : [sql`WHEN x.taxonomy = ${taxonomy} AND ${inList(sql`x.parent`, hidden)} THEN 0`];
    });
    const hidden = (await Promise.all(queries)).flat();
    // MySQL returns a decimal for 0 and an unsigned number, which drivers read as text.
    return hidden.length === 0
      ? undefined
      : sql`CAST(CASE ${join(hidden, ' ')} ELSE x.parent END AS UNSIGNED)`;
  }

  private async count(context: object): Promise<Sql | undefined> {
    const carriers = [...this.types.postTypes.values()].filter(({ taxonomies }) => taxonomies?.length);
    const queries = carriers.map(async ({ type }) => {
      const visible = await this.posts.query(type, context);
      return visible ? [sql`(p.post_type <> ${type} OR p.ID IN (${visible.subquery}))`] : [];
    });
    const conditions = (await Promise.all(queries)).flat();
    if (conditions.length === 0) return undefined;
    return sql`(SELECT COUNT(*) FROM ${this.database.table('term_relationships')} r
      JOIN ${this.database.table('posts')} p ON p.ID = r.object_id WHERE r.term_taxonomy_id = x.term_taxonomy_id
      AND p.post_status = 'publish' AND ${join(conditions, ' AND ')})`;
  }

  /** The visible terms, in order; queries the database only if a plugin filters their taxonomy. */
  async of<T extends TermRecord>(terms: readonly T[], context: object): Promise<T[]> {
    const hidden = new Set<number>();
    for (const taxonomy of new Set(terms.map((term) => term.taxonomy))) {
      const hook = queryHook<TermListQuery>(taxonomy);
      if (!this.hooks.has(hook)) continue;
      const own = terms.filter((term) => term.taxonomy === taxonomy);
      const include = [...new Set(own.map(({ id }) => id))];
      const query: TermListQuery = { taxonomy, include, orderBy: 'id', direction: 'ASC' };
      const list = await this.hooks.apply(hook, query, { query: {}, context });
      const visible = new Set((await this.terms.list(list)).map(({ id }) => id));
      for (const { id, termTaxonomyId } of own) if (!visible.has(id)) hidden.add(termTaxonomyId);
    }
    return terms.filter(({ termTaxonomyId }) => !hidden.has(termTaxonomyId));
  }

  /** The items of a write without those that name a hidden term, by id, slug or name. */
  async known<Item extends TermItem>(
    taxonomy: string,
    items: readonly Item[],
    locale: string,
    context: { cleaner: TextCleaner },
  ): Promise<Item[]> {
    if (!this.hooks.has(queryHook(taxonomy))) return [...items];
    const namesOf = (item: Item) => [textOfItem(item), context.cleaner.clean('termName', textOfItem(item))];
    const named = await this.terms.named(taxonomy, items.flatMap(namesOf), locale);
    const visible = new Set(await this.of(named, context));
    const hidden = named
      .filter((term) => !visible.has(term))
      .flatMap(({ id, slug, name }) => [String(id), slug, name.toLowerCase()]);
    return items.filter(
      (item) =>
        !namesOf(item).some((name) => hidden.includes(name.trim().toLowerCase())) &&
        !hidden.includes(preTermSlug(textOfItem(item), locale)),
    );
  }
}
