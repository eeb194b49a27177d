import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import sql, { raw, type Sql } from 'sql-template-tag';
import { firstLine } from '../common/errors/first-line.js';
import { Database } from './database.js';
import { withRunner } from './with-runner.js';

/** How long a lease is valid without a renewal, in seconds. */
const VALID_SECONDS = 30;
/** How often a held lease is renewed, and how often another process tries to take it, in milliseconds. */
const RENEW_MS = 10_000;
const RETRY_MS = 5_000;

/**
 * Work that one process of all does at a time. A lease is a row of the options table, `almanac_lease_<name>`, with its
 * expiry by the database's clock and its holder. It is taken over once it has expired. The holder may lose it and learn of
 * that late, so its work must be harmless when done twice.
 */
@Injectable()
export class Lease {
  private readonly holder = randomUUID();
  private readonly logger = new Logger('Lease');

  constructor(private readonly database: Database) {}

  /**
   * Runs work whenever this process holds the lease, until `signal` aborts; resolves when the work has ended and the lease is
   * released. The signal of the work also aborts when the lease is lost. Work that ends early is not run again; an error
   * of it is thrown.
   */
  async run(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const option = `almanac_lease_${name}`;
    while (!signal.aborted) {
      if (!(await this.take(option))) {
        await sleep(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
        continue;
      }
      const lost = new AbortController();
      let renewed = Promise.resolve();
      const renewal = setInterval(() => {
        renewed = renewed.then(() => this.renew(option, lost));
      }, RENEW_MS).unref();
      try {
        await work(AbortSignal.any([signal, lost.signal]));
        if (!lost.signal.aborted) return;
      } finally {
        clearInterval(renewal);
        // A renewal that is running would add the row again.
        await renewed;
        await this.release(option);
      }
    }
  }

  private async renew(option: string, lost: AbortController): Promise<void> {
    if (!(await this.take(option))) lost.abort();
  }

  /** Takes a free or expired lease, or renews the own one; false while another process holds it. */
  private async take(option: string): Promise<boolean> {
    // The only process needs no row: on SQLite each write of one would invalidate all caches.
    if (this.database.dialect === 'sqlite' && !cluster.isWorker) return true;
    const options = this.database.table('options');
    const now = raw(
      this.database.dialect === 'mysql' ? 'UNIX_TIMESTAMP()' : "CAST(strftime('%s', 'now') AS INTEGER)",
    );
    const value = sql`CONCAT(${now} + ${VALID_SECONDS}, ' ', ${this.holder})`;
    const isMine = sql`SUBSTR(option_value, 12) = ${this.holder}`;
    try {
      const taken = await this.write(
        sql`UPDATE ${options} SET option_value = ${value} WHERE option_name = ${option}
            AND (${isMine} OR SUBSTR(option_value, 1, 10) < CONCAT(${now}, ''))`,
      );
      if (taken > 0) return true;
      // A row that was renewed within one second counts as unchanged.
      const rows = await this.database.query<{ isMine: number }>(
        sql`SELECT ${isMine} AS isMine FROM ${options} WHERE option_name = ${option}`,
      );
      if (rows[0]) return Number(rows[0].isMine) === 1;
      const ignore = raw(this.database.dialect === 'mysql' ? 'IGNORE' : 'OR IGNORE');
      const added = sql`INSERT ${ignore} INTO ${options} (option_name, option_value, autoload)
          VALUES (${option}, ${value}, 'off')`;
      return (await this.write(added)) > 0;
    } catch (error) {
      // Another node of a cluster was faster, or the database is not available.
      this.logger.debug(`${option} was not taken: ${firstLine(error)}`);
      return false;
    }
  }

  private async release(option: string): Promise<void> {
    if (this.database.dialect === 'sqlite' && !cluster.isWorker) return;
    const mine = sql`DELETE FROM ${this.database.table('options')}
        WHERE option_name = ${option} AND SUBSTR(option_value, 12) = ${this.holder}`;
    await this.write(mine).catch(() => undefined);
  }

  private write({ sql: text, values }: Sql): Promise<number> {
    return withRunner(this.database.source, async (runner) => {
      const { affected } = await runner.query(text, values, true);
      return affected ?? 0;
    });
  }
}
