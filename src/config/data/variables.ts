/** An environment variable, as in docs/configuration.md. */
interface VariableText {
  name: string;
  /** The value when the variable is absent or empty. */
  default?: string;
  description: string;
}

/** Every variable that Almanac reads, in the order of the table in docs/configuration.md. */
export const VARIABLES = {
  databaseUrl: {
    name: 'DATABASE_URL',
    description:
      "The site's database: `mysql://user:password@host:3306/database?ssl=true` (`ssl`: `true`, `no-verify` or a CA file; `socketPath`: a socket of this machine) or `sqlite:path`. Absent: an embedded demo calendar in `data/demo.db`.",
  },
  databaseCharset: {
    name: 'DATABASE_CHARSET',
    default: 'utf8mb4',
    description:
      'As the WordPress constant `DB_CHARSET`, if that is `latin1`: texts then pass the connection as PHP sends them ([docs/operating.md](docs/operating.md#latin1-sites)). `utf8mb4` is for all others; SQLite ignores it.',
  },
  tablePrefix: {
    name: 'TABLE_PREFIX',
    default: 'wp_',
    description: "The site's table prefix (`$table_prefix` in wp-config.php).",
  },
  usersTable: {
    name: 'USERS_TABLE',
    description:
      "As the WordPress constant `CUSTOM_USER_TABLE`: the full name of the table of users. Absent: the site's own, or that of its [network](docs/operating.md#networks).",
  },
  usermetaTable: {
    name: 'USERMETA_TABLE',
    description: 'As the WordPress constant `CUSTOM_USER_META_TABLE`: the same for the meta of users.',
  },
  multisite: {
    name: 'MULTISITE',
    description:
      'As the WordPress constant: whether the site belongs to a network, whose super admins may do everything. Absent: detected by its tables.',
  },
  restBaseUrl: {
    name: 'REST_BASE_URL',
    description:
      'Public root of links in responses, such as `https://example.org/wp-json`. Absent: `http://localhost:PORT` plus `PATH_PREFIX`.',
  },
  apiNamespaces: {
    name: 'API_NAMESPACES',
    default: 'cal/events/v1',
    description:
      "Namespaces of the interface, comma-separated; each links to itself. Add the plugin's own, `tribe/events/v1`, for clients that keep their URLs.",
  },
  pathPrefix: {
    name: 'PATH_PREFIX',
    default: '',
    description: 'Path in front of the namespaces, such as `/wp-json`.',
  },
  host: {
    name: 'HOST',
    description:
      'Address to listen on. Absent: `0.0.0.0`, all addresses of this machine; the demo listens on `127.0.0.1` only.',
  },
  port: { name: 'PORT', default: '3000', description: 'Port to listen on.' },
  trustProxy: {
    name: 'TRUST_PROXY',
    default: 'false',
    description:
      "Proxies that may state the client's address and TLS: `true`, a number of hops, or a list of addresses (Express's `trust proxy`).",
  },
  tzdata: {
    name: 'TZDATA',
    description:
      'A folder of compiled time zone files, such as `/usr/share/zoneinfo`, that every conversion uses instead of the data of Node ([docs/operating.md](docs/operating.md#time-zone-data)).',
  },
  systemTzdata: {
    name: 'TZDIR',
    default: '/usr/share/zoneinfo',
    description:
      "As for other programs: the folder of this system's time zone files. Almanac only compares them with its data.",
  },
  poolSize: {
    name: 'DATABASE_POOL_SIZE',
    default: '10',
    description: 'Connections to MySQL per worker.',
  },
  databaseTimeout: {
    name: 'DATABASE_TIMEOUT',
    default: '10s',
    description:
      'Longest total wait of a request for the database, such as `500ms` or `10s`; then the response is 503 ([docs/operating.md](docs/operating.md#time-limits)).',
  },
  replicaUrls: {
    name: 'DATABASE_REPLICA_URLS',
    default: '',
    description:
      'Read replicas of the database, comma-separated, each in the form of `DATABASE_URL` (a comma as `%2C`). Anonymous reads use one that is close behind ([docs/scaling.md](docs/scaling.md)).',
  },
  workers: {
    name: 'WORKERS',
    default: '1',
    description: 'Processes that share the port: a number, or `auto` for one per core.',
  },
  redisUrl: {
    name: 'REDIS_URL',
    description:
      "A Redis for several machines, such as `redis://user:password@host:6379/0` (`rediss:` for TLS): they count failed logins together and notice each other's writes at once. Needs the package `ioredis`.",
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'log',
    description: '`silent`, `error`, `warn`, `log` or `debug`.',
  },
  logFormat: {
    name: 'LOG_FORMAT',
    default: 'text',
    description:
      '`text` for people, `json` for machines; one line each ([docs/operating.md](docs/operating.md#logs)).',
  },
  logRequests: {
    name: 'LOG_REQUESTS',
    default: 'true',
    description: 'Whether each request is a line in the log (at level `log`, from status 500 on at `warn`).',
  },
  metrics: {
    name: 'METRICS',
    default: 'off',
    description:
      'Where `/metrics` is served for Prometheus, apart from the interface: a port of the loopback (`9464`), an address with a port (`0.0.0.0:9464`), or `off`. It needs no login ([docs/operating.md](docs/operating.md#metrics)).',
  },
  serverTiming: {
    name: 'SERVER_TIMING',
    default: 'false',
    description:
      'Whether responses have `Server-Timing` with the times of database and rendering. For diagnosis, not for the public.',
  },
  rateLimit: {
    name: 'RATE_LIMIT',
    default: '20/5m',
    description: 'Allowed failed logins per address and user: a count and a time (`20/5m`), or `off`.',
  },
  bodyLimit: {
    name: 'BODY_LIMIT',
    default: '1mb',
    description: 'Largest body of a request: bytes, or a size such as `512kb`. Larger ones are 413, unread.',
  },
  cache: {
    name: 'CACHE',
    default: '32mb',
    description: 'Memory of the caches of responses and records, half each: a size such as `64mb`, or `off`.',
  },
  corsOrigins: {
    name: 'CORS_ORIGINS',
    default: '*',
    description:
      'Origins whose pages may read responses: `*` for all, a list such as `https://example.org`, comma-separated, or `off` for none.',
  },
  embedOrigins: {
    name: 'EMBED_ORIGINS',
    default: '*',
    description:
      'Origins whose pages may show the [calendar page](docs/calendar-page.md) in a frame: `*` for all, a list such as `https://example.org`, comma-separated, or `off` for none.',
  },
  readOnly: {
    name: 'READ_ONLY',
    default: 'false',
    description: 'Reject writes with 403 `read_only`, and write nothing in the background.',
  },
  keepAliveTimeout: {
    name: 'KEEP_ALIVE_TIMEOUT',
    default: '65s',
    description:
      'How long an idle connection stays open, such as `65s`: longer than in the proxy in front, or requests meet connections that are being closed ([docs/operating.md](docs/operating.md#nginx-and-apache)).',
  },
  shutdownSeconds: {
    name: 'SHUTDOWN_SECONDS',
    default: '10',
    description: 'How long pending requests may take after SIGTERM.',
  },
  uploadsDir: {
    name: 'UPLOADS_DIR',
    description:
      "The site's uploads folder (`wp-content/uploads`). Absent: images by URL are rejected; attachment ids work.",
  },
  themeSupport: {
    name: 'THEME_SUPPORT',
    description:
      'The kind of theme, which affects rendered texts: `block`, `classic` or `classic-no-html5`. Absent: derived from the name of the active theme.',
  },
  allowInsecureAuth: {
    name: 'ALLOW_INSECURE_AUTH',
    default: 'false',
    description: 'Accept credentials over plain HTTP from other machines.',
  },
  disallowUnfilteredHtml: {
    name: 'DISALLOW_UNFILTERED_HTML',
    default: 'false',
    description: 'As the WordPress constant: no user may store unfiltered HTML.',
  },
  emptyTrashDays: {
    name: 'EMPTY_TRASH_DAYS',
    default: '30',
    description:
      'As the WordPress constant: days until trashed records are deleted permanently; 0 deletes at once instead of trashing.',
  },
  editor: {
    name: 'EDITOR',
    default: 'on',
    description:
      '`off` removes `/editor`, a page to write events with an application password ([docs/editor.md](docs/editor.md)); anything else, such as the `vi` of npm and shells, serves it.',
  },
  scheduler: {
    name: 'SCHEDULER',
    default: 'on',
    description:
      "`on` publishes scheduled records when due and empties the trash, as WordPress's cron does; `off` leaves both to PHP ([docs/operating.md](docs/operating.md#without-php)).",
  },
  plugins: {
    name: 'PLUGINS',
    default: '',
    description:
      'Plugins to load at start, comma-separated: paths such as `./dist/series.js`, or packages such as `@acme/almanac-tickets`, both relative to the working directory.',
  },
} as const satisfies Record<string, VariableText>;

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
