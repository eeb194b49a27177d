import cluster from 'node:cluster';
import { createServer, type Server } from 'node:http';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Registry } from 'prom-client';
import { systemErrorMessage } from '../../common/errors/system-error-message.js';
import { Environment, EnvironmentError } from '../../config/env.js';
import { Metrics } from './metrics.service.js';

/** Serves `/metrics` on a port of its own, apart from the public API; rejects with `EnvironmentError` if it cannot listen. */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  collect: () => Promise<string>,
): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    const isMetrics = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics';
    if (!isMetrics) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Only GET /metrics is served here.\n');
      return;
    }
    collect().then(
      (text) => response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      (error) => response.writeHead(500, { 'Content-Type': 'text/plain' }).end(`${error}\n`),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new EnvironmentError(
          `METRICS names ${host}:${port}, which cannot be used: ${systemErrorMessage(error)}.`,
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  return server;
}

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
