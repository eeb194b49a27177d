import type { EntityManager } from 'typeorm';
import type { Database } from '../../database/database.js';
import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';
import { preTermSlug } from '../../lib/wordpress-text/formatting/sanitize.js';
import { slugKey } from '../../lib/wordpress-text/formatting/unique-slug.js';
import type { TextCleaner } from '../posts/text-cleaner.js';
import type { StoredTerm } from './plan-term-insert.js';
import { namedTerms } from './term-facts.query.js';

/** A term named by id, slug or name; an object only by slug or name, even if it looks like an id. */
export type TermItem = number | string | { readonly name: string };

export const textOfItem = (item: TermItem): string => (typeof item === 'object' ? item.name : String(item));

/** A sent term: what may be its id, its slug and its name. */
interface NamedTerm {
  text: string;
  isId: boolean;
  id: number;
  slug: string;
  name: string;
}

/** The sent terms that name something, and the stored ones that any of them may name. */
export async function lookUpTerms(
  database: Database,
  manager: EntityManager,
  taxonomy: string,
  items: readonly TermItem[],
  { locale, cleaner }: { locale: string; cleaner: TextCleaner },
): Promise<{ named: NamedTerm[]; known: StoredTerm[] }> {
  const named = items
    .filter((item) => textOfItem(item).trim() !== '')
    .map((item) => {
      const text = textOfItem(item);
      return {
        text,
        isId: isNumeric(item),
        id: Number(text),
        // A number is an id only; a numeric text may also be a name, such as a year.
        slug: typeof item === 'number' ? '' : preTermSlug(text, locale),
        name: typeof item === 'number' ? '' : cleaner.clean('termName', text),
      };
    });
  const known = await namedTerms(database, manager, taxonomy, {
    ids: named.filter(({ isId, id }) => isId && Number.isSafeInteger(id)).map(({ id }) => id),
    slugs: named.map(({ slug }) => slug).filter((slug) => slug !== ''),
    names: named.map(({ name }) => name).filter((name) => name !== ''),
  });
  return { named, known };
}

/** The stored term that a sent one names: by id, else by slug, else by name. */
export function matchingTerm(
  known: readonly StoredTerm[],
  { isId, id, slug, name }: NamedTerm,
): StoredTerm | undefined {
  return (
    known.find((one) => isId && one.id === id) ??
    known.find((one) => slug !== '' && slugKey(one.slug) === slugKey(slug)) ??
    known.find((one) => name !== '' && one.name.toLowerCase() === name.toLowerCase())
  );
}
