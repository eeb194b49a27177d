import { readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Server } from 'node:http';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../../config/env.js';

/** Descriptors for files, threads and lookups, beside those for the database. */
const RESERVE = 24;
const MIN_CONNECTIONS = 8;
/** Interval of checking that a file can be opened, in milliseconds. */
const CHECK_INTERVAL = 2_000;
/** Time without rejected connections after which the shortage is over, and between two errors in the log, in milliseconds. */
const QUIET = 60_000;

/**
 * Reserves descriptors for the database and for files, however many connections there are, and logs a shortage, in which the
 * system silently rejects connections.
 */
@Injectable()
export class Descriptors implements OnApplicationShutdown {
  private server?: Server;
  private timer?: NodeJS.Timeout;
  /** The limit of the process; unknown on other systems than Linux. */
  private limit?: number;
  private rejected = 0;
  /** When a connection was last rejected, and when that was last logged, by `performance.now()`. */
  private rejectedAt = Number.NEGATIVE_INFINITY;
  private loggedAt = Number.NEGATIVE_INFINITY;
  private isShort = false;
  private readonly logger = new Logger('Connections');

  constructor(private readonly env: Environment) {}

  watch(server: Server): void {
    this.server = server;
    server.on('listening', () => {
      this.limit = descriptorLimit();
      if (this.limit !== undefined) server.maxConnections = this.maxConnections(this.limit);
      this.timer ??= setInterval(() => void this.check(), CHECK_INTERVAL).unref();
    });
    server.on('drop', () => {
      this.rejected += 1;
      this.handleShortage();
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private maxConnections(limit: number): number {
    const { poolSize, replicaUrls } = this.env;
    const own = poolSize * (1 + replicaUrls.length) + RESERVE;
    return Math.max(MIN_CONNECTIONS, limit - readdirSync('/proc/self/fd').length - own);
  }

  private async check(): Promise<void> {
    try {
      await (await open('/dev/null')).close();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EMFILE' || code === 'ENFILE') this.handleShortage();
      return;
    }
    if (!this.isShort || performance.now() - this.rejectedAt < QUIET) return;
    this.isShort = false;
    this.logger.log('New connections get file descriptors again.');
  }

  /** Closes idle connections and logs the shortage, at most once a minute. */
  private handleShortage(): void {
    const now = performance.now();
    this.rejectedAt = now;
    this.server?.closeIdleConnections();
    if (now - this.loggedAt < QUIET) return;
    this.loggedAt = now;
    this.isShort = true;
    const limit = this.limit === undefined ? '' : `, the process may have ${this.limit}`;
    this.logger.error(
      `No file descriptors are left for new connections (EMFILE${limit}); ${this.rejected} were rejected so far. Raise the limit: ulimit -n, LimitNOFILE.`,
    );
  }
}

/** The soft limit of this process on Linux. */
function descriptorLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
