import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { readEnvironment } from '../src/config/env.js';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { openSite } from '../src/database/open-site.js';
import { StartError } from '../src/database/start-error.js';
import { startApp } from './support/app.js';
import { clientOf } from './support/calendar-client.js';
import { serverMissing } from './support/mariadb.js';
import { makeSite, SERVER_NAME, type Site } from './support/sites.js';

type Change = readonly [from: string, to: string];

/** Ways a proxy may change the session statement, keeping its length. */
const CHANGES: [name: string, ...change: Change][] = [
  ['another sql_mode', "sql_mode = 'NO_ENGINE_SUBSTITUTION'", "sql_mode =   'NO_BACKSLASH_ESCAPES'"],
  ['an unchanged sql_mode', "sql_mode = 'NO_ENGINE_SUBSTITUTION'", 'sql_mode = @@SESSION.sql_mode      '],
  ['another time_zone', "time_zone = '+00:00'", "time_zone = '+05:30'"],
  ['another character set', 'NAMES utf8mb4 COLLATE utf8mb4_unicode_520_ci', `NAMES latin1${' '.repeat(32)}`],
  ['autocommit off', 'autocommit = 1', 'autocommit = 0'],
  ['an invalid statement', 'SET NAMES', 'SETNAMES '],
];

/** A database proxy that replaces text in what clients send and can drop all connections. */
class TamperingProxy {
  change?: Change;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(private readonly target: URL) {
    this.server = createServer((client) => {
      const database = connect(Number(this.target.port), this.target.hostname);
      for (const socket of [client, database]) {
        this.sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => [client, database].map((one) => one.destroy()));
      }
      client.on('data', (bytes) => database.write(this.passedOn(bytes)));
      database.pipe(client);
    });
  }

  /** Listens and returns the database URL through the proxy. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const url = new URL(this.target);
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  drop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  close(): void {
    this.drop();
    this.server.close();
  }

  private passedOn(bytes: Buffer): Buffer {
    const [from, to] = this.change ?? ['', ''];
    if (from.length !== to.length) throw new Error(`of another length: ${to}`);
    return from === '' ? bytes : Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1');
  }
}

(serverMissing() ? describe.skip : describe)('a database session with other settings than requested', () => {
  let site: Site;
  let proxy: TamperingProxy;
  let url: string;

  beforeAll(async () => {
    site = await makeSite(SERVER_NAME);
    proxy = new TamperingProxy(new URL(site.url));
    url = await proxy.listen();
  });
  afterAll(async () => {
    proxy?.close();
    await site?.drop();
  });

  it.each(CHANGES)('prevents the start: %s', async (_name, ...change) => {
    proxy.change = change;
    const env = readEnvironment({ DATABASE_URL: url });
    const rejection = openSite(dataSourceOptions(env), env);
    await expect(rejection).rejects.toBeInstanceOf(StartError);
    await expect(rejection).rejects.toThrow('the session cannot be set up');
  });

  it('makes requests fail with 503 until the settings are right again', async () => {
    proxy.change = undefined;
    const app = await startApp({ databaseUrl: url });
    app.nest.useLogger(false);
    const send = clientOf(app.url);
    const requestStatuses = async () => {
      const replies = [
        await send('anonymous', 'GET', '/events'),
        await send('admin', 'POST', '/tags', { name: `A tag ${Math.random()}` }),
      ];
      return replies.map(({ status, headers }) => `${status} ${headers.get('Retry-After')}`);
    };
    expect(await requestStatuses()).toEqual(['200 null', '201 null']);
    for (const [, ...change] of CHANGES) {
      proxy.change = change;
      proxy.drop();
      expect(await requestStatuses()).toEqual(['503 1', '503 1']);
      proxy.change = undefined;
      expect(await requestStatuses()).toEqual(['200 null', '201 null']);
    }
    await app.close();
  });
});
