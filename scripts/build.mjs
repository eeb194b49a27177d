// npm run build: compiles src into a new dist. With --if-needed, as `npm start` runs it first, only when dist is missing or
// older than what it is made from.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const dist = join(root, 'dist');
const built = join(dist, 'main.js');
const sources = ['src', 'package.json', 'tsconfig.json'].map((name) => join(root, name));

/** Newest change of a file, or of anything in a folder, in epoch milliseconds; 0 when it is not there. */
function changedAt(path) {
  if (!existsSync(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  // The folder's own time tells of files that were removed.
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

const isBuilt = existsSync(built);
const isWanted = !process.argv.includes('--if-needed');
const isStale = !isBuilt || changedAt(built) < Math.max(...sources.map(changedAt));
// A deployment may hold dist without the sources or the compiler: it runs what it has.
const canBuild = existsSync(join(root, 'src')) && existsSync(compiler);

if (canBuild && (isWanted || isStale)) {
  if (!isWanted) console.log(isBuilt ? 'dist is older than src: building …' : 'Building …');
  rmSync(dist, { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [compiler], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
  // The compiler writes files even when it finds errors; they must not pass for a build next time.
  if (status !== 0) rmSync(built, { force: true });
} else if (isWanted || !isBuilt) {
  console.error('There is nothing to build dist with: run npm install with development packages.');
  process.exitCode = 1;
}
