// Writes the table of docs/configuration.md and the file .env.example from src/config/data/variables.ts.
// Run it after a change there: npm run build && node scripts/config-table.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WIDTH = 100;
const MARKS = ['<!-- configuration: begin -->', '<!-- configuration: end -->'];

const SECRETS =
  "WordPress's keys and salts as in wp-config.php; without them login cookies and nonces are ignored, application passwords work";

/** The document with its table renewed; `env` is the module src/config/data/variables.ts. */
export function documentWith(document, env) {
  const [before, rest] = cut(document, MARKS[0]);
  const [, after] = cut(rest, MARKS[1]);
  return `${before}${MARKS[0]}\n${table(env)}\n${MARKS[1]}${after}`;
}

/** The whole text of .env.example: every variable, commented out, with its default. */
export function envExample(env) {
  const variables = Object.values(env.VARIABLES).map(
    ({ name, description, default: fallback = '' }) => `${comment(description)}\n#${name}=${fallback}\n`,
  );
  const secrets = env.SECRET_NAMES.map((name) => `#${name}=`).join('\n');
  return [
    `${comment('Copy to .env, which is read at start, and uncomment what differs. A variable that is set already wins over .env.')}\n`,
    ...variables,
    `${comment(`${SECRETS}.`)}\n${secrets}\n`,
  ].join('\n');
}

function table({ VARIABLES, SECRET_NAMES }) {
  const rows = Object.values(VARIABLES).map(
    ({ name, description, default: fallback }) =>
      `| \`${name}\` | ${fallback ? `\`${fallback}\`` : ''} | ${cell(description)} |`,
  );
  const secrets = SECRET_NAMES.map((name) => `\`${name}\``).join(', ');
  return [
    '| Variable | Default | Meaning |',
    '|---|---|---|',
    ...rows,
    `| ${secrets} | | ${SECRETS}. |`,
  ].join('\n');
}

// Descriptions name documents from the root; the table stands beside them.
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('](docs/', '](');

/** A description without Markdown: a link becomes its words and, where they are not the same, where it leads. */
const plain = (text) =>
  text
    .replaceAll('`', '')
    .replace(/\[([^\]]*)\]\(([^)]*)\)/g, (_, words, target) =>
      target.startsWith(words) ? target : `${words} (${target})`,
    );

function comment(text) {
  const lines = [''];
  for (const word of plain(text).split(' ')) {
    const line = lines.at(-1);
    if (line !== '' && line.length + word.length + 3 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => `# ${line}`).join('\n');
}

function cut(text, mark) {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`the document does not hold ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

async function write() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const env = await import(new URL('../dist/config/data/variables.js', import.meta.url).href);
  const document = join(root, 'docs', 'configuration.md');
  writeFileSync(document, documentWith(readFileSync(document, 'utf8'), env));
  writeFileSync(join(root, '.env.example'), envExample(env));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) write();
