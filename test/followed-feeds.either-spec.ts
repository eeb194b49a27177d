import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { feedUrl } from '../src/imports/feed-fetch.js';
import type { ImportedRecord } from '../src/imports/file-record.js';
import { FollowedFeeds } from '../src/imports/followed-feeds.service.js';
import { type FeedOptions, importFeed } from '../src/imports/import-feed.js';
import { SafeFetch } from '../src/wordpress/media/safe-fetch.js';
import { startApp, type TestApp } from './support/app.js';
import { almanac } from './support/command.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

describeEither('feeds that are followed', (database) => {
  let fixture: WriteFixture;
  let server: Server;
  let port: number;
  let url: string;
  let requests: IncomingMessage[] = [];
  /** What the server responds. */
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let robots: (response: ServerResponse) => void;
  const lines: string[] = [];

  /** Lets a server fetch from the test's own address. */
  const allow = (app: TestApp) => {
    const alsoAllow = (address: string, to: number) => address === '127.0.0.1' && to === port;
    Object.assign(app.nest.get(SafeFetch), new SafeFetch({ alsoAllow }));
    return app;
  };
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request);
      if (request.url === '/robots.txt') robots(response);
      else answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
    url = `http://127.0.0.1:${port}/feed.ics`;
    fixture = await openWriteFixture(database, undefined, { RECURRENCE: 'on' });
    allow(fixture.app);
    for (const level of ['log', 'warn'] as const)
      jest
        .spyOn(Logger.prototype, level)
        .mockImplementation((...words: unknown[]) => void lines.push(String(words[0])));
  });
  beforeEach(() => {
    robots = (response) => response.writeHead(404).end();
    requests = [];
    lines.length = 0;
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await fixture?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const event = (uid: string, ...more: string[]) => [
    ...['BEGIN:VEVENT', `UID:${uid}`, `SUMMARY:Feed ${uid}`, 'DTSTART:20910801T100000Z'],
    ...[...more, 'END:VEVENT'],
  ];
  const calendar = (...events: string[][]) =>
    ['BEGIN:VCALENDAR', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n');
  const serve = (text: string, headers: Record<string, string> = {}) => {
    answer = (_, response) => response.writeHead(200, headers).end(text);
  };
  const imported = async (options: Partial<FeedOptions> = {}) => {
    const records: ImportedRecord[] = [];
    for await (const one of importFeed(fixture.app.nest, { url, as: 'admin', ...options })) records.push(one);
    return records.map(({ uid, outcome }) => `${uid} ${outcome}`);
  };
  const statusOf = async (uid: string) => {
    const [row] = await fixture.ask(
      `SELECT p.post_status AS status FROM wp_posts p JOIN wp_postmeta m ON m.post_id = p.ID
       WHERE m.meta_key = '_almanac_import_uid' AND m.meta_value = '${uid}'`,
    );
    return row?.['status'];
  };
  const paths = () => requests.map((request) => request.url);

  it('have addresses of http, https and webcal', () => {
    expect(feedUrl(' webcal://Example.org/a.ics#b ')).toBe('https://example.org/a.ics');
    expect(() => feedUrl(`https://example.org/${'a'.repeat(2000)}`)).toThrow('at most 2000 characters');
  });

  it('are fetched as robots.txt allows, at each hop', async () => {
    serve(calendar(event('robots')));
    robots = (response) => response.end('User-agent: Almanac\nDisallow: /feed\n');
    await expect(imported()).rejects.toThrow(
      `may not be fetched: robots.txt of 127.0.0.1:${port} forbids it.`,
    );
    expect(paths()).toEqual(['/robots.txt']);
    robots = (response) => response.writeHead(503).end();
    await expect(imported()).rejects.toThrow('robots.txt of');
    // A redirect leads to what is not allowed.
    robots = (response) => response.end('User-agent: *\nDisallow: /secret\n');
    answer = (_, response) => response.writeHead(302, { Location: '/secret.ics' }).end();
    await expect(imported()).rejects.toThrow('forbids it');
    expect(paths()).not.toContain('/secret.ics');
    expect(await statusOf('robots')).toBeUndefined();
    serve(calendar(event('robots')));
    robots = (response) => response.end('User-agent: *\nDisallow: /feed\n');
    expect(await imported({ url: `${url}?robots`, ignoreRobots: true })).toEqual(['robots created']);
    expect(requests.at(-1)?.headers['user-agent']).toBe('Almanac');
  });

  it('come from public addresses only, also after a redirect, and write nothing otherwise', async () => {
    answer = (_, response) => response.writeHead(302, { Location: 'http://169.254.169.254/latest' }).end();
    await fixture.unchanged(async () => {
      await expect(imported()).rejects.toThrow('must be on a public address');
      for (const address of [
        'http://127.0.0.1:1/x.ics',
        'ftp://example.org/x',
        'http://a:b@example.org/',
        'x',
      ])
        await expect(imported({ url: address })).rejects.toThrow(
          /must (be on a public|have an http|not have)/,
        );
      const statuses: [number, string][] = [
        [404, 'is gone'],
        [410, 'is gone'],
        [500, 'is answered with the status 500'],
      ];
      for (const [status, message] of statuses) {
        answer = (_, response) => response.writeHead(status).end();
        await expect(imported()).rejects.toThrow(message);
      }
      serve('<html>');
      await expect(imported()).rejects.toThrow('is no calendar file');
      serve(calendar(event('cut')).slice(0, 60));
      await expect(imported()).rejects.toThrow('is no calendar file');
      serve('x'.repeat(21 * 1024 * 1024));
      await expect(imported()).rejects.toThrow('is larger than 20 MB');
    });
    const ended = await almanac(fixture.databaseUrl, ['import', '--url', url, '--as', 'admin']);
    expect([ended.code, ended.err]).toEqual([1, expect.stringContaining('must be on a public address')]);
  });

  it('withdraw the coming events that they have no more, and only those', async () => {
    const old = event('past').with(3, 'DTSTART:20900101T100000Z');
    const series = event('series', 'RRULE:FREQ=WEEKLY;COUNT=3');
    serve(calendar(event('a'), event('b'), old, series));
    expect(await imported()).toEqual(['a created', 'b created', 'past created', 'series created']);
    serve(calendar(event('a'), ['BEGIN:VEVENT', 'UID:series', 'SUMMARY:broken', 'END:VEVENT']));
    expect(await imported()).toEqual(['a unchanged', ' left out', 'b withdrawn']);
    expect([await statusOf('b'), await statusOf('past'), await statusOf('series')]).toEqual([
      ...['trash', 'publish', 'publish'],
    ]);
    // What comes back is there again; an event of another source stays.
    serve(calendar(event('a'), event('b'), series));
    expect(await imported()).toEqual(['a unchanged', 'b updated', 'series unchanged']);
    expect([await statusOf('b'), await statusOf('robots')]).toEqual(['publish', 'publish']);
  });

  it('withdraw nothing where the connection broke between two events', async () => {
    const other = `${url}?broken`;
    serve(calendar(event('broken-a'), event('broken-b')));
    await imported({ url: other });
    serve(calendar(event('broken-a')).replace('END:VCALENDAR\r\n', ''));
    await fixture.unchanged(async () => {
      await expect(imported({ url: other })).rejects.toThrow('it does not end with END:VCALENDAR');
    });
    expect(await statusOf('broken-b')).toBe('publish');
  });

  it('change no event of this site, and none of another feed that is followed', async () => {
    const own = await fixture.create();
    const { host } = new URL(String(own['url']));
    const [feeds, first] = [fixture.app.nest.get(FollowedFeeds), `${url}?first`];
    serve(calendar(event('shared'), event('series-of-first', 'RRULE:FREQ=WEEKLY;COUNT=3')));
    await imported({ url: first });
    const hostile = calendar(
      event(`${own['id']}@${host}`),
      event('shared', 'LOCATION:Elsewhere'),
      event('shared', 'STATUS:CANCELLED', 'SEQUENCE:9').with(2, 'SUMMARY:x'),
      event('series-of-first', 'RECURRENCE-ID:20910808T100000Z', 'STATUS:CANCELLED'),
    );
    serve(hostile);
    await feeds.follow({ url: first, as: 'admin', every: 3600 });
    try {
      const otherFeeds = await feeds.otherFeeds(url);
      await fixture.unchanged(async () => {
        const found = await imported({ url: `${url}?second`, otherFeeds });
        expect(found.every((one) => one.endsWith('left out'))).toBe(true);
      });
    } finally {
      await feeds.forget(first);
    }
    expect(await statusOf('shared')).toBe('publish');
  });

  it('withdraw nothing where they are empty, or most events are gone, unless --withdraw says so', async () => {
    const many = Array.from({ length: 15 }, (_, at) => event(`many-${at}`));
    const other = `${url}?many`;
    serve(calendar(...many));
    expect(await imported({ url: other })).toHaveLength(15);
    for (const text of [calendar(), calendar(many[0] ?? [])]) {
      serve(text);
      const notes: string[] = [];
      const found = await imported({ url: other, note: (line) => void notes.push(line) });
      expect(found.filter((one) => one.endsWith('withdrawn'))).toEqual([]);
      expect(notes).toEqual([
        expect.stringMatching(/^The feed has 1[45] of 15 coming events no more\. They stay/),
      ]);
    }
    expect(
      (await imported({ url: other, withdraw: true })).filter((one) => one.endsWith('withdrawn')),
    ).toHaveLength(14);
  });

  it('are imported when due, by one process, and not again while they are unchanged', async () => {
    const feeds = fixture.app.nest.get(FollowedFeeds);
    const second = allow(await startApp({ databaseUrl: fixture.databaseUrl, env: { RECURRENCE: 'on' } }));
    try {
      await feeds.follow({
        url,
        as: 'admin',
        every: 3600,
      });
      expect(await feeds.runDue()).toBe(0);
      const etag = '"one"';
      answer = (request, response) => {
        if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
        else
          response
            .writeHead(200, { ETag: etag, 'Last-Modified': 'Sat, 01 Jan 2028 00:00:00 GMT' })
            .end(calendar(event('due')));
      };
      // Their clocks differ by the time of a start.
      for (const app of [fixture.app, second]) app.clock.pass(3_900_000);
      const other = second.nest.get(FollowedFeeds);
      // The state is in the database: a server that has just started knows it.
      expect((await Promise.all([feeds.runDue(), other.runDue()])).toSorted()).toEqual([0, 1]);
      expect(paths()).toEqual(['/robots.txt', '/feed.ics']);
      expect(await statusOf('due')).toBe('publish');
      expect(lines.filter((line) => line.startsWith('Imported the feed'))).toHaveLength(1);
      for (const app of [fixture.app, second]) app.clock.pass(3_900_000);
      requests = [];
      expect(await other.runDue()).toBe(1);
      expect(requests.at(-1)?.headers).toMatchObject({
        'if-none-match': etag,
        'if-modified-since': 'Sat, 01 Jan 2028 00:00:00 GMT',
      });
      expect(lines.filter((line) => line.startsWith('Imported the feed'))).toHaveLength(1);
    } finally {
      await second.close();
    }
  });

  it('leave due feeds to the next server where a server stops, which does not wait for the download', async () => {
    const second = allow(await startApp({ databaseUrl: fixture.databaseUrl, env: { RECURRENCE: 'on' } }));
    const feeds = second.nest.get(FollowedFeeds);
    const urls = ['one', 'two'].map((name) => `${url}?stop-${name}`);
    try {
      for (const one of urls) await feeds.follow({ url: one, as: 'admin', every: 900 });
      second.clock.pass(1_200_000);
      answer = (_, response) => {
        response.writeHead(200).write('BEGIN:VCALENDAR');
        void feeds.onModuleDestroy();
      };
      expect(await feeds.runDue()).toBe(1);
      const all = (await feeds.list()).filter((one) => urls.includes(one.url));
      const due = all.filter(({ nextAt }) => nextAt * 1000 <= second.clock.now());
      expect([all.length, due.length]).toEqual([2, 2]);
      expect(await statusOf('stop')).toBeUndefined();
    } finally {
      for (const one of urls) await feeds.forget(one);
      await second.close();
    }
  });

  it('keep how they are followed where that is changed during an import', async () => {
    const feeds = fixture.app.nest.get(FollowedFeeds);
    const [followed] = await feeds.list();
    let change: Promise<void> | undefined;
    answer = (_, response) => {
      change ??= feeds.follow({ url, as: 'admin', every: 7200 });
      void change.then(() => response.writeHead(200).end(calendar(event('due'))));
    };
    fixture.app.clock.pass((followed?.nextAt ?? 0) * 1000 - fixture.app.clock.now() + 2000);
    expect(await feeds.runDue()).toBe(1);
    expect((await feeds.list())[0]).toMatchObject({ url, every: 7200 });
    await feeds.follow({ url, as: 'admin', every: 3600 });
  });

  it('are given up after ten minutes, and not taken for imported', async () => {
    const feeds = fixture.app.nest.get(FollowedFeeds);
    answer = (_, response) => {
      fixture.app.clock.pass(601_000);
      response.writeHead(200, { ETag: '"slow"' }).end(calendar(event('due'), event('slow')));
    };
    const [followed] = await feeds.list();
    fixture.app.clock.pass((followed?.nextAt ?? 0) * 1000 - fixture.app.clock.now() + 2000);
    expect(await feeds.runDue()).toBe(1);
    const [feed] = await feeds.list();
    expect(feed).toMatchObject({
      failures: 1,
      error: 'The feed takes longer than 10 minutes to import.',
    });
    expect(feed?.version).toBeUndefined();
    await feeds.follow({ url, as: 'admin', every: 3600 });
  });

  it('are tried again later and later while they fail, and keep their events', async () => {
    const feeds = fixture.app.nest.get(FollowedFeeds);
    answer = (_, response) => response.writeHead(410).end();
    const delays: number[] = [];
    for (let times = 0; times < 3; times++) {
      const now = () => Math.floor(fixture.app.clock.now() / 1000);
      fixture.app.clock.pass(((await feeds.list())[0]?.nextAt ?? 0) * 1000 - now() * 1000 + 2000);
      expect(await feeds.runDue()).toBe(1);
      const [feed] = await feeds.list();
      expect(feed).toMatchObject({ failures: times + 1, error: expect.stringContaining('is gone') });
      delays.push(Math.round(((feed?.nextAt ?? 0) - now()) / 3600));
    }
    expect(delays).toEqual([2, 4, 8]);
    expect(await statusOf('due')).toBe('publish');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(
      `127.0.0.1:${port}: The feed is gone: its server responds with 410. Its events stay. It is fetched again in 120 minutes.`,
    );
  });

  it('are listed and forgotten', async () => {
    const run = (...words: string[]) => almanac(fixture.databaseUrl, words);
    expect((await run('feeds', 'list')).out).toContain(`${url}: every 60 minutes as admin, next at `);
    expect((await run('feeds', 'forget', `${url}?other`)).code).toBe(1);
    expect(await run('feeds', 'forget', url)).toMatchObject({ code: 0 });
    expect((await run('feeds', 'list')).out).toContain('No feed is followed');
    for (const words of [
      ['--url', url, 'file.ics'],
      ['file.ics', '--every', '1h'],
      ['--url', url, '--every', '5m'],
      [],
    ])
      expect([words, (await run('import', '--as', 'admin', ...words)).code]).toEqual([words, 2]);
  });
});
