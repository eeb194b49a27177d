import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { readDocument } from '../support/doc-blocks.js';

const read = (name: string) => readFileSync(join(__dirname, '..', '..', 'deploy', name), 'utf8');
const alerts = load(read('prometheus-alerts.yaml')) as {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
};
const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
  panels: { id: number; title: string; targets: { expr: string }[] }[];
};
const rules = alerts.groups.flatMap((group) => group.rules);

/** The metrics of the table in docs/operating.md, with the shortened names of its row of connections. */
function documentedMetrics(): Set<string> {
  const rows = readDocument('docs/operating.md')
    .split('\n')
    .filter((line) => line.startsWith('| `almanac_'));
  const names = rows.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([\w…]+)`/g)].map(([, name = '']) => name),
  );
  return new Set(names.map((name) => name.replace('…', 'almanac_database_connections')));
}

/** Names of Almanac's own metrics in an expression; series of a histogram count as it. */
const metricsIn = (text: string) =>
  [...text.matchAll(/\balmanac_\w+/g)].map(([name]) => name.replace(/_(?:bucket|count|sum)$/, ''));

it('the alert rules and the dashboard name documented metrics only', () => {
  const documented = documentedMetrics();
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  const named = expressions.flatMap(metricsIn);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !documented.has(name))).toEqual([]);
});

it('the dashboard shows every documented metric', () => {
  const displayed = new Set(
    dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))),
  );
  expect([...documentedMetrics()].filter((name) => !displayed.has(name))).toEqual([]);
});

it('docs/maintenance.md explains each alert', () => {
  const text = readDocument('docs/maintenance.md');
  expect(rules.length).toBeGreaterThan(5);
  expect(rules.filter(({ alert }) => !text.includes(`| \`${alert}\` |`))).toEqual([]);
});
