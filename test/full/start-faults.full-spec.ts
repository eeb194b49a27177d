import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { REST_BASE_URL } from '../support/app.js';
import { builtPackage } from '../support/built-server.js';
import { freePort } from '../support/free-port.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';
import { testFolder } from '../support/test-folder.js';

const TIMEOUT_MS = 120_000;

/** Starts the built code; returns its output until it ended or listened, and its exit code. */
async function run(env: Readonly<Record<string, string>>, cwd = mkdtempSync(join(testFolder(), 'start-'))) {
  const main = join(await builtPackage(), 'dist', 'main.js');
  const child = spawn(process.execPath, [main], {
    cwd,
    env: { PATH: process.env['PATH'], REST_BASE_URL, ...env },
  });
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const listens = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => {
        output += piece;
        if (output.includes('Listening')) resolve();
      });
  });
  const giveUp = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  await Promise.race([ended, listens]);
  const listening = child.exitCode === null ? /Listening: (http[\w:/.[\]-]+)/.exec(output)?.[1] : undefined;
  const status = listening ? (await fetch(listening)).status : 0;
  child.kill('SIGTERM');
  const code = await ended;
  clearTimeout(giveUp);
  return { output, code, listening, status };
}

/** A module for Node's `--import` with which a package cannot be resolved, as if it were not installed. */
function withoutPackage(name: string): string {
  const hooks = `export function resolve(specifier, context, next) {
    if (specifier === ${JSON.stringify(name)}) throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(specifier, context);
  }`;
  const dataUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
  return dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))});`);
}

/** A certificate for a host, signed by its own authority; returns the paths of both. */
function makeCertificate(folder: string): { ca: string; options: string[] } {
  mkdirSync(folder);
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Test',
  );
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'key.pem',
    '-out',
    'csr.pem',
    '-subj',
    '/CN=localhost',
  );
  writeFileSync(path('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1');
  const sign = ['x509', '-req', '-in', 'csr.pem', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
  openssl(...sign, '-out', 'cert.pem', '-extfile', 'names');
  return { ca: path('ca.pem'), options: [`--ssl-cert=${path('cert.pem')}`, `--ssl-key=${path('key.pem')}`] };
}

(serverMissing() ? describe.skip : describe)('a start', () => {
  let mariadb: OwnServer;
  let secure: OwnServer;
  let ca: string;
  let otherCa: string;
  let DATABASE_URL: string;

  beforeAll(async () => {
    mariadb = await startOwnServer(SERVER, SERVER === 'mysql' ? '--tls-version=' : '--skip-ssl');
    DATABASE_URL = mariadb.url;
    const certificate = makeCertificate(join(testFolder(), 'tls'));
    ca = certificate.ca;
    otherCa = makeCertificate(join(testFolder(), 'other-tls')).ca;
    secure = await startOwnServer(SERVER, ...certificate.options);
  });
  afterAll(() => Promise.all([mariadb?.kill(), secure?.kill()]));

  /** The error of a failed start: one line, exit code 1. */
  const fault = async (env: Record<string, string>) => {
    const { output, code } = await run({ DATABASE_URL, PORT: '0', ...env });
    expect([env, code]).toEqual([env, 1]);
    return output.replace(/^The configuration is not usable:\n {2}/, '');
  };
  const line = (text: string | RegExp) =>
    expect.stringMatching(new RegExp(`^${typeof text === 'string' ? text : text.source}.*\n$`));

  it('that cannot listen says why in one line', async () => {
    const port = String(await freePort());
    const taken = createServer().listen(Number(port), '127.0.0.1');
    expect(await fault({ HOST: '127.0.0.1', PORT: port })).toEqual(line('The port is taken by another'));
    expect(await fault({ METRICS: port })).toEqual(
      line(`METRICS names 127.0.0.1:${port}, which cannot be used: another program listens there`),
    );
    taken.close();
    expect(await fault({ HOST: '203.0.113.1' })).toEqual(
      line('HOST names 203.0.113.1, which is no address of'),
    );
    expect(await fault({ HOST: 'nowhere.invalid' })).toEqual(
      line('HOST names nowhere.invalid, which is not'),
    );
    expect(await fault({ HOST: '203.0.113.1', WORKERS: '2' })).toEqual(line('HOST names 203.0.113.1, which'));
  });

  it('that finds no database says why in one line', async () => {
    const reached = (why: string) => line(`The database cannot be reached: ${why}`);
    const at = (change: (url: URL) => void, from = mariadb.url) => {
      const url = new URL(from);
      change(url);
      return fault({ DATABASE_URL: url.href });
    };
    const nothing = String(await freePort());
    expect(await at((url) => (url.port = nothing))).toEqual(reached(`nothing listens at .*tried once`));
    expect(await at((url) => (url.hostname = 'nowhere.invalid'))).toEqual(reached('the host of nowhere'));
    expect(await at((url) => (url.pathname = '/nothing'))).toEqual(reached('.* has no database of that'));
    expect(await at((url) => (url.username = 'nobody'))).toEqual(reached('.* refuses this user and'));
    expect(await at((url) => url.searchParams.set('socketPath', '/nowhere/s'))).toEqual(
      reached('there is no socket /nowhere/s'),
    );
    expect(await at((url) => url.searchParams.set('ssl', 'true'))).toEqual(reached('.* speaks no TLS'));
    expect(await at((url) => url.searchParams.set('ssl', '/nowhere/ca.pem'))).toEqual(
      line('The CA file /nowhere/ca.pem, .* cannot be read: there is no such file'),
    );
    for (const ssl of ['true', otherCa])
      expect(await at((url) => url.searchParams.set('ssl', ssl), secure.url)).toEqual(
        reached('the certificate of .* is not signed by a known authority'),
      );
    mariadb.hang();
    const hung = await fault({ DATABASE_TIMEOUT: '1s' });
    mariadb.goOn();
    expect(hung).toEqual(reached('.* does not answer'));
  });

  it('with unknown arguments names them', async () => {
    const folder = mkdtempSync(join(testFolder(), 'uploads-'));
    writeFileSync(join(folder, 'file'), '');
    for (const UPLOADS_DIR of [join(folder, 'nothing'), join(folder, 'file')])
      expect(await fault({ UPLOADS_DIR })).toEqual(
        line(`UPLOADS_DIR names ${UPLOADS_DIR}, which is no folder`),
      );
    const bucket = { UPLOADS_S3_BUCKET: 'calendar-uploads', UPLOADS_S3_REGION: 'eu-central-1' };
    expect(
      await fault({ ...bucket, NODE_OPTIONS: `--import=${withoutPackage('@aws-sdk/client-s3')}` }),
    ).toEqual(
      line('UPLOADS_S3_BUCKET needs a package that is not installed: npm install @aws-sdk/client-s3'),
    );
    expect(
      await fault({
        UPLOADS_S3_BUCKET: 'calendar-uploads',
        AWS_CONFIG_FILE: join(folder, 'none'),
        NODE_NO_WARNINGS: '1',
      }),
    ).toEqual(line('UPLOADS_S3_BUCKET needs UPLOADS_S3_REGION'));
    expect(await fault({ TRUST_PROXY: 'my-proxy' })).toEqual(
      line('TRUST_PROXY must be true, false, a number'),
    );
    expect(await fault({ RATELIMIT: 'off' })).toEqual(
      line('RATELIMIT is no variable of Almanac: is RATE_LIMIT'),
    );
    expect(await fault({ DATABASE_URL: `${mariadb.url}?tls=1` })).toEqual(
      line('DATABASE_URL has an option "tls"'),
    );
    mkdirSync(join(folder, '.env'));
    const { output, code } = await run({ DATABASE_URL, PORT: '0' }, folder);
    expect([code, output]).toEqual([1, line('The file \\.env cannot be read: it is a folder')]);
    expect(await fault({ DATABASE_URL: `sqlite:${join(folder, 'file', 'x.db')}` })).toEqual(
      line(
        'The database cannot be reached: .*x\\.db cannot be opened: a (file of that name|part of its path)',
      ),
    );
    const empty = `sqlite:${join(folder, 'empty.db')}`;
    expect(await fault({ DATABASE_URL: empty, READ_ONLY: 'true' })).toEqual(
      expect.stringMatching(
        /^\S*empty\.db does not exist, and READ_ONLY keeps a site from being made in it\.\n$/,
      ),
    );
    writeFileSync(join(folder, 'empty.db'), '');
    expect(await fault({ DATABASE_URL: empty, READ_ONLY: 'true' })).toEqual(
      line('The database is empty, and READ_'),
    );
  });

  it('on an old Node says so at every entry point', async () => {
    const folder = await builtPackage();
    const old = join(mkdtempSync(join(testFolder(), 'old-')), 'old.cjs');
    writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '18.20.8' });");
    const env = { ...process.env, NODE_OPTIONS: `--require ${old}`, DATABASE_URL };
    for (const args of [['dist/main.js'], ['bin/almanac.cjs'], ['bin/almanac.cjs', 'migrate']]) {
      const { stderr, status } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
      expect([args, status, stderr]).toEqual([args, 1, line('Almanac needs Node .*; this is Node 18.20.8')]);
    }
    const { prestart } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts;
    expect(prestart).toMatch(/^node bin\/node-version\.cjs && /);
  });

  it('that succeeds names a URL that responds', async () => {
    const names = { API_NAMESPACES: 'tribe/events/v1,cal/events/v1', PATH_PREFIX: '/wp-json' };
    const socket = `mysql://root@localhost/site?socketPath=${encodeURIComponent(mariadb.socket)}`;
    const byCa = `${secure.url}?ssl=${encodeURIComponent(ca)}`;
    for (const [env, host] of [
      [{ DATABASE_URL, ...names }, 'localhost'],
      [{ DATABASE_URL: socket, HOST: '127.0.0.1' }, '127.0.0.1'],
      [{ DATABASE_URL: byCa, HOST: '::1' }, '[::1]'],
      [{ DATABASE_URL: `${secure.url}?ssl=no-verify`, ...names }, 'localhost'],
      // A demo listens on this machine only by default.
      [{}, '127.0.0.1'],
      [{ HOST: '0.0.0.0' }, 'localhost'],
    ] as const) {
      const { output, code, listening, status } = await run({ PORT: '0', ...env });
      expect([env, code, status, new URL(listening ?? output).hostname]).toEqual([env, 0, 200, host]);
    }
  });
});
