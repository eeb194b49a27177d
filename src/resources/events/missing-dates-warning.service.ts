import cluster from 'node:cluster';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import sql from 'sql-template-tag';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { Database } from '../../database/database.js';

/** Warns at start of a calendar that would be empty without a word: events are there, but no table of the calendar holds them. */
@Injectable()
export class MissingDatesWarning implements OnApplicationBootstrap {
  constructor(private readonly database: Database) {}

  async onApplicationBootstrap(): Promise<void> {
    // The first process says it for all.
    if (cluster.isWorker || !(await this.isEmpty())) return;
    new Logger('Almanac').warn(
      'There are events, but the table of their dates is empty: lists will show none. ' +
        'The plugin\'s migration to custom tables was not done: run "almanac doctor".',
    );
  }

  /** Looks at one row of each table. */
  private async isEmpty(): Promise<boolean> {
    const rows = await this.database.query(
      sql`SELECT 1 FROM ${this.database.table('posts')} WHERE post_type = ${EVENT_POST_TYPE} AND post_status <> 'auto-draft'
          AND NOT EXISTS (SELECT 1 FROM ${this.database.table('tec_occurrences')}) LIMIT 1`,
    );
    return rows.length > 0;
  }
}
