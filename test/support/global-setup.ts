// jest loads this file outside its own module system: it can import nothing of ours.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Name of the variable by which jest's workers learn of the run's temporary folder. */
export const FOLDER_VARIABLE = 'ALMANAC_TEST_FOLDER';

/** File in that folder that holds the process id of the private MariaDB. */
export const PID_FILE = 'mariadbd.pid';

// However jest ends, also by a crash: its database server stops then and its temporary files go.
const CLEANER = `
  jest=$1 folder=$2
  while kill -0 $jest; do sleep 0.5; done
  if read server < "$folder/${PID_FILE}"; then
    kill $server
    for try in 1 2 3 4 5 6 7 8 9 10; do kill -0 $server || break; sleep 0.5; done
    kill -9 $server
  fi
  rm -rf "$folder"`;

/** Runs once before a jest run: makes the temporary folder that the run's databases live in. */
export default function setUp(): void {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-test-'));
  process.env[FOLDER_VARIABLE] = folder;
  spawn('sh', ['-c', CLEANER, 'cleaner', String(process.pid), folder], {
    detached: true,
    stdio: 'ignore',
  }).unref();
}
