import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformFileSync } from '@swc/core';

const ROOT = join(__dirname, '..', '..');
const SRC = join(ROOT, 'src');
/** Below node_modules, so that the compiled modules find their packages. */
const CACHE = join(ROOT, 'node_modules', '.cache');
const IMPORTED = /^(?:import|export) [^;]*?from '(\.[^']+)\.js';/gm;

/**
 * Compiles a worker of `src` and all that it imports as a build does, so that a suite can run it on real threads; removed
 * after the suite. `path` is without its ending, such as `auth/hash-worker`.
 */
export function compiledWorker(path: string): URL {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'worker-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const done = new Set<string>();
  const compile = (module: string) => {
    if (done.has(module)) return;
    done.add(module);
    const source = join(SRC, `${module}.ts`);
    const options = { parser: { syntax: 'typescript' }, target: 'es2022' } as const;
    const { code } = transformFileSync(source, { swcrc: false, jsc: options });
    mkdirSync(dirname(join(folder, module)), { recursive: true });
    writeFileSync(join(folder, `${module}.js`), code);
    // What is imported for its types only is gone from the code.
    for (const [, imported = ''] of code.replaceAll('"', "'").matchAll(IMPORTED))
      compile(relative(SRC, join(dirname(source), imported)));
  };
  compile(path);
  return pathToFileURL(join(folder, `${path}.js`));
}
