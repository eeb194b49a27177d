import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '..', '..');

/** A fenced block of a document. */
export interface DocBlock {
  /** Where it stands, as `docs/feeds.md:12`. */
  place: string;
  /** The word behind the fence; empty where there is none. */
  kind: string;
  text: string;
  /** The last heading above it. */
  heading: string;
  /** Whether nothing but blank lines stands between the block before it and this one. */
  isAnswer: boolean;
}

/** Documents whose blocks another spec runs. */
const ELSEWHERE = ['docs/clients.md'];

/** README.md and all documents below docs, from the root, but for those that another spec runs. */
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

/** The fenced blocks of a document, in its order; indented ones, as in lists, without their indent. */
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

/** The blocks of all documents that are of these kinds. */
export function blocksOfKind(...kinds: string[]): DocBlock[] {
  return documents()
    .flatMap(blocksOf)
    .filter(({ kind }) => kinds.includes(kind));
}

/** Commands that stand in the text of a document, up to what is left out (`…`) or may be (`[`). */
export function commandsInText(path: string): string[] {
  const text = readDocument(path).replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');
  return [...text.matchAll(/`((?:npx )?almanac [^`]+|npm [^`]+|docker compose [^`]+)`/g)].map(
    ([, command = '']) => command.split(/[…[]/, 1)[0] ?? '',
  );
}
