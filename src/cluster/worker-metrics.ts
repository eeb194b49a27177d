import { AggregatorRegistry, type MetricObject } from 'prom-client';

/**
 * What workers have counted, added up. One that has ended, or is too busy to say, counts as it did last: a sum that became less
 * would be taken for a start from nothing, and all of it counted again.
 */
export class WorkerMetrics<Worker> {
  private readonly said = new Map<Worker, MetricObject[]>();
  private ofEnded: Promise<MetricObject[]> = Promise.resolve([]);

  note(worker: Worker, counted: MetricObject[]): void {
    this.said.set(worker, counted);
  }

  /** Of a worker that has ended only what grows stays. */
  end(worker: Worker): void {
    const grown = (this.said.get(worker) ?? []).filter(({ type }) =>
      /^(counter|histogram)$/.test(String(type)),
    );
    this.said.delete(worker);
    this.ofEnded = this.ofEnded.then((before) => aggregated([before, grown]).getMetricsAsJSON());
  }

  /** As Prometheus reads it. */
  async text(): Promise<string> {
    return aggregated([await this.ofEnded, ...this.said.values()]).metrics();
  }
}

const aggregated = (all: MetricObject[][]) => AggregatorRegistry.aggregate(all);
