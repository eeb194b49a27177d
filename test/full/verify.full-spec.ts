import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { compare } from '../../src/cli/verify/compare.js';
import { causeOf } from '../../src/cli/verify/difference.js';
import { knownAs } from '../../src/cli/verify/known-differences.js';
import { Places } from '../../src/cli/verify/places.js';
import { RateLimitedClient } from '../../src/cli/verify/rate-limited-client.js';
import { toParsedResponse } from '../../src/cli/verify/raw-response.js';
import { linesOf } from '../../src/cli/verify/report.js';
import { type VerifyOptions, verify } from '../../src/cli/verify/verify.js';
import { readEnvironment } from '../../src/config/env.js';
import { StartError } from '../../src/database/start-error.js';
import { REST_BASE_URL, startApp, type TestApp } from '../support/app.js';
import { INTENDED, PLANTS } from '../support/database-fixtures.js';
import { OLD_ROOT, type OldAnswer, type OldServer, startOldServer } from '../support/old-server.js';
import { loadRecording } from '../support/replay.js';
import { describeEither, makeSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';

describeEither('almanac verify', (database) => {
  let site: Site;
  let app: TestApp;
  let runs = 0;
  const servers: OldServer[] = [];
  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, env: { RATE_LIMIT: 'off' } });
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
    await app?.close();
    await site?.drop();
  });

  const oldServer = async (
    ...how: Parameters<typeof startOldServer> extends [string, ...infer R] ? R : never
  ) => {
    const server = await startOldServer(app.url, ...how);
    servers.push(server);
    return server;
  };
  const compared = (against: string, options: Partial<VerifyOptions> = {}) => {
    const report = join(testFolder(), `verify-${database}-${++runs}`);
    const how = { rate: 100_000, concurrency: 3, timeout: 30, report, ...options };
    return verify({ against, with: `${app.url}/cal/events/v1`, ...how });
  };

  it('reports the twenty seeded differences and no other, and marks intended ones', async () => {
    const old = await oldServer((answer) => {
      for (const { change } of [...PLANTS, ...INTENDED]) change(answer);
    });
    const report = await compared(old.url);
    const kinds = Object.values(report.kinds);
    expect(report.differences.map(({ cause }) => cause).sort()).toEqual(
      PLANTS.map(({ finds }) => finds).sort(),
    );
    expect(report.known.map(({ id }) => id).sort()).toEqual(INTENDED.map(({ finds }) => finds).sort());
    expect(report.differences.find(({ cause }) => cause.startsWith('event · title'))?.examples[0]).toEqual({
      request: expect.stringMatching(/^\/events/),
      old: expect.stringContaining('(sold out)'),
      new: expect.not.stringContaining('(sold out)'),
    });
    expect(report.readiness).toBeLessThan(100);
    expect(kinds.every(({ unanswered }) => unanswered === 0)).toBe(true);
    expect(old.requests.every((request) => request.startsWith('GET '))).toBe(true);
    expect(old.mostAtOnce()).toBeLessThanOrEqual(3);
    // The walk covers all visible records, by id and slug, and more of everything.
    expect(kinds.reduce((sum, { asked: requested }) => sum + requested, 0)).toBeGreaterThan(450);
  });

  it('finds no difference between recordings and its own responses', async () => {
    const { cases, home } = loadRecording('site-a/read');
    const place = { api: `${REST_BASE_URL}/cal/events/v1`, root: REST_BASE_URL, home };
    const client = new RateLimitedClient(`${app.url}/cal/events/v1`, { rate: 100_000, timeout: 30_000 });
    const differing: string[] = [];
    for (const { name, path, expect: recorded } of comparable(cases as unknown as Recorded[])) {
      const below = path.replace('/cal/events/v1', '');
      const now = await client.ask(below);
      const text = JSON.stringify(recorded.body)
        .replaceAll('{rest}', REST_BASE_URL)
        .replaceAll('{site}', home);
      const headers = new Headers([...now.headers]);
      for (const [header, value] of Object.entries(recorded.headers)) headers.set(header, value);
      const old = toParsedResponse(recorded.status, headers, text);
      const { differences } = compare({ path: below }, old, now, new Places(place));
      const unknown = differences.filter(
        (one) => !knownAs(one, { ask: { path: below }, now, isSignedIn: false }),
      );
      if (unknown.length > 0) differing.push(`${name}: ${unknown.map(causeOf)}`);
    }
    expect(differing).toEqual([]);
  });

  it('resumes after an interruption, and reports the same', async () => {
    const report = join(testFolder(), `verify-${database}-resumed`);
    const interruption = new AbortController();
    const plant = ({ path, json }: OldAnswer) => {
      if (path === '/tags?orderby=slug&per_page=5&page=2') json.tags[0].name += '!';
      if (/^\/venues\?per_page=50$/.test(path)) json.venues.splice(2, 1);
      if (old.requests.length >= 150) interruption.abort();
    };
    const old: OldServer = await oldServer(plant);
    const first = await compared(old.url, { report, sample: 5, signal: interruption.signal });
    expect(first.isComplete).toBe(false);
    expect(existsSync(`${report}.state.json`)).toBe(true);
    const before = old.requests.length;
    await expect(compared(old.url, { report, sample: 5 })).rejects.toThrow(
      `${report}.state.json holds an interrupted walk: add --resume to continue it, or delete the file.`,
    );
    await expect(compared(old.url, { report, sample: 4, resume: true })).rejects.toThrow(
      /holds a walk with other/,
    );
    const second = await compared(old.url, { report, sample: 5, resume: true });
    const inOne = await compared(old.url, { sample: 5 });
    expect(second.isComplete).toBe(true);
    expect(second.differences.map(({ cause }) => cause).sort()).toEqual([
      'tag · name: another text',
      'venues list: Almanac shows a further record',
    ]);
    expect(second.kinds).toEqual(inOne.kinds);
    expect(second.differences).toEqual(inOne.differences);
    // It did not start again.
    expect(old.requests.slice(before).filter((request) => request.endsWith('/v1/doc'))).toHaveLength(1);
    expect(existsSync(`${report}.state.json`) || existsSync(`${report}.state.records`)).toBe(false);
  });

  it('writes no files that another process writes', async () => {
    const old = await oldServer();
    const report = join(testFolder(), `verify-alone-${database}`);
    // A running process, as if the same command ran twice.
    writeFileSync(`${report}.running`, `${process.ppid}\n`);
    await expect(compared(old.url, { report, sample: 1 })).rejects.toThrow(
      `${report} is what another process writes, number ${process.ppid}: wait for it, or choose another name by --report`,
    );
    expect([existsSync(`${report}.state.json`), existsSync(`${report}.json`)]).toEqual([false, false]);
    const ended = spawnSync(process.execPath, ['--version']).pid;
    writeFileSync(`${report}.running`, `${ended}\n`);
    expect((await compared(old.url, { report, sample: 1 })).isComplete).toBe(true);
    expect(existsSync(`${report}.running`)).toBe(false);
  });

  it('waits as Retry-After says, truncates large values, and continues', async () => {
    const busy: number[] = [];
    const after: number[] = [];
    const old = await oldServer(undefined, ({ url }, response) => {
      if (busy.length > 0) after.push(Date.now());
      if (url?.endsWith('/organizers')) return flood(response);
      if (busy.length > 0 || !url?.endsWith('/venues')) return false;
      busy.push(Date.now());
      response.writeHead(429, { 'Retry-After': '2' }).end('{}');
      return true;
    });
    const report = await compared(old.url, { sample: 1, concurrency: 1 });
    const { kinds, differences, known, notCompared } = report;
    expect((after[0] ?? 0) - (busy[0] ?? 0)).toBeGreaterThanOrEqual(1990);
    expect(kinds['organizers list']?.unanswered).toBe(1);
    expect(known).toEqual([]);
    expect(notCompared.map(({ cause, examples }) => [cause, examples[0]?.old])).toEqual([
      ['The old server did not answer; nothing was compared.', 'It has more than 16 MB.'],
    ]);
    expect(differences).toEqual([]);
  });

  it('retries after an error of the old server, and reports a lasting one as not compared', async () => {
    const errors = new Map<string, number>();
    const old = await oldServer(undefined, ({ url = '' }, response) => {
      const isAlways = url.endsWith('/organizers');
      if (!isAlways && !url.endsWith('/venues')) return false;
      errors.set(url, (errors.get(url) ?? 0) + 1);
      if (!isAlways && errors.get(url) === 2) return false;
      response.writeHead(500, { 'Retry-After': '0' }).end('{}');
      return true;
    });
    const report = await compared(old.url, { sample: 1, concurrency: 1 });
    expect([...errors.values()]).toEqual([2, 3]);
    expect([report.kinds['venues list']?.unanswered, report.kinds['organizers list']?.unanswered]).toEqual([
      0, 1,
    ]);
    expect(report.known).toEqual([]);
    expect(report.notCompared.map(({ count, examples }) => [count, examples[0]?.old])).toEqual([[1, '500']]);
    const lines = linesOf(report).join('\n');
    expect(lines).toContain('Not compared:\n      1 × The old server did not answer');
    expect(lines).not.toContain('Meant to differ');
  });

  it('survives a response that nests 16 MB deep, and writes its report', async () => {
    const packed = gzipSync(Buffer.from('['.repeat(16_000_000)));
    const old = await oldServer(undefined, ({ url }, response) => {
      if (!url?.endsWith('/venues')) return false;
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed);
      return true;
    });
    const report = join(testFolder(), `verify-${database}-nested`);
    const { isComplete, notCompared, differences } = await compared(old.url, { report, sample: 1 });
    expect([isComplete, differences]).toEqual([true, []]);
    expect(notCompared[0]?.examples[0]?.old).toMatch(/^Its JSON nests more than \d+ levels\.$/);
    expect(existsSync(`${report}.json`)).toBe(true);
  });

  it('reports an occurrence whose row is off by three days', async () => {
    const other = await makeSite(database);
    const moved = await startApp({ databaseUrl: other.url, env: { RATE_LIMIT: 'off' } });
    try {
      const [row] = await moved.dataSource.query(
        `SELECT o.post_id AS id, o.start_date AS start FROM wp_tec_occurrences o JOIN wp_posts p ON p.ID = o.post_id
         WHERE p.post_status = 'publish' AND o.duration < 86400 ORDER BY o.start_date LIMIT 1`,
      );
      const day = (days: number) =>
        new Date(Date.parse(`${String(row.start).slice(0, 10)}T00:00:00Z`) + days * 86_400_000)
          .toISOString()
          .slice(0, 10);
      await moved.dataSource.query(
        `UPDATE wp_tec_occurrences SET start_date = '${day(3)} 10:00:00', end_date = '${day(3)} 11:00:00',
           start_date_utc = '${day(3)} 10:00:00', end_date_utc = '${day(3)} 11:00:00' WHERE post_id = ${row.id}`,
      );
      const old = await oldServer();
      const { differences } = await compared(old.url, { with: `${moved.url}/cal/events/v1` });
      const lacks = differences.find(({ cause }) => cause === 'events list: Almanac lacks a record');
      expect(lacks?.examples.map(({ request }) => request)).toContainEqual(
        expect.stringContaining(`starts_before=${day(0)}`),
      );
    } finally {
      await moved.close();
      await other.drop();
    }
  });

  it('says that Almanac serves another site where the calendars have no event in common', async () => {
    const other = await makeSite(database);
    const app = await startApp({ databaseUrl: other.url, env: { RATE_LIMIT: 'off' } });
    try {
      await app.dataSource.query(
        `UPDATE wp_posts SET post_status = 'draft' WHERE post_type = 'tribe_events'`,
      );
      const old = await oldServer();
      await expect(compared(old.url, { with: `${app.url}/cal/events/v1` })).rejects.toThrow(
        /^Almanac shows none of the \d+ events of the old server: does --with serve the same site\?$/,
      );
      const env = readEnvironment({
        DATABASE_URL: other.url,
        REST_BASE_URL: `${OLD_ROOT}`,
        RATE_LIMIT: 'off',
      });
      await expect(compared(old.url, { with: undefined, env })).rejects.toThrow(
        /: do DATABASE_URL and TABLE_PREFIX name the same site\?$/,
      );
    } finally {
      await app.close();
      await other.drop();
    }
  });

  it('waits for a server that is busy at the first request, and says so where it stays busy', async () => {
    let rejections = 0;
    const busy = (times: number) => (_: unknown, response: ServerResponse) => {
      if (rejections === times) return false;
      rejections += 1;
      response.writeHead(429, { 'Retry-After': '0' }).end('{}');
      return true;
    };
    const soon = await oldServer(undefined, busy(2));
    expect((await compared(soon.url, { sample: 1, concurrency: 1 })).isComplete).toBe(true);
    expect(soon.mostAtOnce()).toBe(1);
    rejections = 0;
    const never = await oldServer(undefined, busy(Number.POSITIVE_INFINITY));
    await expect(compared(never.url)).rejects.toThrow(
      /^The old server at \S+ is busy \(429\), also after some tries: try again later/,
    );
    expect(never.requests.length).toBeLessThan(10);
    const interruption = new AbortController();
    let looks = 0;
    const later = await oldServer(undefined, (_, response) => {
      response.writeHead(503, { 'Retry-After': '600' }).end('{}');
      if (++looks === 2) interruption.abort();
      return true;
    });
    await expect(compared(later.url, { signal: interruption.signal })).rejects.toThrow(
      new StartError('Interrupted.'),
    );
  });

  it('ends a list that repeats the same records, whatever page count it claims, also when resumed', async () => {
    const interruption = new AbortController();
    let pages = 0;
    const claim = ({ path, json }: OldAnswer) => {
      if (path === '/venues?per_page=50') json.total_pages = 20_000;
    };
    const old = await oldServer(claim, (request) => {
      // Every page request returns the first page.
      const first = request.url?.replace(/(\/venues\?per_page=50)&page=\d+$/, '$1');
      if (first !== request.url && ++pages === 10) interruption.abort();
      request.url = first ?? '';
      return false;
    });
    const report = join(testFolder(), `verify-${database}-loop`);
    const { signal } = interruption;
    expect((await compared(old.url, { report, signal, sample: 3 })).isComplete).toBe(false);
    const resumed = await compared(old.url, { report, sample: 3, resume: true });
    expect(pages).toBeLessThan(50);
    const { kinds, differences } = await compared(old.url, { sample: 3 });
    expect([resumed.kinds, resumed.differences]).toEqual([kinds, differences]);
    expect(kinds['venue']?.asked).toBeLessThanOrEqual(5);
  });

  it('reports pages with more records than any list returns, and stores nothing of them', async () => {
    let pages = 0;
    const old = await oldServer(({ path, json }) => {
      if (!path.startsWith('/tags?hide_empty=0&per_page=50')) return;
      const first = ++pages * 5000;
      json.total_pages = 20_000;
      json.tags = Array.from({ length: 5000 }, (_, at) => ({ ...json.tags?.[0], id: first + at }));
    });
    const report = await compared(old.url, { sample: 3 });
    const [only, ...others] = report.differences.filter(({ cause }) => /another number of items/.test(cause));
    expect([only?.cause, only?.examples[0], others]).toEqual([
      'tags list · tags: another number of items',
      { request: '/tags?hide_empty=0&per_page=50', old: '5000', new: expect.stringMatching(/^\d\d$/) },
      [],
    ]);
    expect(report.differences.filter(({ cause }) => /record/.test(cause))).toEqual([]);
    expect(pages).toBeLessThan(10);
    expect(report.kinds['tag']?.asked).toBe(2);
  });

  it('escapes server texts in its report, and writes no secret', async () => {
    const report = join(testFolder(), `verify-${database}-written`);
    const interruption = new AbortController();
    const old: OldServer = await oldServer(({ path, json }) => {
      if (path === '/venues') json.venues[0].venue = '<script>alert(1)</script>?password=sesame&x';
      if (old.requests.length >= 20) interruption.abort();
    });
    const { login, password } = loadRecording('site-a/read').users['editor'] ?? { login: '', password: '' };
    const { signal } = interruption;
    const { differences } = await compared(old.url, { report, signal, as: { login, password } });
    const [html = '', json = '', state = ''] = ['html', 'json', 'state.json'].map((type) =>
      readFileSync(`${report}.${type}`, 'utf8'),
    );
    expect(differences.map(({ cause }) => cause)).toEqual(['venue · venue: another text']);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;?password=…&amp;x');
    expect(html).not.toMatch(/<script|src=|href=|url\(/);
    expect(JSON.parse(json)).toMatchObject({ as: login, is_complete: false, differences });
    for (const text of [html, json, state])
      for (const secret of [password, btoa(`${login}:${password}`), 'sesame'])
        expect(text).not.toContain(secret);
  });

  it('queries the configured database directly', async () => {
    const env = readEnvironment({
      DATABASE_URL: site.url,
      PATH_PREFIX: '/wp-json',
      REST_BASE_URL: `${OLD_ROOT}`,
    });
    const present = await startApp({ databaseUrl: site.url, now: new Date().toISOString() });
    const old = await startOldServer(present.url);
    try {
      const how = { rate: 100_000, concurrency: 2, timeout: 30, sample: 2 };
      const report = await verify({
        against: old.url,
        env,
        ...how,
        report: join(testFolder(), `verify-${database}-own`),
      });
      expect(report.differences).toEqual([]);
      expect(report.readiness).toBe(100);
    } finally {
      await old.close();
      await present.close();
    }
  });

  it('says in one sentence what prevents the comparison', async () => {
    const old = await oldServer(undefined, ({ url }, response) => {
      if (!url?.includes('/moved/')) return false;
      response.writeHead(301, { Location: 'https://new.example/' }).end();
      return true;
    });
    const cases: [against: string, says: RegExp][] = [
      ['ftp://old.example/cal/events/v1', /^--against needs an address such as/],
      ['https://me:secret@old.example/cal/events/v1', /^--against: the address must not hold a login/],
      ['https://old.example/', /is no address of the interface: it ends like/],
      ['http://127.0.0.1:9/wp-json/cal/events/v1', /^The old server at \S+ cannot be reached: /],
      [old.url.replace('tribe/', 'moved/'), /redirects to https:\/\/new\.example\/: use that address\.$/],
      [old.url.replace('/events/v1', '/events/v2'), /does not answer as the interface does: 404/],
    ];
    for (const [against, says] of cases) {
      const failure = await compared(against).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StartError);
      expect((failure as Error).message).toMatch(says);
      expect((failure as Error).message).not.toContain('secret');
    }
    const nowhere = join(testFolder(), 'nowhere', 'report');
    await expect(compared(old.url, { report: nowhere })).rejects.toThrow(
      new StartError(`${nowhere}.running cannot be written: there is no such file or folder.`),
    );
    const wrong = compared(old.url, { as: { login: 'nobody', password: 'wrong' } });
    await expect(wrong).rejects.toThrow(/refuses the login: 401 \(invalid_username\)\.$/);
  });
});

/** Endless responses. */
function flood(response: ServerResponse): true {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(1 << 20, 32)));
  };
  response.on('drain', more);
  more();
  return true;
}

/** The recording of one request. */
interface Recorded {
  name: string;
  path: string;
  method?: string;
  expect: { status: number; headers: Record<string, string>; body: unknown };
}

/** Every third anonymous GET with a complete recording; SQLite distinguishes é from e, MySQL does not. */
const comparable = (cases: readonly Recorded[]): Recorded[] =>
  cases
    .filter(({ method = 'GET' }) => method === 'GET')
    .filter((one) => !['as', 'headers', 'steps', 'only', 'kind', 'skip'].some((name) => name in one))
    .filter(({ name }) => !/ticketed|featured|é/.test(name))
    .filter((_, at) => at % 3 === 0);
