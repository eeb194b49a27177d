// `npm start` runs this first: it builds what is missing or older than what it is made from.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const nest = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');

/** What is made: what it is called, the file that tells that it is there, what it is made from, and the command. */
const PARTS = [
  {
    name: 'the server',
    built: join(root, 'dist', 'main.js'),
    sources: ['src', 'package.json', 'tsconfig.json', 'nest-cli.json'],
    command: [nest, 'build'],
  },
  {
    name: 'the pages',
    built: join(root, 'web', 'dist', 'names.json'),
    sources: ['web/calendar', 'web/editor', 'web/shared', 'packages/client/src', 'package.json'],
    command: [join(root, 'scripts', 'build-web.mjs')],
  },
];

/** Newest change of a file, or of anything in a folder, in epoch milliseconds; 0 when it is not there. */
function changedAt(path) {
  if (!existsSync(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  // The folder's own time tells of files that were removed.
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

// A deployment may hold what was built without the sources or the compiler: it runs what it has.
const canBuild = existsSync(join(root, 'src')) && existsSync(nest);

for (const { name, built, sources, command } of PARTS) {
  const isBuilt = existsSync(built);
  const isStale =
    !isBuilt || changedAt(built) < Math.max(...sources.map((one) => changedAt(join(root, one))));
  if (isStale && canBuild) {
    console.log(`Building ${name}${isBuilt ? ', which is older than its sources' : ''} …`);
    const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
    process.exitCode ||= status ?? 1;
    // The compiler writes files even when it finds errors; they must not pass for a build next time.
    if (status !== 0) rmSync(built, { force: true });
  } else if (!isBuilt) {
    console.error(
      'Nothing is built, and nothing is there to build it with: run npm install with development packages.',
    );
    process.exitCode = 1;
  }
}
