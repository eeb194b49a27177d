import {
  type BeforeApplicationShutdown,
  Global,
  Injectable,
  Logger,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Log } from './logging/log.js';
import { Metrics } from './metrics/metrics.service.js';
import { MetricsListener } from './metrics/metrics-server.js';

@Injectable()
export class LogShutdown implements BeforeApplicationShutdown, OnApplicationShutdown {
  /** The log to flush; undefined with another logger. */
  log?: Log;
  private readonly logger = new Logger('Almanac');

  beforeApplicationShutdown(signal?: string): void {
    if (signal) this.logger.log(`Ending (${signal}).`);
  }

  async onApplicationShutdown(signal?: string): Promise<void> {
    if (signal) this.logger.log('Ended.');
    await this.log?.end();
  }
}

/** The end of the log, and the metrics. */
@Global()
@Module({ providers: [LogShutdown, Metrics, MetricsListener], exports: [LogShutdown, Metrics] })
export class ObservabilityModule {}
