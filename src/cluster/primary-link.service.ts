import cluster from 'node:cluster';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Attempt } from '../auth/rate-limiter.js';
import { Environment } from '../config/env.js';
import { TableVersions } from '../database/table-versions.service.js';
import { Metrics } from '../observability/metrics/metrics.service.js';
import { ProcessChannel } from './process-channel.js';

/** How long a worker waits for the primary process, in milliseconds. */
const PATIENCE = 300;

/** What a worker has with the others of its machine, over the primary process; nothing where there is one process only. */
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
    this.changes.onCommit(async () => void (await line.ask({ ask: 'forget' }, PATIENCE)));
  }

  /** An attempt to sign in, counted for all workers; undefined when nobody counts. */
  async begin(key: string): Promise<Attempt | undefined> {
    const counted = await this.line?.ask<CountedAttempt>({ ask: 'begin', key }, PATIENCE);
    if (!counted) return undefined;
    const { secondsToWait, attempt } = counted;
    return {
      secondsToWait,
      forgive: async () => void (await this.line?.ask({ ask: 'forgive', attempt }, PATIENCE)),
    };
  }
}

/** What the primary process replies to `begin`. */
export interface CountedAttempt {
  secondsToWait: number;
  /** Names it when it is forgiven. */
  attempt: number;
}
