import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ICAL from 'ical.js';
import { load } from 'js-yaml';
import { readEnvironment } from '../../src/config/env.js';
import {
  blocksOf,
  blocksOfKind,
  commandsInText,
  documents,
  ROOT,
  readDocument,
} from '../support/doc-blocks.js';
import { commandsOf, faultOf, isRun, stepsOf } from '../support/doc-commands.js';
import { lineDifference, memberDifferences } from '../support/normalize-bodies.js';

/** Kinds of blocks that show what somebody saw, and say nothing that can be run. */
const SHOWN_ONLY = ['text', 'http', 'mermaid'];

/** Kinds that test/full/docs-commands.full-spec.ts and docs-examples.full-spec.ts run. */
const RUN = ['sh', 'console', 'sql', 'html', 'ts'];

/** Kinds that are read; those of the kind `ini` are run by test/logs.either-spec.ts. */
const READ: Readonly<Record<string, (text: string) => unknown>> = {
  json: (text) => JSON.parse(text),
  yaml: (text) => load(text),
  ics: (text) => ICAL.parse(text.replaceAll(/\r?\n/g, '\r\n')),
  env: (text) =>
    readEnvironment(
      Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value])),
    ),
  ini: (text) => {
    const unusual = text.split('\n').find((line) => !/^(\[[\w-]+\]|\w+ = .*|\s+\S.*|)$/.test(line));
    if (unusual !== undefined) throw new Error(unusual);
  },
};

describe('blocks in README.md and docs', () => {
  it('have known languages', () => {
    const known = [...SHOWN_ONLY, ...RUN, ...Object.keys(READ), 'nginx'];
    const unusual = documents()
      .flatMap(blocksOf)
      .filter(({ kind }) => !known.includes(kind));
    expect(unusual.map(({ place, kind }) => `${place} ${kind}`)).toEqual([]);
  });

  it('are valid', () => {
    const faults = blocksOfKind(...Object.keys(READ)).flatMap(({ place, kind, text }) => {
      try {
        READ[kind]?.(text);
        return [];
      } catch (error) {
        return [`${place}: ${(error as Error).message}`];
      }
    });
    expect(faults).toEqual([]);
  });

  it('are accepted by nginx, where it is installed', async () => {
    const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path));
    const folder = mkdtempSync(join(tmpdir(), 'almanac-nginx-'));
    for (const { place, text } of blocksOfKind('nginx')) {
      expect([place, text.split('{').length]).toEqual([place, text.split('}').length]);
      if (!nginx) continue;
      const file = join(folder, 'nginx.conf');
      const head = `pid ${file}.pid; error_log stderr; events {}`;
      writeFileSync(file, `${head} http { access_log off; server { listen 8080; ${text} } }`);
      await promisify(execFile)(nginx, ['-t', '-p', folder, '-c', file]);
    }
    rmSync(folder, { recursive: true });
  });
});

describe('commands in README.md, CONTRIBUTING.md and docs', () => {
  const faults = async (place: string, text: string) => {
    const found = await Promise.all(commandsOf(text).map(faultOf));
    return found.flatMap((fault) => (fault === undefined ? [] : [`${place}: ${fault}`]));
  };

  it('name existing commands, where they cannot be run', async () => {
    const inBlocks = blocksOfKind('sh', 'console')
      .filter((block) => !isRun(block))
      .flatMap((block) => stepsOf(block).map(({ command }) => faults(block.place, command)));
    const inText = [...documents(), 'CONTRIBUTING.md'].flatMap((path) =>
      commandsInText(path).map((text) => faults(path, text)),
    );
    expect((await Promise.all([...inBlocks, ...inText])).flat()).toEqual([]);
  });

  it.each([
    ['almanac verify --agianst http://localhost', /--agianst .* is not known/],
    ['npx almanac user rename admin', /does not know rename/],
    ['almanac seed --events many', /argument 'many' is invalid/],
    ['npm run migrate', /there is no npm run migrate/],
    ['docker compose --profile test up', /no profile test/],
    ['docker compose logs web', /no service web/],
    ['PORT=high npm start', /PORT must be/],
    ['DATABSE_URL=sqlite:x npx almanac', /DATABSE_URL/],
    ['cp deploy/apache2.conf /etc', /deploy\/apache2\.conf/],
    ['systemctl enable --now calendar', /no such unit/],
    ['rm -rf data', /nobody knows how to check "rm"/],
  ])('reports %s as invalid', async (text, fault) => {
    expect(await faults('here', text)).toEqual([expect.stringMatching(fault)]);
  });
});

it.each(['docs', 'docs/behaviour'])('%s/README.md links to every document beside it', (folder) => {
  const index = readDocument(`${folder}/README.md`);
  const beside = readdirSync(join(ROOT, folder)).filter((name) => /^(?!README).*\.md$/.test(name));
  expect(beside.length).toBeGreaterThan(10);
  expect(beside.filter((name) => !index.includes(`](${name})`))).toEqual([]);
});

describe('examples of output in documents', () => {
  it('are compared with the printed output', () => {
    const printed = 'Server  MariaDB 10.6\nA b.\n  1 of 20\nDone: x\n';
    expect(lineDifference('Server  MariaDB 11.4\n…\nDone: …\n', printed)).toBeUndefined();
    expect(lineDifference('Server  MariaDB 11.4\nDone: x\n', printed)).toBe('Done: x');
    expect(lineDifference('…\nDone: y\n', printed)).toBe('Done: y');
    expect(lineDifference('Server  MariaDB 11.4\n', printed)).toBe('A b.');
    expect(lineDifference('…\nHalf done\nDone: x\n', printed, 'Begun\nHalf done\n')).toBeUndefined();
  });

  it('are compared with the responses', () => {
    const answered = { id: 7, title: 'A', start_date: '2027-01-02 10:00:00', venue: { id: 1 }, tags: [] };
    expect(
      memberDifferences({ id: 1, start_date: '2026-11-12 20:00:00', venue: { id: 2 } }, answered),
    ).toEqual([]);
    expect(memberDifferences({ id: '1', start: '', venue: [], start_date: 'today' }, answered)).toHaveLength(
      4,
    );
  });

  it('in docs/troubleshooting.md quote sentences of the source', () => {
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
    const code = files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'));
    const source = code.join('\n');
    const quoted = [...readDocument('docs/troubleshooting.md').matchAll(/^> (.*)$/gm)].flatMap(
      ([, text = '']) => text.split('…').map((part) => part.trim()),
    );
    expect(quoted.length).toBeGreaterThan(10);
    expect(quoted.filter((part) => !source.includes(part))).toEqual([]);
  });
});
