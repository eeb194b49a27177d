import { Injectable } from '@nestjs/common';
import type { PoolConnection } from 'mysql2';
import { raw, type Sql } from 'sql-template-tag';
import { DataSource, type EntityManager, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { canUseReplica, throwIfAborted } from '../common/context/abort.js';
import { timed } from '../observability/logging/current-request.js';
import { executeStatement } from './execute-statement.js';
import { type Dialect, dialectOf, quoted, withinLimits } from './dialect.js';
import { Replicas } from './replicas.js';
import { type Network, SiteNaming, tableName } from './site-naming.js';

/** Runs hand-written reads: a prefix-aware table name and a parameterised statement, nothing more. */
@Injectable()
export class Database {
  readonly dialect: Dialect;
  /** The site's table prefix, which is part of some option and meta names too. */
  readonly tablePrefix: string;
  /** The network that the site belongs to, if it does. */
  readonly network?: Network;

  constructor(
    readonly source: DataSource,
    private readonly replicas: Replicas,
  ) {
    this.dialect = dialectOf(source);
    this.tablePrefix = source.options.entityPrefix ?? '';
    const { namingStrategy } = source;
    if (namingStrategy instanceof SiteNaming) this.network = namingStrategy.network;
  }

  /** The full name of a table such as `posts`; those of users may be other sites' too. */
  nameOf(name: string): string {
    return tableName(this.source, name);
  }

  /** The quoted, full name of a table such as `posts`, to be spliced into a statement. */
  table(name: string): Sql {
    return raw(quoted(this.dialect, this.nameOf(name)));
  }

  /** A quoted column name or alias, for names that are words of SQL. */
  column(name: string): Sql {
    return raw(quoted(this.dialect, name));
  }

  /** The columns of an entity's table under an alias, each named after its property, without those that are left out. */
  columns(entity: EntityTarget<ObjectLiteral>, alias: string, without: readonly string[] = []): Sql {
    const columns = this.source
      .getMetadata(entity)
      .columns.filter(({ propertyName }) => !without.includes(propertyName));
    return raw(
      columns
        .map(({ databaseName, propertyName }) => `${alias}.${databaseName} AS ${propertyName}`)
        .join(', '),
    );
  }

  /** Rows of one statement; inside a transaction when its manager is given, else of a read replica where that may be asked. */
  async query<Row>(asked: Sql, manager: EntityManager = this.source.manager): Promise<Row[]> {
    const statement = withinLimits(this.dialect, asked);
    return timed('db', () => this.ask<Row>(statement, manager));
  }

  /**
   * What is read by several statements, all of one moment: of what others change in several tables at once nothing is half there. On
   * SQLite, where all share one connection, each is of its own. It may be begun again.
   */
  async readSnapshot<T>(read: (manager?: EntityManager) => Promise<T>): Promise<T> {
    if (this.dialect === 'sqlite') return read();
    throwIfAborted();
    const moment = (source: DataSource) => momentOf(source, read);
    return canUseReplica() ? this.replicas.read(moment) : moment(this.source);
  }

  private ask<Row>(statement: Sql, manager: EntityManager): Promise<Row[]> {
    if (manager === this.source.manager) {
      throwIfAborted();
      if (canUseReplica()) return this.replicas.query(statement.sql, statement.values);
    }
    return executeStatement(this.source, statement, manager.queryRunner);
  }
}

/** Not by TypeORM's own `transaction`: where a rollback fails, whoever gets the connection next would see that moment. */
async function momentOf<T>(source: DataSource, read: (manager: EntityManager) => Promise<T>): Promise<T> {
  const runner = source.createQueryRunner();
  const connection: Partial<PoolConnection> = await runner.connect();
  try {
    await runner.startTransaction('REPEATABLE READ');
    const result = await read(runner.manager);
    await runner.commitTransaction();
    return result;
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => connection.destroy?.());
    throw error;
  } finally {
    await runner.release();
  }
}
