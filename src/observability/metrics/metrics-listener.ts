import cluster from 'node:cluster';
import type { Server } from 'node:http';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../../config/env.js';
import { Metrics } from './metrics.service.js';
import { serveMetrics } from './metrics-server.js';

/** Serves the metrics of a single process; those of workers are served by the primary. */
@Injectable()
export class MetricsListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private server?: Server;

  constructor(
    private readonly env: Environment,
    private readonly metrics: Metrics,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.env.metrics === null || cluster.isWorker) return;
    this.server = await serveMetrics(this.env.metrics, () => this.metrics.registry.metrics());
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
