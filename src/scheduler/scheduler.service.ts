import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Environment } from '../config/env.js';
import { isReadOnlyException } from '../database/database-errors.js';
import { firstLine } from '../common/errors/first-line.js';
import { Clock } from '../common/clock.js';
import { ScheduleCounts } from './schedule-counts.js';
import { ScheduleRun } from './schedule-run.service.js';

/** Milliseconds between runs; less if records are due earlier or more are waiting. */
const PERIOD = 30_000;
const PAUSE = 5_000;
/** The interval while the database is read-only: rights may change. */
const READ_ONLY_PERIOD = 600_000;
/** Spread of processes that wake for the same record, in milliseconds, so that mostly one finds work. */
const APART = 2_000;

/** Runs the schedule periodically, unless `SCHEDULER` is off. */
@Injectable()
export class Scheduler implements OnApplicationBootstrap, OnModuleDestroy {
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  /** The last logged failure, which is not repeated. */
  private complaint = '';
  private readonly logger = new Logger('Schedule');

  constructor(
    private readonly env: Environment,
    private readonly run: ScheduleRun,
    private readonly counts: ScheduleCounts,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    if (this.env.scheduler === 'on' && !this.env.readOnly) this.wait((PERIOD / 2) * (1 + Math.random()));
  }

  /** Waits for the record being written. */
  async onModuleDestroy(): Promise<void> {
    this.run.stop();
    await this.running;
    clearTimeout(this.timer);
  }

  private wait(milliseconds: number): void {
    this.timer = setTimeout(() => {
      this.running = this.turn().then((next) => this.wait(next));
    }, milliseconds);
    this.timer.unref();
  }

  /** Runs once and returns the milliseconds until the next run. */
  async turn(): Promise<number> {
    try {
      const { hasMore, nextAt } = await this.run.once(PERIOD);
      this.complaint = '';
      if (hasMore) return PAUSE;
      const due = nextAt === undefined ? PERIOD : Math.max(0, nextAt - this.clock.now());
      return Math.min(due, PERIOD) + Math.random() * APART;
    } catch (error) {
      this.counts.failures += 1;
      const isReadOnly = isReadOnlyException(error);
      this.complain(
        isReadOnly
          ? 'The database may only be read: scheduled records are not published here, and the trash is not emptied. SCHEDULER=off says that this is meant.'
          : `Scheduled records could not be published: ${firstLine(error)}`,
      );
      return isReadOnly ? READ_ONLY_PERIOD : PERIOD;
    }
  }

  private complain(what: string): void {
    if (what !== this.complaint) this.logger.warn(what);
    this.complaint = what;
  }
}
