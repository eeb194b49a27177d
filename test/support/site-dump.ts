/** What a `mysqldump` says of one table. */
export interface DumpedTable {
  columns: string[];
  /** The id that the next new row gets; absent where the table counts none or has not begun. */
  nextId?: number;
  rows: (string | number | null)[][];
}

// One token of SQL: a quoted text, a quoted name, a number or word, or a single sign; comments and blanks between.
const TOKEN =
  /\s+|--[^\n]*|\/\*.*?\*\/|('(?:[^'\\]+|\\.|'')*')|`([^`]*)`|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([A-Za-z_@][\w@]*)|(.)/gisy;

const ESCAPES: Readonly<Record<string, string>> = { 0: '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a' };

type Token = { text: string } | { name: string } | { number: number } | { word: string } | { sign: string };

/** Reads the CREATE TABLE and INSERT statements of a dump made by mysqldump, with MySQL's string escapes. */
export function readDump(sql: string): Map<string, DumpedTable> {
  const tables = new Map<string, DumpedTable>();
  let statement: Token[] = [];
  for (const token of tokens(sql)) {
    if (!('sign' in token) || token.sign !== ';') {
      statement.push(token);
      continue;
    }
    const [first, second, third] = statement;
    const name = third && 'name' in third ? third.name : '';
    if (isWord(first, 'CREATE') && isWord(second, 'TABLE')) tables.set(name, createdTable(statement));
    if (isWord(first, 'INSERT') && isWord(second, 'INTO')) {
      const table = tables.get(name);
      if (!table) throw new Error(`the dump fills ${name} before creating it`);
      for (const row of insertedRows(statement)) table.rows.push(row);
    }
    statement = [];
  }
  return tables;
}

function* tokens(sql: string): Generator<Token> {
  for (const [, text, name, number, word, sign] of sql.matchAll(TOKEN)) {
    if (text !== undefined) yield { text: unquoted(text) };
    else if (name !== undefined) yield { name };
    else if (number !== undefined) yield { number: Number(number) };
    else if (word !== undefined) yield { word };
    else if (sign !== undefined) yield { sign };
  }
}

function unquoted(text: string): string {
  return text
    .slice(1, -1)
    .replace(/\\(.)|''/gs, (_, char?: string) => (char ? (ESCAPES[char] ?? char) : "'"));
}

function isWord(token: Token | undefined, word: string): boolean {
  return token !== undefined && 'word' in token && token.word.toUpperCase() === word;
}

const isSign = (token: Token | undefined, sign: string): boolean =>
  token !== undefined && 'sign' in token && token.sign === sign;

/** A column's name is a quoted name that stands at the beginning of its definition. */
function createdTable(statement: Token[]): DumpedTable {
  const columns: string[] = [];
  let depth = 0;
  statement.forEach((token, index) => {
    if (isSign(token, '(')) depth++;
    if (isSign(token, ')')) depth--;
    const before = statement[index - 1];
    if (depth === 1 && 'name' in token && (isSign(before, '(') || isSign(before, ',')))
      columns.push(token.name);
  });
  const counter = statement.findLastIndex((token) => isWord(token, 'AUTO_INCREMENT'));
  const value = isSign(statement[counter + 1], '=') ? statement[counter + 2] : undefined;
  return { columns, nextId: value && 'number' in value ? value.number : undefined, rows: [] };
}

function insertedRows(statement: Token[]): (string | number | null)[][] {
  const rows: (string | number | null)[][] = [];
  for (const token of statement.slice(statement.findIndex((token) => isWord(token, 'VALUES')) + 1)) {
    if (isSign(token, '(')) rows.push([]);
    else if ('text' in token) rows.at(-1)?.push(token.text);
    else if ('number' in token) rows.at(-1)?.push(token.number);
    else if (isWord(token, 'NULL')) rows.at(-1)?.push(null);
    else if (!('sign' in token))
      throw new Error(`the dump holds a value that is not understood: ${JSON.stringify(token)}`);
  }
  return rows;
}
