import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';

const DEPLOY = join(__dirname, '..', '..', 'deploy');
const TIMEOUT_MS = 60_000;

export type ProxyName = 'nginx' | 'apache';

/** A web server with a file of deploy/, in which only ports, folders and certificates are replaced. */
export interface OwnProxy {
  /** Its URL with TLS; requests name the host `example.org`. */
  url: string;
  /** Its URL without TLS. */
  plainUrl: string;
  /** The folder of the site's files. */
  root: string;
  stop(): Promise<void>;
}

/** The servers behind it. */
export interface Behind {
  almanac: string;
  php: string;
}

/** The edits that the file's comments suggest. */
export type Change = (text: string) => string;

/** Whether tests with nginx and Apache are skipped; never where they are required (CI=true). */
export function proxiesMissing(): boolean {
  return process.env['CI'] !== 'true' && ['nginx', 'apache2', 'openssl'].some((name) => !find(name));
}

/** Uncomments the lines of the file that contain these words. */
export const takeIn =
  (...words: string[]): Change =>
  (text) =>
    words.reduce(
      (now, line) => changedOnce(now, new RegExp(`^( *)# (?=.*${escaped(line)})`, 'm'), '$1'),
      text,
    );

/** Starts one; resolves once it listens. */
export async function startProxy(
  name: ProxyName,
  behind: Behind,
  change: Change = (text) => text,
): Promise<OwnProxy> {
  // Outside the folder of the test run, which Apache's workers, another user, may not read.
  const folder = mkdtempSync(join(tmpdir(), 'almanac-proxy-'));
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'html'));
  writeFileSync(join(folder, 'html', 'index.php'), '');
  certificate(folder);
  const ports = { tls: await freePort(), plain: await freePort() };
  const site = change(readFileSync(join(DEPLOY, `${name}.conf`), 'utf8'));
  const [program, words] =
    name === 'nginx' ? nginx(folder, site, ports, behind) : apache(folder, site, ports, behind);
  const logFile = join(folder, 'log');
  const log = openSync(logFile, 'a');
  const child = spawn(program, words, { stdio: ['ignore', log, log] });
  for (const giveUp = Date.now() + TIMEOUT_MS; !(await listens(ports.tls)); await sleep(20))
    if (Date.now() > giveUp || child.exitCode !== null)
      throw new Error(`${name} did not start:\n${readFileSync(logFile, 'utf8')}`);
  return {
    url: `https://127.0.0.1:${ports.tls}`,
    plainUrl: `http://127.0.0.1:${ports.plain}`,
    root: join(folder, 'html'),
    stop: async () => {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Ports {
  tls: number;
  plain: number;
}

function nginx(
  folder: string,
  site: string,
  { tls, plain }: Ports,
  { almanac, php }: Behind,
): [string, string[]] {
  const changes: [RegExp | string, string][] = [
    ['server 127.0.0.1:3000;', `server ${new URL(almanac).host};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${tls} ssl;`],
    ['listen 80;', `listen 127.0.0.1:${plain};`],
    [/ssl_certificate .*;/, `ssl_certificate ${folder}/cert.pem;`],
    [/ssl_certificate_key .*;/, `ssl_certificate_key ${folder}/key.pem;`],
    ['root /var/www/html;', `root ${folder}/html;`],
  ];
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((what) => `${what}_temp_path ${folder}/${what};`)
    .join('\n');
  const main = `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/pid;
error_log stderr;
events { worker_connections 512; }
http {
access_log off;
${temporary}
${changes.reduce((text, [from, to]) => changedOnce(text, from, to), site).replace(TO_PHP, `proxy_pass ${php}$request_uri;`)}
}`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, main);
  return [found('nginx'), ['-p', folder, '-c', file, '-e', 'stderr']];
}

/** PHP reads the requested URL, whatever nginx rewrites. */
const TO_PHP = /include fastcgi_params;[^}]*?fastcgi_pass .*;/;

/** The modules that Debian enables by default. */
const APACHE_MODULES =
  'mpm_event access_compat alias auth_basic authn_core authn_file authz_core authz_host authz_user autoindex deflate dir env filter mime negotiation reqtimeout setenvif';

function apache(
  folder: string,
  site: string,
  { tls, plain }: Ports,
  { almanac, php }: Behind,
): [string, string[]] {
  const [, named = ''] = /a2enmod (.*)/.exec(site) ?? [];
  const modules = [...new Set(`${APACHE_MODULES} ${named}`.split(' ').flatMap(withDependencies))];
  const changes: [RegExp | string, string][] = [
    ['<VirtualHost *:443>', `<VirtualHost *:${tls}>`],
    ['<VirtualHost *:80>', `<VirtualHost *:${plain}>`],
    [/SSLCertificateFile .*/, `SSLCertificateFile ${folder}/cert.pem`],
    [/SSLCertificateKeyFile .*/, `SSLCertificateKeyFile ${folder}/key.pem`],
    ['DocumentRoot /var/www/html', `DocumentRoot ${folder}/html`],
    ['<Directory /var/www/html>', `<Directory ${folder}/html>`],
  ];
  const changed = changes.reduce((text, [from, to]) => changedOnce(text, from, to), site);
  // As in WordPress, whose .htaccess routes all other requests to PHP.
  writeFileSync(
    join(folder, 'html', '.htaccess'),
    `RewriteEngine On
RewriteCond %{THE_REQUEST} "^\\S+ ([^?\\s]+)"
RewriteRule ^ ${php}%1 [P,NE]
`,
  );
  const main = `ServerRoot ${folder}
PidFile ${folder}/pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/log
ServerName example.org
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
Define APACHE_RUN_DIR ${folder}
Define APACHE_LOG_DIR ${folder}
Listen 127.0.0.1:${tls}
Listen 127.0.0.1:${plain}
${modules.flatMap((name) => ['load', 'conf'].map((end) => `IncludeOptional ${MODS}/${name}.${end}`)).join('\n')}
<Directory />
    AllowOverride None
    Require all denied
</Directory>
${changed.replaceAll('127.0.0.1:3000', new URL(almanac).host)}
`;
  const file = join(folder, 'apache.conf');
  writeFileSync(file, main);
  return [found('apache2'), ['-d', folder, '-f', file, '-DFOREGROUND']];
}

const MODS = '/etc/apache2/mods-available';

function withDependencies(name: string): string[] {
  const [, needed = ''] = /^# Depends: (.*)$/m.exec(readFileSync(join(MODS, `${name}.load`), 'utf8')) ?? [];
  return [...needed.split(' ').filter(Boolean).flatMap(withDependencies), name];
}

function certificate(folder: string): void {
  const subject = ['-subj', '/CN=example.org', '-days', '2'];
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync(found('openssl'), ['req', '-x509', ...kind, ...files, ...subject], { stdio: 'ignore' });
}

function changedOnce(text: string, from: RegExp | string, to: string): string {
  const changed = text.replace(from, to);
  if (changed === text) throw new Error(`the file has no ${from}`);
  return changed;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  // A kill would leave its workers running.
  child.kill('SIGTERM');
  await gone;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function find(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function found(name: string): string {
  const path = find(name);
  if (!path) throw new Error(`No ${name} found: install nginx, apache2 and openssl.`);
  return path;
}

/** A replacement for the PHP server. */
export interface PhpStandIn {
  url: string;
  stop(): Promise<void>;
}

/** Starts one; its responses describe the request. */
export async function startPhp(): Promise<PhpStandIn> {
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    response.setHeader('X-Powered-By', 'PHP');
    response.end(JSON.stringify({ method, url, headers }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const escaped = (words: string): string => words.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
