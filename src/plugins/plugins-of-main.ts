import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { firstLine } from '../common/errors/first-line.js';
import type { Environment } from '../config/env.js';
import { StartError } from '../database/start-error.js';
import { checkCopies } from './check-copies.js';
import type { Plugin } from './plugin.js';

/** The options that a `main.ts` passes to `createServer`. */
interface Handed {
  env?: Environment;
  plugins?: readonly Plugin[];
}

/** Timeout of a main file until it calls `createServer`, in milliseconds. */
const TIMEOUT_MS = 5000;

// A main file is evaluated once per process, and imports createServer as it is.
let receive: ((handed: Handed) => void) | undefined;

/** Passes the options to `pluginsOfMain`; returns whether that is all the caller must do. */
export function handOver(handed: Handed): boolean {
  receive?.(handed);
  return receive !== undefined;
}

/** The options of a main file's server: the file runs up to its call of `createServer`, which never returns. */
export async function pluginsOfMain(main: string): Promise<Handed> {
  const file = resolve(main);
  if (!existsSync(file)) throw new StartError(`There is no ${file}.`);
  checkCopies(file, main);
  const handed = new Promise<Handed>((done) => {
    receive = done;
  });
  const loaded = import(pathToFileURL(file).href).then(
    () => sleep(TIMEOUT_MS, undefined, { ref: true }),
    (error: unknown) => {
      throw new StartError(`${main} cannot be loaded: ${firstLine(error)}`);
    },
  );
  const late = loaded.then(() => {
    throw new StartError(`${main} does not call createServer.`);
  });
  return Promise.race([handed, late]);
}
