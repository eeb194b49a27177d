import cluster from 'node:cluster';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import sql from 'sql-template-tag';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { Database } from '../../database/database.js';

/** Warns at start if events exist but the calendar's tables are empty, so that lists would be empty. */
@Injectable()
export class MissingDatesWarning implements OnApplicationBootstrap {
  constructor(private readonly database: Database) {}

  async onApplicationBootstrap(): Promise<void> {
    // Only the primary process warns.
    if (cluster.isWorker || !(await this.isEmpty())) return;
    new Logger('Almanac').warn(
      'There are events, but the table of their dates is empty: lists will show none. ' +
        'The plugin\'s migration to custom tables was not done: run "almanac doctor".',
    );
  }

  private async isEmpty(): Promise<boolean> {
    const rows = await this.database.query(
      sql`SELECT 1 FROM ${this.database.table('posts')} WHERE post_type = ${EVENT_POST_TYPE} AND post_status <> 'auto-draft'
          AND NOT EXISTS (SELECT 1 FROM ${this.database.table('tec_occurrences')}) LIMIT 1`,
    );
    return rows.length > 0;
  }
}
