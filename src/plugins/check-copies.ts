import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '../database/start-error.js';

const OWN_ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Packages of which a plugin and Almanac must use the same copy. */
const SHARED = ['@nestjs/common', '@nestjs/core', 'almanac'] as const;

/** Throws a `StartError` if a file resolves another copy of Nest or Almanac, whose classes would not be the same. */
export function checkCopies(file: string, who: string): void {
  for (const name of SHARED) {
    const own = name === 'almanac' ? realpathSync(OWN_ROOT) : folderOf(name, import.meta.url);
    const other = folderOf(name, file);
    if (other !== undefined && own !== undefined && other !== own)
      throw new StartError(
        `${who} uses a second copy of ${name} (${other}; Almanac has ${own}): make it a peerDependency, and install Almanac as a package, not as a link to a folder. Several plugins of yours share one node_modules as npm workspaces.`,
      );
  }
}

/** Whether a file is a program of this copy, or a tool that runs others, such as jest. */
export function isTool(file: string): boolean {
  const path = existsSync(file) ? realpathSync(file) : file;
  const isOwn = ['bin', 'dist'].some((folder) => path.startsWith(join(realpathSync(OWN_ROOT), folder) + sep));
  return isOwn || path.includes(`${sep}node_modules${sep}`);
}

/** The folder of the package that a file would load. */
function folderOf(name: string, file: string): string | undefined {
  const folders = createRequire(file).resolve.paths(name) ?? [];
  const found = folders
    .map((folder) => join(folder, name))
    .find((one) => existsSync(join(one, 'package.json')));
  return found && realpathSync(found);
}
