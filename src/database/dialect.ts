import sql, { empty, raw, Sql } from 'sql-template-tag';
import type { DataSource } from 'typeorm';

/** The kind of database; differences are in this file, mysql-session.ts and the migration. */
export type Dialect = 'mysql' | 'sqlite';

/** The settings of a SQLite connection; `case_sensitive_like` stays off, as in MySQL's collations. */
export const SQLITE_SESSION = [
  'PRAGMA busy_timeout=5000',
  'PRAGMA journal_mode=WAL',
  'PRAGMA synchronous=NORMAL',
];

export function dialectOf({ options }: DataSource): Dialect {
  return options.type === 'mysql' ? 'mysql' : 'sqlite';
}

export function quoted(dialect: Dialect, name: string): string {
  return dialect === 'mysql' ? `\`${name}\`` : `"${name}"`;
}

/** A join that forces the optimizer to read the left table first. */
export function straightJoin(dialect: Dialect): Sql {
  return raw(dialect === 'mysql' ? 'STRAIGHT_JOIN' : 'CROSS JOIN');
}

/** The clause that locks selected rows until the transaction ends; SQLite has a single writer. */
export function forUpdate(dialect: Dialect): Sql {
  return dialect === 'mysql' ? sql` FOR UPDATE` : empty;
}

/** SQLite's limit is 32,766 parameters. */
const MAX_VALUES = 30_000;

/** Inlines whole numbers, such as ids, into a SQLite statement with too many parameters. */
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

/** The most frequent dashes, quotes, dots and bullets, as regular expression source. */
const TYPOGRAPHIC = ['2013', '2014', '2018', '2019', '201c', '201d', '2022', '2026']
  .map((code) => `\\x{${code}}`)
  .join('');

/**
 * A condition with a trailing `AND` that is true wherever the column matches the text by `LIKE`, as a prefilter for MariaDB
 * only (in a comment that MySQL ignores): its `LIKE` is six times slower than its regular expressions. A column of ASCII
 * and typographic characters that matches must contain the text's longest word, ignoring case; some collations treat i, j
 * and y, or u and v, as equal.
 */
export function likePrefilter(dialect: Dialect, column: Sql, text: string): Sql {
  const [word = ''] = (text.match(/[A-Za-z0-9]+/g) ?? []).sort((a, b) => b.length - a.length);
  if (dialect !== 'mysql' || word === '' || /[^ -~]/.test(text)) return empty;
  const letters = word
    .toLowerCase()
    .replace(/[ijyuv]/g, (letter) => (/[uv]/.test(letter) ? '[uv]' : '[ijy]'));
  // `(?i)` as the collation may be case-sensitive; ASCII only, for any character set. Single code points stay correct where
  // the session's mode takes backslashes literally.
  return sql`/*M! ${column} REGEXP ${`(?i)${letters}|[^\\x01-\\x7f${TYPOGRAPHIC}]`} AND */ `;
}

// Like MySQL's collation: ignores accents and case, sorts punctuation before digits before letters.
const COLLATION = new Intl.Collator('en', { sensitivity: 'base' });

/** A sort key that ignores case, as MySQL's collations do. */
export function caseInsensitive(dialect: Dialect, text: Sql): Sql {
  return dialect === 'mysql' ? text : sql`LOWER(${text})`;
}

/** Compares texts as MySQL's collation does, to correct SQLite's order. */
export function compareTexts(a: string, b: string): number {
  return COLLATION.compare(a, b);
}

/** A column without its index on SQLite, which cannot know that the column is not selective. */
export function withoutIndex(dialect: Dialect, column: Sql): Sql {
  return dialect === 'sqlite' ? sql`+${column}` : column;
}

const DECIMAL = '^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)? *$';

/** The condition that a text is a decimal number; on SQLite also other texts of its characters. */
export function isNumericText(dialect: Dialect, text: Sql): Sql {
  return dialect === 'mysql'
    ? sql`${text} REGEXP ${DECIMAL}`
    : sql`(${text} GLOB '*[0-9]*' AND ${text} NOT GLOB '*[^-+.eE0-9 ]*')`;
}
