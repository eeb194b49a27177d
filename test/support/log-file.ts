import { randomUUID } from 'node:crypto';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvironment } from '../../src/config/env.js';
import { Log } from '../../src/observability/logging/log.js';
import { testFolder } from './test-folder.js';

/** The log of a server, in a file. */
export interface LogFile {
  log: Log;
  /** The complete lines since the last call. */
  lines(): Promise<string[]>;
}

/** A log configured by these variables. */
export function openLog(env: Readonly<Record<string, string>> = {}): LogFile {
  const file = join(testFolder(), `${randomUUID()}.log`);
  const log = new Log(readEnvironment(env), openSync(file, 'a'));
  let seen = 0;
  const lines = async () => {
    await log.end();
    const text = readFileSync(file, 'utf8');
    const fresh = text.slice(seen);
    seen = text.length;
    if (fresh !== '' && !fresh.endsWith('\n')) throw new Error(`the last line is not whole: ${fresh}`);
    return fresh.split('\n').slice(0, -1);
  };
  return { log, lines };
}
