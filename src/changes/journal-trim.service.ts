import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Clock } from '../common/clock.js';
import { Environment } from '../config/env.js';
import { Database } from '../database/database.js';
import { Transactions } from '../database/transactions.js';

const DAY_MS = 86_400_000;
/** How often old entries are looked for, in milliseconds. */
const PERIOD_MS = 3_600_000;
/** Entries that one transaction deletes. */
const STEP = 5000;

/** Deletes entries that are older than `CHANGES_DAYS`; the last one stays, as numbers continue from it. */
@Injectable()
export class JournalTrim {
  private nextAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly env: Environment,
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Deletes some old entries, at once where more are left, else once an hour. */
  async run(): Promise<void> {
    if (performance.now() < this.nextAt) return;
    const changes = this.database.table('almanac_changes');
    const since = this.clock.now() - this.env.changesDays * DAY_MS;
    const [old] = await this.database.query<{ last: number | null; count: number }>(
      sql`SELECT MAX(o.seq) AS last, COUNT(*) AS count
          FROM (SELECT seq, changed_at FROM ${changes} ORDER BY seq LIMIT ${STEP}) o
          WHERE o.changed_at < ${since} AND o.seq < (SELECT MAX(seq) FROM ${changes})`,
    );
    const count = Number(old?.count ?? 0);
    if (count > 0)
      await this.transactions.run(async (transaction) => {
        transaction.keepsCaches = true;
        await this.database.query(
          sql`DELETE FROM ${changes} WHERE seq <= ${Number(old?.last)}`,
          transaction.manager,
        );
      });
    if (count < STEP) this.nextAt = performance.now() + PERIOD_MS;
  }
}
