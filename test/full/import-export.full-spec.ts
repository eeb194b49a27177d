import { chmod, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { readRecords } from '../../src/cli/import/import-records.js';
import { withSite } from '../../src/cli/site-application.js';
import { readEnvironment } from '../../src/config/env.js';
import { importEvents } from '../../src/imports/import-events.js';
import { htmlEntityDecode } from '../../src/lib/wordpress-text/formatting/html-entity-decode.js';
import { phpStripTags } from '../../src/lib/wordpress-text/formatting/php-strings.js';
import { EventsService } from '../../src/resources/events/events.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { almanac, type Ended } from '../support/command.js';
import { makeEmptySite } from '../support/empty-site.js';
import { type Ask, brokenRows } from '../support/invariants.js';
import { describeEither, makeSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';

interface Term {
  name: string;
}
interface EventJson {
  [name: string]: unknown;
  id: number;
  title: string;
  url: string;
  website: string;
  categories: Term[];
  tags: Term[];
  venue: Record<string, unknown> | Record<string, unknown>[];
  organizer: Record<string, unknown>[];
}

describeEither('almanac import and almanac export', (database) => {
  let site: Site;
  let app: TestApp;
  let folder: string;
  /** Options of the recorded site. */
  let broken: string[];
  beforeAll(async () => {
    folder = await mkdtemp(join(testFolder(), 'files-'));
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url });
    broken = await brokenRows(rows as Ask);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const run = (...words: string[]) => almanac(site.url, words);
  /** Standard error without the progress lines of a busy machine. */
  const complaints = ({ err }: Ended) => err.replace(/^[\d,]+ records? …\n/gm, '');
  const rows = (statement: string): Promise<Record<string, unknown>[]> => app.dataSource.query(statement);
  const file = async (name: string, text: string | Buffer) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  const calendar = (...events: string[][]) =>
    [
      'BEGIN:VCALENDAR',
      ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
      'END:VCALENDAR',
      '',
    ].join('\r\n');
  const state = async () =>
    JSON.stringify(
      await Promise.all(
        [
          'posts',
          'postmeta',
          'terms',
          'term_taxonomy',
          'term_relationships',
          'tec_events',
          'tec_occurrences',
          'options',
        ].map((table) => rows(`SELECT * FROM wp_${table} ORDER BY 1, 2`)),
      ),
    );
  const exported = async (url: string) =>
    (
      JSON.parse(
        (await almanac(url, ['export', '--format', 'json', '--as', 'admin', '--hidden'])).out,
      ) as EventJson[]
    ).map(essence);
  const expectInvariants = async () => expect(await brokenRows(rows as Ask)).toEqual(broken);

  it.each(['csv', 'ics'])(
    'transfers all events of one site into an empty one by %s',
    async (format) => {
      const path = join(folder, `all.${format}`);
      // Blocks contain backslashes, of which a write removes one layer.
      await app.dataSource.query('UPDATE wp_posts SET post_content = ?, post_excerpt = ? WHERE ID = 55', [
        'Line \\u002d <!-- wp:x {"a":"\\u002d\\u002d"} /--> end',
        'C:\\new',
      ]);
      expect(
        (await run('export', '--format', format, '--as', 'admin', '--hidden', '--raw', '-o', path)).code,
      ).toBe(0);
      const before = await exported(site.url);
      const other = await makeEmptySite(database);
      try {
        const ended = await almanac(other.url, ['import', path, '--as', 'admin', '--json']);
        const { created, records } = JSON.parse(ended.out);
        expect({ records, code: ended.code, created }).toEqual({
          records: [],
          code: 0,
          created: before.length,
        });
        const after = await exported(other.url);
        const remaining = (events: EventJson[]) =>
          events
            // Content behind a password is not exported.
            .filter(({ all_day }) => all_day !== null)
            .map((event) => JSON.stringify(format === 'csv' ? event : inCalendarFiles(event)))
            .sort();
        const found = remaining(after);
        expect(remaining(before).length).toBeGreaterThan(100);
        expect(remaining(before).filter((event) => !found.includes(event))).toEqual([]);
        // A second export gives the same file, except for ids.
        const out = await almanac(other.url, [
          'export',
          '--format',
          format,
          '--as',
          'admin',
          '--hidden',
          '--raw',
        ]);
        expect(out.out.match(/u002d/g)?.length).toBe((await readFile(path, 'utf8')).match(/u002d/g)?.length);
        const again = await almanac(other.url, ['import', path, '--as', 'admin', '--json']);
        expect(JSON.parse(again.out)).toMatchObject({
          created: 0,
          updated: 0,
          unchanged: before.length,
          left_out: 0,
        });
      } finally {
        await other.drop();
      }
    },
    240_000,
  );

  it('exports what a list shows to the same user, with the same filters', async () => {
    const list = async (query: string) => {
      const ids: number[] = [];
      for (let page = 1, pages = 1; page <= pages; page++) {
        const answer = await fetch(`${app.url}/cal/events/v1/events?per_page=50&page=${page}&${query}`);
        const { events, total_pages } = (await answer.json()) as { events: EventJson[]; total_pages: number };
        ids.push(...events.map(({ id }) => id));
        pages = total_pages;
      }
      return ids.sort((a, b) => a - b);
    };
    const out = async (...words: string[]) =>
      (JSON.parse((await run('export', '--format', 'json', ...words)).out) as EventJson[]).map(
        ({ id }) => id,
      );
    expect(await out()).toEqual(await list('starts_after=1971-01-01'));
    expect(await out('--start_date', '2091-03-01', '--end_date', '2091-04-01')).toEqual(
      await list('start_date=2091-03-01&end_date=2091-04-01'),
    );
    expect(await out('--featured', 'true')).toEqual(await list('featured=true&starts_after=1971-01-01'));
    expect((await out('--as', 'admin')).length).toBeGreaterThan((await out()).length);
    const ended = await run('export');
    expect(ended.err).toMatch(/(^|\n)Left out \d+ events hidden from listings: --hidden exports all\.\n$/);
    const events = new ICAL.Component(ICAL.parse(ended.out)).getAllSubcomponents('vevent');
    const exported: EventJson[] = JSON.parse((await run('export', '--format', 'json')).out);
    expect(
      events.map((component) => {
        const { uid, startDate, endDate } = new ICAL.Event(component);
        const times = [startDate, endDate].map((time) =>
          time.isDate ? 'day' : time.toJSDate().toISOString().slice(0, 19).replace('T', ' '),
        );
        return [uid, ...times];
      }),
    ).toEqual(
      exported.map(({ id, all_day, utc_start_date, utc_end_date }) => [
        `${id}@calendar.example.org`,
        ...(all_day ? ['day', 'day'] : [utc_start_date, utc_end_date]),
      ]),
    );
    // Descriptions of protected events are not exported.
    await rows("UPDATE wp_posts SET post_content = 'Whisperings' WHERE post_password <> ''");
    for (const format of ['ics', 'csv', 'json']) {
      const raw = await run('export', '--format', format, '--raw', '--as', 'admin');
      expect([format, raw.code, raw.out.includes('Whisperings')]).toEqual([format, 0, false]);
    }
  });

  it('generates events, and asks for confirmation where events exist', async () => {
    const total = async () =>
      Number((await rows("SELECT COUNT(*) AS n FROM wp_posts WHERE post_type = 'tribe_events'"))[0]?.['n']);
    const before = await total();
    const rejected = await run('seed', '--events', '3');
    expect([rejected.code, rejected.out, rejected.err]).toEqual([
      1,
      '',
      'This needs a confirmation, and there is no terminal to ask: add --yes.\n',
    ]);
    for (const [words, code] of [
      [['--yes', '--as', 'subscriber1'], 1],
      [['--yes', '--as', 'nobody'], 1],
      [['--yes', '--events', '0'], 2],
    ] as const)
      expect([words, (await run('seed', ...words)).code]).toEqual([words, code]);
    expect(await total()).toBe(before);
    expect(await run('seed', '--events', '3', '--yes')).toMatchObject({ code: 0, out: 'Made 3 events.\n' });
    expect(await total()).toBe(before + 3);
    await expectInvariants();
  });

  it('imports a calendar of another program, and at a second run only what has changed', async () => {
    const event = (title: string) => [
      'UID:%20<odd>@example.org',
      'DTSTART;TZID=W. Europe Standard Time:20910310T190000',
      'DTEND;TZID=W. Europe Standard Time:20910310T210000',
      `SUMMARY:${title}`,
      'DESCRIPTION:<p>Hi<script>alert(1)</script></p>',
      'LOCATION:Tempodrom\\, Möckernstraße 10',
      'ORGANIZER;CN=Ann:mailto:ann@example.org',
      'CATEGORIES:2090,R&B',
    ];
    const path = await file('other.ics', calendar(event('First')));
    const before = await state();
    const dry = await run('import', path, '--as', 'admin', '--dry-run');
    expect(dry.out).toBe(
      'line 2, %20<odd>@example.org: would be created\nEvents that would be created: 1, updated: 0; unchanged: 0; left out: 0.\n',
    );
    expect(await state()).toBe(before);
    expect((await run('import', path, '--as', 'editor1')).out).toBe(
      'Events that were created: 1, updated: 0; unchanged: 0; left out: 0.\n',
    );
    const find = async () =>
      (
        await rows(
          "SELECT ID AS id, post_title AS title, post_content AS content, post_author AS author, post_status AS status, post_modified AS modified FROM wp_posts WHERE post_title IN ('First', 'Second')",
        )
      )[0] ?? {};
    const first = await find();
    expect(first).toMatchObject({
      title: 'First',
      content: '<p>Hialert(1)</p>',
      author: 2,
      status: 'publish',
    });
    const answer = await fetch(`${app.url}/cal/events/v1/events/${first['id']}`);
    const exported = (await answer.json()) as EventJson;
    expect(exported).toMatchObject({
      timezone: 'Europe/Berlin',
      utc_start_date: '2091-03-10 18:00:00',
      venue: { venue: 'Tempodrom', address: 'Möckernstraße 10' },
    });
    expect(exported.categories.map(({ name }) => name)).toEqual(['2090', 'R&amp;B']);
    const imported = await state();
    expect((await run('import', path, '--as', 'admin')).out).toContain('unchanged: 1');
    expect(await state()).toBe(imported);
    await writeFile(path, calendar(event('Second')));
    expect((await run('import', path, '--as', 'admin')).out).toContain('updated: 1');
    expect(await find()).toMatchObject({ id: first['id'], title: 'Second', author: 2 });
    await rows(`UPDATE wp_posts SET post_status = 'trash' WHERE ID = ${first['id']}`);
    await writeFile(path, calendar(event('Third')));
    const trashed = await run('import', path, '--as', 'admin');
    expect([trashed.code, trashed.out]).toEqual([
      3,
      expect.stringContaining('left out: it is in the trash\n'),
    ]);
    await rows(`UPDATE wp_posts SET post_status = 'publish' WHERE ID = ${first['id']}`);
    await expectInvariants();
  });

  it('recognizes the events of its own site by the exported ids', async () => {
    const path = join(folder, 'own.ics');
    await run('export', '-o', path, '--start_date', '2091-03-01', '--end_date', '2091-03-20');
    const total = async () =>
      (await rows("SELECT COUNT(*) AS n FROM wp_posts WHERE post_type = 'tribe_events'"))[0]?.['n'];
    const before = await total();
    expect((await run('import', path, '--as', 'admin')).code).toBe(0);
    expect(await total()).toBe(before);
    expect(JSON.parse((await run('import', path, '--as', 'admin', '--json')).out)).toMatchObject({
      created: 0,
      updated: 0,
    });
  });

  it('reports each skipped record, imports the others, and exits with 3', async () => {
    const path = await file(
      'faults.ics',
      calendar(
        ['UID:a', 'DTSTART:20910101T100000Z', 'SUMMARY:Good'],
        ['UID:b', 'SUMMARY:No date'],
        ['UID:c', 'DTSTART:20910101T100000Z'],
        ['UID:d', 'DTSTART:20910101T100000Z', 'DTEND:20910101T090000Z', 'SUMMARY:Backwards'],
        ['UID:e', 'DTSTART:20910101T100000Z', 'RRULE:FREQ=MINUTELY', 'SUMMARY:Daily'],
        ['UID:f', 'DTSTART:20910101T100000Z', 'SUMMARY:Gone', 'STATUS:CANCELLED'],
      ),
    );
    const expected = [
      'line 7: left out: it has no DTSTART',
      'line 15, d: left out: end_date must be a date that is not before the start.',
      'line 21: left out: it recurs, but it takes place more than 288 times in a day',
      'line 27: left out: it is cancelled',
    ];
    const dry = await run('import', path, '--as', 'admin', '--dry-run');
    expect([dry.code, dry.out.split('\n').slice(0, -2)]).toEqual([
      3,
      ['line 2, a: would be created', ...expected.toSpliced(1, 0, 'line 11, c: would be created')],
    ]);
    const ended = await run('import', path, '--as', 'admin', '--status', 'draft');
    expect([ended.code, ended.out.split('\n').slice(0, -2)]).toEqual([3, expected]);
    expect(
      await rows(
        "SELECT post_status AS s FROM wp_posts WHERE post_title IN ('Good', 'Backwards', 'Daily', 'Gone', 'No date')",
      ),
    ).toEqual([{ s: 'draft' }]);
    const drafts = await run('export', '--as', 'admin', '--status', 'draft');
    expect(drafts.out).toContain('SUMMARY:Good');
    // A draft has no UTC times; every event of a calendar file has.
    expect(drafts.out).not.toMatch(/^[A-Z-]+:0000/m);
    await writeFile(path, (await readFile(path, 'utf8')).replace('MINUTELY', 'DAILY'));
    const many = await run('import', path, '--as', 'admin', '--occurrences', '3');
    expect(many.out).toContain('Events that were created: 3, updated: 0; unchanged: 2; left out: 3.');
    await expectInvariants();
  });

  it('drops only an invalid property, reports it each time, and exits with 3', async () => {
    const at = 'DTSTART:20910101T100000Z';
    const events = [
      ['UID:l1', at, 'SUMMARY:Lossy 1', 'URL:nonsense', 'DTEND:', 'DESCRIPTION:kept'],
      ['UID:l2', at, 'SUMMARY:Lossy 2', `CATEGORIES:Lossy,${'x'.repeat(201)}`],
      ['UID:l3', at, 'SUMMARY:Lossy 3', `ATTACH;ENCODING=BASE64;VALUE=BINARY:${'QUJD'.repeat(500_000)}`],
      ['UID:l4', at, 'SUMMARY:Lossy 4', 'DURATION:P999999999999999999W'],
      // Only the interface rejects this.
      ['UID:l5', at, 'SUMMARY:Lossy 5', `X-ALMANAC-COST:${'9'.repeat(3000)}`, 'CATEGORIES:<b></b>'],
      ['UID:l6', at, 'SUMMARY:Lossy 6'],
    ];
    const path = await file('lossy.ics', calendar(...events).replace('6\r\nEND:VEVENT', '6'));
    const named = [
      'line 7, l1: DTEND is lost: it is empty',
      'line 6, l1: URL is lost: "nonsense" is no address',
      `line 14, l2: CATEGORIES is lost: "${'x'.repeat(40)}…" is longer than 200 characters`,
      'line 20, l3: ATTACH is lost: it is longer than 1000000 bytes, or the event is',
      'line 26, l4: DURATION is lost: invalid value',
    ];
    const written = [
      'line 28, l5: cost is lost: cost may hold at most 2000 characters.',
      'line 28, l5: categories is lost: name must hold some text besides tags.',
    ];
    const unended = 'line 35, l6: END is lost: it is missing';
    const ended = await run('import', path, '--as', 'admin');
    expect([ended.code, ended.out.split('\n')]).toEqual([
      3,
      [
        ...[...named, ...written, unended],
        'Events that were created: 6, updated: 0; unchanged: 0; left out: 0. Properties that were lost: 8.',
        '',
      ],
    ]);
    const found = await rows(
      "SELECT p.post_title AS title, p.post_content AS content, m.meta_value AS ending FROM wp_posts p JOIN wp_postmeta m ON m.post_id = p.ID AND m.meta_key = '_EventEndDate' WHERE p.post_title LIKE 'Lossy%' ORDER BY 1",
    );
    expect(found).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => ({
        title: `Lossy ${n}`,
        content: n === 1 ? 'kept' : '',
        ending: '2091-01-01 10:00:00',
      })),
    );
    expect(await rows("SELECT name FROM wp_terms WHERE name LIKE 'Lossy%' OR name LIKE 'xxx%'")).toEqual([
      { name: 'Lossy' },
    ]);
    const before = await state();
    const again = await run('import', path, '--as', 'admin', '--json');
    expect([again.code, JSON.parse(again.out)]).toMatchObject([3, { unchanged: 6, lost: 6 }]);
    expect(await state()).toBe(before);
    await expectInvariants();
  });

  it('rolls back a rejected record, and nothing else of its transaction', async () => {
    const numbers = Array.from({ length: 40 }, (_, at) => at + 1);
    const path = await file(
      'groups.ics',
      calendar(
        ...numbers.map((n) => [
          ...[`UID:group-${n}`, `SUMMARY:Group ${n}`, 'DTSTART:20910310T100000Z', `CATEGORIES:Group ${n}`],
          ...(n % 5 === 0 ? ['DTEND:20910310T090000Z'] : []),
        ]),
      ),
    );
    const dates = await rows('SELECT COUNT(*) AS n FROM wp_tec_occurrences');
    const ended = await run('import', path, '--as', 'editor1');
    expect([ended.code, ended.out]).toEqual([
      3,
      expect.stringContaining('created: 32, updated: 0; unchanged: 0; left out: 8.'),
    ]);
    const good = numbers.filter((n) => n % 5 !== 0).map((n) => `Group ${n}`);
    const posts = await rows(
      "SELECT post_title AS title FROM wp_posts WHERE post_title LIKE 'Group %' ORDER BY ID",
    );
    // Reported in the order of the file.
    expect(posts.map(({ title }) => title)).toEqual(good);
    const terms = await rows("SELECT name FROM wp_terms WHERE name LIKE 'Group %' ORDER BY term_id");
    expect(terms.map(({ name }) => name)).toEqual(good);
    expect(await rows('SELECT COUNT(*) AS n FROM wp_tec_occurrences')).toEqual([
      { n: Number(dates[0]?.['n']) + 32 },
    ]);
    await expectInvariants();
  });

  it('generates a title for an event without one, and preserves a title that was set since', async () => {
    const event = (uid: string, ...lines: string[]) => [
      `UID:untitled-${uid}`,
      'DTSTART:20910401T100000Z',
      ...lines,
    ];
    const path = await file(
      'untitled.ics',
      calendar(event('a', 'DESCRIPTION:Cake & tea\\nfor all'), event('b', 'SUMMARY:'), event('c', 'SUMMARY')),
    );
    expect((await run('import', path, '--as', 'admin')).out).toMatch(
      /^line 15, untitled-c: SUMMARY is lost: .*\n.*created: 3,/,
    );
    const titles = async () =>
      (
        await rows(
          "SELECT p.post_title AS title FROM wp_posts p JOIN wp_postmeta m ON m.post_id = p.ID AND m.meta_key = '_almanac_import_uid' WHERE m.meta_value LIKE 'untitled-%' ORDER BY m.meta_value",
        )
      ).map(({ title }) => title);
    expect(await titles()).toEqual(['Cake &amp; tea', '(no title)', '(no title)']);
    await rows("UPDATE wp_posts SET post_title = 'Tea time' WHERE post_title = 'Cake &amp; tea'");
    await writeFile(path, calendar(event('a', 'DESCRIPTION:Tea')));
    expect((await run('import', path, '--as', 'admin')).out).toContain('updated: 1');
    expect((await titles())[0]).toBe('Tea time');
  });

  it('recognizes events of one UID in any order, also when only one of them remains', async () => {
    const event = (day: number, title: string) => [
      'UID:shared',
      `DTSTART:209105${day}T100000Z`,
      `SUMMARY:${title}`,
    ];
    const path = await file('shared.ics', calendar(event(11, 'Shared 11')));
    const counts = async (...events: string[][]) => {
      await writeFile(path, calendar(...events));
      const { created, updated, unchanged, left_out } = JSON.parse(
        (await run('import', path, '--as', 'admin', '--json')).out,
      );
      return [created, updated, unchanged, left_out];
    };
    expect(await counts(event(11, 'Shared 11'))).toEqual([1, 0, 0, 0]);
    expect(await counts(event(12, 'Shared 12'), event(11, 'Shared 11'))).toEqual([1, 0, 1, 0]);
    expect(await counts(event(11, 'Shared 11'), event(12, 'Shared 12'))).toEqual([0, 0, 2, 0]);
    expect(await counts(event(12, 'Shared 12, changed'), event(13, 'Shared 13'))).toEqual([1, 1, 0, 0]);
    expect(await counts(event(13, 'Shared 13'))).toEqual([0, 0, 1, 0]);
    expect(await counts(event(13, 'Shared 13'), event(13, 'Shared 13 too'))).toEqual([0, 0, 1, 1]);
    const found = await rows(
      "SELECT post_title AS title FROM wp_posts WHERE post_type = 'tribe_events' AND post_title LIKE 'Shared 1%' ORDER BY 1",
    );
    expect(found.map(({ title }) => title)).toEqual(['Shared 11', 'Shared 12, changed', 'Shared 13']);
    await expectInvariants();
  });

  it('imports changed occurrences of a series, wherever they stand, however often', async () => {
    const change = ['UID:r', 'RECURRENCE-ID:20910108T100000Z', 'DTSTART:20910108T150000Z', 'SUMMARY:Later'];
    const series = ['UID:r', 'DTSTART:20910101T100000Z', 'RRULE:FREQ=WEEKLY', 'SUMMARY:Weekly'];
    for (const [name, events] of Object.entries({ before: [change, series], behind: [series, change] })) {
      const path = await file(`${name}.ics`, calendar(...events).replaceAll('UID:r', `UID:${name}`));
      const imported = async () =>
        JSON.parse((await run('import', path, '--as', 'admin', '--occurrences', '3', '--json')).out);
      expect([name, await imported()]).toEqual([name, expect.objectContaining({ created: 3, updated: 0 })]);
      expect([name, await imported()]).toEqual([name, expect.objectContaining({ updated: 0, unchanged: 3 })]);
    }
    const dates = await rows(
      "SELECT p.post_title AS title, m.meta_value AS start FROM wp_posts p JOIN wp_postmeta m ON m.post_id = p.ID AND m.meta_key = '_EventStartDate' WHERE p.post_title IN ('Weekly', 'Later') ORDER BY m.meta_value, p.ID",
    );
    expect(dates.map(({ title, start }) => `${title} ${String(start).slice(5, 13)}`)).toEqual([
      ...['Weekly 01-01 10', 'Weekly 01-01 10', 'Later 01-08 15', 'Later 01-08 15'],
      ...['Weekly 01-15 10', 'Weekly 01-15 10'],
    ]);
  });

  it('withdraws the dates that the source cancelled or moved, and keeps the later revision', async () => {
    const series = (uid: string, ...lines: string[]) => [
      `UID:${uid}`,
      'DTSTART;TZID=Europe/Berlin:20910301T180000',
      'DURATION:PT1H',
      `SUMMARY:Withdrawn ${uid}`,
      'RRULE:FREQ=WEEKLY;COUNT=3',
      ...lines,
    ];
    const imported = async (text: string, ...words: string[]) => {
      const path = await file('source.ics', text);
      const ended = await run('import', path, '--as', 'admin', '--occurrences', '9', '--json', ...words);
      const { created, updated, unchanged, withdrawn, left_out } = JSON.parse(ended.out);
      return [created, updated, unchanged, withdrawn, left_out];
    };
    const starts = async (uid: string, isTrashed = false) =>
      (
        await rows(
          `SELECT m.meta_value AS start FROM wp_posts p JOIN wp_postmeta m ON m.post_id = p.ID AND m.meta_key = '_EventStartDate' WHERE p.post_title = 'Withdrawn ${uid}' AND p.post_status ${isTrashed ? '=' : '<>'} 'trash' ORDER BY m.meta_value`,
        )
      ).map(({ start }) => String(start).slice(5, 13));
    expect(await imported(calendar(series('w1'), series('w2'), series('w3')))).toEqual([9, 0, 0, 0, 0]);

    const cancelled = [
      'UID:w1',
      'RECURRENCE-ID:20910308T170000Z',
      'DTSTART:20910308T170000Z',
      'STATUS:CANCELLED',
    ];
    const first = calendar(series('w1'), cancelled);
    const before = await state();
    expect(await imported(first, '--dry-run')).toEqual([0, 0, 2, 1, 0]);
    expect(await state()).toBe(before);
    expect(await imported(first)).toEqual([0, 0, 2, 1, 0]);
    expect([await starts('w1'), await starts('w1', true)]).toEqual([['03-01 18', '03-15 18'], ['03-08 18']]);
    expect(await imported(first)).toEqual([0, 0, 2, 0, 1]);

    // The source leaves one date out, and moves the whole series.
    expect(await imported(calendar(series('w2', 'EXDATE:20910315T170000Z')))).toEqual([0, 0, 2, 1, 0]);
    expect(await starts('w2')).toEqual(['03-01 18', '03-08 18']);
    const moved = calendar(series('w2')).replace('T180000', 'T190000');
    expect(await imported(moved)).toEqual([3, 0, 0, 2, 0]);
    expect(await starts('w2')).toEqual(['03-01 19', '03-08 19', '03-15 19']);

    // Of two series with one UID none withdraws the dates of the other, and an older revision withdraws nothing.
    const second = series('w2', 'SEQUENCE:7').join('\r\n').replaceAll('20910301', '20910405').split('\r\n');
    const both = calendar(series('w2', 'SEQUENCE:7'), second).replace('T180000', 'T190000');
    expect(await imported(both)).toEqual([3, 0, 3, 0, 0]);
    expect(await imported(both)).toEqual([0, 0, 6, 0, 0]);
    expect(await starts('w2')).toHaveLength(6);
    expect(await imported(calendar(series('w5', 'SEQUENCE:7')))).toEqual([3, 0, 0, 0, 0]);
    const older = calendar(series('w5', 'SEQUENCE:3', 'EXDATE:20910308T170000Z'));
    expect(await imported(older)).toEqual([0, 0, 2, 0, 0]);
    expect(await starts('w5')).toHaveLength(3);

    // One date, then all of them, by METHOD:CANCEL without STATUS.
    const cancel = (...lines: string[]) =>
      calendar(['UID:w3', ...lines]).replace('BEGIN:VCALENDAR', 'BEGIN:VCALENDAR\r\nMETHOD:CANCEL');
    const one = cancel('RECURRENCE-ID;TZID=Europe/Berlin:20910308T180000', 'SEQUENCE:1');
    expect(await imported(one)).toEqual([0, 0, 0, 1, 0]);
    expect(await starts('w3')).toEqual(['03-01 18', '03-15 18']);
    expect(await imported(cancel('DTSTART:20910301T170000Z'))).toEqual([0, 0, 0, 2, 0]);
    expect(await starts('w3')).toEqual([]);

    const revision = (sequence: number, hour: string) =>
      calendar(['UID:w4', `DTSTART:20910301T${hour}0000Z`, 'SUMMARY:Withdrawn w4', `SEQUENCE:${sequence}`]);
    expect(await imported(revision(5, '10'))).toEqual([1, 0, 0, 0, 0]);
    expect(await imported(revision(2, '11'))).toEqual([0, 0, 0, 0, 1]);
    expect(await starts('w4')).toEqual(['03-01 10']);
    expect(await imported(revision(6, '12'))).toEqual([0, 1, 0, 0, 0]);
    expect(await starts('w4')).toEqual(['03-01 12']);
    await expectInvariants();
  });

  it('reads tables of other programs: separators, quotes, lists, guarded cells, several venues', async () => {
    const path = await file(
      'table.csv',
      `\ufeffTitle;Start Date;End date;Timezone;Categories;venue;venue_city;Colour;cost\r\n` +
        `'=1+1;2091-05-01 10:00;2091-05-01 12:00;Europe/Paris;"Tea, ""Wine, cheese""";Hall A;Bonn, West;red;'-5\r\n` +
        `"Two\nlines";1 May 2091 8pm;;;;"Hall B\nHall C";"Ulm\nTrier";;\r\n` +
        `short;2091-05-01\r\n` +
        `;2091-05-01;;;;;;;\r\n` +
        `Bad;someday;;;;;;;\r\n`,
    );
    const ended = await run('import', path, '--as', 'admin', '--json');
    expect(complaints(ended)).toBe('These columns are not known and not imported: Colour.\n');
    const { created, records } = JSON.parse(ended.out);
    expect(created).toBe(2);
    expect(records.map(({ line, fault }: { line: number; fault: string }) => [line, fault])).toEqual([
      [7, 'it has 2 cells, and the header 9'],
      [8, 'it has no title'],
      [9, expect.stringContaining('its start_date has to be a date with a year of four digits')],
    ]);
    const events = (await exported(site.url)).filter(({ title }) =>
      ['=1+1', 'Two lines'].includes(title.replace('\n', ' ')),
    );
    expect(events).toMatchObject([
      {
        title: '=1+1',
        timezone: 'Europe/Paris',
        categories: ['Tea', 'Wine, cheese'],
        venue: [{ venue: 'Hall A', city: 'Bonn, West' }],
      },
      {
        start_date: '2091-05-01 20:00:00',
        end_date: '2091-05-01 20:00:00',
        venue: [
          { venue: 'Hall B', city: 'Ulm' },
          { venue: 'Hall C', city: 'Trier' },
        ],
      },
    ]);
    const csv = (
      await run('export', '--format', 'csv', '--start_date', '2091-05-01', '--end_date', '2091-05-02')
    ).out;
    expect(csv).toMatch(/@calendar\.example\.org,'=1\+1,/);
    expect(JSON.parse((await run('import', path, '--as', 'admin', '--json')).out)).toMatchObject({
      created: 0,
      unchanged: 2,
    });
    await expectInvariants();
  });

  it('prints no control sequence of a file, and no text that imitates its own lines', async () => {
    const hostile = '\x1b[2J\x9b31m\u202e';
    const uid = `${hostile}\nline 9: created`;
    const path = await file('hostile.csv', `title,start_date,uid,${hostile}\nx,never 2027,"${uid}",\n`);
    const dry = await run('import', path, '--as', 'admin', '--dry-run');
    expect(dry.out).toMatch(/^line 2, \\u001b\[2J\\u009b31m\\u202e \| line 9: created: left out: .*\n.*\n$/);
    expect(complaints(dry)).toBe(
      'These columns are not known and not imported: \\u001b[2J\\u009b31m\\u202e.\n',
    );
    const json = await run('import', path, '--as', 'admin', '--dry-run', '--json');
    expect(json.out).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(JSON.parse(json.out).records[0].uid).toBe(uid);
  });

  it('creates no category for a skipped event, also where its name is a number', async () => {
    const event = (uid: string, ...lines: string[]) => [
      `UID:${uid}`,
      `SUMMARY:${uid}`,
      'DTSTART:20910310T100000Z',
      ...lines,
    ];
    const years = Array.from({ length: 300 }, (_, at) => 52_000 + at);
    const path = await file(
      'numbered.ics',
      calendar(
        event('early', 'CATEGORIES:51999', 'DTEND:20910309T100000Z'),
        event('many', `CATEGORIES:${Array.from({ length: 1001 }, (_, at) => 52_500 + at).join()}`),
        event('good', `CATEGORIES:${years.join()}`, 'X-ALMANAC-TAGS:51998'),
      ),
    );
    const before = await state();
    // A user without the capability to manage categories may still create some within an event, as in a request.
    const ended = await run('import', path, '--as', 'author1');
    expect([ended.code, ended.out]).toEqual([3, expect.stringContaining('created: 2,')]);
    expect(ended.out).toContain(
      'line 9, many: categories is lost: categories may hold at most 1000 items.\n',
    );
    const named = await rows(
      "SELECT name FROM wp_terms WHERE name LIKE '51%' OR name LIKE '52%' ORDER BY name",
    );
    expect(named.map(({ name }) => Number(name))).toEqual([51_998, ...years]);
    expect(await state()).not.toBe(before);
    await expectInvariants();
  });

  it('names no event for duplicate entries that are not created yet', async () => {
    const twice = await file('two.csv', 'title,start_date\nTwin,2091-01-01\nTwin,2091-01-01\n');
    const dry = await run('import', twice, '--as', 'admin', '--dry-run');
    expect(dry.out.split('\n')[1]).toMatch(/^line 3, .*Twin: unchanged$/);
  });

  it('creates no event that a concurrent import creates', async () => {
    const numbers = [1, 2, 3];
    const path = await file(
      'meanwhile.ics',
      calendar(
        ...numbers.map((n) => [`UID:meanwhile-${n}`, `SUMMARY:Meanwhile ${n}`, 'DTSTART:20370310T190000Z']),
      ),
    );
    const outcomes = await withSite(
      async (other) => {
        const records = importEvents(other, { as: 'admin' }, (options) => readRecords(path, options));
        const first = await records.next();
        expect((await run('import', '--as', 'admin', path)).out).toMatch(/created: 2, .*unchanged: 1/);
        const seen = [first.value];
        for await (const record of records) seen.push(record);
        return seen.map((record) => record?.outcome);
      },
      readEnvironment({ DATABASE_URL: site.url }),
    );
    expect(outcomes).toEqual(['created', 'unchanged', 'unchanged']);
    const createdOnes = await rows("SELECT ID FROM wp_posts WHERE post_title LIKE 'Meanwhile %'");
    expect(createdOnes).toHaveLength(3);
  });

  it('splits the lines of a table at any kind of line end', async () => {
    const path = await file(
      'mixed.csv',
      'title,start_date\r\nMixed 1,2037-03-10 19:00\nMixed 2,2037-03-10 19:00\r\n"Mixed\n3",2037-03-10 19:00\rMixed 4,soon\r\n',
    );
    const { out } = await run('import', '--as', 'admin', '--dry-run', path);
    expect(out.match(/^line \d+/gm)).toEqual(['line 2', 'line 3', 'line 4', 'line 6']);
    expect(out).toContain('created: 3, updated: 0; unchanged: 0; left out: 1.');
  });

  it('rejects invalid arguments, and writes nothing', async () => {
    const good = await file('good.ics', calendar(['UID:g', 'DTSTART:20910101T100000Z', 'SUMMARY:Never']));
    const before = await state();
    for (const [words, code, message] of [
      [['import', good], 2, /required option '--as <login>'/],
      [['import', good, '--as', 'nobody'], 1, /^There is no user/],
      [['import', good, '--as', 'subscriber1'], 1, /^"subscriber1" may not create events\.\n$/],
      [['import', good, '--as', 'admin', '--occurrences', '5000'], 2, /whole number from 1 to 1000/],
      [['import', good, '--as', 'admin', '--status', 'trash'], 2, /Allowed choices are/],
      [
        ['import', join(folder, 'none.ics'), '--as', 'admin'],
        1,
        /none\.ics cannot be read: there is no such file or folder\.\n$/,
      ],
      [
        ['import', join(folder, 'none.csv'), '--as', 'admin'],
        1,
        /none\.csv cannot be read: there is no such file or folder\.\n$/,
      ],
      [
        ['import', folder, '--as', 'admin'],
        1,
        /is of no kind that is known: it has to end in \.ics or \.csv\.\n$/,
      ],
      [
        ['import', await file('html.ics', '<html>'), '--as', 'admin'],
        1,
        /html\.ics is no calendar file: line 1 is not BEGIN:VCALENDAR\.\n$/,
      ],
      [['import', await file('empty.csv', ''), '--as', 'admin'], 1, /empty\.csv is empty/],
      [
        ['import', await file('heads.csv', 'name,when\nx,y\n'), '--as', 'admin'],
        1,
        /^The columns title and start_date are missing\. There may be: uid, title/,
      ],
      [
        ['import', await file('twice.csv', 'title,Title,start_date\nx,y,z\n'), '--as', 'admin'],
        1,
        /^There are two columns title\.\n$/,
      ],
      [
        ['import', await file('quote.csv', 'title,start_date\n"x,2091-01-01\n'), '--as', 'admin'],
        1,
        /quote\.csv cannot be read behind line 1: Quote Not Closed/,
      ],
      [
        [
          'import',
          await file('mixed.csv', Buffer.from('title,start_date\nCaf\xc3\xa9 \xe9,2091-01-01\n', 'latin1')),
          '--as',
          'admin',
        ],
        1,
        /mixed\.csv is not UTF-8, somewhere behind line 0: save it as "CSV UTF-8"\.\n$/,
      ],
      [['export', '--format', 'xml'], 2, /Allowed choices are ics, csv, json/],
      [['export', '--start_date', 'nonsense'], 1, /^start_date must be a date and time/],
      [['export', '--status', 'draft'], 1, /^status may only be publish without the right to edit\.\n$/],
      [['export', '--as', 'nobody'], 1, /^There is no user/],
      [
        ['export', '-o', join(folder, 'no', 'file.ics')],
        1,
        /^The file cannot be written: there is no such file or folder\.\n$/,
      ],
    ] as const) {
      const ended = await run(...words);
      expect([words, ended.code, ended.out]).toEqual([words, code, '']);
      expect(ended.err).toMatch(message);
    }
    expect(await state()).toBe(before);
  });

  it('leaves the existing file unchanged when an export fails', async () => {
    const path = await file('kept.json', 'old');
    expect((await run('export', '--format', 'json', '-o', path, '--status', 'draft')).code).toBe(1);
    expect(await readFile(path, 'utf8')).toBe('old');
    expect((await run('export', '--format', 'json', '-o', path)).code).toBe(0);
    expect(JSON.parse(await readFile(path, 'utf8')).length).toBeGreaterThan(0);
  });

  it('writes into no file of another export, and does not widen file permissions', async () => {
    const path = await file('both.json', 'old');
    await chmod(path, 0o600);
    const others = await file('both.json.part', 'of another export');
    expect((await run('export', '--format', 'json', '-o', path)).code).toBe(0);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(others, 'utf8')).toBe('of another export');
    expect((await readdir(folder)).filter((name) => name.startsWith('both'))).toHaveLength(2);
  });

  it('leaves no file of an interrupted export', async () => {
    const path = await file('interrupted.json', 'old');
    const reading = jest.spyOn(EventsService.prototype, 'some').mockImplementationOnce(async () => {
      // The server of this test listens too.
      process.listeners('SIGINT').at(-1)?.('SIGINT');
      return [];
    });
    const { code, err } = await run('export', '--format', 'json', '-o', path);
    reading.mockRestore();
    expect([code, err]).toEqual([1, 'Interrupted.\n']);
    expect(await readFile(path, 'utf8')).toBe('old');
    expect((await readdir(folder)).filter((name) => name.startsWith('interrupted'))).toHaveLength(1);
  });

  it('writes only data to standard output, under each of its names', async () => {
    const { code, out } = await run('export', '--format', 'json', '-o', '/dev/stdout');
    expect([code, out]).toEqual([0, (await run('export', '--format', 'json')).out]);
  });
});

/** The content of an event without its location and time of storage. */
function essence(event: EventJson): EventJson {
  const of = (kind: 'venue' | 'organizer', names: string[]) =>
    [event[kind]]
      .flat()
      .filter((one) => typeof one[kind] === 'string')
      .map((one) =>
        Object.fromEntries(names.flatMap((name) => (one[name] ? [[name, plain(one[name])]] : []))),
      );
  const names = (terms: Term[]) => terms.map(({ name }) => plain(name)).sort();
  const {
    cost_details: details,
    all_day,
    start_date,
    end_date,
    timezone,
    utc_start_date,
    utc_end_date,
  } = event;
  const { show_map, show_map_link, hide_from_listings, sticky, featured, status } = event;
  const description = String(event['description']);
  return {
    ...{ status, all_day, start_date, end_date, timezone, utc_start_date, utc_end_date },
    ...{ show_map, show_map_link, hide_from_listings, sticky, featured },
    title: plain(event.title),
    // Scripts and frames are removed, for any user.
    description: /<(script|iframe)|alert\(/.test(description) ? '' : plain(description),
    excerpt: plain(event['excerpt']),
    cost: event.cost,
    values: (details as { values: unknown[] }).values,
    website: event.website === event.url ? '' : plain(event.website.replace(/^(?!https?:)(?=.)/, 'http://')),
    categories: names(event.categories),
    tags: names(event.tags),
    venue: of('venue', [
      'venue',
      'address',
      'city',
      'country',
      'province',
      'state',
      'zip',
      'phone',
      'website',
    ]),
    organizer: of('organizer', ['organizer', 'email', 'phone', 'website']),
  } as unknown as EventJson;
}

/** The part of it that a calendar file can express. */
function inCalendarFiles(event: EventJson): EventJson {
  const unsaid = { excerpt: 0, show_map: 0, show_map_link: 0, hide_from_listings: 0, sticky: 0, featured: 0 };
  const status = ['pending', 'future'].includes(String(event['status'])) ? 'draft' : event['status'];
  return { ...event, ...unsaid, status };
}

const plain = (html: unknown) =>
  htmlEntityDecode(phpStripTags(String(html)))
    .replace(/\s+/g, ' ')
    .trim();
