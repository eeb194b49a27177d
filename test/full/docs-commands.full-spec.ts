import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, blocksOfKind, type DocBlock, readDocument } from '../support/doc-blocks.js';
import { isRun, stepsOf } from '../support/doc-commands.js';
import { type DocWorld, startDocWorld } from '../support/doc-world.js';
import { mariadbMissing } from '../support/mariadb.js';
import { lineDifference, memberDifferences } from '../support/normalize-bodies.js';
import { query } from '../support/own-mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';

// Runs the documented commands unchanged; test/unit/docs-blocks.spec.ts checks those that cannot be run here.

const BASE = '/cal/events/v1';

/** Files in the working directory of commands. */
const FILES: Readonly<Record<string, string>> = {
  'calendar.ics': [
    ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:a1@example.org', 'DTSTART:20270310T180000Z'],
    ...['DTEND:20270310T200000Z', 'SUMMARY:On the big stage', 'END:VEVENT', 'BEGIN:VEVENT'],
    ...['UID:a2@example.org', 'DTSTART:20270311T180000Z', 'DTEND:20270311T200000Z'],
    ...['SUMMARY:Each week on stage', 'RRULE:FREQ=WEEKLY', 'END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n'),
};

/** Standard input of a document's commands. */
const INPUT: Readonly<Record<string, string>> = { 'docs/operating.md': 'p@ss:w/rd#$ %\n' };

/** Headings whose commands run in order on the recorded site on MariaDB instead of the demo, and their preparation. */
const ON_SITE: Readonly<Record<string, { sql: string; commands: string[] }>> = {
  'docs/operating.md#The doctor': {
    sql: 'DELETE FROM wp_tec_occurrences; DELETE FROM wp_tec_events; UPDATE wp_term_taxonomy SET count = count + 1 WHERE term_taxonomy_id IN (2, 3, 4); ANALYZE TABLE wp_posts, wp_postmeta',
    commands: ['almanac doctor --fix links --yes'],
  },
  'docs/indexes.md#Indexes': { sql: 'DO 1', commands: [] },
};

/** Interactive commands, and their replacements. */
const ASKING: Readonly<Record<string, string>> = {
  'npx almanac doctor --fix occurrences': 'npx almanac doctor --fix occurrences --yes',
};

const documentOf = ({ place }: DocBlock) => place.replace(/:\d+$/, '');
const runnable = blocksOfKind('sh', 'console').filter(isRun);
const headingOf = (block: DocBlock) => `${documentOf(block)}#${block.heading}`;

describe('documented commands on the demo', () => {
  let world: DocWorld;
  beforeAll(async () => {
    world = await startDocWorld();
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(world.folder, name), text);
  });
  afterAll(() => world?.server.kill());

  const here = runnable.filter((block) => !ON_SITE[headingOf(block)]);
  it.each(here.map((block) => [block.place, block] as const))('%s runs', async (_, block) => {
    const path = documentOf(block);
    const [printed = ''] = await expectSteps(world, block, INPUT[path]);
    const all = blocksOf(path);
    const next = all[all.findIndex(({ place }) => place === block.place) + 1];
    if (block.kind !== 'sh' || next?.kind !== 'json' || !next.isAnswer) return;
    expect(memberDifferences(JSON.parse(world.filled(next.text)), JSON.parse(printed))).toEqual([]);
  });

  it('serves the URLs in HTML and in the tables of README.md', async () => {
    const { server, filled } = world;
    const records = new Map<string, { id: number; slug: string }>();
    for (const kind of ['event', 'venue', 'organizer']) {
      const list = await fetch(`${server.url}${BASE}/${kind}s`);
      const { [`${kind}s`]: all } = (await list.json()) as Record<string, [{ id: number; slug: string }]>;
      if (all) for (const name of [kind, `${kind}s`]) records.set(name, all[0]);
    }
    const inHtml = blocksOfKind('html').flatMap(({ text }) =>
      [...filled(text).matchAll(/\b(?:src|href)="([^"]+)"/g)].map(([, url = '']) =>
        url.replaceAll('&amp;', '&'),
      ),
    );
    const cells = [...readDocument('README.md').matchAll(/^\| (`\/.*?) \|/gm)].map(([, cell = '']) => cell);
    const inTables = cells
      .flatMap((cell) => [...cell.matchAll(/`(\/[^`]*)`/g)].map(([, path = '']) => path))
      .map((path) => {
        const { id, slug } = records.get(path.split('/')[1] ?? '') ?? { id: 1, slug: 'no-record' };
        return path.replaceAll('<slug>', slug).replaceAll('<id>', String(id));
      });
    expect(inTables.length).toBeGreaterThan(15);
    const isAnswered = async (url: string) => !(await (await fetch(url)).text()).includes('"rest_no_route"');
    const missing: string[] = [];
    for (const url of inHtml) if (!(await isAnswered(url))) missing.push(url);
    for (const path of inTables)
      if (!(await isAnswered(`${server.url}${BASE}${path}`)) && !(await isAnswered(server.url + path)))
        missing.push(path);
    expect(missing).toEqual([]);
  });
});

(mariadbMissing() ? describe.skip : describe)('on the recorded site, on MariaDB', () => {
  let mariadb: OwnServer;
  beforeAll(async () => {
    mariadb = await startOwnServer('mariadb');
    await query(mariadb.url, "CREATE USER almanac@'127.0.0.1'; GRANT ALL ON *.* TO almanac@'127.0.0.1'");
  });
  afterAll(() => mariadb?.kill());

  it('executes the documented SQL statements', async () => {
    for (const { place, text } of blocksOfKind('sql'))
      await query(mariadb.url, text).catch((error: Error) =>
        Promise.reject(new Error(`${place}: ${error.message}`)),
      );
  });

  it.each(Object.entries(ON_SITE))('%s runs', async (heading, { sql, commands }) => {
    await query(mariadb.url, sql);
    const world = await startDocWorld(mariadb.url.replace('root', 'almanac'));
    try {
      await world.run(commands);
      const here = runnable.filter((block) => headingOf(block) === heading);
      expect(here.length).toBeGreaterThan(0);
      for (const block of here) await expectSteps(world, block);
    } finally {
      await world.server.kill();
    }
  });
});

/** Runs a block and compares its output; a block of the kind `sh` shows none and must succeed. */
async function expectSteps(world: DocWorld, block: DocBlock, input?: string): Promise<string[]> {
  const steps = stepsOf(block);
  const done = await world.run(
    steps.map(({ command }) => ASKING[command] ?? command),
    input,
  );
  const faults = steps.flatMap(({ command, shown: output }, at) => {
    const { printed = '', said = '', code = -1 } = done[at] ?? {};
    if (block.kind === 'sh') return code === 0 ? [] : [`${command}: ${code}, ${printed}${said}`];
    const line = ASKING[command] ? undefined : lineDifference(world.filled(output), printed, said);
    return line === undefined ? [] : [`${command}: not so: ${line}\n${printed}${said}`];
  });
  expect([block.place, faults]).toEqual([block.place, []]);
  return done.map(({ printed }) => printed);
}
