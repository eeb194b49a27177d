import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../database/database.js';
import { slugKey } from '../../lib/wordpress-text/formatting/unique-slug.js';
import { inList } from '../posts/post-rows.js';
import type { Taxonomy } from '../types/content-types.js';
import type { StoredTerm, TermFacts } from './plan-term-insert.js';

/** Shorter than any slug truncated for a suffix, so that the prefix matches those too. */
const PREFIX_LENGTH = 100;

/** Lookup keys of terms; any match counts. */
interface TermNames {
  ids?: readonly number[];
  slugs?: readonly string[];
  names?: readonly string[];
}

/** The terms of a taxonomy by id, slug or name, within the transaction, lowest id first. */
export function namedTerms(
  database: Database,
  manager: EntityManager,
  taxonomy: string,
  { ids = [], slugs = [], names = [] }: TermNames,
): Promise<StoredTerm[]> {
  return database.query<StoredTerm>(
    sql`SELECT t.term_id AS id, t.name AS name, t.slug AS slug, x.parent AS parent
        FROM ${database.table('terms')} t JOIN ${database.table('term_taxonomy')} x ON x.term_id = t.term_id
        WHERE x.taxonomy = ${taxonomy} AND (${inList(sql`t.term_id`, ids)}
          OR ${inList(sql`t.slug`, slugs)} OR ${inList(sql`t.name`, names)}) ORDER BY t.term_id`,
    manager,
  );
}

/** The stored terms relevant to a name and slug; `own` is the id of the term itself on update. */
export async function termFacts(
  database: Database,
  manager: EntityManager,
  { taxonomy, hierarchical }: Pick<Taxonomy, 'taxonomy' | 'hierarchical'>,
  { name, slug, parent }: { name?: string; slug: string; parent: number },
  own = 0,
): Promise<TermFacts> {
  const found = await namedTerms(database, manager, taxonomy, {
    slugs: [slug],
    names: name === undefined ? [] : [name],
  });
  const lineage = hierarchical ? await ancestors(database, manager, taxonomy, parent) : [];
  const others = [...found, ...lineage].filter((term) => term.id !== own);
  const known = new Map(others.map((term) => [term.id, term]));
  const taken = slug !== '' && others.some((term) => slugKey(term.slug) === slugKey(slug));
  return {
    hierarchical,
    terms: [...known.values()],
    slugs: taken ? await slugsLike(database, manager, slug, own) : [],
  };
}

/** The term and its ancestors, nearest first; stops at a cycle. */
export async function ancestors(
  database: Database,
  manager: EntityManager,
  taxonomy: string,
  id: number,
): Promise<StoredTerm[]> {
  const line: StoredTerm[] = [];
  for (let next = id; next > 0 && !line.some((term) => term.id === next); ) {
    const [term] = await namedTerms(database, manager, taxonomy, { ids: [next] });
    if (!term) break;
    line.push(term);
    next = term.parent;
  }
  return line;
}

async function slugsLike(database: Database, manager: EntityManager, slug: string, own: number) {
  const prefix = slug.slice(0, PREFIX_LENGTH).replace(/[|%_]/g, '|$&');
  const rows = await database.query<{ slug: string }>(
    sql`SELECT slug FROM ${database.table('terms')}
        WHERE slug LIKE ${`${prefix}%`} ESCAPE '|' AND term_id <> ${own}`,
    manager,
  );
  return rows.map((row) => row.slug);
}
