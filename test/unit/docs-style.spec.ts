import { documents, readDocument } from '../support/doc-blocks.js';

const MAX_LINE = 120;
const MAX_WORDS = 40;
const MAX_MEAN_WORDS = 20;

const DOCUMENTS = [...documents(), 'docs/clients.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

const withoutBlocks = (markdown: string): string =>
  markdown.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, (block) => block.replaceAll(/.+/g, ''));

/** Lines of text: no tables, no HTML, no images. */
const isText = (line: string): boolean => !/^\s*[|<!]/.test(line);

/** The sentences of paragraphs, list items and cells of tables, with the number of words of each. */
function sentencesOf(markdown: string): { sentence: string; words: number }[] {
  const units = withoutBlocks(markdown)
    .replaceAll(/^#.*$/gm, '')
    .replaceAll(/^\s*(?:[-*]|\d+\.) /gm, '\n')
    .split(/\n\s*\n|\n(?=\|)/)
    .flatMap((unit) => (unit.trim().startsWith('|') ? unit.split(/(?<!\\)\|/) : [unit]));
  return units.flatMap((unit) =>
    unit
      .replaceAll(/`[^`]*`/g, 'x')
      .replaceAll(/\]\([^)]*\)/g, ']')
      .split(/(?<=[.!?]["”)*]?)\s+|:\s+(?=[A-Z])/)
      .map((sentence) => ({
        sentence: sentence.trim(),
        words: sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
      }))
      .filter(({ words }) => words > 0),
  );
}

describe.each(DOCUMENTS)('%s', (path) => {
  const markdown = readDocument(path);

  it('has unique headings', () => {
    const headings = [...withoutBlocks(markdown).matchAll(/^#+ .*$/gm)].map(([heading]) => heading);
    expect(headings.filter((heading, at) => headings.indexOf(heading) !== at)).toEqual([]);
  });

  it(`wraps at ${MAX_LINE} characters`, () => {
    const lines = withoutBlocks(markdown).split('\n').filter(isText);
    const unbreakable = (line: string) =>
      !line
        .trim()
        .replaceAll(/`[^`]*`|\[[^\]]*\]\([^)]*\)/g, 'x')
        .includes(' ');
    expect(lines.filter((line) => line.length > MAX_LINE && !unbreakable(line))).toEqual([]);
  });

  it(`has sentences of at most ${MAX_WORDS} words, ${MAX_MEAN_WORDS} on average`, () => {
    const sentences = sentencesOf(markdown);
    expect(sentences.filter(({ words }) => words > MAX_WORDS)).toEqual([]);
    const total = sentences.reduce((sum, { words }) => sum + words, 0);
    expect(total / sentences.length).toBeLessThanOrEqual(MAX_MEAN_WORDS);
  });
});
