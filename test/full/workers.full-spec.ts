import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { REST_BASE_URL } from '../support/app.js';
import { type BuiltServer, builtPackage, startBuilt } from '../support/built-server.js';
import { basic, credentials } from '../support/calendar-client.js';
import { freePort } from '../support/free-port.js';
import { brokenRows } from '../support/invariants.js';
import { serverMissing } from '../support/mariadb.js';
import { askOf } from '../support/own-mariadb.js';
import { makeSite, SERVER_NAME, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';
import { EVENT } from '../support/write-fixture.js';

const TIMEOUT_MS = 120_000;

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** A client on one keep-alive connection, which therefore reaches the same worker as long as it lives. */
class Connection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string> = {},
  ) {}

  send(method: string, path: string, body?: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { ...this.headers, 'Content-Type': 'application/json' };
      const sent = request(`${this.url}/cal/events/v1${path}`, { method, headers, agent: this.agent });
      sent.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece) => {
          text += piece;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** The child processes of a process. */
function workersOf(pid: number | undefined): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** Starts the built code and waits until it ends or listens; returns its output and exit code. */
async function run(
  env: Record<string, string>,
): Promise<{ output: string; code: number | null; end(): Promise<void> }> {
  const main = join(await builtPackage(), 'dist', 'main.js');
  const cwd = mkdtempSync(join(testFolder(), 'start-'));
  const child = spawn(process.execPath, [main], { cwd, env: { ...process.env, HOST: '127.0.0.1', ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output += piece;
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const listens = (async () => {
    for (const giveUp = Date.now() + TIMEOUT_MS; !output.includes('Listening'); await sleep(20))
      if (child.exitCode !== null || Date.now() > giveUp) return ended;
    // Waits for output of the other workers.
    for (const giveUp = Date.now() + TIMEOUT_MS; workersOf(child.pid).length < 2 && Date.now() < giveUp; )
      await sleep(20);
    await sleep(2000);
    return null;
  })();
  const code = await Promise.race([ended, listens]);
  const end = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { output, code, end };
}

(serverMissing() ? describe.skip : describe)('two workers on one port', () => {
  let site: Site;
  let server: BuiltServer;

  const start = async (env: Record<string, string> = {}) => {
    server = await startBuilt(site.url, [], { env: { WORKERS: '2', LOG_LEVEL: 'log', ...env } });
    await bothListen();
  };
  const bothListen = async () => {
    const listen = () =>
      workersOf(server.pid()).filter((pid) => server.log().includes(`Worker ${pid} listens.`));
    for (const giveUp = Date.now() + TIMEOUT_MS; listen().length < 2; await sleep(20))
      if (Date.now() > giveUp) throw new Error('there are not two workers');
  };
  const connections = (count: number, headers = credentials('admin')) =>
    Array.from({ length: count }, () => new Connection(server.url, headers));

  beforeAll(async () => {
    site = await makeSite(SERVER_NAME);
  });
  afterEach(async () => {
    await server?.kill();
  });
  afterAll(async () => {
    await site?.drop();
  });

  it('shows a write through one worker in the other at once', async () => {
    await start();
    const writers = connections(2);
    const readers = connections(8, {});
    const created = await writers[0]?.send('POST', '/events', { ...EVENT, title: 'Made' });
    expect(created?.status).toBe(201);
    const path = `/events/${created?.body['id']}`;
    for (let n = 0; n < 40; n++) {
      const title = `Version ${n}`;
      expect((await writers[n % 2]?.send('PUT', path, { title }))?.status).toBe(200);
      const read = await Promise.all(readers.map((reader) => reader.send('GET', path)));
      expect(read.map(({ body }) => body['title'])).toEqual(readers.map(() => title));
    }
    for (const one of [...writers, ...readers]) one.close();
    expect(server.log()).not.toMatch(/WARN|ERROR/);
  });

  it('counts failed logins across workers', async () => {
    await start({ RATE_LIMIT: '3/5m', ALLOW_INSECURE_AUTH: 'true' });
    const wrong = connections(12, basic('admin', 'wrong'));
    const answers = [];
    for (const one of wrong) answers.push((await one.send('GET', '/tags')).status);
    expect(answers).toEqual([401, 401, 401, ...Array.from({ length: 9 }, () => 429)]);
    // A successful login does not count.
    const right = connections(12, credentials('editor'));
    for (const one of right) expect((await one.send('GET', '/tags')).status).toBe(200);
    for (const one of [...wrong, ...right]) one.close();
  });

  it('restarts a killed worker while the other keeps serving', async () => {
    await start();
    for (let kills = 0; kills < 3; kills++) {
      const [victim] = workersOf(server.pid());
      process.kill(Number(victim), 'SIGKILL');
      while (!server.log().includes(`Worker ${victim} ended (SIGKILL)`)) await sleep(20);
      for (const one of connections(6)) {
        expect((await one.send('GET', '/tags')).status).toBe(200);
        one.close();
      }
      await bothListen();
      expect(workersOf(server.pid())).not.toContain(victim);
    }
  });

  it('gives a hung worker no connections, so that no request waits when it is killed', async () => {
    await start();
    const [hanging] = workersOf(server.pid());
    process.kill(Number(hanging), 'SIGSTOP');
    const clients = connections(8, {});
    const answers = clients.map((one) => one.send('GET', '/tags').catch(() => ({ status: 0 })));
    const late = sleep(TIMEOUT_MS / 4).then(() => 'nobody answered');
    const settled = await Promise.race([Promise.all(answers), late]);
    process.kill(Number(hanging), 'SIGKILL');
    for (const one of clients) one.close();
    expect(settled).toEqual(clients.map(() => expect.objectContaining({ status: 200 })));
    await bothListen();
  });

  it('does not wait on SIGTERM for a worker that is being restarted', async () => {
    await start();
    const [victim] = workersOf(server.pid());
    process.kill(Number(victim), 'SIGKILL');
    const others = () => workersOf(server.pid()).filter((pid) => !server.log().includes(`Worker ${pid} `));
    while (others().length === 0) await sleep(5);
    const ended = new Promise((resolve) => server.child()?.once('exit', resolve));
    server.child()?.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('writes whole lines into one pipe, and sums the metrics', async () => {
    const port = await freePort();
    const metrics = await freePort();
    const env = {
      ...{ DATABASE_URL: site.url, WORKERS: '2', HOST: '127.0.0.1', PORT: String(port) },
      ...{ LOG_FORMAT: 'json', METRICS: String(metrics) },
    };
    const main = join(await builtPackage(), 'dist', 'main.js');
    const child = spawn(process.execPath, [main], { cwd: testFolder(), env: { ...process.env, ...env } });
    let output = '';
    let more = 0;
    child.stdout.on('data', (piece) => {
      output += piece;
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    try {
      while ((output.match(/Worker \d+ listens/g)?.length ?? 0) < 2) await sleep(20);
      const url = `http://127.0.0.1:${port}`;
      const many = Array.from({ length: 12 }, () => new Connection(url));
      await Promise.all(
        many.map(async (one, m) => {
          for (let n = 0; n < 150; n++) await one.send('GET', `/${m}-${n}-${'x'.repeat((m * n) % 180)}`);
          one.close();
        }),
      );
      // The kernel chooses the accepting process; on a busy machine it may be the same one each time.
      const answering = () =>
        new Set(output.split('\n').flatMap((line) => /"pid":(\d+).*"Request"/.exec(line)?.[1] ?? []));
      while (answering().size < 2) {
        const one = new Connection(url);
        await one.send('GET', `/more-${more++}`);
        one.close();
      }
      const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
      const [, count] =
        /^almanac_http_requests_total\{method="GET",route="none",status="404"\} (\d+)$/m.exec(text) ?? [];
      expect(Number(count)).toBe(1800 + more);
      expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    const lines = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const requests = lines.filter(({ context }) => context === 'Request');
    expect(new Set(requests.map(({ path }) => path)).size).toBe(1800 + more);
    expect(new Set(requests.map(({ request }) => request)).size).toBe(requests.length);
    expect(new Set(requests.map(({ pid }) => pid)).size).toBe(2);
    expect(
      lines
        .map(({ msg }) => msg)
        .filter((msg) => String(msg).startsWith('End'))
        .toSorted(),
    ).toEqual([...['Ended.', 'Ended.'], ...Array.from({ length: 3 }, () => 'Ending (SIGTERM).')]);
  });

  it('answers every committed write on SIGTERM, and ends all processes', async () => {
    const ask = askOf(site.url);
    const broken = await brokenRows(ask);
    await start();
    const answered: string[] = [];
    let number = 0;
    const writers = connections(8).map(async (one) => {
      for (;;) {
        const name = `Under load ${number++}`;
        const answer = await one.send('POST', '/tags', { name }).catch(() => undefined);
        if (!answer) return one.close();
        expect(answer.status).toBe(201);
        answered.push(name);
      }
    });
    while (answered.length <= 8) await sleep(20);
    const workers = workersOf(server.pid());
    const ended = new Promise((resolve) => server.child()?.once('exit', resolve));
    server.child()?.kill('SIGTERM');
    await Promise.all(writers);
    expect(await ended).toBe(0);
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    const rows = await ask("SELECT name FROM wp_terms WHERE name LIKE 'Under load %'");
    expect(rows.map(({ name }) => name).sort()).toEqual(answered.sort());
    expect(await brokenRows(ask)).toEqual(broken);
  });

  it('says once why a start fails', async () => {
    const port = await freePort();
    const taken = createServer().listen(port, '127.0.0.1');
    const common = { REST_BASE_URL, WORKERS: '2', DATABASE_URL: site.url, PORT: String(port) };
    for (const [env, said] of [
      [{}, /^The port is taken by another program: choose one with PORT\.\n$/],
      [{ DATABASE_URL: 'mysql://root@127.0.0.1:1/site' }, /^The database cannot be reached: .*\n$/],
      [{ WORKERS: 'many' }, /^The configuration is not usable:\n {2}WORKERS must be .*\n$/],
      [{ DATABASE_URL: 'sqlite::memory:' }, /^The configuration is not usable:\n {2}WORKERS cannot .*\n$/],
    ] as const) {
      const { output, code } = await run({ ...common, ...env });
      expect([output, code]).toEqual([expect.stringMatching(said), 1]);
    }
    taken.close();
  });

  it('sets up the site once', async () => {
    const { output, end } = await run({ WORKERS: '2', PORT: String(await freePort()), DATABASE_URL: '' });
    await end();
    expect(output.match(/application password/g)).toHaveLength(1);
    expect(output.match(/Listening/g)).toHaveLength(1);
    expect(output.match(/made a new site/g)).toHaveLength(1);
  });
});
