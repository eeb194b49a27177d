import sql, { empty, raw, Sql } from 'sql-template-tag';
import type { DataSource } from 'typeorm';

/** The two kinds of database; what they say differently stands in this file, in mysql-session.ts and in the migration. */
export type Dialect = 'mysql' | 'sqlite';

/** What SQLite needs per connection to behave alike; `case_sensitive_like` stays off, as in MySQL's collations. */
export const SQLITE_SESSION = [
  'PRAGMA busy_timeout=5000',
  'PRAGMA journal_mode=WAL',
  'PRAGMA synchronous=NORMAL',
];

/** The one that a connection speaks. */
export function dialectOf({ options }: DataSource): Dialect {
  return options.type === 'mysql' ? 'mysql' : 'sqlite';
}

/** Quotes an identifier for either dialect. */
export function quoted(dialect: Dialect, name: string): string {
  return dialect === 'mysql' ? `\`${name}\`` : `"${name}"`;
}

/** A join whose left table is read first, whatever the optimizer thinks. */
export function straightJoin(dialect: Dialect): Sql {
  return raw(dialect === 'mysql' ? 'STRAIGHT_JOIN' : 'CROSS JOIN');
}

/** What ends a SELECT whose rows nobody else may change before the transaction ends; SQLite has one writer anyway. */
export function forUpdate(dialect: Dialect): Sql {
  return dialect === 'mysql' ? sql` FOR UPDATE` : empty;
}

/** SQLite takes 32,766 values; some below that, a statement may name thousands of ids. */
const MAX_VALUES = 30_000;

/** A statement as a database takes it: for SQLite ids and other whole numbers stand in its text where there are too many of them. */
export function withinLimits(dialect: Dialect, statement: Sql): Sql {
  if (dialect === 'mysql' || statement.values.length <= MAX_VALUES) return statement;
  const isWhole = (value: unknown) => Number.isSafeInteger(value) || /^\d{1,15}$/.test(String(value));
  const written = (value: unknown) => (typeof value === 'number' ? String(value) : `'${value}'`);
  const strings = [statement.strings[0] ?? ''];
  const values: unknown[] = [];
  for (const [at, value] of statement.values.entries()) {
    const after = statement.strings[at + 1] ?? '';
    if (isWhole(value)) strings.push(`${strings.pop()}${written(value)}${after}`);
    else {
      values.push(value);
      strings.push(after);
    }
  }
  return new Sql(strings, values);
}

/** The dashes, quotes, dots and bullets that texts have most, for a regular expression. */
const TYPOGRAPHIC = ['2013', '2014', '2018', '2019', '201c', '201d', '2022', '2026']
  .map((code) => `\\x{${code}}`)
  .join('');

/**
 * What holds, with an `AND` after it, wherever a text is part of a column by `LIKE`. MariaDB compares characters one by one by
 * their weights, six times slower than its regular expressions search. Letters and digits are the same as other ASCII ones in
 * no collation but those that take i, j and y or u and v for one letter, and typographic dashes and quotes are the same
 * as none; so a text without any other character holds the longest word, in whatever case, or can not match. Only MariaDB
 * reads such a comment.
 */
export function likePrefilter(dialect: Dialect, column: Sql, text: string): Sql {
  const [word = ''] = (text.match(/[A-Za-z0-9]+/g) ?? []).sort((a, b) => b.length - a.length);
  if (dialect !== 'mysql' || word === '' || /[^ -~]/.test(text)) return empty;
  const letters = word
    .toLowerCase()
    .replace(/[ijyuv]/g, (letter) => (/[uv]/.test(letter) ? '[uv]' : '[ijy]'));
  // Not by the column's collation, which may tell cases apart; in ASCII, as the column may be of any character set. Without
  // ranges of typographic characters it leaves out nothing wrong even where the session's mode takes backslashes for themselves.
  return sql`/*M! ${column} REGEXP ${`(?i)${letters}|[^\\x01-\\x7f${TYPOGRAPHIC}]`} AND */ `;
}

// MySQL's collation sorts without accents and letter case, punctuation before digits before letters; so does this one.
const COLLATION = new Intl.Collator('en', { sensitivity: 'base' });

/** A text to sort by without regard to letter case; MySQL's collations have none anyway. */
export function caseInsensitive(dialect: Dialect, text: Sql): Sql {
  return dialect === 'mysql' ? text : sql`LOWER(${text})`;
}

/** Compares texts as MySQL's collation does: what SQLite's own order is mended with. */
export function compareTexts(a: string, b: string): number {
  return COLLATION.compare(a, b);
}

/** A column by which SQLite is not to look for rows: it does not know that many have the same value. */
export function withoutIndex(dialect: Dialect, column: Sql): Sql {
  return dialect === 'sqlite' ? sql`+${column}` : column;
}
