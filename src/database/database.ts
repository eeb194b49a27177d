import { Injectable } from '@nestjs/common';
import { raw, type Sql } from 'sql-template-tag';
import { DataSource, type EntityManager, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { canUseReplica, throwIfAborted } from '../common/context/abort.js';
import { timed } from '../observability/logging/timings.js';
import { type Dialect, dialectOf, quoted, withinLimits } from './dialect.js';
import { executeStatement, type StatementOptions } from './execute-statement.js';
import { Replicas } from './replicas.js';
import { type Network, SiteNaming, tableName } from './site-naming.js';
import { withRunner } from './with-runner.js';

/** Executes hand-written reads with prefixed table names and parameters. */
@Injectable()
export class Database {
  readonly dialect: Dialect;
  /** The site's table prefix, also part of some option and meta names. */
  readonly tablePrefix: string;
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

  /** The full name of a table such as `posts`. */
  nameOf(name: string): string {
    return tableName(this.source, name);
  }

  /** The quoted full name of a table such as `posts`, for a statement. */
  table(name: string): Sql {
    return raw(quoted(this.dialect, this.nameOf(name)));
  }

  /** A quoted column name or alias, for names that are SQL keywords. */
  column(name: string): Sql {
    return raw(quoted(this.dialect, name));
  }

  /** The columns of an entity's table under an alias, each as its property, except `without`. */
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

  /** Reads rows: in the transaction of the manager if given, else from a read replica where allowed. */
  async query<Row>(
    sql: Sql,
    manager: EntityManager = this.source.manager,
    options?: StatementOptions,
  ): Promise<Row[]> {
    const statement = withinLimits(this.dialect, sql);
    return timed('db', () => this.execute<Row>(statement, manager, options));
  }

  /**
   * Reads by several statements in one consistent snapshot; on SQLite, with its single connection, each statement has its
   * own. `read` may be called again on another server.
   */
  async readSnapshot<T>(read: (manager?: EntityManager) => Promise<T>): Promise<T> {
    if (this.dialect === 'sqlite') return read();
    throwIfAborted();
    const readFrom = (source: DataSource) =>
      withRunner(source, async (runner) => {
        await runner.startTransaction('REPEATABLE READ');
        const result = await read(runner.manager);
        await runner.commitTransaction();
        return result;
      });
    return canUseReplica() ? this.replicas.read(readFrom) : readFrom(this.source);
  }

  private execute<Row>(statement: Sql, manager: EntityManager, options?: StatementOptions): Promise<Row[]> {
    if (manager === this.source.manager) {
      throwIfAborted();
      if (canUseReplica()) return this.replicas.query(statement.sql, statement.values);
    }
    return executeStatement(this.source, statement, manager.queryRunner, options);
  }
}
