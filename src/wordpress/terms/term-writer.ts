import { Injectable } from '@nestjs/common';
import sql, { type Sql } from 'sql-template-tag';
import { In } from 'typeorm';
import { Database } from '../../database/database.js';
import { insertRows } from '../../database/insert-rows.js';
import type { Transaction } from '../../database/transactions.js';
import { updateRow } from '../../database/update-row.js';
import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';
import { preTermSlug } from '../../lib/wordpress-text/formatting/sanitize-term.js';
import { slugKey } from '../../lib/wordpress-text/formatting/unique-slug.js';
import { OptionWriter } from '../options/option-writer.js';
import { IN_PLACE, type TextCleaner } from '../posts/text-cleaner.js';
import { inList } from '../posts/post-rows.js';
import { ContentTypes } from '../types/content-types.js';
import { cleanTermInput, planTermInsert, type StoredTerm, uniqueTermSlug } from './plan-term-insert.js';
import { Term } from './term.entity.js';
import { ancestors, namedTerms, termFacts } from './term-facts.query.js';
import { TermMeta } from './term-meta.entity.js';
import type { TermRecord } from './term-record.js';
import { termException } from './term-exception.js';
import { TermRelationship } from './term-relationship.entity.js';
import { TermTaxonomy } from './term-taxonomy.entity.js';

/** Fields of a term as sent: texts are cleaned here, an absent field stays as it is. */
export interface TermFields {
  name?: string;
  description?: string;
  slug?: string;
  /** Term id of the parent, 0 for none; only in taxonomies that are a tree. */
  parent?: number;
}

/** How a write names a term: by id, slug or name; as an object by slug or name alone, however much it looks like an id. */
export type TermItem = number | string | { readonly name: string };

/** The text of an item. */
export const textOfItem = (item: TermItem): string => (typeof item === 'object' ? item.name : String(item));

/**
 * Inserts, changes, removes and assigns terms by WordPress's rules for names, slugs and counts (docs/behaviour/terms.md
 * and docs/behaviour/terms.md#fields-on-write). Slugs are made in the site's language, which the caller knows: within a
 * transaction nobody asks for settings.
 */
@Injectable()
export class TermWriter {
  constructor(
    private readonly database: Database,
    private readonly options: OptionWriter,
    private readonly types: ContentTypes,
  ) {}

  /** Inserts a term and returns its id; throws `termRefused` when there is one like it or its name will not do. */
  async insert(
    transaction: Transaction,
    taxonomy: string,
    fields: TermFields & { name: string },
    locale: string,
    cleaner: TextCleaner = IN_PLACE,
  ): Promise<number> {
    const { manager } = transaction;
    const wish = cleanTermInput(fields, locale, cleaner);
    if ('error' in wish) throw termException(wish.error);
    const type = this.types.taxonomy(taxonomy);
    const plan = planTermInsert(wish, await termFacts(this.database, manager, type, wish));
    if ('error' in plan) throw termException(plan.error, plan.termId);
    const id = await insertRows(manager, Term, { name: wish.name, slug: plan.slug });
    if (plan.slug === '') await manager.update(Term, id, { slug: String(id) });
    const description = cleaner.clean('termDescription', fields.description ?? '');
    await insertRows(manager, type.entity, { termId: id, description, parent: wish.parent });
    await this.forgetTree(transaction, taxonomy);
    return id;
  }

  /** Changes a term; throws `termRefused` when its name will not do or another one has the slug. */
  async update(
    transaction: Transaction,
    before: TermRecord,
    fields: TermFields,
    locale: string,
    cleaner: TextCleaner = IN_PLACE,
  ): Promise<void> {
    const { manager } = transaction;
    const raw = { name: fields.name ?? before.name, slug: fields.slug ?? before.slug };
    const wish = cleanTermInput(raw, locale, cleaner);
    if ('error' in wish) throw termException(wish.error);
    const type = this.types.taxonomy(before.taxonomy);
    const parent = await this.parentFor(transaction, before, fields.parent ?? before.parent);
    const moved = parent !== before.parent;
    let slug = fields.slug === undefined ? before.slug : wish.slug;
    if (moved || slug !== before.slug) {
      const facts = await termFacts(this.database, manager, type, { slug, parent }, before.id);
      const taken = facts.terms.some((term) => slugKey(term.slug) === slugKey(slug));
      if (taken && wish.slugGiven && !moved) throw termException('duplicate_term_slug');
      slug = uniqueTermSlug(slug, parent, facts) || String(before.id);
    }
    // Columns that stay are not named: PHP may have changed them since they were read.
    await updateRow(manager, Term, before.id, {
      name: fields.name === undefined ? undefined : wish.name,
      slug: slug === before.slug ? undefined : slug,
    });
    const { description } = fields;
    await updateRow<TermTaxonomy>(manager, type.entity, before.termTaxonomyId, {
      description: description === undefined ? undefined : cleaner.clean('termDescription', description),
      parent: moved ? parent : undefined,
    });
    if (moved) await this.forgetTree(transaction, before.taxonomy);
  }

  /** Removes a term for good; what is below it moves up to its parent. */
  async remove(
    transaction: Transaction,
    { id, termTaxonomyId, taxonomy, parent }: TermRecord,
  ): Promise<void> {
    const { manager } = transaction;
    const { hierarchical, entity } = this.types.taxonomy(taxonomy);
    if (hierarchical) await manager.update(entity, { parent: id }, { parent });
    await manager.delete(TermRelationship, { termTaxonomyId });
    await manager.delete(entity, termTaxonomyId);
    // Sites of old share one row between taxonomies.
    if (!(await manager.existsBy(TermTaxonomy, { termId: id }))) {
      await manager.delete(TermMeta, { termId: id });
      await manager.delete(Term, id);
    }
    await this.forgetTree(transaction, taxonomy);
  }

  /**
   * Makes these the only terms of the taxonomy that an event carries; ids that are no terms of it are left out. A new event
   * carries none yet.
   */
  async assign(
    transaction: Transaction,
    postId: number,
    taxonomy: string,
    termIds: readonly number[],
    isNew = false,
  ): Promise<void> {
    if (isNew && termIds.length === 0) return;
    const { manager } = transaction;
    const wanted = await this.taxonomyIds(
      transaction,
      sql`WHERE x.taxonomy = ${taxonomy} AND ${inList(sql`x.term_id`, termIds)}`,
    );
    const ofPost = sql`JOIN ${this.database.table('term_relationships')} r ON r.term_taxonomy_id = x.term_taxonomy_id
        WHERE r.object_id = ${postId} AND x.taxonomy = ${taxonomy}`;
    const current = isNew ? [] : await this.taxonomyIds(transaction, ofPost);
    const gone = current.filter((id) => !wanted.includes(id));
    const added = wanted.filter((id) => !current.includes(id));
    if (gone.length > 0)
      await manager.delete(TermRelationship, { objectId: postId, termTaxonomyId: In(gone) });
    if (added.length > 0)
      await insertRows(
        manager,
        TermRelationship,
        ...added.map((termTaxonomyId) => ({ objectId: postId, termTaxonomyId })),
      );
    await this.count(transaction, gone, -1, this.isCounted(postId));
    await this.count(transaction, added, 1, this.isCounted(postId));
  }

  /** Takes all terms from a post that is about to be deleted for good. */
  async unassign(transaction: Transaction, postId: number): Promise<void> {
    const carried = await this.carried(transaction, postId);
    if (carried.length === 0) return;
    await transaction.manager.delete(TermRelationship, { objectId: postId, termTaxonomyId: In(carried) });
    await this.count(transaction, carried, -1, this.isCounted(postId));
  }

  private isCounted(postId: number): Sql {
    return sql`EXISTS (SELECT 1 FROM ${this.database.table('posts')} p
        WHERE p.ID = ${postId} AND p.post_status = 'publish')`;
  }

  /**
   * Ids of the terms that items name by id, slug or name, in their order, each once. A name that nobody has becomes a
   * new term, an id that nobody has is left out (W11). Throws `termRefused` for names that will not do.
   */
  async findOrCreate(
    transaction: Transaction,
    taxonomy: string,
    items: readonly TermItem[],
    locale: string,
    cleaner: TextCleaner = IN_PLACE,
  ): Promise<number[]> {
    const wanted = items
      .filter((item) => textOfItem(item).trim() !== '')
      .map((item) => {
        const text = textOfItem(item);
        return {
          text,
          isId: isNumeric(item),
          id: Number(text),
          // A number stands for an id only; a numeric text may also be the name of a year.
          slug: typeof item === 'number' ? '' : preTermSlug(text, locale),
          name: typeof item === 'number' ? '' : cleaner.clean('termName', text),
        };
      });
    const known = await namedTerms(this.database, transaction.manager, taxonomy, {
      ids: wanted.filter(({ isId, id }) => isId && Number.isSafeInteger(id)).map(({ id }) => id),
      slugs: wanted.map(({ slug }) => slug).filter((slug) => slug !== ''),
      names: wanted.map(({ name }) => name).filter((name) => name !== ''),
    });
    const found = new Set<number>();
    for (const { text, isId, id, slug, name } of wanted) {
      const term =
        known.find((one) => isId && one.id === id) ??
        known.find((one) => slug !== '' && slugKey(one.slug) === slugKey(slug)) ??
        known.find((one) => name !== '' && sameName(one, name));
      if (term) found.add(term.id);
      else if (!isId) {
        const created = await this.insert(transaction, taxonomy, { name: text }, locale, cleaner);
        known.push({ id: created, name, slug, parent: 0 });
        found.add(created);
      }
    }
    return [...found];
  }

  /**
   * Counts a post whose status changed for its terms, or no longer: only published ones count. To be called before its terms
   * change too. By one, not anew: a term may be carried by half of the calendar, and by types of posts that we do not know.
   */
  async countStatus(
    transaction: Transaction,
    postId: number,
    change: { from: string; to: string },
  ): Promise<void> {
    const step = Number(change.to === 'publish') - Number(change.from === 'publish');
    if (step === 0) return;
    const carried = await this.carried(transaction, postId);
    await this.count(transaction, carried, step);
  }

  /**
   * Of all terms that are related to a post's id those that the post carries: of taxonomies that we know, and of others
   * where no user, term or link has the same id, which may be what carries them.
   */
  private carried(transaction: Transaction, postId: number): Promise<number[]> {
    const isOther = (table: string, id: Sql) =>
      sql`EXISTS (SELECT 1 FROM ${this.database.table(table)} o WHERE ${id} = ${postId})`;
    return this.taxonomyIds(
      transaction,
      sql`JOIN ${this.database.table('term_relationships')} r ON r.term_taxonomy_id = x.term_taxonomy_id
          WHERE r.object_id = ${postId} AND (${inList(sql`x.taxonomy`, [...this.types.taxonomies.keys()])}
            OR NOT (x.taxonomy = 'link_category' OR ${isOther('users', sql`o.ID`)} OR ${isOther('terms', sql`o.term_id`)}))`,
    );
  }

  private async count(
    { manager }: Transaction,
    termTaxonomyIds: readonly number[],
    step: number,
    condition = sql`1 = 1`,
  ): Promise<void> {
    if (termTaxonomyIds.length === 0) return;
    const count = this.database.column('count');
    await this.database.query(
      sql`UPDATE ${this.database.table('term_taxonomy')}
          SET ${count} = CASE WHEN ${count} + ${step} < 0 THEN 0 ELSE ${count} + ${step} END
          WHERE ${inList(sql`term_taxonomy_id`, termTaxonomyIds)} AND ${condition}`,
      manager,
    );
  }

  private async taxonomyIds({ manager }: Transaction, rest: Sql): Promise<number[]> {
    const rows = await this.database.query<{ id: number }>(
      sql`SELECT x.term_taxonomy_id AS id FROM ${this.database.table('term_taxonomy')} x ${rest}
          ORDER BY x.term_taxonomy_id`,
      manager,
    );
    return rows.map(({ id }) => Number(id));
  }

  /** Below itself or one of its own descendants a term has no parent, as recorded. */
  private async parentFor({ manager }: Transaction, term: TermRecord, parent: number): Promise<number> {
    if (parent === term.parent || parent === 0) return parent;
    const line = await ancestors(this.database, manager, term.taxonomy, parent);
    if (line.length === 0) throw termException('missing_parent');
    return line.some(({ id }) => id === term.id) ? 0 : parent;
  }

  /** PHP builds the tree anew when it misses it. */
  private async forgetTree(transaction: Transaction, taxonomy: string): Promise<void> {
    if (this.types.taxonomy(taxonomy).hierarchical)
      await this.options.remove(transaction, `${taxonomy}_children`);
  }
}

function sameName(term: StoredTerm, name: string): boolean {
  return term.name.toLowerCase() === name.toLowerCase();
}
