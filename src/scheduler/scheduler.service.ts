import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { firstLine } from '../common/errors/first-line.js';
import { Environment } from '../config/env.js';
import { isReadOnlyException } from '../database/database-errors.js';
import { ScheduleCounts } from './schedule-counts.js';
import { ScheduleRun } from './schedule-run.service.js';

/** Milliseconds between runs; less if records are due earlier or more are waiting. */
const PERIOD_MS = 30_000;
const PAUSE = 5_000;
/** The interval while the database is read-only: rights may change. */
const READ_ONLY_PERIOD = 600_000;
/** Spread of processes that wake for the same record, in milliseconds, so that mostly one finds work. */
const SPREAD_MS = 2_000;

/** Runs the schedule periodically, unless `SCHEDULER` is off. */
@Injectable()
export class Scheduler implements OnApplicationBootstrap, OnModuleDestroy {
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  /** The last logged failure, which is not repeated. */
  private lastFailure = '';
  private readonly logger = new Logger('Schedule');

  constructor(
    private readonly env: Environment,
    private readonly run: ScheduleRun,
    private readonly counts: ScheduleCounts,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    if (this.env.scheduler === 'on' && !this.env.readOnly) this.wait((PERIOD_MS / 2) * (1 + Math.random()));
  }

  /** Waits for the record being written. */
  async onModuleDestroy(): Promise<void> {
    this.run.stop();
    await this.running;
    clearTimeout(this.timer);
  }

  private wait(milliseconds: number): void {
    this.timer = setTimeout(() => {
      this.running = this.runOnce().then((next) => this.wait(next));
    }, milliseconds);
    this.timer.unref();
  }

  /** Runs once and returns the milliseconds until the next run. */
  async runOnce(): Promise<number> {
    try {
      const { hasMore, nextAt } = await this.run.once(PERIOD_MS);
      this.lastFailure = '';
      if (hasMore) return PAUSE;
      const due = nextAt === undefined ? PERIOD_MS : Math.max(0, nextAt - this.clock.now());
      return Math.min(due, PERIOD_MS) + Math.random() * SPREAD_MS;
    } catch (error) {
      this.counts.failures += 1;
      const isReadOnly = isReadOnlyException(error);
      this.logFailure(
        isReadOnly
          ? 'The database may only be read: scheduled records are not published here, and the trash is not emptied. Set SCHEDULER=off if that is intended.'
          : `Scheduled records could not be published: ${firstLine(error)}`,
      );
      return isReadOnly ? READ_ONLY_PERIOD : PERIOD_MS;
    }
  }

  private logFailure(what: string): void {
    if (what !== this.lastFailure) this.logger.warn(what);
    this.lastFailure = what;
  }
}
