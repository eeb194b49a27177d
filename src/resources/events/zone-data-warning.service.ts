import cluster from 'node:cluster';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Environment } from '../../config/env.js';
import { Database } from '../../database/database.js';
import {
  isSystemNewer,
  zoneDataAdvice,
  zoneDataAround,
  zoneDataName,
} from '../../wordpress/use-zone-data.js';
import { type ObservedDates, ZoneEvidence } from './zone-evidence.js';

/** Number of latest events, which are most likely in the future. */
const SAMPLE_SIZE = 500;

/** Warns at start if the system's time zone data are newer or stored times contradict the data in use (R22). */
@Injectable()
export class ZoneDataWarning implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly env: Environment,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // Only the primary process warns.
    if (cluster.isWorker) return;
    const around = zoneDataAround(this.env);
    const { ours, system } = around;
    const evidence = new ZoneEvidence(ours, system);
    const rows = await this.database.query<ObservedDates & { id: number }>(
      sql`SELECT post_id AS id, start_date AS ${this.database.column('start')}, end_date AS ${this.database.column('end')},
          start_date_utc AS startUtc, end_date_utc AS endUtc, timezone
          FROM ${this.database.table('tec_events')} ORDER BY event_id DESC LIMIT ${SAMPLE_SIZE}`,
    );
    for (const { id, ...dates } of rows) evidence.add(id, dates);
    const found = evidence.found();
    const zones = [...new Set(found.values())].slice(0, 5).join(', ');
    const said = [
      ...(isSystemNewer(around) && system ? [`this system has ${zoneDataName(system)}`] : []),
      ...(found.size > 0
        ? [`${found.size} of the latest ${rows.length} events follow other data (${zones})`]
        : []),
    ];
    if (said.length > 0)
      new Logger('Almanac').warn(
        `The time zone data in use are ${zoneDataName(ours)}, but ${said.join(', and ')}. ${zoneDataAdvice(around)}`,
      );
  }
}
