import { Injectable } from '@nestjs/common';
import { Metrics } from '../observability/metrics/metrics.service.js';

/** Counters of this process's schedule since its start. */
@Injectable()
export class ScheduleCounts {
  runs = 0;
  published = 0;
  /** Records deleted from the trash. */
  removed = 0;
  /** Failed records and runs. */
  failures = 0;

  constructor(metrics: Metrics) {
    const help = 'What was done by the schedule: runs, records published and removed, failures.';
    metrics.counter('almanac_jobs_total', help, 'job', () => {
      const { runs, published, removed, failures } = this;
      return { runs, published, removed, failures };
    });
  }
}
