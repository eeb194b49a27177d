import sql, { join, raw } from 'sql-template-tag';
import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { executeStatement } from './execute-statement.js';

/** Updates columns of a row by id; TypeORM's `update` does not report truncated values. */
export async function updateRow<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  id: number,
  values: { [Name in keyof Row]?: Row[Name] },
): Promise<void> {
  const { connection } = manager;
  const { tablePath, columns, primaryColumns } = connection.getMetadata(entity);
  const quoted = (name = '') => raw(connection.driver.escape(name));
  const changes = columns.flatMap(({ propertyName, databaseName }) =>
    values[propertyName] === undefined ? [] : [sql`${quoted(databaseName)} = ${values[propertyName]}`],
  );
  if (changes.length === 0) return;
  const statement = sql`UPDATE ${quoted(tablePath)} SET ${join(changes)}
      WHERE ${quoted(primaryColumns[0]?.databaseName)} = ${id}`;
  await executeStatement(connection, statement, manager.queryRunner);
}
