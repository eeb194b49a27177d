// Fails on Markdown that is hard to read: headings that occur twice, table rows of another number of columns, lines of more than 120
// characters, and long sentences, also in tables: npm run check:docs. With names of documents it checks these alone.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_LINE = 120;
const MAX_WORDS = 40;
const MAX_AVERAGE = 20;

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['.', 'docs', 'deploy', 'examples', 'packages'];

function documentsBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry;
    const path = folder === '.' ? name : `${folder}/${name}`;
    if (name.endsWith('.md')) return [path];
    const isFolder = folder !== '.' && entry.isDirectory() && !/^(node_modules|dist)$/.test(name);
    return isFolder ? documentsBelow(path) : [];
  });
}

/** Every fault of a Markdown text, as `line: what is wrong`. */
export function faultsOf(markdown) {
  const lines = parse(markdown);
  return [...headingFaults(lines), ...tableFaults(lines), ...lineFaults(lines), ...sentenceFaults(lines)]
    .sort((a, b) => a.line - b.line)
    .map(({ line, fault }) => `${line}: ${fault}`);
}

/** The lines with their kind. */
function parse(markdown) {
  let fence;
  return markdown.split('\n').map((text, at) => {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(text) ?? [];
    const isCode = fence !== undefined || mark !== undefined;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
    return { text, line: at + 1, kind: isCode ? 'code' : kindOf(text) };
  });
}

function kindOf(text) {
  if (/^#+ /.test(text)) return 'heading';
  if (/^\s*\|/.test(text)) return 'table';
  if (/^\s*(<|\[[^\]]+\]: )/.test(text)) return 'html';
  return text.trim() === '' ? 'blank' : 'prose';
}

function headingFaults(lines) {
  const seen = new Set();
  return lines
    .filter(({ kind }) => kind === 'heading')
    .flatMap(({ text, line }) => {
      const heading = text.replace(/^#+ +/, '').trim();
      const isDoubled = seen.has(heading);
      seen.add(heading);
      return isDoubled ? [{ line, fault: `the heading "${heading}" occurs twice` }] : [];
    });
}

function tableFaults(lines) {
  let columns;
  return lines.flatMap(({ text, line, kind }) => {
    if (kind !== 'table') {
      columns = undefined;
      return [];
    }
    const count = cellsOf(text).length;
    columns ??= count;
    return count === columns ? [] : [{ line, fault: `a row of ${count} columns in a table of ${columns}` }];
  });
}

const cellsOf = (row) =>
  row
    .trim()
    .replace(/\\\|/g, '')
    .replace(/`[^`]*`/g, 'code')
    .replace(/^\||\|$/g, '')
    .split('|');

function lineFaults(lines) {
  return lines
    .filter(({ kind }) => kind === 'prose' || kind === 'heading')
    .map(({ text, line }) => ({ line, length: [...withoutTargets(text)].length }))
    .filter(({ length }) => length > MAX_LINE)
    .map(({ line, length }) => ({ line, fault: `${length} characters, more than ${MAX_LINE}` }));
}

const withoutTargets = (text) => text.replace(/\]\([^)]*\)/g, ']').replace(/\b[a-z]+:\/\/\S+/g, '');

function sentenceFaults(lines) {
  const sentences = blocksOf(lines).flatMap(countedSentences);
  const long = [...sentences, ...cellBlocksOf(lines).flatMap(countedSentences)]
    .filter(({ words }) => words > MAX_WORDS)
    .map(({ line, words, sentence }) => ({
      line,
      fault: `a sentence of ${words} words, more than ${MAX_WORDS}: ${sentence.slice(0, 60)}…`,
    }));
  const average = sentences.reduce((sum, { words }) => sum + words, 0) / (sentences.length || 1);
  if (average <= MAX_AVERAGE) return long;
  return [{ line: 1, fault: `${average.toFixed(1)} words in a sentence on average` }, ...long];
}

const countedSentences = ({ text, line }) =>
  sentencesOf(text).map((sentence) => ({ line, words: sentence.split(/\s+/).length, sentence }));

const cellBlocksOf = (lines) =>
  lines
    .filter(({ kind }) => kind === 'table')
    .flatMap(({ text, line }) => cellsOf(withoutTargets(text)).map((cell) => ({ text: cell.trim(), line })));

/** Paragraphs and items of lists, each with its first line. */
function blocksOf(lines) {
  const blocks = [];
  let block;
  for (const { text, line, kind } of lines) {
    if (kind !== 'prose') block = undefined;
    else if (block === undefined || /^\s*([-*+]|\d+\.) /.test(text)) {
      block = { text: text.replace(/^\s*([-*+]|\d+\.|>) /, ''), line };
      blocks.push(block);
    } else block.text += ` ${text.trim()}`;
  }
  return blocks;
}

const sentencesOf = (text) =>
  withoutTargets(text)
    .replace(/`[^`]*`/g, 'code')
    .replace(/\b(e\.g|i\.e|etc|vs|cf)\./g, '$1')
    .split(/(?<=[.!?]["')\]*]*)\s+(?=["'(*[]*[A-Z0-9]|code)|(?<=[.!?]["')\]*]*)$/)
    .filter((sentence) => /\w/.test(sentence));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2);
  for (const path of named.length > 0 ? named : FOLDERS.flatMap(documentsBelow))
    for (const fault of faultsOf(readFileSync(join(root, path), 'utf8'))) {
      console.error(`${path}:${fault}`);
      process.exitCode = 1;
    }
}
