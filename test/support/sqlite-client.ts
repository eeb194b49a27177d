import Libsql from 'libsql';
import type { Execute } from './replay.js';

// What MySQL's functions are called in SQLite, as far as replay.mjs uses them.
const SPELLINGS: readonly [RegExp, string][] = [
  [/DATE_FORMAT\((\w+),'[^']*'\)/g, '$1'],
  [/CAST\((\w+) AS CHAR\)/g, 'CAST($1 AS TEXT)'],
  [/CONCAT\(([\w.]+),'(.)',([\w.]+)\)/g, "$1 || '$2' || $3"],
  [/CHAR_LENGTH\(/g, 'length('],
];

/** Answers replay.mjs's questions to the `mariadb` client from a SQLite file: one line of text per row. */
export function sqliteClient(file: string): Execute {
  return (_program, args) => {
    const asked = SPELLINGS.reduce((sql, [from, to]) => sql.replace(from, to), args.at(-1) ?? '');
    const database = new Libsql(file);
    try {
      return database
        .prepare(asked)
        .raw()
        .all()
        .map((row) => `${(row as unknown[])[0]}\n`)
        .join('');
    } finally {
      database.close();
    }
  };
}
