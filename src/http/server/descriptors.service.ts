import { readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Server } from 'node:http';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../../config/env.js';

/** Descriptors that are left for files, threads and lookups, beside those for the database. */
const RESERVE = 24;
/** Connections that are taken in any case. */
const FEWEST = 8;
/** How often it is looked whether a file can be opened, in milliseconds. */
const LOOK_AFTER = 2_000;
/** How long nothing must have been refused for the trouble to be over, and between two complaints, in milliseconds. */
const QUIET = 60_000;

/**
 * Leaves descriptors to the database and to files however many connections there are, and says so once where there are no more:
 * the system refuses connections then without a word to anybody.
 */
@Injectable()
export class Descriptors implements OnApplicationShutdown {
  private server?: Server;
  private timer?: NodeJS.Timeout;
  /** How many a process may have; unknown on other systems than Linux. */
  private limit?: number;
  private refused = 0;
  /** When something was last refused, and when that was last said, by `performance.now()`. */
  private refusedAt = Number.NEGATIVE_INFINITY;
  private saidAt = Number.NEGATIVE_INFINITY;
  private isTrouble = false;
  private readonly logger = new Logger('Connections');

  constructor(private readonly env: Environment) {}

  /** Watches a server from when it listens on. */
  watch(server: Server): void {
    this.server = server;
    server.on('listening', () => {
      this.limit = descriptorLimit();
      if (this.limit !== undefined) server.maxConnections = this.mostConnections(this.limit);
      this.timer ??= setInterval(() => void this.look(), LOOK_AFTER).unref();
    });
    server.on('drop', () => {
      this.refused += 1;
      this.complain();
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private mostConnections(limit: number): number {
    const { poolSize, replicaUrls } = this.env;
    const own = poolSize * (1 + replicaUrls.length) + RESERVE;
    return Math.max(FEWEST, limit - readdirSync('/proc/self/fd').length - own);
  }

  private async look(): Promise<void> {
    try {
      await (await open('/dev/null')).close();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EMFILE' || code === 'ENFILE') this.complain();
      return;
    }
    if (!this.isTrouble || performance.now() - this.refusedAt < QUIET) return;
    this.isTrouble = false;
    this.logger.log('There are file descriptors for new connections again.');
  }

  /** Makes room by closing connections without a request, and says what is wrong, once a minute at most. */
  private complain(): void {
    const now = performance.now();
    this.refusedAt = now;
    this.server?.closeIdleConnections();
    if (now - this.saidAt < QUIET) return;
    this.saidAt = now;
    this.isTrouble = true;
    const known = this.limit === undefined ? '' : `, the process may have ${this.limit}`;
    this.logger.error(
      `There are no file descriptors for new connections (EMFILE${known}); ${this.refused} were refused so far. Raise the limit: ulimit -n, LimitNOFILE.`,
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
