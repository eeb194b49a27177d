import sql, { type Sql } from 'sql-template-tag';
import { isReadOnly } from '../../database/database-errors.js';
import type { Check, Found } from './check.js';
import type { SiteView } from './site-view.js';

type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';
const ALL: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** Privileges that Almanac's statements need per table, and a column to test them with. */
const NEEDS: Readonly<Record<string, { column: string; rights: readonly Right[] }>> = {
  posts: { column: 'post_title', rights: ALL },
  postmeta: { column: 'meta_value', rights: ALL },
  terms: { column: 'name', rights: ALL },
  term_taxonomy: { column: 'description', rights: ALL },
  term_relationships: { column: 'term_order', rights: ALL },
  termmeta: { column: 'meta_value', rights: ALL },
  options: { column: 'option_value', rights: ALL },
  users: { column: 'user_pass', rights: ['SELECT'] },
  usermeta: { column: 'meta_value', rights: ['SELECT', 'UPDATE'] },
  tec_events: { column: 'start_date', rights: ALL },
  tec_occurrences: { column: 'start_date', rights: ALL },
};

export const grantsCheck: Check = {
  kind: 'grants',
  title: 'rights that the database user lacks',
  serverOnly: true,
  async find(site) {
    const lacking: { right: Right; table: string }[] = [];
    for (const [table, { column, rights }] of Object.entries(NEEDS))
      for (const right of site.has(table) ? rights : [])
        if (!(await may(site, right, table, column))) lacking.push({ right, table: site.nameOf(table) });
    const reads = lacking.filter(({ right }) => right === 'SELECT');
    const writes = lacking.filter(({ right }) => right !== 'SELECT');
    const wanted = Object.entries(NEEDS).flatMap(([table, { rights }]) => (site.has(table) ? rights : []));
    const isAll = writes.length === wanted.filter((right) => right !== 'SELECT').length;
    const named = (some: typeof lacking) => some.map(({ right, table }) => `${right} on ${table}`);
    const grant = (some: typeof lacking) =>
      [...new Set(some.map(({ right }) => right))]
        .join(', ')
        .concat(' ON the tables of the site TO this user.');
    return [
      {
        name: 'grants-read',
        severity: 'error',
        what: `The database user may not read ${reads.map(({ table }) => table).join(', ')}`,
        examples: named(reads),
        why: 'Responses need these tables: requests fail.',
        advice: `GRANT ${grant(reads)}`,
      },
      lackingWrites(named(writes), isAll, `GRANT ${grant(writes)}`),
    ];
  },
};

function lackingWrites(examples: readonly string[], isAll: boolean, advice: string): Found {
  return {
    name: isAll ? 'grants-read-only' : 'grants-write',
    severity: isAll ? 'warning' : 'error',
    what: isAll ? 'The database user may only read' : `The database user lacks ${examples.join(', ')}`,
    examples,
    why: isAll
      ? 'Reads work; every write is rejected with 403.'
      : 'Writes that need it are answered with 403, and change nothing.',
    advice: isAll ? `If that is not intended: ${advice}` : advice,
  };
}

/** EXPLAIN requires the statement's privileges without running it. */
async function may(site: SiteView, right: Right, table: string, column: string): Promise<boolean> {
  const name = site.table(table);
  const value = site.database.column(column);
  const statements: Record<Right, Sql> = {
    SELECT: sql`SELECT ${value} FROM ${name} WHERE 1 = 0`,
    INSERT: sql`EXPLAIN INSERT INTO ${name} (${value}) VALUES ('0')`,
    UPDATE: sql`EXPLAIN UPDATE ${name} SET ${value} = '0' WHERE 1 = 0`,
    DELETE: sql`EXPLAIN DELETE FROM ${name} WHERE 1 = 0`,
  };
  try {
    await site.rows(statements[right]);
    return true;
  } catch (error) {
    if (isReadOnly(error)) return false;
    throw error;
  }
}
