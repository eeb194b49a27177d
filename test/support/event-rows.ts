import { SITE_TABLES } from '../../src/database/migrations/1700000000000-create-site.js';
import type { Ask } from './invariants.js';

/** The values of an event's rows by names such as `post.post_title` or `meta._EventCost`. */
export type EventRows = Record<string, unknown>;

/**
 * The rows of one event. Left out are the importer's bookkeeping and the time stamps that the database keeps itself;
 * meta values are lists in row order, terms are `taxonomy:slug`.
 */
export async function eventRows(ask: Ask, id: number): Promise<EventRows> {
  const [post = {}] = await ask(`SELECT * FROM wp_posts WHERE ID = ${id}`);
  const meta: Record<string, unknown[]> = {};
  for (const { meta_key: key, meta_value: value } of await ask(
    `SELECT meta_key, meta_value FROM wp_postmeta WHERE post_id = ${id} AND meta_key <> '_tribe_modified_fields' ORDER BY meta_id`,
  )) {
    const name = `meta.${key}`;
    meta[name] = [...(meta[name] ?? []), value];
  }
  const terms = await ask(
    `SELECT x.taxonomy, t.slug FROM wp_term_relationships r JOIN wp_term_taxonomy x USING (term_taxonomy_id)
     JOIN wp_terms t USING (term_id) WHERE r.object_id = ${id} ORDER BY x.taxonomy, t.slug`,
  );
  const named = (rows: Record<string, unknown>[], name: string) =>
    rows.flatMap((row) =>
      Object.entries(row)
        .filter(([column]) => column !== 'updated_at')
        .map(([column, value]) => [`${name}.${column}`, value]),
    );
  return {
    ...Object.fromEntries(named([post], 'post')),
    ...meta,
    terms: terms.map(({ taxonomy, slug }) => `${taxonomy}:${slug}`),
    ...Object.fromEntries(named(await ask(`SELECT * FROM wp_tec_events WHERE post_id = ${id}`), 'event')),
    ...Object.fromEntries(
      named(await ask(`SELECT * FROM wp_tec_occurrences WHERE post_id = ${id}`), 'occurrence'),
    ),
  };
}

/** Names of different values, sorted. */
export function differences(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).sort();
}

/** The number of rows of each table of the site. */
export async function census(ask: Ask): Promise<Record<string, unknown>> {
  const counts = SITE_TABLES.map((name) => `(SELECT COUNT(*) FROM wp_${name}) AS ${name}`);
  const [row = {}] = await ask(`SELECT ${counts.join(', ')}`);
  return row;
}
