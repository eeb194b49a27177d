import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const EXAMPLES = join(__dirname, '..', '..', 'examples');
const names = readdirSync(EXAMPLES).filter((name) => statSync(join(EXAMPLES, name)).isDirectory());
const read = (...path: string[]) => readFileSync(join(EXAMPLES, ...path), 'utf8');

/** The package that an import names; nothing for files beside and for what is Node's own. */
function packageOf(specifier: string): string[] {
  if (/^(\.|node:)/.test(specifier)) return [];
  return [/^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier];
}

describe.each(names)('the example %s', (name) => {
  const files = readdirSync(join(EXAMPLES, name, 'src'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts')).map((file) => read(name, 'src', file));

  it('is shorter than 150 lines', () => {
    expect(sources.join('').split('\n').length).toBeLessThan(150);
  });

  it('imports what its package.json names', () => {
    const { dependencies } = JSON.parse(read(name, 'package.json')) as { dependencies: object };
    const imported = sources.flatMap((text) => [...text.matchAll(/\bfrom '([^']+)'/g)]);
    const packages = new Set(imported.flatMap(([, specifier = '']) => packageOf(specifier)));
    expect([...packages].sort()).toEqual(Object.keys(dependencies).sort());
  });

  it('has tests', () => {
    expect(readdirSync(join(EXAMPLES, name, 'test'))).toContainEqual(expect.stringMatching(/\.spec\.ts$/));
  });
});
