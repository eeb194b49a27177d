import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Pool } from 'mysql2';
import { DataSource } from 'typeorm';
import { Metrics } from '../observability/metrics/metrics.service.js';

/** Internals of mysql2's pool, which has no public counters. */
interface PoolState extends Pool {
  _allConnections?: { length: number };
  _freeConnections?: { length: number };
  _connectionQueue?: { length: number };
}

/** Metrics of MySQL connections and of the waits for them. */
@Injectable()
export class PoolMetrics implements OnModuleInit {
  constructor(
    private readonly source: DataSource,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { pool } = this.source.driver as { pool?: PoolState };
    if (!this.metrics.isOn || this.source.options.type !== 'mysql' || !pool) return;
    const sizeOf = (list: { length: number } | undefined) => list?.length ?? 0;
    const open = () => sizeOf(pool._allConnections);
    const idle = () => sizeOf(pool._freeConnections);
    const waiting = () => sizeOf(pool._connectionQueue);
    const most = this.source.options.poolSize ?? 0;
    this.metrics.gauge('almanac_database_connections_used', 'Connections that work.', () => open() - idle());
    this.metrics.gauge('almanac_database_connections_idle', 'Connections that wait for work.', idle);
    this.metrics.gauge('almanac_database_connections_max', 'Connections that may be open.', () => most);
    this.metrics.gauge('almanac_database_waiting', 'Work that waits for a connection.', waiting);
    const waits = this.metrics.seconds('almanac_database_wait_seconds', 'Time until there was a connection.');
    const take = pool.getConnection.bind(pool);
    pool.getConnection = (done) => {
      const start = performance.now();
      take((error, connection) => {
        waits.observe((performance.now() - start) / 1000);
        done(error, connection);
      });
    };
  }
}
