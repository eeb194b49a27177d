import { execFileSync } from 'node:child_process';
import { constants, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Logger } from '@nestjs/common';
import { runWith } from '../../src/common/context/request-store.js';
import { readEnvironment } from '../../src/config/env.js';
import { errorText, sourceLines } from '../../src/observability/logging/error-text.js';
import { Log, LogEntry } from '../../src/observability/logging/log.js';
import { redact } from '../../src/observability/logging/redact.js';
import { Timings } from '../../src/observability/logging/timings.js';
import { openLog } from '../support/log-file.js';
import { testFolder } from '../support/test-folder.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;
/** Ends lines, begins colours, hides what follows, and turns it round. */
const HOSTILE = `a\r\n${new Date().toISOString()} WARN [Authentication] Login failed from 192.0.2.1 as "x"\x1b[31m\u2028\u0085\u202e\0`;

it('stack traces have source lines, where a source map exists', () => {
  const folder = testFolder();
  const named = (file: string) => pathToFileURL(join(folder, file)).href;
  // The second line was compiled from line 5, column 3 of the source.
  const map = { version: 3, sources: ['../src/known.ts'], names: [], mappings: ';AAIE' };
  writeFileSync(join(folder, 'known.js.map'), JSON.stringify(map));
  writeFileSync(join(folder, 'broken.js.map'), '{');
  const stack = (known: string) =>
    [
      'Error: of https://example.org/known.js:2:1',
      `    at known (${known})`,
      ...[`${named('known.js')}:1:1`, `${named('broken.js')}:2:1`, `${named('none.js')}:2:1`].map(
        (place) => `    at ${place}`,
      ),
      '    at file:///elsewhere/known.js:2:1',
    ].join('\n');
  const source = new URL('../src/known.ts', named('known.js')).href;
  expect(sourceLines(stack(`${named('known.js')}:2:9`), pathToFileURL(folder).href)).toBe(
    stack(`${source}:5:3`),
  );
});

describe('the log', () => {
  it('has a line per entry, with an ISO time and without colours in a file', async () => {
    const { log, lines } = openLog();
    log.log('Said', 'Somebody');
    log.warn('Warned');
    log.error('Failed', 'Error: x\n    at y (file.js:1:2)', 'Somebody');
    log.debug('not asked for', 'Somebody');
    log.error(new Error('thrown', { cause: new Error('the cause') }), 'Somebody');
    log.log({ a: 1, password: 'hidden' }, 'Somebody');
    const said = await lines();
    expect(said.map((line) => line.replace(TIME, ''))).toEqual([
      'LOG [Somebody] Said',
      'WARN [Almanac] Warned',
      'ERROR [Somebody] Failed | Error: x | at y (file.js:1:2)',
      expect.stringMatching(
        /^ERROR \[Somebody\] Error: thrown \| at .* \| Caused by: Error: the cause \| at /,
      ),
      'LOG [Somebody] {"a":1,"password":***}',
    ]);
    expect(said.every((line) => TIME.test(line))).toBe(true);
  });

  it('is JSON where configured', async () => {
    const { log, lines } = openLog({ LOG_FORMAT: 'json', LOG_LEVEL: 'debug' });
    log.log('Said', 'Somebody');
    log.log(new LogEntry('Counted 3', { count: 3, none: undefined }), 'Somebody');
    log.debug('Whispered', 'Somebody');
    log.error(HOSTILE, 'Somebody');
    const said = (await lines()).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(said.map(({ time: _t, ...rest }) => rest)).toEqual([
      { level: 'info', context: 'Somebody', msg: 'Said' },
      { level: 'info', context: 'Somebody', count: 3, msg: 'Counted 3' },
      { level: 'debug', context: 'Somebody', msg: 'Whispered' },
      { level: 'error', context: 'Somebody', msg: HOSTILE },
    ]);
    expect(said.map(({ time }) => time)).toEqual(said.map(() => expect.stringMatching(/^\d{4}-.*Z$/)));
  });

  it('omits entries below its level, and Nest’s start messages', async () => {
    for (const [level, wanted] of [
      ['silent', []],
      ['error', ['error']],
      ['warn', ['error', 'warn']],
      ['log', ['error', 'warn', 'log']],
      ['debug', ['error', 'warn', 'log', 'debug', 'verbose', 'chatter', 'alarm']],
    ] as const) {
      const { log, lines } = openLog({ LOG_LEVEL: level });
      for (const name of ['error', 'warn', 'log', 'debug', 'verbose'] as const) log[name](name, 'Test');
      log.log('chatter', 'RouterExplorer');
      log.error('alarm', 'a stack\n at x', 'ExceptionHandler');
      const said = (await lines()).map((line) => / \[\w+\] (\w+)/.exec(line)?.[1]);
      expect([level, said]).toEqual([level, wanted]);
    }
  });

  it('writes client texts on one line in one piece', async () => {
    for (const format of ['text', 'json']) {
      const { log, lines } = openLog({ LOG_FORMAT: format, WORKERS: '2' });
      const texts = [
        HOSTILE,
        HOSTILE.repeat(500),
        '\x1b'.repeat(9000),
        '漢'.repeat(9000),
        '\\"'.repeat(9000),
      ];
      for (const text of texts) {
        log.warn(text, 'Test');
        log.warn('x', text, `${text.replaceAll('\n', '')}`);
      }
      const said = await lines();
      expect(said).toHaveLength(texts.length * 2);
      for (const line of said) {
        expect(Buffer.byteLength(`${line}\n`)).toBeLessThanOrEqual(4096);
        if (format === 'text') expect(line).toMatch(/^\S+Z \d+ WARN \[[^\x00-\x1f\x7f-\x9f\u2028\u202e]*$/);
        else expect(JSON.parse(line)).toMatchObject({ level: 'warn', pid: process.pid });
      }
    }
  });

  it('contains the request id, also in lines of plugins', async () => {
    const { log, lines } = openLog();
    Logger.overrideLogger(log);
    const plugin = new Logger('Plugin');
    await runWith({ request: { id: 'abc' } }, async () => {
      await Promise.resolve();
      plugin.log('Inside');
    });
    plugin.log('Outside');
    plugin.error('Wrong', 'Error: it\n    at x');
    const said = (await lines()).map((line) => line.replace(TIME, ''));
    expect(said).toEqual([
      'LOG [Plugin] Inside request=abc',
      'LOG [Plugin] Outside',
      'ERROR [Plugin] Wrong | Error: it | at x',
    ]);
  });

  it('does not stop the server when it cannot be written', async () => {
    const full = new Log(readEnvironment({}), openSync('/dev/full', 'w'));
    for (let n = 0; n < 1000; n++) full.log('x'.repeat(100), 'Test');
    await full.end();
    full.log('after the end', 'Test');
  });

  it('waits for a slow reader, drops entries above its limit, and reports that', async () => {
    const file = join(testFolder(), 'slow.fifo');
    execFileSync('mkfifo', [file]);
    const log = new Log(readEnvironment({}), openSync(file, constants.O_RDWR | constants.O_NONBLOCK));
    const line = (n: number) => `${'x'.repeat(500)} ${n}`;
    for (let n = 0; n < 40_000; n++) log.log(line(n), 'Test');
    const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const piece = Buffer.alloc(65_536);
    const pieces: string[] = [];
    while (!pieces.slice(-2).join('').includes('were dropped'))
      try {
        pieces.push(piece.toString('latin1', 0, readSync(reader, piece)));
      } catch {
        await sleep(1);
      }
    await log.end();
    const text = pieces.join('');
    const said = text.split('\n');
    const numbers = said.flatMap((one) => / (\d+)$/.exec(one)?.[1] ?? []).map(Number);
    expect(numbers).toEqual(numbers.map((_, n) => n));
    const dropped = Number(/WARN \[Log\] (\d+) lines were dropped/.exec(text)?.[1]);
    expect(numbers.length + dropped).toBe(40_000);
  });

  it('contains no secret of the configuration', async () => {
    const { log, lines } = openLog({
      DATABASE_URL: 'mysql://user:p%40ss-word@db/site',
      DATABASE_REPLICA_URLS: 'mysql://user:replicated@db2/site',
      REDIS_URL: 'redis://:redis%20word@cache',
      AUTH_KEY: 'a key that is long',
    });
    log.error(
      'p@ss-word replicated redis word "a key that is long" mysql://user:p%40ss-word@db/site',
      'Test',
    );
    expect((await lines()).join()).toMatch(
      /\[Test\] \*{3} \*{3} \*{3} "\*{3}" mysql:\/\/user:\*{3}@db\/site$/,
    );
  });
});

describe('secrets in texts', () => {
  it.each([
    ['mysql://root:secret@localhost/db failed', 'mysql://root:***@localhost/db failed'],
    ['at http://localhost:3000/a@b', 'at http://localhost:3000/a@b'],
    ['Authorization: Basic YWRtaW46cGFzcw==', 'Authorization: "***"'],
    ['sent Bearer abcdefgh.ij and more', 'sent Bearer *** and more'],
    ['{"cookie":"wordpress_logged_in_x=admin|1|y","a":1}', '{"cookie":"***","a":1}'],
    ['wordpress_sec_0a1b=admin%7C1; b=2', 'wordpress_sec_0a1b=***; b=2'],
    ['{"password":"x","user_pass":"y","api_key":"z"}', '{"password":***,"user_pass":***,"api_key":***}'],
    [`key almk_0123456789abcdef_${'A-_z'.repeat(10)}abc failed`, 'key almk_0123456789abcdef_*** failed'],
    ['token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln-_x failed', 'token *** failed'],
    ['?_wpnonce=abc123&page=2', '?_wpnonce=***&page=2'],
    ['The password is not an application password of this user.', undefined],
    ['Unexpected token } in JSON at position 5', undefined],
    ['GET /tags: Error: x | at y (file:///a/b.js:1:2)', undefined],
  ])('are redacted: %s', (text, clean = text) => expect(redact(text)).toBe(clean));
});

describe('the description of an error', () => {
  it('is bounded, whatever the causes are', () => {
    const circle = new Error('round');
    circle.cause = circle;
    expect(errorText(circle).match(/Caused by/g)).toHaveLength(4);
    expect(errorText('a text')).toBe('a text');
    expect(errorText(null)).toBe('null');
  });
});

describe('the times of a request', () => {
  it('count overlapping work once, and continue with what still runs', () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const timings = new Timings();
    timings.begin('db');
    now = 10;
    timings.begin('db');
    now = 15;
    timings.end('db');
    now = 20;
    timings.end('db');
    timings.begin('render');
    now = 21;
    expect(`${timings}`).toBe('db;dur=20.0, render;dur=1.0, total;dur=21.0');
    clock.mockRestore();
  });
});
