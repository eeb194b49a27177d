import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from './start-error.js';

/** Makes the folder that a SQLite file lies in; a `StartError` where something else than a file is in its place. */
export function prepareFile(path: string): void {
  const folder = dirname(path);
  makeFolder(folder);
  // Versions of Node differ in what they say of a file below a file.
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

/** One by one: where no folder can be made, as in /proc, Node's own recursion never ends. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
