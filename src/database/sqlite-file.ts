import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from './start-error.js';

/** Creates the folder of a SQLite file; throws `StartError` if the path is no file. */
export function prepareFile(path: string): void {
  const folder = dirname(path);
  makeFolder(folder);
  // The error for a file below a file differs between versions of Node.
  if (!statSync(folder).isDirectory())
    throw new StartError(
      `The database can not be reached: ${path} can not be opened: a part of its path is no folder.`,
    );
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile())
    throw new StartError(
      `The database can not be reached: ${path} is ${found.isDirectory() ? 'a folder' : 'a device or a pipe'}, not a file.`,
    );
}

/** Creates parents one by one: where that fails, as in /proc, Node's own recursion never ends. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
