// Where the time goes: the CPU profiles and statements of a run with --profile FOLDER.
//   node bench/profile.mjs FOLDER/cold-100000.cpuprofile
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OWN = /\/dist\/(.+)\.js$/;
const PACKAGE = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const ASIDE = ['(idle)', '(program)', '(garbage collector)', '(root)'];

/** Milliseconds by file of ours and by package; built-in functions count for their caller. */
export function timeByPlace({ nodes, samples, timeDeltas }) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const places = new Map();
  const placeOf = (id) => {
    if (places.has(id)) return places.get(id);
    const { functionName, url } = byId.get(id).callFrame;
    const own = placeOfUrl(url);
    const place = ASIDE.includes(functionName) ? functionName : (own ?? placeOf(parents.get(id)));
    places.set(id, place);
    return place;
  };
  const times = new Map();
  for (const [at, id] of samples.entries())
    times.set(placeOf(id), (times.get(placeOf(id)) ?? 0) + timeDeltas[at] / 1000);
  return [...times].sort(([, a], [, b]) => b - a);
}

/** The statements that took longest since the database started: text, executions, total milliseconds. */
export async function slowestStatements(connection, limit = 15) {
  const [rows] = await connection.query(
    `SELECT LEFT(DIGEST_TEXT, 300) AS statement, COUNT_STAR AS count, ROUND(SUM_TIMER_WAIT / 1e9) AS ms
     FROM performance_schema.events_statements_summary_by_digest
     WHERE SCHEMA_NAME = DATABASE() ORDER BY SUM_TIMER_WAIT DESC LIMIT ?`,
    [limit],
  );
  return rows.map(({ statement, count, ms }) => `${ms} ms, ${count} times: ${statement}`).join('\n');
}

function placeOfUrl(url) {
  if (url.startsWith('node:')) return 'node';
  return PACKAGE.exec(url)?.[1] ?? OWN.exec(url)?.[1];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , file] = process.argv;
  const all = timeByPlace(JSON.parse(readFileSync(file, 'utf8')));
  const busy = all.filter(([place]) => place !== '(idle)');
  const sum = busy.reduce((total, [, time]) => total + time, 0);
  for (const [place, time] of busy.filter(([, time]) => time > sum / 200))
    console.log(
      `${((100 * time) / sum).toFixed(1).padStart(5)} %  ${time.toFixed(0).padStart(6)} ms  ${place}`,
    );
}
