import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Environment } from '../config/env.js';
import { dataSourceOptions } from './data-source-options.js';
import { Database } from './database.js';
import { Lease } from './lease.service.js';
import { openSite } from './open-site.js';
import { ownMigrations } from './own-migrations.js';
import { type Migrations, PluginMigrations } from './plugin-migrations.js';
import { PoolMetrics } from './pool-metrics.js';
import { Replicas } from './replicas.js';
import { TableVersions } from './table-versions.service.js';
import { Transactions } from './transactions.js';

/** The database connection; its entities are those of `TypeOrmModule.forFeature`. */
@Module({})
export class DatabaseModule {
  static forRoot(env: Environment, migrations: Migrations, migrateBy: string): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ ...dataSourceOptions(env), autoLoadEntities: true, retryAttempts: 1 }),
          dataSourceFactory: (options) => openSite(options as DataSourceOptions, env),
        }),
      ],
      providers: [
        Database,
        Lease,
        Replicas,
        TableVersions,
        Transactions,
        PoolMetrics,
        {
          provide: PluginMigrations,
          inject: [DataSource],
          useFactory: (source: DataSource) =>
            new PluginMigrations(source, [...ownMigrations(env), ...migrations], migrateBy),
        },
      ],
      exports: [Database, Lease, Replicas, TableVersions, Transactions, PluginMigrations],
    };
  }
}
