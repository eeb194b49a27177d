import cluster from 'node:cluster';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Attempt } from '../auth/rate-limiter.js';
import { Environment } from '../config/env.js';
import { TableVersions } from '../database/table-versions.service.js';
import { Metrics } from '../observability/metrics/metrics.service.js';
import { ProcessChannel } from './process-channel.js';

/** How long a worker waits for the primary, in milliseconds. */
const TIMEOUT_MS = 300;

/** Connects a worker with the others of its machine through the primary; inactive with a single process. */
@Injectable()
export class PrimaryLink implements OnModuleInit {
  private line?: ProcessChannel;

  constructor(
    private readonly env: Environment,
    private readonly changes: TableVersions,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    if (this.env.workers === 1 || !cluster.isWorker) return;
    const line = new ProcessChannel(
      process as ConstructorParameters<typeof ProcessChannel>[0],
      async ({ ask }) =>
        ask === 'metrics' ? this.metrics.registry.getMetricsAsJSON() : this.changes.invalidate(),
    );
    this.line = line;
    this.changes.onCommit(async () => void (await line.ask({ ask: 'forget' }, TIMEOUT_MS)));
  }

  /** Counts a login attempt for all workers; undefined when the primary does not reply. */
  async begin(key: string): Promise<Attempt | undefined> {
    const counted = await this.line?.ask<CountedAttempt>({ ask: 'begin', key }, TIMEOUT_MS);
    if (!counted) return undefined;
    const { secondsToWait, attempt } = counted;
    return {
      secondsToWait,
      forgive: async () => void (await this.line?.ask({ ask: 'forgive', attempt }, TIMEOUT_MS)),
    };
  }
}

/** The primary's reply to `begin`. */
export interface CountedAttempt {
  secondsToWait: number;
  /** The number of the attempt, to forgive it. */
  attempt: number;
}
