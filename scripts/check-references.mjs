// Fails on references in comments and documents to files, headings, decisions and folders that are not there.
// npm run check:references
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

const SKIPPED =
  /^(node_modules|dist|data|coverage|\.git)$|^web\/dist$|^(examples|packages)\/[^/]+\/(node_modules|dist)$/;
const CODE =
  /^(src|web|test|bench|scripts|examples|packages|bin)\/.*\.(tsx?|css|mjs|cjs)$|^[^/]+\.(ts|mjs|cjs)$/;
const DOCUMENT = /^[A-Z]+\.md$|^docs\/.*\.md$|^(test|examples|packages)\/.*\.md$/;
const DECISIONS = 'docs/behaviour/differences.md';

const COMMENT = /^\s*(?:\/\/|\/\*|\*(?!\w))|\s\/\/ /;
const ADDRESS = /\b[a-z]+:\/\/\S+/g;
const FILE = /(?<![\w/.@<-])((?:[\w*.-]+\/)*[\w*-][\w*.-]*\.(?:md|tsx?|css|mjs|cjs))\b(?:#([\w-]+))?/g;
const BELOW =
  /(?<![\w/.@-])(?:src|web(?!\/dist)|test|bench|scripts|docs|examples|packages|bin)\/[\w/-]*(?![\w/*-]|\.\w)/g;
const LINK = /\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g;
const DECISION = /\b[RW]\d{1,2}\b/g;
const TITLE = /(?<=['"`(])[RW]\d{1,2}(?=[:)])/g;

/** Every fault below a repository's root, as `file:line: what is wrong`. */
export function faultsIn(root) {
  const paths = pathsBelow(root);
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const known = { paths, read, root, anchors: new Map() };
  const checked = paths.filter((path) => (CODE.test(path) || DOCUMENT.test(path)) && !isFixture(path));
  return [...checked.flatMap((path) => faultsOfFile(path, known)), ...faultsOfLayout(known)];
}

/** The anchors of a Markdown text: its headings as GitHub writes them, and every `id`. */
export function anchorsOf(markdown) {
  const text = markdown.replace(/^```[\s\S]*?^```/gm, '');
  const headings = [...text.matchAll(/^#+ +(.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...headings, ...[...text.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id)]);
}

/** The paths that a tree of indented names stands for; `text` is the document that holds it in its first code block. */
export function layoutOf(text) {
  const [, block = ''] = /^```\w*\n([\s\S]*?)^```/m.exec(text) ?? [];
  const found = [];
  const folders = [];
  for (const line of block.split('\n')) {
    const indent = line.search(/\S/);
    if (indent < 0) continue;
    const depth = indent / 2;
    const words = line.trim().split(/\s+/);
    const end = words.findIndex((word) => !/^[\w*.-]+(\/|\.(tsx?|mjs|cjs|md))$/.test(word));
    for (const name of end < 0 ? words : words.slice(0, end)) {
      const path = `${folders.slice(0, depth).join('')}${name}`;
      if (name.endsWith('/')) folders[depth] = name;
      found.push(path);
    }
  }
  return found;
}

function pathsBelow(root, folder = '') {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (SKIPPED.test(path)) return [];
    return statSync(join(root, path)).isDirectory() ? [`${path}/`, ...pathsBelow(root, path)] : [path];
  });
}

const isFixture = (path) => path.startsWith('test/fixtures/');

function faultsOfFile(path, known) {
  const isDocument = path.endsWith('.md');
  return known
    .read(path)
    .split('\n')
    .flatMap((line, at) => {
      const text = line.replace(ADDRESS, '');
      const faults = isDocument || COMMENT.test(text) ? faultsOfText(text, path, known) : [];
      const titles = path.startsWith('test/') ? (text.match(TITLE) ?? []) : [];
      return [...new Set([...faults, ...titles.flatMap((name) => decisionFault(name, known))])].map(
        (fault) => `${path}:${at + 1}: ${fault}`,
      );
    });
}

function faultsOfText(text, path, known) {
  const files = [...text.matchAll(FILE)].flatMap(([, name, anchor]) => fileFault(name, anchor, path, known));
  const below = [...text.matchAll(BELOW)].flatMap(([name]) =>
    known.paths.some((one) => one.startsWith(name)) ? [] : [`there is no ${name}`],
  );
  const links = path.endsWith('.md') ? [...text.matchAll(LINK)] : [];
  const targets = links.flatMap(([, name, anchor]) =>
    name === '' ? anchorFault(path, anchor, known) : linkFault(name, path, known),
  );
  const decisions = [...text.matchAll(DECISION)].flatMap(([name]) => decisionFault(name, known));
  return [...files, ...below, ...targets, ...decisions];
}

/** Documents are named from the root or from beside; code also by the end of its path, and by patterns. */
function fileFault(name, anchor, path, known) {
  const places = [name, join(dirname(path), name)];
  const found = places.find((place) => known.paths.includes(place));
  if (found) return anchorFault(found, anchor, known);
  if (name.startsWith('dist/')) return [];
  const pattern = new RegExp(`(^|/)${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
  const isCode = !name.endsWith('.md') && known.paths.some((one) => pattern.test(one));
  return isCode ? [] : [`there is no file ${name}`];
}

function linkFault(name, path, { root }) {
  return existsSync(join(root, dirname(path), name)) ? [] : [`the link to ${name} leads nowhere`];
}

function anchorFault(path, anchor, known) {
  if (anchor === undefined) return [];
  if (!known.anchors.has(path)) known.anchors.set(path, anchorsOf(known.read(path)));
  return known.anchors.get(path).has(anchor) ? [] : [`${basename(path)} has no heading #${anchor}`];
}

function decisionFault(name, known) {
  if (!known.paths.includes(DECISIONS)) return [`there is no ${DECISIONS} for ${name}`];
  return anchorFault(DECISIONS, name.toLowerCase(), known).map(() => `${DECISIONS} has no ${name}`);
}

function faultsOfLayout({ paths, read }) {
  if (!paths.includes('ARCHITECTURE.md')) return [];
  return layoutOf(read('ARCHITECTURE.md'))
    .filter((path) => !path.includes('*') && !paths.includes(path))
    .map((path) => `ARCHITECTURE.md: the layout names ${path}, which is not there`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = faultsIn(fileURLToPath(new URL('..', import.meta.url)));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
