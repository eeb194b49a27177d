import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeResource } from '../../scripts/new-resource.mjs';

const ROOT = join(__dirname, '..', '..');
// Tests are declared before any runs, so what declares them is made here.
const folder = mkdtempSync(join(tmpdir(), 'almanac-new-resource-'));
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
const make = (...words: [string, string?]): string => makeResource(folder, ...words);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a generated resource passes its own tests', () => {
  require(join(make('dance-parties'), 'test', 'dance-parties.spec.ts'));
});

describe('npm run new:resource', () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'scripts', 'new-resource.mjs'), ...words], {
      env: { ...process.env, INIT_CWD: folder },
      encoding: 'utf8',
    });

  it('creates the package in the folder that npm was called from', () => {
    const { status, stdout } = run('people', 'person');
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^people is made\. .*\n$/)]);
    const files = readdirSync(join(folder, 'people'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => file.includes('.')).sort()).toEqual([
      '.gitignore',
      '.npmrc',
      'package.json',
      'src/people-type.ts',
      'src/people.controller.ts',
      'src/people.module.ts',
      'src/people.service.ts',
      'test/people.spec.ts',
      'tsconfig.json',
    ]);
  });

  it('uses the dependencies of the project that installs it as peers', () => {
    const text = readFileSync(join(make('huts'), 'package.json'), 'utf8');
    const { dependencies, peerDependencies, devDependencies } = JSON.parse(text);
    expect(dependencies).toBeUndefined();
    expect(peerDependencies).toMatchObject({
      almanac: '^0.2.0',
      '@nestjs/common': expect.stringMatching(/^\^12/),
    });
    expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(Object.keys(peerDependencies)));
  });

  mkdirSync(join(folder, 'boats'));
  it.each([
    ['nothing', [], /^Usage: /],
    ['a folder that is there', ['boats'], /boats is there already\.$/],
    ['a path', ['../boats'], /^"\.\.\/boats" will not do: /],
    ['capitals', ['Boats'], /^"Boats" will not do: /],
    ['a singular that is no name', ['boats', 'a boat'], /^"a boat" will not do: /],
    ['a resource that there is', ['events'], /^There is \/events already: /],
    ['a route that there is', ['doc'], /^There is \/doc already: /],
    ["a post type of WordPress's", ['posts'], /^"post" is a post type already: /],
    [
      "a post type of the calendar's",
      ['happenings', 'tribe-events'],
      /^"tribe_events" is a post type already: /,
    ],
    ['a post type that is too long', ['introductory-workshops'], /is longer than the 20 characters/],
  ])('rejects %s in one sentence, and creates nothing', (_, words, message) => {
    const before = readdirSync(folder);
    const { status, stdout, stderr } = run(...words);
    expect([status, stdout, stderr.trim()]).toEqual([1, '', expect.stringMatching(message)]);
    expect(readdirSync(folder)).toEqual(before);
    expect(readdirSync(join(folder, 'boats'))).toEqual([]);
  });
});
