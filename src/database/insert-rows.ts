import type { ResultSetHeader } from 'mysql2';
import sql, { bulk, join, raw } from 'sql-template-tag';
import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { executeStatement } from './execute-statement.js';

/**
 * Inserts rows with the same columns in one statement; returns the id of a single row. Other columns get their defaults.
 * TypeORM's `insert` names all columns and reads each row again.
 */
export async function insertRows<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  ...rows: { [Name in keyof Row]?: Row[Name] }[]
): Promise<number> {
  const { connection } = manager;
  const { tablePath, columns, discriminatorColumn, discriminatorValue } = connection.getMetadata(entity);
  const written = columns.flatMap((column) => {
    const name = raw(connection.driver.escape(column.databaseName));
    if (column === discriminatorColumn) return { name, of: () => discriminatorValue };
    const { propertyName } = column;
    return rows[0]?.[propertyName] === undefined
      ? []
      : { name, of: (row: ObjectLiteral) => row[propertyName] };
  });
  const values = rows.map((row) => written.map(({ of }) => of(row)));
  const statement = sql`INSERT INTO ${raw(connection.driver.escape(tablePath))} (${join(written.map(({ name }) => name))})
      VALUES ${bulk(values)}`;
  const result = await executeStatement<number | ResultSetHeader>(connection, statement, manager.queryRunner);
  // SQLite's driver returns the id itself.
  return typeof result === 'object' ? result.insertId : Number(result);
}
