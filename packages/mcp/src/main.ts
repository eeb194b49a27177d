import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { applicationPassword } from 'almanac-client';
import { Command, InvalidArgumentError, Option } from 'commander';
import { Calendar, type Credentials } from './calendar.js';
import { createHttpServer } from './http.js';
import { createMcpServer } from './server.js';
import { VERSION } from './version.js';

interface Options {
  url: URL;
  user?: string;
  readOnly?: boolean;
  http?: number;
  host: string;
  allowHost: string[];
  allowOrigin: string[];
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const DEFAULT_PORT = 3333;

const program = new Command('almanac-mcp')
  .description(
    'Lets assistants read and edit a calendar: a Model Context Protocol server on standard input and output.',
  )
  .version(VERSION)
  .addOption(
    new Option('--url <address>', 'address of the calendar, such as https://example.org')
      .env('ALMANAC_URL')
      .argParser(toUrl)
      .makeOptionMandatory(),
  )
  .addOption(
    new Option('--user <login>', 'whom to sign in; ALMANAC_PASSWORD is the application password').env(
      'ALMANAC_USER',
    ),
  )
  .option('--read-only', 'offers no tool that writes')
  .addOption(
    new Option(
      '--http [port]',
      'serves http://<host>:<port>/mcp; callers send their own Authorization header',
    )
      .preset(String(DEFAULT_PORT))
      .argParser(toPort),
  )
  .option('--host <address>', 'with --http: the address to listen on', '127.0.0.1')
  .option('--allow-host <names...>', 'with --http: further names that requests may be addressed to', [])
  .option('--allow-origin <origins...>', 'with --http: origins of web pages that may send requests', [])
  .addHelpText('after', '\nALMANAC_TOKEN in place of user and password is sent as a bearer token.')
  .action((options: Options) => (options.http === undefined ? serveStdio(options) : serveHttp(options)));

async function serveStdio({ url, user, readOnly: isReadOnly = false }: Options): Promise<void> {
  const calendar = new Calendar(url, isReadOnly);
  const credentials = credentialsOf(user);
  if (Object.keys(credentials).length > 0 && url.protocol === 'http:' && !LOOPBACK.includes(url.hostname))
    console.error(`Warning: ${url.origin} is not HTTPS; the password can be read on the way.`);
  await createMcpServer({ calendar, credentials, isReadOnly }).connect(new StdioServerTransport());
}

async function serveHttp({
  url,
  user,
  readOnly: isReadOnly = false,
  http: port,
  ...options
}: Options): Promise<void> {
  if (Object.keys(credentialsOf(user)).length > 0)
    program.error(
      'With --http every caller sends a login: unset ALMANAC_USER, ALMANAC_PASSWORD and ALMANAC_TOKEN.',
    );
  const { host, allowHost, allowOrigin: origins } = options;
  const isLocal = LOOPBACK.includes(host) || host === '::1';
  if (!isLocal && allowHost.length === 0)
    program.error('--host other than a loopback address needs --allow-host with the name that callers use.');
  const calendar = new Calendar(url, isReadOnly);
  const hosts = [...LOOPBACK, ...allowHost.map((name) => name.toLowerCase())];
  const server = createHttpServer({ calendar, isReadOnly, hosts, origins });
  server.listen(port, host);
  await once(server, 'listening');
  const { address, port: bound, family } = server.address() as AddressInfo;
  console.error(`Listening on http://${family === 'IPv6' ? `[${address}]` : address}:${bound}/mcp`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      server.close();
      server.closeIdleConnections();
    });
}

/** The caller of standard input and output. */
function credentialsOf(user: string | undefined): Credentials {
  const { ALMANAC_PASSWORD: password, ALMANAC_TOKEN: token } = process.env;
  if (token) return { Authorization: `Bearer ${token}` };
  if (user && password) return { ...applicationPassword(user, password) };
  if (user) program.error(`--user ${user} needs the application password in ALMANAC_PASSWORD.`);
  if (password) program.error('ALMANAC_PASSWORD needs --user or ALMANAC_USER.');
  return {};
}

function toUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new InvalidArgumentError('It must be an http or https address without a login.');
  url.pathname = url.pathname.replace(/\/?$/, '/');
  url.search = '';
  url.hash = '';
  return url;
}

function toPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new InvalidArgumentError('It must be a port number.');
}

program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
