import {
  byteSize,
  databaseAddress,
  duration,
  flag,
  httpUrl,
  listenAddress,
  mysqlAddresses,
  names,
  namespaces,
  offOr,
  oneOf,
  onUnlessOff,
  origins,
  pathPrefix,
  rateLimitRule,
  redisUrl,
  tableName,
  text,
  tilePattern,
  trustProxy,
  wholeNumber,
  workers,
} from '../parse-variable.js';
import { LOGIN_VARIABLES } from './login-variables.js';
import { UPLOAD_VARIABLES } from './upload-variables.js';
import { optional, variable } from './variable.js';

/** Every variable that Almanac reads, in the order of the table in docs/configuration.md. */
export const VARIABLES = {
  databaseUrl: optional(
    'DATABASE_URL',
    databaseAddress,
    "The site's database: `mysql://user:password@host:3306/database?ssl=true` (`ssl`: `true`, `no-verify` or a CA file; `socketPath`: a socket of this machine) or `sqlite:path`. Absent: an embedded demo calendar in `data/demo.db`.",
  ),
  databaseCharset: variable(
    'DATABASE_CHARSET',
    'utf8mb4',
    oneOf('utf8mb4', 'latin1'),
    'As the WordPress constant `DB_CHARSET`, if that is `latin1`: texts then pass the connection as PHP sends them ([docs/operating.md](docs/operating.md#latin1-sites)). `utf8mb4` is for all others; SQLite ignores it.',
  ),
  tablePrefix: variable(
    'TABLE_PREFIX',
    'wp_',
    tableName(40),
    "The site's table prefix (`$table_prefix` in wp-config.php).",
  ),
  usersTable: optional(
    'USERS_TABLE',
    tableName(64),
    "As the WordPress constant `CUSTOM_USER_TABLE`: the full name of the table of users. Absent: the site's own, or that of its [network](docs/operating.md#networks).",
  ),
  usermetaTable: optional(
    'USERMETA_TABLE',
    tableName(64),
    'As the WordPress constant `CUSTOM_USER_META_TABLE`: the same for the meta of users.',
  ),
  multisite: optional(
    'MULTISITE',
    flag,
    'As the WordPress constant: whether the site belongs to a network, whose super admins may do everything. Absent: detected by its tables.',
  ),
  restBaseUrl: optional(
    'REST_BASE_URL',
    httpUrl,
    'Public root of links in responses, such as `https://example.org/wp-json`. Absent: `http://localhost:PORT` plus `PATH_PREFIX`.',
  ),
  apiNamespaces: variable(
    'API_NAMESPACES',
    'cal/events/v1',
    namespaces,
    "Namespaces of the interface, comma-separated; each links to itself. Add the plugin's own, `tribe/events/v1`, for clients that keep their URLs.",
  ),
  pathPrefix: variable('PATH_PREFIX', '', pathPrefix, 'Path in front of the namespaces, such as `/wp-json`.'),
  host: optional(
    'HOST',
    text,
    'Address to listen on. Absent: `0.0.0.0`, all addresses of this machine; the demo listens on `127.0.0.1` only.',
  ),
  port: variable('PORT', '3000', wholeNumber(0, 65535), 'Port to listen on.'),
  trustProxy: variable(
    'TRUST_PROXY',
    'false',
    trustProxy,
    "Proxies that may state the client's address and TLS: `true`, a number of hops, or a list of addresses (Express's `trust proxy`).",
  ),
  tzdata: optional(
    'TZDATA',
    text,
    'A folder of compiled time zone files, such as `/usr/share/zoneinfo`, that every conversion uses instead of the data of Node ([docs/operating.md](docs/operating.md#time-zone-data)).',
  ),
  systemTzdata: variable(
    'TZDIR',
    '/usr/share/zoneinfo',
    text,
    "As for other programs: the folder of this system's time zone files. Almanac only compares them with its data.",
  ),
  poolSize: variable('DATABASE_POOL_SIZE', '10', wholeNumber(1, 1000), 'Connections to MySQL per worker.'),
  databaseTimeout: variable(
    'DATABASE_TIMEOUT',
    '10s',
    duration(100, 600_000),
    'Longest total wait of a request for the database, such as `500ms` or `10s`; then the response is 503 ([docs/operating.md](docs/operating.md#time-limits)).',
  ),
  replicaUrls: variable(
    'DATABASE_REPLICA_URLS',
    '',
    mysqlAddresses,
    'Read replicas of the database, comma-separated, each in the form of `DATABASE_URL` (a comma as `%2C`). Anonymous reads use one that is close behind ([docs/scaling.md](docs/scaling.md)).',
  ),
  workers: variable(
    'WORKERS',
    '1',
    workers,
    'Processes that share the port: a number, or `auto` for one per core.',
  ),
  redisUrl: optional(
    'REDIS_URL',
    redisUrl,
    "A Redis for several machines, such as `redis://user:password@host:6379/0` (`rediss:` for TLS): they count failed logins together and notice each other's writes at once. Needs the package `ioredis`.",
  ),
  logLevel: variable(
    'LOG_LEVEL',
    'log',
    oneOf('silent', 'error', 'warn', 'log', 'debug'),
    '`silent`, `error`, `warn`, `log` or `debug`.',
  ),
  logFormat: variable(
    'LOG_FORMAT',
    'text',
    oneOf('text', 'json'),
    '`text` for people, `json` for machines; one line each ([docs/operating.md](docs/operating.md#logs)).',
  ),
  logRequests: variable(
    'LOG_REQUESTS',
    'true',
    flag,
    'Whether each request is a line in the log (at level `log`, from status 500 on at `warn`).',
  ),
  metrics: variable(
    'METRICS',
    'off',
    listenAddress,
    'Where `/metrics` is served for Prometheus, apart from the interface: a port of the loopback (`9464`), an address with a port (`0.0.0.0:9464`), or `off`. It needs no login ([docs/operating.md](docs/operating.md#metrics)).',
  ),
  serverTiming: variable(
    'SERVER_TIMING',
    'false',
    flag,
    'Whether responses have `Server-Timing` with the times of database and rendering. For diagnosis, not for the public.',
  ),
  rateLimit: variable(
    'RATE_LIMIT',
    '20/5m',
    rateLimitRule,
    'Allowed failed logins per address and user: a count and a time (`20/5m`), or `off`.',
  ),
  bodyLimit: variable(
    'BODY_LIMIT',
    '1mb',
    byteSize(1024, 16 * 1024 * 1024),
    'Largest body of a request: bytes, or a size such as `512kb`. Larger ones are 413, unread.',
  ),
  cache: variable(
    'CACHE',
    '32mb',
    offOr(byteSize(1024 * 1024, 4096 * 1024 * 1024)),
    'Memory of the caches of responses and records, half each: a size such as `64mb`, or `off`.',
  ),
  corsOrigins: variable(
    'CORS_ORIGINS',
    '*',
    origins,
    'Origins whose pages may read responses: `*` for all, a list such as `https://example.org`, comma-separated, or `off` for none.',
  ),
  embedOrigins: variable(
    'EMBED_ORIGINS',
    '*',
    origins,
    'Origins whose pages may show the [calendar page](docs/calendar-page.md) in a frame: `*` for all, a list such as `https://example.org`, comma-separated, or `off` for none.',
  ),
  themeStylesheet: optional(
    'THEME_STYLESHEET',
    text,
    "Path of a style sheet that the site's [pages](docs/public-pages.md#theme) load after their own; read at the start.",
  ),
  mapTiles: optional(
    'MAP_TILES',
    tilePattern,
    'Map tiles for the [pages of venues and events](docs/public-pages.md), such as `https://tiles.example.org/{z}/{x}/{y}.png`. Absent: these pages link to a map, and load nothing from other hosts.',
  ),
  readOnly: variable(
    'READ_ONLY',
    'false',
    flag,
    'Reject writes with 403 `read_only`, and write nothing in the background.',
  ),
  keepAliveTimeout: variable(
    'KEEP_ALIVE_TIMEOUT',
    '65s',
    duration(1000, 3_600_000),
    'How long an idle connection stays open, such as `65s`: longer than in the proxy in front, or requests meet connections that are being closed ([docs/operating.md](docs/operating.md#nginx-and-apache)).',
  ),
  shutdownSeconds: variable(
    'SHUTDOWN_SECONDS',
    '10',
    wholeNumber(0, 3600),
    'How long pending requests may take after SIGTERM.',
  ),
  ...UPLOAD_VARIABLES,
  themeSupport: optional(
    'THEME_SUPPORT',
    oneOf('block', 'classic', 'classic-no-html5'),
    'The kind of theme, which affects rendered texts: `block`, `classic` or `classic-no-html5`. Absent: derived from the name of the active theme.',
  ),
  ...LOGIN_VARIABLES,
  disallowUnfilteredHtml: variable(
    'DISALLOW_UNFILTERED_HTML',
    'false',
    flag,
    'As the WordPress constant: no user may store unfiltered HTML.',
  ),
  emptyTrashDays: variable(
    'EMPTY_TRASH_DAYS',
    '30',
    wholeNumber(0, 100000),
    'As the WordPress constant: days until trashed records are deleted permanently; 0 deletes at once instead of trashing.',
  ),
  editor: variable(
    'EDITOR',
    'on',
    onUnlessOff,
    '`off` removes `/editor`, a page to write events with an application password ([docs/editor.md](docs/editor.md)); anything else, such as the `vi` of npm and shells, serves it.',
  ),
  scheduler: variable(
    'SCHEDULER',
    'on',
    oneOf('on', 'off'),
    "`on` publishes scheduled records when due and empties the trash, as WordPress's cron does; `off` leaves both to PHP ([docs/operating.md](docs/operating.md#without-php)).",
  ),
  recurrence: variable(
    'RECURRENCE',
    'auto',
    oneOf('auto', 'on', 'off'),
    "Whether events that recur may be written ([docs/recurrence.md](docs/recurrence.md#beside-php)). `auto`: only where no PHP runs beside Almanac, as the times of WordPress's own tasks show.",
  ),
  recurrenceMonths: variable(
    'RECURRENCE_MONTHS',
    '24',
    wholeNumber(1, 120),
    'Months ahead for which the dates of recurring events are stored; at most 2,000 dates of an event that are not over.',
  ),
  changes: optional(
    'CHANGES',
    oneOf('on', 'off'),
    "`on` journals every change of events, venues, organizers and terms, PHP's included, in tables of its own that `almanac migrate` makes ([docs/behaviour/journal.md](docs/behaviour/journal.md)). Absent: `on` in the embedded demo, else `off`.",
  ),
  changesDays: variable(
    'CHANGES_DAYS',
    '30',
    wholeNumber(1, 3650),
    'Days for which the journal keeps changes.',
  ),
  changesStreams: variable(
    'CHANGES_STREAMS',
    '100',
    wholeNumber(0, 100_000),
    'Open [streams of changes](docs/behaviour/changes.md#stream) per worker, and a tenth of them per address. Behind a proxy set `TRUST_PROXY`, as all clients have its address otherwise.',
  ),
  plugins: variable(
    'PLUGINS',
    '',
    names,
    'Plugins to load at start, comma-separated: paths such as `./dist/series.js`, or packages such as `@acme/almanac-tickets`, both relative to the working directory.',
  ),
};

/** WordPress's keys and salts, under their own names; needed for login cookies and nonces only. */
export const SECRET_NAMES = [
  'AUTH_KEY',
  'SECURE_AUTH_KEY',
  'LOGGED_IN_KEY',
  'NONCE_KEY',
  'AUTH_SALT',
  'SECURE_AUTH_SALT',
  'LOGGED_IN_SALT',
  'NONCE_SALT',
] as const;

/** Name of one of WordPress's eight secret constants. */
export type SecretName = (typeof SECRET_NAMES)[number];
