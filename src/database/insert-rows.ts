import type { EntityManager, EntityTarget, InsertResult, ObjectLiteral, Repository } from 'typeorm';

/**
 * Inserts rows through the repository of their entity; returns the id of a single one. TypeORM's own `insert` reads each row
 * again for what the database filled in, which nobody asks for here.
 */
export async function insertRows<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  rows: Parameters<Repository<Row>['insert']>[0],
): Promise<number> {
  const insert = manager.getRepository(entity).createQueryBuilder().insert();
  const { raw }: InsertResult = await insert.values(rows).updateEntity(false).execute();
  // SQLite's driver answers with the id itself.
  return Number(raw.insertId ?? raw);
}
