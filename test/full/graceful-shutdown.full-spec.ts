import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { credentials } from '../support/calendar-client.js';
import { brokenRows } from '../support/invariants.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';
import { openRaw } from '../support/raw-socket.js';

const EVENTS = '/cal/events/v1/events';

/** Sends one request on a keep-alive connection; returns the status, or the error code. `heard` gets the response's Connection header. */
function ask(
  agent: Agent,
  url: string,
  method = 'GET',
  body?: object,
  heard: (connection?: string) => void = () => undefined,
): Promise<number | string> {
  return new Promise((resolve) => {
    const headers = { ...credentials('admin'), 'Content-Type': 'application/json' };
    const sent = request(url, { method, agent, headers }, (response) => {
      heard(response.headers.connection);
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', (error) => resolve(error.message));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The kernel resets connections in the backlog when listening stops: equal to a refused connection if nothing is stored.
      const wasNew = !sent.reusedSocket && error.code === 'ECONNRESET';
      resolve(wasNew ? 'ECONNREFUSED' : (error.code ?? error.message));
    });
    sent.end(body && JSON.stringify(body));
  });
}

(serverMissing() ? describe.skip : describe)('a server that is told to end', () => {
  let mariadb: OwnServer;
  let server: BuiltServer;

  beforeAll(async () => {
    mariadb = await startOwnServer(SERVER);
  });
  afterEach(async () => {
    mariadb.goOn();
    await server?.kill();
  });
  afterAll(() => mariadb?.kill());

  const start = async (env: Record<string, string> = {}) => {
    server = await startBuilt(mariadb.url, [], { env: { LOG_LEVEL: 'log', SHUTDOWN_SECONDS: '60', ...env } });
  };
  /** Waits until earlier requests have arrived: connections are accepted in order. */
  const arrived = async () => {
    for (let n = 0; n < 8; n++) expect(await ask(new Agent(), `${server.url}/livez`)).toBe(200);
    await sleep(300);
  };
  /** The exit code of the process, or the signal that killed it. */
  const ended = () =>
    new Promise((resolve) => server.child()?.once('exit', (code, signal) => resolve(signal ?? code)));

  it.each(['1', '2'])('answers every accepted request under load (WORKERS=%s)', async (workers) => {
    await start({ WORKERS: workers });
    while ((server.log().match(/Worker \d+ listens/g) ?? []).length < (workers === '1' ? 0 : 2))
      await sleep(20);
    const broken = await brokenRows(mariadb.ask);
    const outcomes: (number | string)[] = [];
    const stored: string[] = [];
    const connections = new Map<number, string | undefined>();
    const clients = Array.from({ length: 24 }, async (_, client) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let n = 0; ; n++) {
        const name = `Last of ${workers}: ${client} ${n}`;
        const writes = client % 3 === 0;
        const heard = (connection?: string) => connections.set(client, connection);
        const outcome = await (writes
          ? ask(agent, `${server.url}/cal/events/v1/tags`, 'POST', { name }, heard)
          : ask(
              agent,
              `${server.url}${EVENTS}?per_page=${1 + ((client + n) % 20)}`,
              'GET',
              undefined,
              heard,
            ));
        if (outcome === 'ECONNREFUSED') return agent.destroy();
        outcomes.push(outcome);
        if (outcome === 201) stored.push(name);
        if (typeof outcome === 'string') return agent.destroy();
        // Where this process was suspended, the connection may have been closed meanwhile.
        await new Promise(setImmediate);
      }
    });
    while (stored.length <= 8) await sleep(20);
    expect([...connections.values()]).not.toContain('close');
    const end = ended();
    server.child()?.kill('SIGTERM');
    await Promise.all(clients);
    expect(outcomes.filter((outcome) => outcome !== 200 && outcome !== 201)).toEqual([]);
    // Further requests are told to reconnect.
    expect([...connections.values()]).toContain('close');
    expect(await end).toBe(0);
    const rows = await mariadb.ask(`SELECT name FROM wp_terms WHERE name LIKE 'Last of ${workers}:%'`);
    expect(rows.map(({ name }) => name).sort()).toEqual(stored.sort());
    expect(await brokenRows(mariadb.ask)).toEqual(broken);
  });

  it('does not wait for idle connections or incomplete heads', async () => {
    await start();
    const agent = new Agent({ keepAlive: true });
    expect(await ask(agent, server.url + EVENTS)).toBe(200);
    const half = openRaw(server.url, 'GET /cal/events/v1/events HTTP/1.1\r\nHost: x\r\n');
    const idle = openRaw(server.url, '');
    await sleep(200);
    const end = ended();
    server.child()?.kill('SIGTERM');
    expect(await end).toBe(0);
    await Promise.all([half.answer, idle.answer]);
    agent.destroy();
  });

  it('exits with 1 by its deadline when a body never completes', async () => {
    await start({ SHUTDOWN_SECONDS: '2' });
    const { Authorization } = credentials('admin');
    const half = openRaw(
      server.url,
      `POST ${EVENTS} HTTP/1.1\r\nHost: x\r\nAuthorization: ${Authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{"title"`,
    );
    // It has arrived once the server sends 100 Continue.
    await new Promise((resolve) => half.socket.once('data', resolve));
    const end = ended();
    server.child()?.kill('SIGTERM');
    expect(await end).toBe(1);
    expect(server.log()).toContain('Ended after 2 s; 1 requests were cut off.');
    await half.answer;
  });

  it.each(['1', '2'])('exits by its deadline when the database hangs (WORKERS=%s)', async (workers) => {
    await start({ SHUTDOWN_SECONDS: '2', WORKERS: workers });
    mariadb.hang();
    const agent = new Agent();
    const requested = Array.from({ length: 20 }, (_, n) =>
      ask(agent, `${server.url}${EVENTS}?per_page=${n + 1}`),
    );
    await arrived();
    const end = ended();
    server.child()?.kill('SIGTERM');
    expect(await end).toBe(1);
    await Promise.all(requested);
  });

  it.each(['1', '2'])('exits at once on a second signal (WORKERS=%s)', async (workers) => {
    await start({ SHUTDOWN_SECONDS: '3600', DATABASE_TIMEOUT: '10m', WORKERS: workers });
    mariadb.hang();
    const requested = ask(new Agent(), server.url + EVENTS);
    await arrived();
    const end = ended();
    server.child()?.kill('SIGTERM');
    // A second signal right after the first counts as the same.
    server.child()?.kill('SIGTERM');
    while (!server.log().includes('SIGTERM')) await sleep(20);
    await sleep(1000);
    expect(server.runs()).toBe(true);
    server.child()?.kill('SIGTERM');
    expect(await end).toBe(workers === '1' ? 143 : 1);
    await requested;
  });
});
