import Libsql from 'libsql';
import type { RowClient } from './replay.js';

// SQLite versions of MySQL's functions, as far as stored-rows.mjs uses them.
const SPELLINGS: readonly [RegExp, string][] = [
  [/DATE_FORMAT\((\w+),'[^']*'\)/g, '$1'],
  [/CAST\((\w+) AS CHAR\)/g, 'CAST($1 AS TEXT)'],
  [/CONCAT\(([\w.]+),'(.)',([\w.]+)\)/g, "$1 || '$2' || $3"],
  [/CHAR_LENGTH\(/g, 'length('],
];

/** Queries a SQLite file. */
export function sqliteClient(url: string): RowClient {
  const database = new Libsql(url.slice('sqlite:'.length));
  return {
    ask: (requested) => {
      const sql = SPELLINGS.reduce((text, [from, to]) => text.replace(from, to), requested);
      const rows = database.prepare(sql).raw().all() as [string][];
      return rows.map(([text]) => JSON.parse(text));
    },
    close: async () => {
      database.close();
    },
  };
}
