import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { WorkerMetrics } from '../../src/cluster/workers.js';

/** What a worker counts. */
function counting() {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({ name: 'requests', help: 'h', labelNames: ['route'], registers });
  const seconds = new Histogram({ name: 'seconds', help: 'h', buckets: [1, 2], registers });
  const busy = new Gauge({ name: 'busy', help: 'h', registers });
  return { registry, requests, seconds, busy };
}

describe('metrics of workers', () => {
  it('are summed, and never decrease when workers end or do not respond', async () => {
    const counts = new WorkerMetrics<string>();
    const [one, two, three] = [counting(), counting(), counting()];
    for (const [name, worker] of Object.entries({ one, two })) {
      worker.requests.inc({ route: 'a' }, 5);
      worker.seconds.observe(1.5);
      worker.busy.set(3);
      counts.note(name, await worker.registry.getMetricsAsJSON());
    }
    const lines = async () => (await counts.text()).split('\n');
    expect(await lines()).toEqual(
      expect.arrayContaining(['requests{route="a"} 10', 'seconds_count 2', 'busy 6']),
    );
    counts.end('one');
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'requests{route="a"} 10',
        'seconds_bucket{le="2"} 2',
        'seconds_sum 3',
        'busy 3',
      ]),
    );
    counts.end('two');
    three.requests.inc({ route: 'a' }, 1);
    counts.note('three', await three.registry.getMetricsAsJSON());
    counts.end('nobody');
    expect(await lines()).toEqual(
      expect.arrayContaining(['requests{route="a"} 11', 'seconds_count 2', 'busy 0']),
    );
  });
});
