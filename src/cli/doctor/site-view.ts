import sql, { type Sql } from 'sql-template-tag';
import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import type { Environment } from '../../config/env.js';
import type { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transactions.js';
import { siteZone } from '../../lib/wordpress-text/dates/zones.js';
import { counted } from '../counted.js';

/** Maximum examples of a finding. */
export const EXAMPLES = 5;

/** Data of a site that are known before the checks run. */
export interface SiteFacts {
  env: Environment;
  /** Epoch milliseconds. */
  now: number;
  /** The existing tables, without prefix. */
  tables: ReadonlySet<string>;
  options: ReadonlyMap<string, string>;
  progress: (line: string, share?: number) => void;
}

/** A site as checks see it: rows, options and the configuration, whatever state it is in. */
export class SiteView {
  constructor(
    readonly database: Database,
    readonly facts: SiteFacts,
    /** Of the transaction, where there is one. */
    readonly manager?: EntityManager,
  ) {}

  within({ manager }: Transaction): SiteView {
    return new SiteView(this.database, this.facts, manager);
  }

  rows<Row>(statement: Sql): Promise<Row[]> {
    return this.database.query<Row>(statement, this.manager);
  }

  /** The single row of a statement that has one. */
  async row<Row>(statement: Sql): Promise<Row> {
    const [row] = await this.rows<Row>(statement);
    if (row === undefined) throw new Error('The database answered without a row.');
    return row;
  }

  /** The number of rows of `FROM …`, and their lowest ids. */
  async sample(from: Sql, id: Sql): Promise<{ count: number; examples: number[] }> {
    const { count } = await this.row<{ count: number }>(sql`SELECT COUNT(*) AS count ${from}`);
    const rows = await this.rows<{ id: number }>(
      sql`SELECT DISTINCT ${id} AS id ${from} ORDER BY ${id} LIMIT ${EXAMPLES}`,
    );
    return { count, examples: rows.map((row) => row.id) };
  }

  /** Deletes the rows of `FROM … WHERE …` and returns their number. */
  async remove(
    entity: EntityTarget<ObjectLiteral>,
    from: Sql,
    id: Sql,
    { manager }: Transaction,
  ): Promise<number> {
    let removed = 0;
    const rows = batches<{ id: number }>((after, most) =>
      this.rows(sql`SELECT ${id} AS id ${from} AND ${id} > ${after} ORDER BY ${id} LIMIT ${most}`),
    );
    for await (const batch of rows) {
      const ids = batch.map((row) => row.id);
      await manager.delete(entity, ids);
      removed += batch.length;
      this.facts.progress(`Removed ${counted(removed, 'row')}.`);
    }
    return removed;
  }

  /** The quoted, prefixed name of a table. */
  table(name: string): Sql {
    return this.database.table(name);
  }

  /** The same without quotes, as the server lists it. */
  nameOf(name: string): string {
    return this.database.nameOf(name);
  }

  get isServer(): boolean {
    return this.database.dialect === 'mysql';
  }

  option(name: string): string {
    return this.facts.options.get(name) ?? '';
  }

  /** The site's zone as the calendar stores it. */
  get zone(): string {
    return siteZone({ timezoneString: this.option('timezone_string'), gmtOffset: this.option('gmt_offset') });
  }

  has(...tables: readonly string[]): boolean {
    return tables.every((name) => this.facts.tables.has(name));
  }
}

/** Rows that a statement reads at once. */
const AT_ONCE = 2000;

/** All rows of a statement, in batches: `ask` gets the highest id so far and the number of rows to read. */
export async function* batches<Row extends { id: number }>(
  ask: (after: number, most: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after = -1; ; ) {
    const rows = await ask(after, AT_ONCE);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < AT_ONCE) return;
    after = last.id;
  }
}

/** Computes a value of a site once for all checks. */
export function once<T>(compute: (site: SiteView) => Promise<T>): (site: SiteView) => Promise<T> {
  const known = new WeakMap<SiteFacts, Promise<T>>();
  return (site) => {
    const found = known.get(site.facts) ?? compute(site);
    known.set(site.facts, found);
    return found;
  };
}
