import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FOLDER_VARIABLE } from './global-setup.js';

/** How long a worker waits for another one's result, in milliseconds. */
const TIMEOUT_MS = 240_000;

/** The folder of one jest run's databases; removed at its end. */
export function testFolder(): string {
  const folder = process.env[FOLDER_VARIABLE];
  if (!folder) throw new Error('no test folder: jest must run with test/support/global-setup.ts');
  return folder;
}

/** Whether this is the first call for a name in the whole jest run, across workers. */
export function isFirst(name: string): boolean {
  try {
    // mkdir is atomic.
    mkdirSync(join(testFolder(), `${name}.first`));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Computes a value once per jest run, in whichever worker calls first; all callers get the result or the error. */
export async function onceForAllWorkers<T>(name: string, make: () => Promise<T>): Promise<T> {
  const file = join(testFolder(), `${name}.json`);
  if (isFirst(name)) {
    const outcome = await make().then(
      (value) => ({ value }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    );
    writeFileSync(`${file}.new`, JSON.stringify(outcome));
    renameSync(`${file}.new`, file);
  }
  for (const giveUp = Date.now() + TIMEOUT_MS; !existsSync(file); await sleep(50))
    if (Date.now() > giveUp) throw new Error(`another worker never finished making "${name}"`);
  const outcome = JSON.parse(readFileSync(file, 'utf8')) as { value: T } | { error: string };
  if ('error' in outcome) throw new Error(outcome.error);
  return outcome.value;
}
