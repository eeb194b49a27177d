import { Injectable } from '@nestjs/common';
import { type HealthIndicatorFunction, HealthIndicatorService } from '@nestjs/terminus';
import sql from 'sql-template-tag';
import { runDetached } from '../common/context/abort.js';
import { Database } from '../database/database.js';
import { isOwnMigration } from '../database/own-migrations.js';
import { PluginMigrations } from '../database/plugin-migrations.js';
import { Replicas } from '../database/replicas.js';

/** Timeout and cache lifetime of a check in milliseconds: probes must not load the database. */
const TIMEOUT_MS = 2000;
const COUNTS_FOR = 1000;

/** Checks what requests need, without revealing addresses, versions or database messages. */
@Injectable()
export class Readiness {
  private hasMigrated = false;

  constructor(
    private readonly indicator: HealthIndicatorService,
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly migrations: PluginMigrations,
  ) {}

  /** The checks: database, tables of plugins, and replicas if there are any. */
  indicators(): HealthIndicatorFunction[] {
    const looks = [
      this.look('database', async () => {
        await this.database.query(sql`SELECT 1`);
      }),
      this.look('migrations', () => this.checkMigrations()),
    ];
    return this.replicas.isEmpty ? looks : [...looks, () => this.replica()];
  }

  private look(name: string, work: () => Promise<void>): HealthIndicatorFunction {
    const quietly = () =>
      runDetached(work).catch((error: unknown) => {
        throw error instanceof NotReady ? error : new NotReady('does not answer');
      });
    return async () =>
      this.indicator.check(name).attempt(quietly).withTimeout(TIMEOUT_MS).cacheFor(COUNTS_FOR);
  }

  private async checkMigrations(): Promise<void> {
    // Completed migrations stay completed. Almanac works without its own optional tables.
    this.hasMigrated ||= (await this.migrations.pending()).every(isOwnMigration);
    if (!this.hasMigrated) throw new NotReady('some have not run: almanac migrate');
  }

  /** A failing replica is not fatal: the primary serves reads. */
  private replica() {
    const session = this.indicator.check('replica');
    return this.replicas.isRead
      ? session.up()
      : session.degraded('none is close behind; the primary is read');
  }
}

/** The reason in public words. */
class NotReady extends Error {}
