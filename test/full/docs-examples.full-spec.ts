import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { builtPackage } from '../support/built-server.js';
import { blocksOf, blocksOfKind, ROOT } from '../support/doc-blocks.js';

/** Local modules that examples import. */
const BESIDE: Readonly<Record<string, string>> = {
  'redis.ts': `export class Redis {
    async countUpTo(most: number, key: string): Promise<number> { return most - key.length; }
    async countDown(key: string): Promise<void> { void key; }
  }`,
  'notices.module.ts': 'export default class NoticesModule {}\n',
  'seat.entity.ts': `import { Entity, PrimaryGeneratedColumn } from 'typeorm';
    @Entity('acme_seats') export class Seat { @PrimaryGeneratedColumn() id: number; }`,
  'seats.service.ts': 'export class SeatsService {}',
  'badges.ts': `export class Badges {
    find: (badge: string) => Promise<{ number: string; name: string; email: string; isLocked: boolean } | null>;
  }`,
};

interface Package {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** The first files of docs/extending.md. */
function walk() {
  const [packageJson = '', tsconfig = '', plugin = '', spec = ''] = blocksOf('docs/extending.md').map(
    ({ text }) => text,
  );
  return { packageJson, tsconfig, plugin, spec };
}

describe('examples in TypeScript in README.md and docs', () => {
  let project: string;
  beforeAll(async () => {
    const almanac = await builtPackage();
    project = join(almanac, 'documents');
    mkdirSync(join(project, 'node_modules'), { recursive: true });
    symlinkSync(almanac, join(project, 'node_modules', 'almanac'));
  });

  const compile = (folder: string) =>
    promisify(execFile)(process.execPath, [
      join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
      '-p',
      folder,
    ]).catch(({ stdout }: { stdout: string }) => Promise.reject(new Error(stdout)));

  it('compile against the public entry point', async () => {
    const folder = join(project, 'all');
    cpSync(join(ROOT, 'examples', 'series', 'src'), folder, { recursive: true });
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    for (const [name, text] of Object.entries(BESIDE)) write(name, text);
    const { tsconfig, plugin, spec } = walk();
    write('dress-code.module.ts', plugin);
    for (const { place, text } of blocksOfKind('ts'))
      if (text !== spec) write(`${place.replaceAll(/\W/g, '-')}.ts`, text);
    const { compilerOptions } = JSON.parse(tsconfig) as { compilerOptions: object };
    write('package.json', '{ "type": "module" }');
    write('tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true } }));
    await compile(folder);
  });

  it('lead from an empty folder to a passing test', async () => {
    const folder = join(project, 'walk');
    const { packageJson, tsconfig, plugin, spec } = walk();
    const files = {
      'package.json': packageJson,
      'tsconfig.json': tsconfig,
      'src/dress-code.module.ts': plugin,
      'test/dress-code.spec.ts': spec,
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    await compile(folder);
    const words = ['--experimental-vm-modules', join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js')];
    const { stderr } = await promisify(execFile)(process.execPath, words, { cwd: folder });
    expect(stderr).toMatch(/^Tests: +1 passed, 1 total$/m);
  });

  it('show the same plugin in README.md, with the current versions of Almanac', () => {
    const { packageJson, plugin } = walk();
    expect(blocksOf('README.md').find(({ kind }) => kind === 'ts')?.text).toBe(plugin);
    const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Package;
    const { dependencies, devDependencies } = JSON.parse(packageJson) as Package;
    const { almanac, ...wanted } = { ...dependencies, ...devDependencies };
    expect(almanac).toBe(`file:../almanac/almanac-${own.version}.tgz`);
    expect({ ...own.dependencies, ...own.devDependencies }).toMatchObject(wanted);
  });
});
