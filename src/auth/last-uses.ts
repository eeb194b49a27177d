import { Logger } from '@nestjs/common';
import { isReadOnly } from '../database/database-errors.js';

/** Stores when credentials of one kind were last used; a failure is only logged. */
export class LastUses {
  private readonly logger = new Logger('Authentication');
  private logsReadOnly = true;

  /** `what`: the kind in the log, such as `an API key`. */
  constructor(private readonly what: string) {}

  async store(write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      // A read-only database fails on every request; it is logged once.
      if (isReadOnly(error) && !this.logsReadOnly) return;
      this.logsReadOnly = !isReadOnly(error);
      this.logger.warn(`The last use of ${this.what} was not stored: ${error}`);
    }
  }
}
