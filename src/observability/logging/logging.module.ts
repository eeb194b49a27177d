import {
  type BeforeApplicationShutdown,
  Global,
  Injectable,
  Logger,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Log } from './log.js';

/** Says that the application ends, and has the log written before it does. */
@Injectable()
export class LogShutdown implements BeforeApplicationShutdown, OnApplicationShutdown {
  /** Where the log goes, if that is our own. */
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

/** The end of the log. */
@Global()
@Module({ providers: [LogShutdown], exports: [LogShutdown] })
export class LoggingModule {}
