import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, totalmem } from 'node:os';
import { judged } from './goals.mjs';
import { picture } from './picture.mjs';
import { databaseVersion } from './processes.mjs';

const COLUMNS = [
  'Work',
  'Events',
  'Almanac',
  'Floor',
  'Ratio',
  'by CPU',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'Database CPU ms',
  'Goal',
  'Ceiling',
  '',
];

/** Prints rows as they come, and keeps them. */
export class Report {
  rows = [];

  constructor(machine, options) {
    this.head = { when: new Date().toISOString(), machine, options };
    console.log(`${machineText(machine)}; ${options.rounds} rounds of ${options.seconds} s\n`);
    console.log(line(COLUMNS));
    console.log(line(COLUMNS.map(() => '---')));
  }

  add(row) {
    const full = { ...row, ...judged(row) };
    this.rows.push(full);
    console.log(line(cells(full)));
  }

  /** Writes all numbers as JSON, and the picture of them. */
  write(json, svg) {
    const results = { ...this.head, rows: this.rows };
    writeFileSync(json, `${JSON.stringify(results, rounded, 2)}\n`);
    writeFileSync(svg, picture(results));
    console.log(`\nWritten: ${json} and ${svg}`);
  }
}

/** What was measured, and on what. */
export async function machineOf() {
  return {
    cores: cpus().length,
    processor: cpus()[0].model.trim(),
    architecture: arch(),
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    kernel: readFileSync('/proc/version', 'latin1').split(' ')[2],
    node: process.versions.node,
    mariadb: await databaseVersion(),
    commit: commit(),
  };
}

/** The machine in one line. */
export const machineText = ({ cores, processor, memory, node, mariadb, commit }) =>
  `${cores} cores (${processor}) shared by server, database and client, ${memory}, Node ${node}, MariaDB ${mariadb}, ${commit}`;

function commit() {
  try {
    const git = (...args) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
    return `commit ${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '../src') ? ' and changes' : ''}`;
  } catch {
    return 'no commit';
  }
}

function cells(row) {
  const floor = row.floor === undefined ? '' : withUnit(row.floor, row.unit);
  const ratios = [row.ratio, row.cpuRatio].map((ratio) => ratio?.toFixed(2) ?? '');
  const refused = row.refused ? `, and ${row.refused} of ${row.count} answers 503` : '';
  const value = row.note ?? withUnit(row.value, row.unit) + refused;
  const numbers = [row.p50, row.p99, row.serverCpu, row.databaseCpu];
  const ceiling = row.ceiling === undefined ? '' : withUnit(row.ceiling, row.unit);
  const verdict = row.reached === undefined ? '' : row.reached ? 'yes' : 'NO';
  return [
    row.work,
    row.isSeries ? `${row.events} dates` : row.events,
    value,
    floor,
    ...ratios,
    ...numbers.map(short),
    row.goal ?? '',
    ceiling,
    verdict,
  ];
}

const withUnit = (number, unit) => short(number) + (unit === '/s' ? unit : ` ${unit}`);

/** A number with three digits that count. */
export function short(number) {
  if (number === undefined) return '';
  return number >= 100 ? Math.round(number).toLocaleString('en') : String(Number(number.toPrecision(3)));
}

const rounded = (_key, value) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value);
const line = (texts) => `| ${texts.join(' | ')} |`;
