import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Logger, Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { readEnvironment } from '../src/config/env.js';
import { createServer } from '../src/app/create-server.js';
import { basic } from './support/calendar-client.js';
import { type LogFile, openLog } from './support/log-file.js';
import { type Ask, askOf } from './support/protocol-client.js';
import { openRaw } from './support/raw-socket.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const BASE = '/cal/events/v1';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;
const ID = /^[\w-]{8}-[0-9a-z]+$/;

/** Fails as plugins may, with secrets in its words. */
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

/** The filter that the documentation gives to fail2ban, as it understands it: without the time, and with its addresses. */
function bans(line: string): string | undefined {
  const docs = readFileSync(join(__dirname, '..', 'docs', 'operating.md'), 'utf8');
  const [, filter = ''] = /\[Definition\]\nfailregex = ([\s\S]+?)\ndatepattern = /.exec(docs) ?? [];
  const address = String.raw`\[?(?:(?:::f{4,6}:)?(?<ip4>(?:\d{1,3}\.){3}\d{1,3})|(?<ip6>(?:[0-9a-fA-F]{1,4}::?|:){1,7}(?:[0-9a-fA-F]{1,4}|(?<=:):)))\]?`;
  const dateless = line.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/, '');
  const rules = filter.split('\n').map((rule) => new RegExp(rule.trim().replace('<ADDR>', address)));
  expect(rules).toHaveLength(2);
  const { ip4, ip6 } = rules.map((rule) => rule.exec(dateless)?.groups).find(Boolean) ?? {};
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
  /** What was said since; the line of an answer may come after the answer. */
  const said = async (count: number) => {
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

  it('has a line per request, whoever answers it', async () => {
    await start();
    const requests: [string, Parameters<Ask>[1], string][] = [
      [`${BASE}/tags?per_page=1&password=hidden`, {}, `GET ${BASE}/tags 200 Nms`],
      [`${BASE}/tags?per_page=1&password=hidden`, {}, `GET ${BASE}/tags 200 Nms`],
      [`${BASE}/tags?per_page=1`, {}, `GET ${BASE}/tags 200 Nms`],
      // From memory, before Express.
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
      const [only = '', ...more] = await said(1);
      const rendered = only.replace(TIME, '').replace(/ [\d.]+ms/, ' Nms');
      expect([rendered, more]).toEqual([`LOG [Request] ${line} request=${id}`, []]);
    }
    await openRaw(url, 'NONSENSE\r\n\r\n').answer;
    expect(await said(1)).toEqual([expect.stringMatching(/LOG \[Request\] - - 400 0ms request=[\w-]+$/)]);
  });

  it('takes sound ids over, and no others', async () => {
    await start({ LOG_FORMAT: 'json' });
    for (const [sent, isTaken] of [
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
        if (isTaken) expect(id).toBe(sent);
        else expect(id).toMatch(ID);
        const [line = ''] = await said(1);
        expect(JSON.parse(line)).toMatchObject({ context: 'Request', method: 'GET', path, request: id });
      }
  });

  it('says what the cause of a 500 was, on one line and without secrets', async () => {
    await start();
    const response = await ask('/faults', { headers: { 'X-Request-Id': 'this-one' } });
    expect([response.status, response.body['code']]).toEqual([500, 'internal_server_error']);
    expect(response.text).not.toMatch(/secret|cause/);
    const lines = (await said(3)).map((line) => line.replace(TIME, ''));
    expect(lines).toEqual([
      'LOG [Faults] about to fail request=this-one',
      expect.stringMatching(
        /^ERROR \[Request\] GET \/faults: Error: no mysql:\/\/root:\*{3}@db\/site \| 2026\S+ WARN \[Authentication\] Login \| at .* \| Caused by: Error: the cause \| at .* request=this-one$/,
      ),
      expect.stringMatching(/^WARN \[Request\] GET \/faults 500 [\d.]+ms request=this-one$/),
    ]);
    expect(lines.map(bans)).toEqual([undefined, undefined, undefined]);
  });

  it.each(['text', 'json'])('tells fail2ban of failed logins and no other (%s)', async (LOG_FORMAT) => {
    await start({ LOG_FORMAT });
    const attempt = async (login: string, address: string) => {
      const headers = { ...basic(login, 'wrong'), 'X-Forwarded-For': address };
      const { status } = await ask(`${BASE}/tags`, { headers });
      const lines = await said(2);
      expect(lines.join()).not.toContain('wrong"');
      return [status, lines.length, ...lines.map(bans)];
    };
    const nobody = [401, 2, undefined, undefined];
    expect(await attempt('admin', '203.0.113.7')).toEqual([401, 2, '203.0.113.7', undefined]);
    expect(await attempt('admin', '203.0.113.7')).toEqual([401, 2, '203.0.113.7', undefined]);
    expect(await attempt('admin', '203.0.113.7')).toEqual([429, 2, '203.0.113.7', undefined]);
    expect(await attempt('admin', '2001:db8::1')).toEqual([401, 2, '2001:db8::1', undefined]);
    // What is no address bans nobody.
    for (const address of ['nonsense', '192.0.2.1"', '192.0.2.1:80'])
      expect([address, ...(await attempt('admin', address))]).toEqual([
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
      expect([login, ...(await attempt(login, `203.0.113.${n + 50}`))]).toEqual([
        login,
        401,
        2,
        `203.0.113.${n + 50}`,
        undefined,
      ]);
    // Who is let in, and who asks for nothing, is not told of.
    await ask(`${BASE}/tags`, { as: 'editor', headers: { 'X-Forwarded-For': '198.51.100.1' } });
    const path = `/${encodeURIComponent(line)}`;
    await ask(path, { headers: { 'X-Request-Id': line, 'User-Agent': line, Referer: line } });
    expect([401, 2, ...(await said(2)).map(bans)]).toEqual(nobody);
  });

  it('is without requests where that is asked for, and answers bear ids all the same', async () => {
    await start({ LOG_REQUESTS: 'off' });
    expect((await ask(`${BASE}/tags`)).headers['x-request-id']).toMatch(ID);
    await ask('/faults');
    const lines = (await said(2)).map((line) => line.replace(TIME, ''));
    expect(lines).toEqual([
      expect.stringMatching(/^LOG \[Faults\]/),
      expect.stringMatching(/^ERROR \[Request\] GET \/faults: Error/),
    ]);
  });

  it('Server-Timing is sent where that is asked for', async () => {
    await start();
    expect((await ask(`${BASE}/events`)).headers['server-timing']).toBeUndefined();
    await app.close();
    await start({ SERVER_TIMING: 'true' });
    const first = String((await ask(`${BASE}/venues?per_page=3`)).headers['server-timing']);
    expect(first).toMatch(/^db;dur=[\d.]+, render;dur=[\d.]+, total;dur=[\d.]+$/);
    const times = [...first.matchAll(/=([\d.]+)/g)].map(([, time]) => Number(time));
    expect(Math.max(...times)).toBe(times.at(-1));
    const kept = String((await ask(`${BASE}/venues?per_page=3`)).headers['server-timing']);
    expect(kept).toMatch(/^total;dur=[\d.]+$/);
    const created = await ask(`${BASE}/tags`, { as: 'admin', method: 'POST', json: { name: 'Timed' } });
    expect([created.status, created.headers['server-timing']]).toEqual([
      201,
      expect.stringMatching(/^db;dur=[\d.]+, total;dur=[\d.]+$/),
    ]);
  });
});
