import type { Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Environment } from '../../config/env.js';
import type { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transactions.js';
import { siteZone } from '../../lib/wordpress-text/dates/zones.js';

/** Data of a site that are known before the checks run. */
export interface SiteFacts {
  env: Environment;
  /** Epoch milliseconds. */
  now: number;
  /** The existing tables, without prefix. */
  tables: ReadonlySet<string>;
  options: ReadonlyMap<string, string>;
  progress: (line: string) => void;
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

/**
 * All rows of a statement, some at a time: `ask` is given the highest id so far and how many rows to read, in the order of their ids.
 */
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
