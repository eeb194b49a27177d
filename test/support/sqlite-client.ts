import Libsql from 'libsql';
import type { RowClient } from './replay.js';

// What MySQL's functions are called in SQLite, as far as replay.mjs uses them.
const SPELLINGS: readonly [RegExp, string][] = [
  [/DATE_FORMAT\((\w+),'[^']*'\)/g, '$1'],
  [/CAST\((\w+) AS CHAR\)/g, 'CAST($1 AS TEXT)'],
  [/CONCAT\(([\w.]+),'(.)',([\w.]+)\)/g, "$1 || '$2' || $3"],
  [/CHAR_LENGTH\(/g, 'length('],
];

/** Answers replay.mjs's questions to the `mariadb` client from a SQLite file: one line of text per row. */
export function sqliteClient(url: string): RowClient {
  const database = new Libsql(url.slice('sqlite:'.length));
  return {
    execute: (_program, args) => {
      const sql = SPELLINGS.reduce((text, [from, to]) => text.replace(from, to), args.at(-1) ?? '');
      const rows = database.prepare(sql).raw().all() as unknown[][];
      return rows.map(([value]) => `${value}\n`).join('');
    },
    close: async () => {
      database.close();
    },
  };
}
