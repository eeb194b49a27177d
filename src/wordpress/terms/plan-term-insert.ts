import { phpTrim } from '../../lib/wordpress-text/formatting/php-trim.js';
import { MAX_TERM_NAME_LENGTH, preTermSlug } from '../../lib/wordpress-text/formatting/sanitize-term.js';
import {
  cutSlug,
  firstFreeSlug,
  slugKey,
  uniqueSlug,
} from '../../lib/wordpress-text/formatting/unique-slug.js';
import { IN_PLACE, type TextCleaner } from '../posts/text-cleaner.js';

/** The codes a new term is refused with. */
export type TermErrorCode =
  | 'empty_term_name'
  | 'invalid_term_name'
  | 'missing_parent'
  | 'db_insert_error'
  | 'term_exists';

/** Why a term is refused; `termId` is the term that exists already. */
export interface TermRejection {
  error: TermErrorCode;
  termId?: number;
}

/** A term as asked for, cleaned: what to look for in the database before planning. */
export interface TermInput {
  name: string;
  slug: string;
  slugGiven: boolean;
  /** Id of the wanted parent, 0 for none. */
  parent: number;
}

/** A stored term of the taxonomy. */
export interface StoredTerm {
  id: number;
  name: string;
  slug: string;
  parent: number;
}

/** What the database knows around a wish. */
export interface TermFacts {
  hierarchical: boolean;
  /**
   * Terms of the taxonomy by id: at least those with the wanted name or slug, and the parent with its
   * ancestors.
   */
  terms: readonly StoredTerm[];
  /** Every slug of the terms table, whatever the taxonomy, that starts with the wanted slug. */
  slugs: readonly string[];
}

/**
 * The name and slug as they would be stored, or why there is nothing to store; an empty slug means the new
 * id.
 */
export function cleanTermInput(
  raw: { name: string; slug?: string; parent?: number },
  locale: string,
  cleaner: TextCleaner = IN_PLACE,
): TermInput | TermRejection {
  if (phpTrim(raw.name) === '') return { error: 'empty_term_name' };
  const name = cleaner.clean('termName', raw.name);
  if (name === '') return { error: 'invalid_term_name' };
  if ([...name].length > MAX_TERM_NAME_LENGTH) return { error: 'db_insert_error' };
  const given = preTermSlug(raw.slug ?? '', locale);
  const slugGiven = given !== '' && given !== '0';
  return { name, slug: slugGiven ? given : preTermSlug(name, locale), slugGiven, parent: raw.parent ?? 0 };
}

/**
 * The slug to insert a term with, or why it may not be inserted: its parent is missing or it exists already.
 */
export function planTermInsert(wish: TermInput, facts: TermFacts): { slug: string } | TermRejection {
  const known = new Map(facts.terms.map((term) => [term.id, term]));
  if (wish.parent > 0 && !known.has(wish.parent)) return { error: 'missing_parent' };
  const existing = duplicate(wish, facts);
  if (existing !== undefined) return { error: 'term_exists', termId: existing.id };
  return { slug: uniqueTermSlug(wish.slug, wish.parent, facts) };
}

/**
 * A slug that no other term of the taxonomy has: for a child the slugs of its ancestors are appended,
 * nearest first, then a number that is free in the whole table. Another taxonomy may have the wanted slug
 * itself.
 */
export function uniqueTermSlug(slug: string, parent: number, facts: TermFacts): string {
  const owned = new Set(facts.terms.map((term) => slugKey(term.slug)));
  if (slug === '' || !owned.has(slugKey(slug))) return slug;
  const inTable = [...facts.slugs, ...facts.terms.map((term) => term.slug)];
  const known = new Map(facts.terms.map((term) => [term.id, term]));
  const visited = new Set<number>();
  let wanted = slug;
  for (
    let term = known.get(parent);
    term !== undefined && !visited.has(term.id);
    term = known.get(term.parent)
  ) {
    visited.add(term.id);
    wanted = cutSlug(`${wanted}-${term.slug}`, MAX_TERM_NAME_LENGTH);
    if (firstFreeSlug([wanted], inTable) !== undefined) return wanted;
  }
  return uniqueSlug(wanted, inTable);
}

/** Same name below the same parent, and the slug is not a way out. */
function duplicate(wish: TermInput, facts: TermFacts): StoredTerm | undefined {
  const siblings = facts.hierarchical
    ? facts.terms.filter((term) => term.parent === wish.parent)
    : facts.terms;
  const namesake = siblings.find((term) => asciiLowerCase(term.name) === asciiLowerCase(wish.name));
  if (namesake === undefined) return undefined;
  const sameSlug = (term: StoredTerm): boolean => slugKey(term.slug) === slugKey(wish.slug);
  const slugIsNamesakes = !wish.slugGiven || sameSlug(namesake);
  if (!slugIsNamesakes && !facts.terms.some(sameSlug)) return undefined;
  if (!facts.hierarchical) return namesake;
  if (slugIsNamesakes && siblings.some((term) => term.name === wish.name)) return namesake;
  return siblings.find(sameSlug);
}

function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
