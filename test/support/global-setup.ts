// jest loads this file outside its module system: it cannot import project modules.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The environment variable with the run's temporary folder, for jest's workers. */
export const FOLDER_VARIABLE = 'ALMANAC_TEST_FOLDER';

/** The file in that folder with the process id of the private MariaDB. */
export const PID_FILE = 'mariadbd.pid';

// Stops the database server and removes temporary files, however jest ends.
const CLEANER = `
  jest=$1 folder=$2
  while kill -0 $jest; do sleep 0.5; done
  if read server < "$folder/${PID_FILE}"; then
    kill $server
    for try in 1 2 3 4 5 6 7 8 9 10; do kill -0 $server || break; sleep 0.5; done
    kill -9 $server
  fi
  rm -rf "$folder"`;

/** Compiles changed sources of the packages that specs load; a run with compile errors has no results. */
function build(): void {
  const root = join(__dirname, '..', '..');
  const plugins = readdirSync(join(root, 'examples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join('examples', name));
  const script = join(root, 'scripts', 'build.mjs');
  const packages = [join('packages', 'client'), join('packages', 'mcp')];
  const { status } = spawnSync(process.execPath, [script, '.', ...packages, ...plugins], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The sources do not compile: see the errors above.');
}

/** Runs once before a jest run: builds the code and makes the temporary folder that the run's databases live in. */
export default function setUp(): void {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'almanac-test-'));
  process.env[FOLDER_VARIABLE] = folder;
  spawn('sh', ['-c', CLEANER, 'cleaner', String(process.pid), folder], {
    detached: true,
    stdio: 'ignore',
  }).unref();
}
