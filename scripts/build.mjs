// `npm run build` and `npm start` run this: it compiles the server and bundles its pages, what has changed of them. With folders of
// packages on the command line, as jest runs it, it compiles the sources of those alone.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const pages = join(root, 'web', 'dist', 'names.json');
const PAGE_SOURCES = [
  'web/calendar',
  'web/editor',
  'web/public',
  'web/shared',
  'packages/client/src',
  'src/lib',
  'src/pages',
  'package.json',
];
const TABLE = /\.(csv|tsv|webp)$/;
const COMPILED = /\.(js|js\.map|d\.ts)$/;

/** Compiled files of a package whose source is gone. */
function orphansIn(folder) {
  const dist = join(folder, 'dist');
  if (!existsSync(dist)) return [];
  return readdirSync(dist, { recursive: true })
    .filter((path) => COMPILED.test(path))
    .filter((path) => !existsSync(join(folder, 'src', path.replace(COMPILED, '.ts'))))
    .map((path) => join(dist, path));
}

function compile(folders) {
  for (const file of folders.flatMap(orphansIn)) rmSync(file);
  run(compiler, '-b', ...folders);
  folders.forEach(copyTables);
}

/** Copies tables and pictures, which the compiler leaves out. */
function copyTables(folder) {
  const tables = readdirSync(join(folder, 'src'), { recursive: true }).filter((path) => TABLE.test(path));
  for (const path of tables) cpSync(join(folder, 'src', path), join(folder, 'dist', path));
}

/** Newest change of a file, or of anything in a folder, in epoch milliseconds; the folder's own time tells of removed files. */
function changedAt(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

function run(...command) {
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const named = process.argv.slice(2);
// A deployment may hold what was built without the sources or the compiler: it runs what it has.
const canBuild = existsSync(join(root, 'src')) && existsSync(compiler);
if (canBuild) {
  compile((named.length > 0 ? named : ['.']).map((folder) => resolve(root, folder)));
  const newest = () => Math.max(...PAGE_SOURCES.map((path) => changedAt(join(root, path))));
  if (named.length === 0 && (!existsSync(pages) || changedAt(pages) < newest()))
    run(join(root, 'scripts', 'build-web.mjs'));
} else if (!existsSync(join(root, 'dist', 'main.js'))) {
  console.error(
    'Nothing is built, and nothing is there to build it with: run npm install with development packages.',
  );
  process.exit(1);
}
