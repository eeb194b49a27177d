import { Injectable } from '@nestjs/common';
import { Metrics } from '../observability/metrics/metrics.service.js';

/** What this process has done by its schedule since it started. */
@Injectable()
export class ScheduleCounts {
  runs = 0;
  published = 0;
  /** Records of the trash that were deleted for good. */
  removed = 0;
  /** Records that could not be published or deleted, and runs that came to nothing. */
  failures = 0;

  constructor(metrics: Metrics) {
    const help = 'What was done by the schedule: runs, records published and removed, failures.';
    metrics.counter('almanac_jobs_total', help, 'job', () => {
      const { runs, published, removed, failures } = this;
      return { runs, published, removed, failures };
    });
  }
}
