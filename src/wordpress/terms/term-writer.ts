import { Injectable } from '@nestjs/common';
import sql, { type Sql } from 'sql-template-tag';
import { In } from 'typeorm';
import { Database } from '../../database/database.js';
import { insertRows } from '../../database/insert-rows.js';
import { MAX_TOUCHED, type Transaction } from '../../database/transactions.js';
import { updateRow } from '../../database/update-row.js';
import { slugKey } from '../../lib/wordpress-text/formatting/unique-slug.js';
import { OptionWriter } from '../options/option-writer.js';
import { inList } from '../posts/post-rows.js';
import { DEFAULT_CLEANER, type TextCleaner } from '../posts/text-cleaner.js';
import { ContentTypes } from '../types/content-types.js';
import { lookUpTerms, matchingTerm, type TermItem } from './named-terms.js';
import { cleanTermInput, planTermInsert, termException, uniqueTermSlug } from './plan-term-insert.js';
import { Term, TermMeta, TermRelationship, TermTaxonomy } from './term.entity.js';
import { ancestors, termFacts } from './term-facts.query.js';
import type { TermRecord } from './term-record.js';

/** The fields of a write, not yet sanitized; absent fields stay unchanged. */
export interface TermFields {
  name?: string;
  description?: string;
  slug?: string;
  /** The term id of the parent, 0 for none; only in hierarchical taxonomies. */
  parent?: number;
}

/** Writes terms by WordPress's rules for names and slugs (docs/behaviour/terms.md#fields-on-write). */
@Injectable()
export class TermWriter {
  constructor(
    private readonly database: Database,
    private readonly options: OptionWriter,
    private readonly types: ContentTypes,
  ) {}

  /** Inserts a term and returns its id; throws `termException` for a duplicate or an invalid name. */
  async insert(
    transaction: Transaction,
    taxonomy: string,
    fields: TermFields & { name: string },
    locale: string,
    cleaner: TextCleaner = DEFAULT_CLEANER,
  ): Promise<number> {
    const { manager } = transaction;
    const input = cleanTermInput(fields, locale, cleaner);
    if ('error' in input) throw termException(input.error);
    const type = this.types.taxonomy(taxonomy);
    const plan = planTermInsert(input, await termFacts(this.database, manager, type, input));
    if ('error' in plan) throw termException(plan.error, plan.termId);
    const id = await insertRows(manager, Term, { name: input.name, slug: plan.slug });
    transaction.touch('term', id);
    if (plan.slug === '') await manager.update(Term, id, { slug: String(id) });
    const description = cleaner.clean('termDescription', fields.description ?? '');
    await insertRows(manager, type.entity, { termId: id, description, parent: input.parent });
    await this.deleteTree(transaction, taxonomy);
    return id;
  }

  /** Updates a term; throws `termException` for an invalid name or a slug of another term. */
  async update(
    transaction: Transaction,
    before: TermRecord,
    fields: TermFields,
    locale: string,
    cleaner: TextCleaner = DEFAULT_CLEANER,
  ): Promise<void> {
    const { manager } = transaction;
    transaction.touch('term', before.id);
    const raw = { name: fields.name ?? before.name, slug: fields.slug ?? before.slug };
    const input = cleanTermInput(raw, locale, cleaner);
    if ('error' in input) throw termException(input.error);
    const type = this.types.taxonomy(before.taxonomy);
    const parent = await this.parentFor(transaction, before, fields.parent ?? before.parent);
    const moved = parent !== before.parent;
    let slug = fields.slug === undefined ? before.slug : input.slug;
    if (moved || slug !== before.slug) {
      const facts = await termFacts(this.database, manager, type, { slug, parent }, before.id);
      const taken = facts.terms.some((term) => slugKey(term.slug) === slugKey(slug));
      if (taken && input.slugGiven && !moved) throw termException('duplicate_term_slug');
      slug = uniqueTermSlug(slug, parent, facts) || String(before.id);
    }
    // Unchanged columns are not written, as PHP may have changed them since the read.
    await updateRow(manager, Term, before.id, {
      name: fields.name === undefined ? undefined : input.name,
      slug: slug === before.slug ? undefined : slug,
    });
    const { description } = fields;
    await updateRow<TermTaxonomy>(manager, type.entity, before.termTaxonomyId, {
      description: description === undefined ? undefined : cleaner.clean('termDescription', description),
      parent: moved ? parent : undefined,
    });
    if (moved) await this.deleteTree(transaction, before.taxonomy);
  }

  /** Deletes a term permanently; its children move to its parent. */
  async remove(transaction: Transaction, { id, termTaxonomyId, taxonomy, parent }: TermRecord) {
    const { manager } = transaction;
    const { hierarchical, entity } = this.types.taxonomy(taxonomy);
    transaction.touch('term', id);
    if (transaction.isJournaled) await this.touchOthers(transaction, { id, termTaxonomyId, taxonomy });
    if (hierarchical) await manager.update(entity, { parent: id }, { parent });
    await manager.delete(TermRelationship, { termTaxonomyId });
    await manager.delete(entity, termTaxonomyId);
    // Old sites share one row between taxonomies.
    if (!(await manager.existsBy(TermTaxonomy, { termId: id }))) {
      await manager.delete(TermMeta, { termId: id });
      await manager.delete(Term, id);
    }
    await this.deleteTree(transaction, taxonomy);
  }

  /** Touches the posts and children that lose a term. */
  private async touchOthers(
    transaction: Transaction,
    { id, termTaxonomyId, taxonomy }: Pick<TermRecord, 'id' | 'termTaxonomyId' | 'taxonomy'>,
  ): Promise<void> {
    const { manager } = transaction;
    const posts = await manager.find(TermRelationship, { where: { termTaxonomyId }, take: MAX_TOUCHED });
    const children = await manager.find(TermTaxonomy, { where: { taxonomy, parent: id }, take: MAX_TOUCHED });
    transaction.touchAll(
      'post',
      posts.map(({ objectId }) => objectId),
    );
    transaction.touchAll(
      'term',
      children.map(({ termId }) => termId),
    );
  }

  /** Replaces the terms of a post in a taxonomy, ignoring ids outside of it; `isNew`: the post has no terms yet. */
  async assign(
    transaction: Transaction,
    postId: number,
    taxonomy: string,
    termIds: readonly number[],
    isNew = false,
  ): Promise<void> {
    if (isNew && termIds.length === 0) return;
    const { manager } = transaction;
    transaction.touch('post', postId);
    const assigned = await this.taxonomyIds(
      transaction,
      sql`WHERE x.taxonomy = ${taxonomy} AND ${inList(sql`x.term_id`, termIds)}`,
    );
    const ofPost = sql`JOIN ${this.database.table('term_relationships')} r ON r.term_taxonomy_id = x.term_taxonomy_id
        WHERE r.object_id = ${postId} AND x.taxonomy = ${taxonomy}`;
    const current = isNew ? [] : await this.taxonomyIds(transaction, ofPost);
    const removed = current.filter((id) => !assigned.includes(id));
    const added = assigned.filter((id) => !current.includes(id));
    if (removed.length > 0)
      await manager.delete(TermRelationship, { objectId: postId, termTaxonomyId: In(removed) });
    if (added.length > 0)
      await insertRows(
        manager,
        TermRelationship,
        ...added.map((id) => ({ objectId: postId, termTaxonomyId: id })),
      );
    await this.count(transaction, removed, -1, this.isCounted(postId));
    await this.count(transaction, added, 1, this.isCounted(postId));
  }

  /** Removes all terms of a post before it is deleted. */
  async unassign(transaction: Transaction, postId: number): Promise<void> {
    const termIds = await this.termsOf(transaction, postId);
    if (termIds.length === 0) return;
    await transaction.manager.delete(TermRelationship, { objectId: postId, termTaxonomyId: In(termIds) });
    await this.count(transaction, termIds, -1, this.isCounted(postId));
  }

  private isCounted(postId: number): Sql {
    return sql`EXISTS (SELECT 1 FROM ${this.database.table('posts')} p
        WHERE p.ID = ${postId} AND p.post_status = 'publish')`;
  }

  /**
   * The unique ids of named terms, in order: creates unknown names, by `create` if it is given, ignores unknown ids
   * (W11).
   */
  async findOrCreate(
    transaction: Transaction,
    taxonomy: string,
    items: readonly TermItem[],
    locale: string,
    cleaner: TextCleaner = DEFAULT_CLEANER,
    create = (name: string) => this.insert(transaction, taxonomy, { name }, locale, cleaner),
  ): Promise<number[]> {
    const found = new Set<number>();
    const { named, known } = await lookUpTerms(this.database, transaction.manager, taxonomy, items, {
      locale,
      cleaner,
    });
    for (const one of named) {
      const term = matchingTerm(known, one);
      if (term) found.add(term.id);
      else if (!one.isId) {
        const id = await create(one.text);
        known.push({ id, name: one.name, slug: one.slug, parent: 0 });
        found.add(id);
      }
    }
    return [...found];
  }

  /** The ids of named terms, and the names that `findOrCreate` would create. */
  async find(
    transaction: Transaction,
    taxonomy: string,
    items: readonly TermItem[],
    locale: string,
    cleaner: TextCleaner,
  ): Promise<(number | { name: string })[]> {
    const { named, known } = await lookUpTerms(this.database, transaction.manager, taxonomy, items, {
      locale,
      cleaner,
    });
    return named.flatMap((one) => {
      const term = matchingTerm(known, one);
      return term?.id ?? (one.isId ? [] : { name: one.text });
    });
  }

  /** Counts a post's terms up or down when it is published or hidden; called before its terms change. */
  async countStatus(transaction: Transaction, postId: number, change: { from: string; to: string }) {
    const step = Number(change.to === 'publish') - Number(change.from === 'publish');
    if (step === 0) return;
    const termIds = await this.termsOf(transaction, postId);
    await this.count(transaction, termIds, step);
  }

  /** The terms of a post, without those of a user, term or link with the same id in other taxonomies. */
  private termsOf(transaction: Transaction, postId: number): Promise<number[]> {
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

  /** The parent to store: 0 if it is the term itself or a descendant, as recorded. */
  private async parentFor({ manager }: Transaction, term: TermRecord, parent: number): Promise<number> {
    if (parent === term.parent || parent === 0) return parent;
    const line = await ancestors(this.database, manager, term.taxonomy, parent);
    if (line.length === 0) throw termException('missing_parent');
    return line.some(({ id }) => id === term.id) ? 0 : parent;
  }

  /** Deletes the cached tree of a taxonomy, which PHP rebuilds. */
  private async deleteTree(transaction: Transaction, taxonomy: string): Promise<void> {
    if (this.types.taxonomy(taxonomy).hierarchical)
      await this.options.remove(transaction, `${taxonomy}_children`);
  }
}
