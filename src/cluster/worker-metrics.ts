import { AggregatorRegistry, type MetricObject } from 'prom-client';

/**
 * Adds up the metrics of workers. A worker that has exited or does not reply counts with its last values, as Prometheus
 * takes a decreasing sum for a restart.
 */
export class WorkerMetrics<Worker> {
  private readonly latest = new Map<Worker, MetricObject[]>();
  private ofEnded: Promise<MetricObject[]> = Promise.resolve([]);

  note(worker: Worker, counted: MetricObject[]): void {
    this.latest.set(worker, counted);
  }

  /** Keeps only the counters and histograms of a worker that has exited. */
  end(worker: Worker): void {
    const grown = (this.latest.get(worker) ?? []).filter(({ type }) =>
      /^(counter|histogram)$/.test(String(type)),
    );
    this.latest.delete(worker);
    this.ofEnded = this.ofEnded.then((before) => aggregated([before, grown]).getMetricsAsJSON());
  }

  /** The sum in Prometheus's text format. */
  async text(): Promise<string> {
    return aggregated([await this.ofEnded, ...this.latest.values()]).metrics();
  }
}

const aggregated = (all: MetricObject[][]) => AggregatorRegistry.aggregate(all);
