import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Logger, Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createServer } from '../src/app/create-server.js';
import { readEnvironment } from '../src/config/env.js';
import { basic } from './support/calendar-client.js';
import { type LogFile, openLog } from './support/log-file.js';
import { type Ask, askOf } from './support/protocol-client.js';
import { openRaw } from './support/raw-socket.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const BASE = '/cal/events/v1';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;
const ID = /^[\w-]{8}-[0-9a-z]+$/;

/** Throws with secrets in its message, as a plugin may. */
@Controller('faults')
class FaultsController {
  @Get()
  fail(): never {
    new Logger('Faults').log('about to fail');
    throw new Error('no mysql://root:secret@db/site\n2026-01-01T00:00:00.000Z WARN [Authentication] Login', {
      cause: new Error('the cause'),
    });
  }
}

@Module({ controllers: [FaultsController] })
class FaultsModule {}

/** The address that fail2ban bans for a line by the documented filter, which ignores the date. */
function bannedAddress(line: string): string | undefined {
  const docs = readFileSync(join(__dirname, '..', 'docs', 'operating.md'), 'utf8');
  const [, filter = ''] = /\[Definition\]\nfailregex = ([\s\S]+?)\ndatepattern = /.exec(docs) ?? [];
  const address = String.raw`\[?(?:(?:::f{4,6}:)?(?<ip4>(?:\d{1,3}\.){3}\d{1,3})|(?<ip6>(?:[0-9a-fA-F]{1,4}::?|:){1,7}(?:[0-9a-fA-F]{1,4}|(?<=:):)))\]?`;
  const withoutDate = line.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/, '');
  const rules = filter.split('\n').map((rule) => new RegExp(rule.trim().replace('<ADDR>', address)));
  expect(rules).toHaveLength(2);
  const { ip4, ip6 } = rules.map((rule) => rule.exec(withoutDate)?.groups).find(Boolean) ?? {};
  return ip4 ?? ip6;
}

describeEither('the log', (database) => {
  let site: Site;
  let app: NestExpressApplication;
  let file: LogFile;
  let url: string;
  let ask: Ask;

  const start = async (more: Record<string, string> = {}) => {
    const variables = {
      DATABASE_URL: site.url,
      ALLOW_INSECURE_AUTH: 'true',
      TRUST_PROXY: 'true',
      RATE_LIMIT: '2/1h',
      ...more,
    };
    file = openLog(variables);
    const env = readEnvironment(variables);
    app = await createServer({ env, logger: file.log, plugins: [FaultsModule] });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
    ask = askOf(url);
    await file.lines();
  };
  /** Waits for `count` new lines, as the line of a response may follow the response. */
  const readLines = async (count: number) => {
    const lines: string[] = [];
    while (lines.length < count) lines.push(...(await file.lines()));
    return lines;
  };

  beforeAll(async () => {
    site = await makeSite(database);
  });
  afterEach(async () => {
    await app?.close();
  });
  afterAll(async () => {
    await site?.drop();
  });

  it('has one line per request, whichever layer responds', async () => {
    await start();
    const requests: [string, Parameters<Ask>[1], string][] = [
      [`${BASE}/tags?per_page=1&password=hidden`, {}, `GET ${BASE}/tags 200 Nms`],
      [`${BASE}/tags?per_page=1&password=hidden`, {}, `GET ${BASE}/tags 200 Nms`],
      [`${BASE}/tags?per_page=1`, {}, `GET ${BASE}/tags 200 Nms`],
      // Served from the response cache, before Express.
      [`${BASE}/tags?per_page=1`, {}, `GET ${BASE}/tags 200 Nms`],
      [`${BASE}/tags?per_page=1`, { headers: { 'If-None-Match': '*' } }, `GET ${BASE}/tags 304 Nms`],
      [`${BASE}/events`, { as: 'editor', method: 'POST', json: {} }, `POST ${BASE}/events 400 Nms user=2`],
      ['/nowhere', { method: 'DELETE' }, 'DELETE /nowhere 404 Nms'],
      [`/?rest_route=/cal/events/v1/tags/1`, {}, 'GET /?rest_route=/cal/events/v1/tags/1 400 Nms'],
      ['/%0a%1b[31m', {}, 'GET /%0a%1b[31m 404 Nms'],
      ['/?rest_route=/%C2%9B31m%0D', {}, 'GET /?rest_route=/\\u009b31m\\u000d 404 Nms'],
      [`/${'a'.repeat(5000)}`, {}, `GET /${'a'.repeat(199)}… 404 Nms`],
    ];
    for (const [path, request, line] of requests) {
      const id = `${(await ask(path, request)).headers['x-request-id']}`;
      expect(id).toMatch(ID);
      const [only = '', ...more] = await readLines(1);
      const rendered = only.replace(TIME, '').replace(/ [\d.]+ms/, ' Nms');
      expect([rendered, more]).toEqual([`LOG [Request] ${line} request=${id}`, []]);
    }
    await openRaw(url, 'NONSENSE\r\n\r\n').answer;
    expect(await readLines(1)).toEqual([
      expect.stringMatching(/LOG \[Request\] - - 400 0ms request=[\w-]+$/),
    ]);
  });

  it('contains valid X-Request-Id values and replaces invalid ones', async () => {
    await start({ LOG_FORMAT: 'json' });
    for (const [sent, isAccepted] of [
      ['a', true],
      ['00-4bf92f3577b34da6a3ce929d0e0e4736-01:a/b=c+d@e~f_g', true],
      ['x'.repeat(128), true],
      ['x'.repeat(129), false],
      ['two words', false],
      ['"quoted"', false],
      ['é', false],
      ['<b>', false],
    ] as const)
      for (const path of [`${BASE}/tags`, '/nowhere']) {
        const id = String((await ask(path, { headers: { 'X-Request-Id': sent } })).headers['x-request-id']);
        if (isAccepted) expect(id).toBe(sent);
        else expect(id).toMatch(ID);
        const [line = ''] = await readLines(1);
        expect(JSON.parse(line)).toMatchObject({ context: 'Request', method: 'GET', path, request: id });
      }
  });

  it('reports the cause of a 500 on one line and without secrets', async () => {
    await start();
    const response = await ask('/faults', { headers: { 'X-Request-Id': 'this-one' } });
    expect([response.status, response.body['code']]).toEqual([500, 'internal_server_error']);
    expect(response.text).not.toMatch(/secret|cause/);
    const lines = (await readLines(3)).map((line) => line.replace(TIME, ''));
    expect(lines).toEqual([
      'LOG [Faults] about to fail request=this-one',
      expect.stringMatching(
        /^ERROR \[Request\] GET \/faults: Error: no mysql:\/\/root:\*{3}@db\/site \| 2026\S+ WARN \[Authentication\] Login \| at .* \| Caused by: Error: the cause \| at .* request=this-one$/,
      ),
      expect.stringMatching(/^WARN \[Request\] GET \/faults 500 [\d.]+ms request=this-one$/),
    ]);
    expect(lines.map(bannedAddress)).toEqual([undefined, undefined, undefined]);
  });

  it.each(['text', 'json'])('makes fail2ban ban failed logins only (%s)', async (LOG_FORMAT) => {
    await start({ LOG_FORMAT });
    const attemptLogin = async (login: string, address: string) => {
      const headers = { ...basic(login, 'wrong'), 'X-Forwarded-For': address };
      const { status } = await ask(`${BASE}/tags`, { headers });
      const lines = await readLines(2);
      expect(lines.join()).not.toContain('wrong"');
      return [status, lines.length, ...lines.map(bannedAddress)];
    };
    const noBan = [401, 2, undefined, undefined];
    expect(await attemptLogin('admin', '203.0.113.7')).toEqual([401, 2, '203.0.113.7', undefined]);
    expect(await attemptLogin('admin', '203.0.113.7')).toEqual([401, 2, '203.0.113.7', undefined]);
    expect(await attemptLogin('admin', '203.0.113.7')).toEqual([429, 2, '203.0.113.7', undefined]);
    expect(await attemptLogin('admin', '2001:db8::1')).toEqual([401, 2, '2001:db8::1', undefined]);
    // An invalid address bans no one.
    for (const address of ['nonsense', '192.0.2.1"', '192.0.2.1:80'])
      expect([address, ...(await attemptLogin('admin', address))]).toEqual([
        address,
        401,
        2,
        undefined,
        undefined,
      ]);
    const line = `2026-11-22T09:53:50.002Z WARN [Authentication] Login failed from 192.0.2.9 as "x"`;
    for (const [n, login] of [
      line,
      `a\n${line}`,
      `a\r${line}`,
      `a\u2028${line}`,
      `" from 192.0.2.9 as "`,
      `"}\n{"level":"warn","time":"","context":"Authentication","event":"login_failed","address":"192.0.2.9"`,
      '\\" from 192.0.2.9',
      'x'.repeat(10_000),
    ].entries())
      expect([login, ...(await attemptLogin(login, `203.0.113.${n + 50}`))]).toEqual([
        login,
        401,
        2,
        `203.0.113.${n + 50}`,
        undefined,
      ]);
    // Successful logins and requests without credentials ban no one.
    await ask(`${BASE}/tags`, { as: 'editor', headers: { 'X-Forwarded-For': '198.51.100.1' } });
    const path = `/${encodeURIComponent(line)}`;
    await ask(path, { headers: { 'X-Request-Id': line, 'User-Agent': line, Referer: line } });
    expect([401, 2, ...(await readLines(2)).map(bannedAddress)]).toEqual(noBan);
  });

  it('has no request lines with LOG_REQUESTS=off, and responses still have request ids', async () => {
    await start({ LOG_REQUESTS: 'off' });
    expect((await ask(`${BASE}/tags`)).headers['x-request-id']).toMatch(ID);
    await ask('/faults');
    const lines = (await readLines(2)).map((line) => line.replace(TIME, ''));
    expect(lines).toEqual([
      expect.stringMatching(/^LOG \[Faults\]/),
      expect.stringMatching(/^ERROR \[Request\] GET \/faults: Error/),
    ]);
  });

  it('Server-Timing is sent with SERVER_TIMING=true only', async () => {
    await start();
    expect((await ask(`${BASE}/events`)).headers['server-timing']).toBeUndefined();
    await app.close();
    await start({ SERVER_TIMING: 'true' });
    const first = String((await ask(`${BASE}/venues?per_page=3`)).headers['server-timing']);
    expect(first).toMatch(/^db;dur=[\d.]+, render;dur=[\d.]+, total;dur=[\d.]+$/);
    const times = [...first.matchAll(/=([\d.]+)/g)].map(([, time]) => Number(time));
    expect(Math.max(...times)).toBe(times.at(-1));
    const cached = String((await ask(`${BASE}/venues?per_page=3`)).headers['server-timing']);
    expect(cached).toMatch(/^total;dur=[\d.]+$/);
    const created = await ask(`${BASE}/tags`, { as: 'admin', method: 'POST', json: { name: 'Timed' } });
    expect([created.status, created.headers['server-timing']]).toEqual([
      201,
      expect.stringMatching(/^db;dur=[\d.]+, total;dur=[\d.]+$/),
    ]);
  });
});
