import { raw, type Sql } from 'sql-template-tag';

/** The two kinds of database; what differs between them stands in this file, in mysql-session.ts and in the migrations. */
export type Dialect = 'mysql' | 'sqlite';

/** What SQLite needs per connection to behave alike; `case_sensitive_like` stays off, as in MySQL's collations. */
export const SQLITE_SESSION = [
  'PRAGMA journal_mode=WAL',
  'PRAGMA busy_timeout=5000',
  'PRAGMA synchronous=NORMAL',
];

/** Quotes an identifier for either dialect. */
export function quoted(dialect: Dialect, name: string): string {
  return dialect === 'mysql' ? `\`${name}\`` : `"${name}"`;
}

/** A join whose left table is read first, whatever the optimizer thinks. */
export function straightJoin(dialect: Dialect): Sql {
  return raw(dialect === 'mysql' ? 'STRAIGHT_JOIN' : 'CROSS JOIN');
}

// MySQL's collation sorts without accents and letter case, punctuation before digits before letters; so does this one.
const COLLATION = new Intl.Collator('en', { sensitivity: 'base' });

/** Compares texts as MySQL's collation does: what SQLite's own order is mended with. */
export function compareTexts(a: string, b: string): number {
  return COLLATION.compare(a, b);
}
