import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_SCHEMA, load, loadAll, mergeTag } from 'js-yaml';
import { SECRET_NAMES, VARIABLES } from '../../src/config/data/variables.js';
import { readEnvironment } from '../../src/config/env.js';
import { MAX_UPLOAD } from '../../src/http/params/limits.js';

const ROOT = join(__dirname, '..', '..');
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const KNOWN = new Set<string>([...Object.values(VARIABLES).map(({ name }) => name), ...SECRET_NAMES]);
const PASSWORD = 'p@ss:w/rd#$ %?&+\'"';

type Variables = Record<string, string>;

interface Compose {
  services: Record<
    string,
    {
      build?: string;
      profiles: string[];
      environment: Variables;
      ports?: string[];
      stop_grace_period?: string;
      restart?: string;
      mem_limit?: string;
    }
  >;
  volumes: Record<string, null>;
}

/** The compose file as Compose reads it with these variables in `.env`: `${NAME:-other}`, also nested, `${NAME:+instead}` and `$$`. */
function compose(variables: Variables = {}): Compose {
  let text = read('docker-compose.yml').replace(/^\s*#.*$/gm, '');
  const inner = /(?<!\$)\$\{(\w+):([-+])([^${}]*)\}/g;
  while (text.search(inner) >= 0)
    text = text.replace(inner, (_, name: string, sign: string, other: string) =>
      sign === '-' ? variables[name] || other : variables[name] ? other : '',
    );
  expect(text.replaceAll('$$', '')).not.toContain('$');
  return load(text.replaceAll('$$', '$'), { schema: CORE_SCHEMA.withTags(mergeTag) }) as Compose;
}

const servers = (file: Compose) => Object.entries(file.services).filter(([, { build }]) => build === '.');

const httpGet = (path: string) => expect.objectContaining({ httpGet: { path, port: 'http' } });

/** Variables that a text for people and other programs names as `NAME=value`. */
const namedIn = (text: string): Variables =>
  Object.fromEntries(
    [...text.matchAll(/\b([A-Z][A-Z_]{3,})=(\S+)/g)].map(([, name, value]) => [name, value]),
  );

const { shutdownSeconds } = readEnvironment({});

describe('docker-compose.yml', () => {
  it('has a server with a valid configuration in each profile', () => {
    const found = servers(compose({ DATABASE_URL: 'mysql://u:p@host.docker.internal/site' }));
    expect(found.map(([name, { profiles }]) => [name, profiles])).toEqual([
      ['demo', ['demo']],
      ['site', ['site']],
      ['scaled', ['scale']],
    ]);
    for (const [, { environment, ports, stop_grace_period: grace }] of found) {
      for (const name of Object.keys(environment)) expect(KNOWN).toContain(name);
      const env = readEnvironment(environment);
      expect(env.host).toBe('0.0.0.0');
      expect(ports).toEqual([`127.0.0.1:3000:${env.port}`]);
      expect(Number.parseInt(grace ?? '', 10)).toBeGreaterThan(env.shutdownSeconds + 1);
    }
  });

  it('restarts every service, limits memory, and checks health by /livez', () => {
    for (const [name, { restart, mem_limit: memory }] of Object.entries(compose().services))
      expect([name, restart, memory]).toEqual([name, 'unless-stopped', expect.stringMatching(/^\d+[gm]$/)]);
    const [, words] = /^HEALTHCHECK .*CMD (.+)$/m.exec(read('Dockerfile')) ?? [];
    const [, script = ''] = JSON.parse(words ?? '[]') as string[];
    expect(read(script)).toContain('/livez`');
  });

  it('does not start the demo beside a site whose address is missing', () => {
    for (const name of ['site', 'scaled'])
      expect(() => readEnvironment(compose().services[name]?.environment ?? {})).toThrow(
        'DATABASE_URL must look like',
      );
  });

  it('downloads images by URL only where their folder is configured', () => {
    const folder = (variables: Variables) =>
      readEnvironment({ ...compose(variables).services['site']?.environment, DATABASE_URL: 'mysql://a/b' })
        .uploadsDir;
    expect(folder({})).toBeUndefined();
    expect(folder({ UPLOADS_PATH: '/var/www/uploads' })).toBe('/app/uploads');
  });

  it('accepts any password, percent-encoded in URLs', () => {
    const encoded = encodeURIComponent(PASSWORD);
    const own = compose({ DATABASE_PASSWORD: 'plain', DATABASE_PASSWORD_ENCODED: encoded });
    expect(readEnvironment(own.services['demo']?.environment ?? {}).database).toMatchObject({
      password: PASSWORD,
    });
    expect(own.services['database']?.environment['MYSQL_PASSWORD']).toBe('plain');
    const address = { DATABASE_URL: `mysql://almanac:${encoded}@db:3306/site` };
    expect(readEnvironment(compose(address).services['site']?.environment ?? {}).database).toMatchObject({
      password: PASSWORD,
      host: 'db',
    });
  });

  it('has own variables that Almanac, which gets them too, does not report as misspelled', () => {
    const names = [...read('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
    const own = names.filter((name) => !KNOWN.has(name));
    expect(own).toContain('UPLOADS_PATH');
    expect(() => readEnvironment(Object.fromEntries(own.map((name) => [name, 'x'])))).not.toThrow();
  });
});

describe('deploy/kubernetes.yaml', () => {
  interface Manifest {
    kind: string;
    data?: Variables;
    stringData?: Variables;
    spec?: { template: { spec: { terminationGracePeriodSeconds: number; containers: Container[] } } };
  }
  interface Container {
    ports: { name: string; containerPort: number }[];
    lifecycle: { preStop: { exec: { command: [string, string] } } };
    securityContext: Record<string, unknown>;
  }
  const manifests = loadAll(read('deploy/kubernetes.yaml')) as unknown as Manifest[];
  const of = (kind: string) => manifests.find((manifest) => manifest.kind === kind);

  it('sets existing environment variables only', () => {
    const variables = { ...of('ConfigMap')?.data, ...of('Secret')?.stringData };
    for (const name of Object.keys(variables)) expect(KNOWN).toContain(name);
    const env = readEnvironment(variables);
    const container = of('Deployment')?.spec?.template.spec.containers[0];
    expect(container?.ports).toEqual([
      { name: 'http', containerPort: env.port },
      { name: 'metrics', containerPort: env.metrics?.port },
    ]);
  });

  it('uses the probes, and waits longer than the shutdown deadline', () => {
    const pod = of('Deployment')?.spec?.template.spec;
    const container = pod?.containers[0];
    expect(container).toMatchObject({
      startupProbe: httpGet('/livez'),
      livenessProbe: httpGet('/livez'),
      readinessProbe: httpGet('/readyz'),
      securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
    });
    const pause = Number(container?.lifecycle.preStop.exec.command[1]);
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(pause + shutdownSeconds + 1);
  });
});

describe('deploy/almanac.service', () => {
  const unit = read('deploy/almanac.service');

  it('starts the built server, and waits longer than the shutdown deadline', () => {
    for (const line of unit.split('\n')) expect(line).toMatch(/^(#.*|\[\w+\]|\w+=.*|)$/);
    const [, entry = ''] = /^ExecStart=\/usr\/bin\/node .*dist\/(\S+)\.js$/m.exec(unit) ?? [];
    expect(existsSync(join(ROOT, 'src', `${entry}.ts`))).toBe(true);
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
    expect(Number(seconds)).toBeGreaterThan(shutdownSeconds + 1);
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute/m);
    // Without these two the kernel kills Node at once (SIGSYS).
    expect(unit).toMatch(/^SystemCallFilter=@system-service @pkey$/m);
    expect(unit).toMatch(/^SystemCallErrorNumber=EPERM$/m);
  });
});

it('every deployment starts the server in the same way', () => {
  const { start } = JSON.parse(read('package.json')).scripts as { start: string };
  const [, words] = /^CMD (.+)$/m.exec(read('Dockerfile')) ?? [];
  expect((JSON.parse(words ?? '') as string[]).join(' ')).toBe(start);
  expect(read('deploy/almanac.service')).toContain(`\nExecStart=/usr/bin/${start}\n`);
});

describe.each(['deploy/nginx.conf', 'deploy/apache.conf'])('%s', (name) => {
  const text = read(name);
  const env = readEnvironment(namedIn(text.split('\n\n')[0] ?? ''));

  it('contains the settings for Almanac, and forwards to it', () => {
    expect(env).toMatchObject({ host: '127.0.0.1', pathPrefix: '/wp-json', trustProxy: 'loopback' });
    expect(new Set(text.match(/127\.0\.0\.1:\d+/g))).toEqual(new Set([`127.0.0.1:${env.port}`]));
  });

  it('keeps connections for less time than KEEP_ALIVE_TIMEOUT', () => {
    const [, seconds] = /(?:keepalive_timeout |\bttl=)(\d+)/.exec(text) ?? [];
    expect(Number(seconds)).toBeGreaterThan(30);
    expect(Number(seconds) * 1000).toBeLessThan(env.keepAliveTimeout);
  });

  it('has closed blocks', () => {
    const code = text.replace(/#.*$/gm, '');
    const opened = name.includes('nginx') ? /(?<=\s)\{$/gm : /^\s*<[A-Z]/gm;
    const closed = name.includes('nginx') ? /^\s*\}$/gm : /^\s*<\//gm;
    expect(code.match(opened)?.length).toBeGreaterThan(0);
    expect(code.match(opened)?.length).toBe(code.match(closed)?.length);
  });

  it('forwards all URLs of the namespaces, and nothing else', () => {
    const rules = text.split('\n').filter((line) => !/^\s*#/.test(line));
    const patterns = rules.flatMap((line) => /"(?:~\*?)?(\^.*(?:v1|docs).*)"/.exec(line)?.[1] ?? []);
    expect(patterns).toHaveLength(3);
    const isApache = name.includes('apache');
    const sent = (uri: string) =>
      patterns.some((pattern) => new RegExp(pattern, 'i').test(isApache ? `GET ${uri} HTTP/1.1` : uri));
    for (const namespace of env.apiNamespaces) {
      for (const uri of [`/wp-json/${namespace}`, `/wp-json/${namespace}/events?page=2`])
        expect([uri, sent(uri), sent(`/index.php${uri}`)]).toEqual([uri, true, true]);
      const encoded = encodeURIComponent(`/${namespace}/events`);
      for (const query of [`rest_route=/${namespace}`, `page=2&rest_route=${encoded}&per_page=3`])
        expect([query, sent(`/?${query}`), sent(`/index.php?${query}`)]).toEqual([query, true, true]);
    }
    for (const uri of ['/docs', '/docs/start.js', '/openapi.json'])
      expect([uri, sent(uri)]).toEqual([uri, true]);
    for (const uri of ['/', '/wp-json/', '/wp-json/wp/v2/posts', '/?rest_route=/wp/v2/posts', '/docsy'])
      expect([uri, sent(uri)]).toEqual([uri, false]);
    for (const uri of [
      '/wp-json/tribe/events/v10',
      '/?x=rest_route=/tribe/events/v10',
      '/a/wp-json/cal/events/v1',
    ])
      expect([uri, sent(uri)]).toEqual([uri, false]);
  });
});

it.each(['nginx', 'apache'])('%s can forward calendar subscriptions, and nothing else', (name) => {
  const [, pattern = ''] = /"(?:~\*)?(\^.*ical=1.*)"/.exec(read(`deploy/${name}.conf`)) ?? [];
  const sent = (uri: string) =>
    new RegExp(pattern, 'i').exec(name === 'apache' ? `GET ${uri} HTTP/1.1` : uri)?.[1];
  const files = [
    '/?ical=1',
    '/?post_type=tribe_events&ical=1&x=1',
    '/events/?ical=1',
    '/events?ical=1',
    '/index.php/events/list/?a=b&outlook-ical=1',
    '/event/tea/?ical=1',
  ];
  expect(files.map(sent)).toEqual(name === 'apache' ? files.map((uri) => uri.split('?', 1)[0]) : files);
  for (const uri of [
    '/',
    '/events/',
    '/events/?ical=10',
    '/events/?xical=1',
    '/eventsx/?ical=1',
    '/blog/?ical=1',
    '/events/ical=1',
  ])
    expect([uri, sent(uri)]).toEqual([uri, undefined]);
});

it.each(['nginx', 'apache'])('%s can forward the feeds of events, and no others', (name) => {
  const patterns = [...read(`deploy/${name}.conf`).matchAll(/# .*"(?:~\*)?(\^.*feed.*)"/g)].map(
    ([, pattern = '']) => new RegExp(pattern, 'i'),
  );
  expect(patterns).toHaveLength(2);
  const sent = (uri: string) =>
    patterns
      .map((one) => one.exec(name === 'apache' ? `GET ${uri} HTTP/1.1` : uri)?.[1])
      .find((one) => one !== undefined);
  const feeds = [
    ...['/events/feed/', '/events/feed', '/events/feed/atom/', '/events/category/music/feed/?x=1'],
    ...[
      '/index.php/events/feed/',
      '/?post_type=tribe_events&feed=rss2',
      '/?feed=rss2&a=b&post_type=tribe_events',
    ],
  ];
  expect(feeds.map(sent)).toEqual(name === 'apache' ? feeds.map((uri) => uri.split('?', 1)[0]) : feeds);
  for (const uri of [
    ...[
      '/feed/',
      '/?feed=rss2',
      '/event/tea/feed/',
      '/events/feeding/',
      '/events/?x=/feed/',
      '/eventsx/feed/',
    ],
    ...['/?post_type=post&feed=rss2', '/?post_type=tribe_eventsx&feed=rss2', '/blog/events/feed/'],
  ])
    expect([uri, sent(uri)]).toEqual([uri, undefined]);
});

it.each(['nginx', 'apache'])('%s can forward the pages and their files, and nothing else', (name) => {
  const [, pattern = ''] = /# .*"~?(\^.*calendar.*)"/.exec(read(`deploy/${name}.conf`)) ?? [];
  const sent = (uri: string) => new RegExp(pattern).test(name === 'apache' ? `GET ${uri} HTTP/1.1` : uri);
  for (const uri of ['/calendar', '/calendar?embed=1', '/calendar/', '/editor', '/assets/calendar-AB12.js'])
    expect([uri, sent(uri)]).toEqual([uri, true]);
  for (const uri of ['/', '/calendars', '/x/editor', '/assetsx', '/?calendar'])
    expect([uri, sent(uri)]).toEqual([uri, false]);
});

it('nginx passes bodies that Almanac rejects', () => {
  const [, megabytes] = /client_max_body_size (\d+)m;/.exec(read('deploy/nginx.conf')) ?? [];
  const largest = Math.max(readEnvironment({}).bodyLimit, MAX_UPLOAD);
  expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(largest);
  expect(Number(megabytes) * 1024 * 1024).toBeLessThan(largest * 1.15);
});
