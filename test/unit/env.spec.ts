import { availableParallelism } from 'node:os';
import { EnvironmentError, readEnvironment } from '../../src/config/env.js';

/** The lines that a bad environment is answered with. */
function problems(source: Record<string, string>): string[] {
  try {
    readEnvironment(source);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message.split('\n').slice(1);
    throw error;
  }
  return [];
}

describe('the environment', () => {
  it('defaults to the embedded demo on port 3000', () => {
    const env = readEnvironment({});
    expect(env.database).toEqual({ kind: 'sqlite', path: 'data/demo.db', demo: true });
    expect(env.restBaseUrl).toBe('http://localhost:3000');
    expect(env.apiNamespaces).toEqual(['cal/events/v1']);
    expect([env.tablePrefix, env.pathPrefix, env.host, env.port]).toEqual(['wp_', '', '127.0.0.1', 3000]);
    expect([env.trustProxy, env.poolSize, env.logLevel]).toEqual([false, 10, 'log']);
    expect(env.rateLimit).toEqual({ failures: 20, milliseconds: 300_000 });
    expect([env.uploadsDir, env.themeSupport]).toEqual(['data/uploads', undefined]);
    expect(readEnvironment({ DATABASE_URL: 'sqlite:x' }).uploadsDir).toBeUndefined();
    expect([env.allowInsecureAuth, env.disallowUnfilteredHtml, env.emptyTrashDays]).toEqual([
      false,
      false,
      30,
    ]);
  });

  it('listens on all addresses once a database is set, or on HOST', () => {
    const host = (source: Record<string, string>) => readEnvironment(source).host;
    expect([host({ DATABASE_URL: 'sqlite:x' }), host({ HOST: '::' })]).toEqual(['0.0.0.0', '::']);
  });

  it('treats an empty variable as absent', () => {
    expect(readEnvironment({ PORT: '', DATABASE_URL: '', TABLE_PREFIX: '' })).toEqual(readEnvironment({}));
  });

  it('reports all errors at once, one line per variable', () => {
    const lines = problems({
      DATABASE_URL: 'postgres://x/y',
      TABLE_PREFIX: 'wp-',
      USERS_TABLE: 'wp_users`; DROP TABLE x; --',
      USERMETA_TABLE: 'a.b',
      MULTISITE: 'maybe',
      REST_BASE_URL: 'example.org',
      API_NAMESPACES: 'a b',
      PATH_PREFIX: 'wp-json',
      PORT: '65536',
      DATABASE_POOL_SIZE: '0',
      LOG_LEVEL: 'loud',
      LOG_FORMAT: 'xml',
      LOG_REQUESTS: 'some',
      METRICS: 'on',
      SERVER_TIMING: 'often',
      RATE_LIMIT: '20',
      THEME_SUPPORT: 'modern',
      ALLOW_INSECURE_AUTH: 'maybe',
      EMPTY_TRASH_DAYS: '-1',
      SCHEDULER: 'perhaps',
    });
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual([
      ...[
        'DATABASE_URL',
        'TABLE_PREFIX',
        'USERS_TABLE',
        'USERMETA_TABLE',
        'MULTISITE',
        'REST_BASE_URL',
        'API_NAMESPACES',
        'PATH_PREFIX',
        'PORT',
      ],
      ...[
        'DATABASE_POOL_SIZE',
        'LOG_LEVEL',
        'LOG_FORMAT',
        'LOG_REQUESTS',
        'METRICS',
        'SERVER_TIMING',
        'RATE_LIMIT',
        'THEME_SUPPORT',
        'ALLOW_INSECURE_AUTH',
        'EMPTY_TRASH_DAYS',
        'SCHEDULER',
      ],
    ]);
  });

  it.each([
    ['off', null],
    ['9464', { host: '127.0.0.1', port: 9464 }],
    ['0.0.0.0:1', { host: '0.0.0.0', port: 1 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
    ['metrics.internal:65535', { host: 'metrics.internal', port: 65535 }],
  ])('reads METRICS %s', (METRICS, metrics) => expect(readEnvironment({ METRICS }).metrics).toEqual(metrics));

  it('enables the editor page where EDITOR names a program, as npm and shells set it', () => {
    const values = [undefined, '', 'on', 'vi', '/usr/bin/code --wait', 'off'];
    expect(values.map((EDITOR) => readEnvironment({ EDITOR }).editor)).toEqual([
      ...['on', 'on', 'on', 'on', 'on'],
      'off',
    ]);
  });

  it.each(['0', '65536', 'localhost', ':9464x', '-1', 'http://a:9464', 'a b:1'])(
    'rejects METRICS %s',
    (METRICS) =>
      expect(problems({ METRICS })).toEqual([expect.stringMatching(/^\s*METRICS must be off, a port, or /)]),
  );

  it.each([
    [
      'mysql://u:p@db:3307/site',
      { host: 'db', port: 3307, user: 'u', password: 'p', database: 'site', ssl: false },
    ],
    [
      'mariadb://db/site',
      { host: 'db', port: 3306, user: 'root', password: '', database: 'site', ssl: false },
    ],
    ['mysql://u%40x:p%3Aw%2F@[::1]/s%20t', { host: '::1', user: 'u@x', password: 'p:w/', database: 's t' }],
    ['mysql://db/site?ssl=true', { ssl: true }],
    ['mysql://db/site?ssl=no-verify', { ssl: 'no-verify' }],
    ['mysql://db/site?ssl=/etc/ca.pem', { ssl: '/etc/ca.pem' }],
    ['mysql://db/site?ssl=0', { ssl: false }],
    ['sqlite:/var/lib/almanac.db', { kind: 'sqlite', path: '/var/lib/almanac.db', demo: false }],
    ['sqlite::memory:', { kind: 'sqlite', path: ':memory:' }],
  ])('reads %s', (url, expected) => {
    expect(readEnvironment({ DATABASE_URL: url }).database).toMatchObject(expected);
  });

  it.each([
    'sqlite:',
    'mysql://db',
    'mysql://db/',
    'mysql://db/a/b',
    'mysql://u:%zz@db/site',
    'no address',
    'mysql:',
  ])('rejects the database address "%s"', (url) => {
    expect(problems({ DATABASE_URL: url })).toEqual([expect.stringMatching(/^ {2}DATABASE_URL \w/)]);
  });

  it('never prints the password of an invalid database address', () => {
    expect(problems({ DATABASE_URL: 'mysql://u:hunter2@db/' }).join()).not.toContain('hunter2');
  });

  it('reads namespaces as a list, without surrounding slashes or duplicates', () => {
    const namespaces = (list: string) => readEnvironment({ API_NAMESPACES: list }).apiNamespaces;
    expect(namespaces('/cal/events/v1/, tribe/events/v1 ,cal/events/v1')).toEqual([
      'cal/events/v1',
      'tribe/events/v1',
    ]);
  });

  it('removes the trailing slash of URLs and paths', () => {
    const env = readEnvironment({ REST_BASE_URL: 'https://example.org/wp-json/', PATH_PREFIX: '/wp-json/' });
    expect([env.restBaseUrl, env.pathPrefix]).toEqual(['https://example.org/wp-json', '/wp-json']);
  });

  it('builds links with its own port and path by default', () => {
    expect(readEnvironment({ PORT: '81', PATH_PREFIX: '/wp-json' }).restBaseUrl).toBe(
      'http://localhost:81/wp-json',
    );
  });

  it.each([
    ['true', true],
    ['OFF', false],
    ['2', 2],
    ['loopback, 10.0.0.0/8', 'loopback, 10.0.0.0/8'],
  ])('reads TRUST_PROXY=%s', (text, value) => {
    expect(readEnvironment({ TRUST_PROXY: text }).trustProxy).toBe(value);
  });

  it.each([
    ['20/5m', { failures: 20, milliseconds: 300_000 }],
    ['3/90s', { failures: 3, milliseconds: 90_000 }],
    ['100/2h', { failures: 100, milliseconds: 7_200_000 }],
    ['off', null],
  ])('reads RATE_LIMIT=%s', (text, rule) => {
    expect(readEnvironment({ RATE_LIMIT: text }).rateLimit).toEqual(rule);
  });

  it.each(['0/5m', '5/0m', '20', '20/5d', '-1/5m', 'on'])('rejects RATE_LIMIT=%s', (text) => {
    expect(problems({ RATE_LIMIT: text })).toEqual(['  RATE_LIMIT must be off or a rule such as 20/5m']);
  });

  it('reads a number of workers, or one per core', () => {
    const workers = (text: string) => readEnvironment({ WORKERS: text }).workers;
    expect([workers(''), workers('4'), workers('auto')]).toEqual([1, 4, availableParallelism()]);
    expect(problems({ WORKERS: '0' })).toEqual(['  WORKERS must be a whole number from 1 to 256']);
    expect(problems({ WORKERS: '2', DATABASE_URL: 'sqlite::memory:' })).toEqual([
      '  WORKERS cannot share a database in memory',
    ]);
  });

  it('reads replicas as a list of MySQL servers, only with a MySQL primary', () => {
    const list = 'mysql://u:p%2Cw@one/site, mysql://two:3307/site?ssl=true';
    const read = (database: string, replicas: string) => ({
      DATABASE_URL: database,
      DATABASE_REPLICA_URLS: replicas,
    });
    expect(readEnvironment(read('mysql://db/site', list)).replicaUrls).toMatchObject([
      { host: 'one', user: 'u', password: 'p,w', database: 'site' },
      { host: 'two', port: 3307, ssl: true },
    ]);
    expect(readEnvironment(read('mysql://db/site', '')).replicaUrls).toEqual([]);
    expect(problems(read('mysql://db/site', 'mysql://one/site,sqlite:x'))).toEqual([
      '  DATABASE_REPLICA_URLS may hold addresses that begin with mysql:// only',
    ]);
    expect(problems(read('sqlite:x', 'mysql://one/site'))).toEqual([
      '  DATABASE_REPLICA_URLS needs a DATABASE_URL that begins with mysql://',
    ]);
    expect(problems(read('nothing', 'mysql://one/site'))).toHaveLength(1);
  });

  it.each(['redis://localhost', 'redis://u:p@host:6380/2', 'rediss://host'])(
    'accepts REDIS_URL=%s',
    (url) => {
      expect(readEnvironment({ REDIS_URL: url }).redisUrl).toBe(url);
    },
  );

  it.each(['localhost:6379', 'http://host', 'redis:', 'x'])('rejects REDIS_URL=%s', (url) => {
    expect(problems({ REDIS_URL: url })).toEqual([expect.stringMatching(/^ {2}REDIS_URL must \w/)]);
  });

  it('reads a bucket of uploads, with a prefix that stays below it', () => {
    const bucket = { UPLOADS_S3_BUCKET: 'calendar-uploads' };
    const prefix = (text: string) => readEnvironment({ ...bucket, UPLOADS_S3_PREFIX: text }).uploadsS3Prefix;
    expect([prefix(''), prefix('/'), prefix('/wp-content/uploads/')]).toEqual([
      '',
      '',
      'wp-content/uploads/',
    ]);
    for (const text of ['..', 'a/../b', 'a//b', './a', 'a\\b', 'a?b'])
      expect(problems({ ...bucket, UPLOADS_S3_PREFIX: text })).toEqual([
        '  UPLOADS_S3_PREFIX must be a path such as wp-content/uploads',
      ]);
    expect(problems({ UPLOADS_S3_BUCKET: 'a/b' })).toEqual([
      '  UPLOADS_S3_BUCKET must be the name of a bucket: 3 to 63 letters, digits, dots and hyphens',
    ]);
    expect(problems({ ...bucket, UPLOADS_DIR: '/uploads' })).toEqual([
      '  UPLOADS_DIR and UPLOADS_S3_BUCKET both say where uploads are stored: leave one of them out',
    ]);
    expect(problems({ UPLOADS_S3_REGION: 'eu-central-1', UPLOADS_S3_PATH_STYLE: 'yes' })).toEqual([
      '  UPLOADS_S3_REGION needs UPLOADS_S3_BUCKET',
      '  UPLOADS_S3_PATH_STYLE needs UPLOADS_S3_BUCKET',
    ]);
  });

  it('reads a Unix socket', () => {
    const url = 'mysql://u:p@localhost/site?socketPath=/run/mysqld/mysqld.sock';
    expect(readEnvironment({ DATABASE_URL: url }).database).toMatchObject({
      socketPath: '/run/mysqld/mysqld.sock',
      database: 'site',
    });
  });

  it('rejects unknown options of a database address, and prints no part of a password', () => {
    expect(problems({ DATABASE_URL: 'mysql://u@db/site?ssl_ca=x' })).toEqual([
      expect.stringMatching(/^ {2}DATABASE_URL has an option "ssl_ca" that is not known; known are ssl and /),
    ]);
    expect(problems({ DATABASE_URL: 'mysql://u:1/2?hunter2@db/site' }).join()).not.toContain('hunter2');
  });

  it.each(['nonsense', '10.0.0.0/33', '10.0.0.1/255.0.255.0', 'loopback, proxy.example.org', '-1', ','])(
    'rejects TRUST_PROXY=%s',
    (text) => {
      expect(problems({ TRUST_PROXY: text })).toEqual([expect.stringMatching(/^ {2}TRUST_PROXY must be /)]);
    },
  );

  it.each(['::1', '127.0.0.1', 'uniquelocal', '10.0.0.0/255.0.0.0', 'fd00::/8,linklocal'])(
    'accepts TRUST_PROXY=%s',
    (text) => {
      expect(readEnvironment({ TRUST_PROXY: text }).trustProxy).toBe(text);
    },
  );

  it('reads durations with their units', () => {
    const timeout = (text: string) => readEnvironment({ DATABASE_TIMEOUT: text }).databaseTimeout;
    expect(['', '500ms', '3s', '2m'].map(timeout)).toEqual([10_000, 500, 3000, 120_000]);
    for (const text of ['10', '0s', '99ms', '11m', 'soon', '-1s', '1h'])
      expect(problems({ DATABASE_TIMEOUT: text })).toEqual([
        '  DATABASE_TIMEOUT must be a time from 100ms to 600s, such as 10s',
      ]);
  });

  it('reads origins of pages', () => {
    const origins = (text: string) => readEnvironment({ CORS_ORIGINS: text }).corsOrigins;
    expect([origins(''), origins('*'), origins('off')]).toEqual([null, null, new Set()]);
    expect(origins('https://Example.org/, http://localhost:8080')).toEqual(
      new Set(['https://example.org', 'http://localhost:8080']),
    );
    for (const text of ['example.org', 'https://example.org/path', '*.example.org', ',', 'https://a, *'])
      expect(problems({ CORS_ORIGINS: text })).toEqual([expect.stringMatching(/^ {2}CORS_ORIGINS must be /)]);
  });

  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['RATELIMIT', 'RATE_LIMIT'],
    ['database_url', 'DATABASE_URL'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['WOKRERS', 'WORKERS'],
    ['LOGED_IN_SALT', 'LOGGED_IN_SALT'],
  ])('rejects %s, which resembles %s', (name, toHttpException) => {
    expect(problems({ [name]: 'x' })).toEqual([
      `  ${name} is no variable of Almanac: is ${toHttpException} meant?`,
    ]);
    expect(problems({ [name]: '' })).toEqual([]);
  });

  it('ignores variables of other programs, and those that resemble one that is set', () => {
    const others = [
      'HOME',
      'HOSTS',
      'POST',
      'LOGLEVEL',
      'OAUTH_KEY',
      'DATABASE_PORT',
      'cache',
      'NODE_ENV',
      'AUTH_URL',
    ];
    expect(problems(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
    expect(problems({ RATELIMIT: 'x', RATE_LIMIT: 'off' })).toEqual([]);
  });

  it('returns the configured secrets only', () => {
    const env = readEnvironment({ LOGGED_IN_KEY: 'k', NONCE_SALT: 's', AUTH_KEY: '', SECRET_KEY: 'x' });
    expect(env.secrets).toEqual({ LOGGED_IN_KEY: 'k', NONCE_SALT: 's' });
  });
});
