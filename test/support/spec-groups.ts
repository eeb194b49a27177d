import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** Which spec files are run in groups: a regular expression, as jest's configuration says. */
declare const groupedSpecs: string;

/**
 * Declares the tests of each n-th spec file, where n is how many groups there are: files of `test/groups`. All that the files of a
 * group import is loaded and compiled once, which takes longer than the tests of most of them.
 */
export function declareGroup(group: string): void {
  const groups = readdirSync(dirname(group)).sort();
  const mine = groups.indexOf(basename(group));
  for (const [at, path] of specFiles().entries())
    if (at % groups.length === mine) describe(path, () => void jest.requireActual(join(ROOT, path)));
}

function specFiles(): string[] {
  const specs = new RegExp(groupedSpecs);
  return ['test', 'examples', 'packages']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true }).map((path) => join(folder, `${path}`)),
    )
    .filter((path) => specs.test(path) && !path.includes('node_modules'))
    .sort();
}
