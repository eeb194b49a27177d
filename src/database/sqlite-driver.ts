import { createRequire } from 'node:module';
import { utcText } from './utc-dates.js';

type Values = unknown[];

/** The used members of libsql's prepared statement. */
interface Statement {
  run(...values: Values): unknown;
  get(...values: Values): unknown;
  iterate(...values: Values): IterableIterator<Record<string, unknown>>;
}

/**
 * libsql for TypeORM. Transactions take the file's write lock at the start: otherwise reads on the shared connection would
 * fix an old snapshot, and writes after another process's commit would fail repeatedly. Values are bound as on MySQL.
 */
export function sqliteDriver() {
  // Loaded on demand, never with MySQL.
  const Plain: new (...given: unknown[]) => { prepare(statement: string): Statement } = createRequire(
    import.meta.url,
  )('libsql');
  return class extends Plain {
    override prepare(statement: string): Statement {
      return withValues(super.prepare(statement === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE' : statement));
    }
  };
}

/** Binds values as one list, as libsql takes a single object for named parameters. Its `all` calls `iterate`. */
function withValues(statement: Statement): Statement {
  const { run, get, iterate } = statement;
  const list = (values: Values) => values.map(bindable);
  statement.run = (...values) => run.call(statement, list(values));
  statement.get = (...values) => get.call(statement, list(values));
  statement.iterate = (...values) => withBuffers(iterate.call(statement, list(values)));
  return statement;
}

/** Converts libsql's `ArrayBuffer` to `Buffer`, as TypeORM's drivers return. */
function* withBuffers(
  rows: IterableIterator<Record<string, unknown>>,
): IterableIterator<Record<string, unknown>> {
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      if (value instanceof ArrayBuffer) row[name] = Buffer.from(value);
    }
    yield row;
  }
}

/** Converts a value for libsql, which aborts the process on a boolean; throws for an unsupported type. */
function bindable(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return Number(value);
  // A plain number is bound as REAL, which a text column stores as "5.0".
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  if (Number.isFinite(value)) return value;
  if (value instanceof Uint8Array) return value;
  if (value instanceof Date) return utcText(value);
  throw new TypeError(`No value of a statement: ${typeof value}`);
}
