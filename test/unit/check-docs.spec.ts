import { faultsOf } from '../../scripts/check-docs.mjs';

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
const wrapped = (count: number) => words(count).replaceAll(`${words(20)} `, `${words(20)}\n`);

describe('check-docs', () => {
  it('accepts short sentences, tables, code and links', () => {
    const text = [
      '# One',
      `See [this](${'x'.repeat(200)}). It is short.`,
      '| a | b |\n|---|---|\n| `x|y` | c \\| d |',
      `\`\`\`\n# One\n${'x'.repeat(200)}\n\`\`\``,
    ].join('\n\n');
    expect(faultsOf(text)).toEqual([]);
  });

  it.each([
    ['a heading that occurs twice', '# One\n\n## One', '3: the heading "One" occurs twice'],
    ['a row of another table', '| a | b |\n|---|---|\n| c |', '3: a row of 1 columns in a table of 2'],
    ['a long line', `- ${'x'.repeat(120)}`, '1: 122 characters, more than 120'],
    ['a long sentence in a table', `| a |\n|---|\n| ${words(41)} |`, '3: a sentence of 41 words'],
    ['a long sentence', `Short. Long ${wrapped(40)}. Short.`, '1: a sentence of 41 words'],
    ['long sentences', `${wrapped(21)}.\n\n${wrapped(22)}.`, '1: 21.5 words in a sentence on average'],
  ])('reports %s', (_, text, fault) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining(fault)]);
  });
});
