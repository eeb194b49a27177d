import { createRequire } from 'node:module';
import { utcText } from './utc-dates.js';

type Values = unknown[];

/** What is used of a prepared statement of libsql. */
interface Statement {
  run(...values: Values): unknown;
  get(...values: Values): unknown;
  iterate(...values: Values): IterableIterator<Record<string, unknown>>;
}

/**
 * libsql for TypeORM. Transactions take the write lock of the file when they begin: otherwise a read of another request on
 * the same connection would show the rows of that moment, and a write behind another process's commit would be refused again and again.
 * Values are bound as the driver of MySQL binds them.
 */
export function sqliteDriver() {
  // A server with MySQL does not load it.
  const Plain: new (...given: unknown[]) => { prepare(statement: string): Statement } = createRequire(
    import.meta.url,
  )('libsql');
  return class extends Plain {
    override prepare(statement: string): Statement {
      return withValues(super.prepare(statement === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE' : statement));
    }
  };
}

/** Binds values as one list: libsql takes a single object for named parameters. Its `all` calls `iterate`. */
function withValues(statement: Statement): Statement {
  const { run, get, iterate } = statement;
  const list = (values: Values) => values.map(bindable);
  statement.run = (...values) => run.call(statement, list(values));
  statement.get = (...values) => get.call(statement, list(values));
  statement.iterate = (...values) => withBuffers(iterate.call(statement, list(values)));
  return statement;
}

/** libsql gives bytes as `ArrayBuffer`; drivers of TypeORM give a `Buffer`. */
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

/** A value that libsql can bind; it aborts the process on a boolean. Throws for what no column can hold. */
function bindable(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return Number(value);
  // Any other number is bound as a real one, which a text column stores as "5.0".
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  if (Number.isFinite(value)) return value;
  if (value instanceof Uint8Array) return value;
  if (value instanceof Date) return utcText(value);
  throw new TypeError(`No value of a statement: ${typeof value}`);
}
