// `npm start` runs this first: it builds when dist is missing or older than what it is made from.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const nest = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
const built = join(root, 'dist', 'main.js');
const sources = ['src', 'package.json', 'tsconfig.json', 'nest-cli.json'].map((name) => join(root, name));

/** Newest change of a file, or of anything in a folder, in epoch milliseconds; 0 when it is not there. */
function changedAt(path) {
  if (!existsSync(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  // The folder's own time tells of files that were removed.
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

const isBuilt = existsSync(built);
const isStale = !isBuilt || changedAt(built) < Math.max(...sources.map(changedAt));
// A deployment may hold dist without the sources or the compiler: it runs what it has.
const canBuild = existsSync(join(root, 'src')) && existsSync(nest);

if (isStale && canBuild) {
  console.log(isBuilt ? 'dist is older than src: building …' : 'Building …');
  const { status } = spawnSync(process.execPath, [nest, 'build'], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
  // The compiler writes files even when it finds errors; they must not pass for a build next time.
  if (status !== 0) rmSync(built, { force: true });
} else if (!isBuilt) {
  console.error('There is no dist, and nothing to build it with: run npm install with development packages.');
  process.exitCode = 1;
}
