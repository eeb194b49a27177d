import {
  type BeforeApplicationShutdown,
  Global,
  Injectable,
  Logger,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Log } from './log.js';

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

@Global()
@Module({ providers: [LogShutdown], exports: [LogShutdown] })
export class LoggingModule {}
