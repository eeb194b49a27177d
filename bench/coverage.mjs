// Counts the files and functions of src that one cold list and one hot one run through:
//   npm run build && node bench/coverage.mjs [--list]
// With --list it names them.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { settled, startServer, temporaryFolder } from './processes.mjs';
import { newLists } from './requests.mjs';
import { startSite } from './site.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const DIST = new URL('../dist/', import.meta.url).href;
const BASE = '/cal/events/v1';
/** Lists that fill the caches of what they share. */
const WARM_UP = 200;

const { values: given } = parseArgs({ options: { list: { type: 'boolean', default: false } } });

/** Functions by file that ran since the server last wrote its coverage. */
async function functionsOf(server, folder, prepare, work) {
  await prepare();
  await server.tell('reset');
  const before = new Set(readdirSync(folder));
  await work();
  await server.tell('count');
  const files = new Map();
  for (const name of readdirSync(folder).filter((one) => !before.has(one)))
    for (const { url, functions } of JSON.parse(readFileSync(join(folder, name), 'utf8')).result) {
      if (!url.startsWith(DIST)) continue;
      // Only what ran since the last message is here; a module itself begins at 0 and has no name.
      const ran = functions.filter(
        ({ functionName, ranges: [{ count, startOffset }] }) =>
          count > 0 && (functionName !== '' || startOffset > 0),
      );
      if (ran.length > 0)
        files.set(
          url.slice(DIST.length),
          ran.map(({ functionName }) => functionName || '(anonymous)'),
        );
    }
  return files;
}

function report(name, files) {
  const functions = [...files.values()].flat().length;
  console.log(`${name}: ${files.size} files, ${functions} functions`);
  if (!given.list) return;
  for (const [file, names] of [...files].toSorted()) console.log(`  ${file}: ${names.join(', ')}`);
}

const site = await startSite(1000, (text) => console.error(text));
const folder = await temporaryFolder(tmpdir(), 'almanac-coverage-');
const env = { DATABASE_URL: site.uri, LOG_LEVEL: 'error', NODE_ENV: 'production', NODE_V8_COVERAGE: folder };
// Optimized code does not count its calls.
const options = ['--no-opt', '--no-maglev', '--no-sparkplug', '--import', here('./coverage-hook.mjs')];
const server = await startServer(here('../dist/main.js'), `${BASE}/events`, env, options);
try {
  const next = newLists(site, 1);
  const get = async ({ path }) => (await fetch(server.url + BASE + path)).text();
  for (let done = 0; done < WARM_UP; done++) await get(next());
  await settled(60, [server]);
  await sleep(2000);
  const list = { path: '/events?start_date=2000-01-01&per_page=10' };
  // So that the list finds a fresh snapshot of the table versions.
  const other = () => get(next());
  report('cold list', await functionsOf(server, folder, other, () => get(list)));
  report('hot list', await functionsOf(server, folder, other, () => get(list)));
} finally {
  await server.stop();
  await site.stop();
}
