import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformFileSync } from '@swc/core';

const ROOT = join(__dirname, '..', '..');
/** Below node_modules, so that the compiled modules find their packages. */
const CACHE = join(ROOT, 'node_modules', '.cache');

/** Compiles the password worker as a build does, so that a suite can run it on real threads; removed after the suite. */
export function compiledWorker(): URL {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'hash-worker-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const name of ['hash-worker', 'slow-hash', 'phpass']) {
    const source = join(ROOT, 'src', 'auth', `${name}.ts`);
    const options = { parser: { syntax: 'typescript' }, target: 'es2022' } as const;
    writeFileSync(join(folder, `${name}.js`), transformFileSync(source, { swcrc: false, jsc: options }).code);
  }
  return pathToFileURL(join(folder, 'hash-worker.js'));
}
