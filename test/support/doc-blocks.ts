import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '..', '..');

/** A fenced block of a document. */
export interface DocBlock {
  /** Its location, such as `docs/feeds.md:12`. */
  place: string;
  /** The language after the fence; empty without one. */
  kind: string;
  text: string;
  /** The last heading above it. */
  heading: string;
  /** Whether only blank lines separate it from the block before. */
  isAnswer: boolean;
}

/** Documents whose blocks another spec runs. */
const ELSEWHERE = ['docs/clients.md', 'docs/sync.md', 'docs/webhooks.md'];

/** Paths of README.md and of all documents in docs, except for those that another spec runs. */
export function documents(): string[] {
  const below = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  return [
    'README.md',
    ...below
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`)
      .filter((path) => !ELSEWHERE.includes(path))
      .sort(),
  ];
}

export const readDocument = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The fenced blocks of a document, in order; indented ones without their indentation. */
export function blocksOf(path: string): DocBlock[] {
  const markdown = readDocument(path);
  let end = -1;
  return [...markdown.matchAll(/^( *)```(.*)\n([\s\S]*?)^\1```$/gm)].map(
    ({ 0: whole, 1: indent = '', 2: kind = '', 3: text = '', index }) => {
      const before = markdown.slice(0, index);
      const isAnswer = end >= 0 && before.slice(end).trim() === '';
      end = index + whole.length;
      return {
        place: `${path}:${before.split('\n').length}`,
        kind: kind.trim(),
        text: indent === '' ? text : text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
        heading: [...before.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '',
        isAnswer,
      };
    },
  );
}

/** The blocks of all documents in these languages. */
export function blocksOfKind(...kinds: string[]): DocBlock[] {
  return documents()
    .flatMap(blocksOf)
    .filter(({ kind }) => kinds.includes(kind));
}

/** Inline commands of a document, up to an ellipsis (`…`) or an option (`[`). */
export function commandsInText(path: string): string[] {
  const text = readDocument(path).replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');
  return [...text.matchAll(/`((?:npx )?almanac [^`]+|npm [^`]+|docker compose [^`]+)`/g)].map(
    ([, command = '']) => command.split(/[…[]/, 1)[0] ?? '',
  );
}
