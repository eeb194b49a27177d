import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { anchorsOf, faultsIn, layoutOf } from '../../scripts/check-references.mjs';

const GOOD: Readonly<Record<string, string>> = {
  'ARCHITECTURE.md': [
    '```',
    'src/',
    '  main.ts       starts it',
    '  venues/ tags/    one module each',
    'test/           *.spec.ts',
    '```',
    'See `*.ts`, venues/venue.ts and [lists](docs/behaviour/lists.md#what-is-found).',
  ].join('\n'),
  'docs/behaviour/differences.md':
    '| <a id="w12"></a>W12 | a line |\n\nSee [lists](lists.md) and [below](#below).\n\n## Below',
  'docs/behaviour/lists.md': '# Lists\n\n## What is *found*\n\nBy W12. https://example.org/none.md#x\n',
  'src/main.ts': "/** By docs/behaviour/lists.md#what-is-found (W12). */\nconst text = 'none.md W99';\n",
  'src/venues/venue.ts': '// As main.ts does it, below src/venues.\n',
  'src/tags/tag.ts': '',
  'test/main.spec.ts': "it('W12: it does', () => undefined);\n",
};

/** What the check says of a repository with these files. */
function faultsOf(changes: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'almanac-references-'));
  try {
    for (const [path, text] of Object.entries({ ...GOOD, ...changes })) {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return faultsIn(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

describe('check-references', () => {
  it('reports nothing where everything exists', () => {
    expect(faultsOf({})).toEqual([]);
  });

  it.each([
    ['a file', { 'src/main.ts': '// By records.md 7.3.\n' }, 'src/main.ts:1: there is no file records.md'],
    [
      'a document named without its folder',
      { 'src/main.ts': '// By lists.md.\n' },
      'src/main.ts:1: there is no file lists.md',
    ],
    [
      'a heading',
      { 'src/main.ts': '\n// docs/behaviour/lists.md#none\n' },
      'src/main.ts:2: lists.md has no heading #none',
    ],
    [
      'a heading beside',
      { 'docs/behaviour/lists.md': '## What is found\n[x](#none)' },
      'docs/behaviour/lists.md:2: lists.md has no heading #none',
    ],
    [
      'a decision',
      { 'src/main.ts': '/** As W13 has it. */\n' },
      'src/main.ts:1: docs/behaviour/differences.md has no W13',
    ],
    [
      'a decision in a title',
      { 'test/main.spec.ts': "it('R3: it does')\n" },
      'test/main.spec.ts:1: docs/behaviour/differences.md has no R3',
    ],
    ['a folder', { 'src/main.ts': '// What is in src/none.\n' }, 'src/main.ts:1: there is no src/none'],
    ['a link', { 'README.md': '[licence](LICENSE)' }, 'README.md:1: the link to LICENSE leads nowhere'],
    [
      'the layout',
      { 'ARCHITECTURE.md': '```\nsrc/\n  none/   not there\n```' },
      'ARCHITECTURE.md: the layout names src/none/, which is not there',
    ],
  ])('reports %s that does not exist', (_, changes, fault) => {
    expect(faultsOf(changes)).toEqual([fault]);
  });

  it('derives heading ids as GitHub does, and knows explicit ids', () => {
    const markdown = '# `json_ld`: what, and *when*\n```\n# no heading\n```\n<a id="w1"></a>';
    expect([...anchorsOf(markdown)]).toEqual(['json_ld-what-and-when', 'w1']);
  });

  it('reads a tree of names by its indentation', () => {
    const tree = '```\nsrc/\n  a/ b/   two\n    c.ts   in b\ntest/\n  unit/  *.ts  more/\n```';
    expect(layoutOf(tree)).toEqual([
      'src/',
      'src/a/',
      'src/b/',
      'src/b/c.ts',
      'test/',
      'test/unit/',
      'test/*.ts',
      'test/more/',
    ]);
  });
});
