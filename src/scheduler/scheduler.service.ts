import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Environment } from '../config/env.js';
import { isReadOnlyException } from '../database/database-errors.js';
import { firstLine } from '../common/errors/first-line.js';
import { Clock } from '../common/clock.js';
import { ScheduleCounts } from './schedule-counts.js';
import { ScheduleRun } from './schedule-run.service.js';

/** Between two runs, in milliseconds; shorter where something is due before, or where more waits. */
const PERIOD = 30_000;
const PAUSE = 5_000;
/** The same where nothing may be written: rights change. */
const READ_ONLY_PERIOD = 600_000;
/** How far apart processes that wake for the same record begin, in milliseconds: mostly one finds something to do. */
const APART = 2_000;

/** Runs the schedule now and then, unless `SCHEDULER` is off. */
@Injectable()
export class Scheduler implements OnApplicationBootstrap, OnModuleDestroy {
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  /** What was said last of runs that failed: the same is not said again. */
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

  /** A record that is being written is finished. */
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

  /** One run; how long to wait for the next one, in milliseconds. */
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
