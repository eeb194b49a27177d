import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInRange } from '../../bin/node-version.cjs';

const ROOT = join(__dirname, '..', '..');
const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
const { engines } = read('package.json') as { engines: { node: string } };

describe('the required Node version', () => {
  it.each([
    ['20.19.0', true],
    ['20.20.2', true],
    ['22.13.0', true],
    ['24.11.0', true],
    ['26.0.0', true],
    ['8.17.0', false],
    ['18.20.8', false],
    ['20.18.3', false],
    ['21.7.3', false],
    ['22.12.9', false],
    ['24.10.1', false],
  ])('%s: %s', (version, isEnough) => {
    expect(isInRange(version, engines.node)).toBe(isEnough);
  });

  it('satisfies every production dependency', () => {
    const { packages } = read('package-lock.json') as {
      packages: Record<string, { dev?: boolean; optional?: boolean; engines?: { node?: string } }>;
    };
    const least = engines.node.split(' || ').map((part) => part.replace(/^\D+/, ''));
    const requested = Object.entries(packages).filter(([, one]) => !one.dev && !one.optional);
    expect(requested.length).toBeGreaterThan(100);
    for (const [path, one] of requested)
      for (const version of least)
        expect([path, version, isInRange(version, one.engines?.node ?? '>=0')]).toEqual([
          path,
          version,
          true,
        ]);
  });

  it('is named in one sentence, before anything else is loaded', () => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '18.20.8' });
      require('./bin/almanac.cjs');`;
    const run = () =>
      execFileSync(process.execPath, ['-e', old], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });
    expect(run).toThrow(
      expect.objectContaining({
        status: 1,
        stdout: '',
        stderr: `Almanac needs Node ${engines.node}; this is Node 18.20.8: install Node 24.\n`,
      }),
    );
  });
});

it.each(['--version', '-V'])('almanac %s prints the version', (word) => {
  const printed = execFileSync(process.execPath, ['bin/almanac.cjs', word], { cwd: ROOT, encoding: 'utf8' });
  expect(printed).toBe(`${read('package.json').version}\n`);
});
