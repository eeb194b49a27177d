import { RestException } from '../../common/errors/rest-exception.js';
import { phpTrim } from '../../lib/wordpress-text/formatting/php-strings.js';
import { MAX_TERM_NAME_LENGTH, preTermSlug } from '../../lib/wordpress-text/formatting/sanitize.js';
import {
  cutSlug,
  firstFreeSlug,
  slugKey,
  uniqueSlug,
} from '../../lib/wordpress-text/formatting/unique-slug.js';
import { DEFAULT_CLEANER, type TextCleaner } from '../posts/text-cleaner.js';

type TermErrorCode =
  | 'empty_term_name'
  | 'invalid_term_name'
  | 'missing_parent'
  | 'db_insert_error'
  | 'term_exists';

/** Why a term is rejected; `termId` is the existing term. */
interface TermRejection {
  error: TermErrorCode;
  termId?: number;
}

export interface TermInput {
  name: string;
  slug: string;
  slugGiven: boolean;
  /** The id of the requested parent, 0 for none. */
  parent: number;
}

export interface StoredTerm {
  id: number;
  name: string;
  slug: string;
  parent: number;
}

/** The stored terms relevant to a requested one. */
export interface TermFacts {
  hierarchical: boolean;
  /** Terms of the taxonomy: at least those with the requested name or slug, and the parent with its ancestors. */
  terms: readonly StoredTerm[];
  /** The slugs of all taxonomies that start with the requested one. */
  slugs: readonly string[];
}

/** Sanitizes a requested term, or returns why it is rejected; an empty slug means the new id. */
export function cleanTermInput(
  raw: { name: string; slug?: string; parent?: number },
  locale: string,
  cleaner: TextCleaner = DEFAULT_CLEANER,
): TermInput | TermRejection {
  if (phpTrim(raw.name) === '') return { error: 'empty_term_name' };
  const name = cleaner.clean('termName', raw.name);
  if (name === '') return { error: 'invalid_term_name' };
  if ([...name].length > MAX_TERM_NAME_LENGTH) return { error: 'db_insert_error' };
  const given = preTermSlug(raw.slug ?? '', locale);
  const slugGiven = given !== '' && given !== '0';
  return { name, slug: slugGiven ? given : preTermSlug(name, locale), slugGiven, parent: raw.parent ?? 0 };
}

/** The slug to insert a term with, or why it is rejected: its parent is missing or it exists. */
export function planTermInsert(input: TermInput, facts: TermFacts): { slug: string } | TermRejection {
  const known = new Map(facts.terms.map((term) => [term.id, term]));
  if (input.parent > 0 && !known.has(input.parent)) return { error: 'missing_parent' };
  const existing = duplicate(input, facts);
  if (existing !== undefined) return { error: 'term_exists', termId: existing.id };
  return { slug: uniqueTermSlug(input.slug, input.parent, facts) };
}

/** A slug unique in the taxonomy: with those of the ancestors, then with a number free in the table. */
export function uniqueTermSlug(slug: string, parent: number, facts: TermFacts): string {
  const owned = new Set(facts.terms.map((term) => slugKey(term.slug)));
  if (slug === '' || !owned.has(slugKey(slug))) return slug;
  const inTable = [...facts.slugs, ...facts.terms.map((term) => term.slug)];
  const known = new Map(facts.terms.map((term) => [term.id, term]));
  const visited = new Set<number>();
  let candidate = slug;
  for (let term = known.get(parent); term && !visited.has(term.id); term = known.get(term.parent)) {
    visited.add(term.id);
    candidate = cutSlug(`${candidate}-${term.slug}`, MAX_TERM_NAME_LENGTH);
    if (firstFreeSlug([candidate], inTable) !== undefined) return candidate;
  }
  return uniqueSlug(candidate, inTable);
}

/** The existing term that conflicts: the same name below the same parent, unless a new slug distinguishes them. */
function duplicate(input: TermInput, facts: TermFacts): StoredTerm | undefined {
  const siblings = facts.hierarchical
    ? facts.terms.filter((term) => term.parent === input.parent)
    : facts.terms;
  const namesake = siblings.find((term) => asciiLowerCase(term.name) === asciiLowerCase(input.name));
  if (namesake === undefined) return undefined;
  const sameSlug = (term: StoredTerm): boolean => slugKey(term.slug) === slugKey(input.slug);
  const slugIsNamesakes = !input.slugGiven || sameSlug(namesake);
  if (!slugIsNamesakes && !facts.terms.some(sameSlug)) return undefined;
  if (!facts.hierarchical) return namesake;
  if (slugIsNamesakes && siblings.some((term) => term.name === input.name)) return namesake;
  return siblings.find(sameSlug);
}

function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const MESSAGES: Record<TermErrorCode | 'duplicate_term_slug', { message: string; code?: string }> = {
  empty_term_name: { message: 'name must not be empty.' },
  invalid_term_name: { message: 'name must hold some text besides tags.' },
  db_insert_error: { message: 'name may be at most 200 characters long.' },
  term_exists: { message: 'There is a term with this name already.' },
  missing_parent: { message: 'parent is not the id of an existing term.', code: 'rest_term_invalid' },
  duplicate_term_slug: { message: 'slug belongs to another term already.' },
};

/** The exception for a rejected term (W15); `termId` is the existing term. */
export function termException(code: keyof typeof MESSAGES, termId?: number): RestException {
  const { message, code: responseCode = code } = MESSAGES[code];
  const details =
    termId === undefined ? {} : { data: { term_id: termId }, extra: { additional_data: [termId, termId] } };
  return new RestException('invalid', responseCode, message, details);
}
