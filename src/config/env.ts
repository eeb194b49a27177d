import {
  BadValue,
  byteSize,
  type DatabaseAddress,
  databaseAddress,
  flag,
  httpUrl,
  oneOf,
  text,
  type Variable,
  wholeNumber,
} from './variables.js';

/** The namespace of the interface's own paths; further names answer as aliases. */
export const OWN_NAMESPACE = 'cal/events/v1';

const KEY_NAMES = [
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
export type SecretName = (typeof KEY_NAMES)[number];

function namespaces(value: string): string[] {
  const names = value.split(',').map((name) => name.trim().replace(/^\/+|\/+$/g, ''));
  if (names.some((name) => !/^[a-z0-9_-]+(\/[a-z0-9_.-]+)*$/i.test(name)))
    throw new BadValue('must be a comma list of names such as cal/events/v1');
  return [...new Set(names)];
}

function pathPrefix(value: string): string {
  const path = value.replace(/\/+$/, '');
  if (path !== '' && !/^(\/[\w.~-]+)+$/.test(path)) throw new BadValue('must be a path such as /wp-json');
  return path;
}

function trustProxy(value: string): boolean | number | string {
  if (/^\d+$/.test(value)) return Number(value);
  if (/^(true|false|yes|no|on|off)$/i.test(value)) return flag(value);
  return value;
}

function tablePrefix(value: string): string {
  if (!/^[A-Za-z0-9_$]{1,40}$/.test(value)) throw new BadValue('may hold letters, digits and _ only');
  return value;
}

function rateLimit(value: string): string {
  if (!/^(off|\d+\/\d+[smh])$/.test(value)) throw new BadValue('must be off or a rule such as 20/5m');
  return value;
}

function pluginNames(value: string): string[] {
  const names = value.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '');
}

/** Every variable that Almanac reads, in the order of the README's table. */
export const VARIABLES = {
  databaseUrl: {
    name: 'DATABASE_URL',
    description:
      "The site's database: `mysql://user:password@host:3306/database?ssl=true` (`ssl`: `true`, `no-verify` or a CA file) or `sqlite:path`. Absent: an embedded demo calendar in `data/demo.db`.",
    parse: databaseAddress,
  },
  tablePrefix: {
    name: 'TABLE_PREFIX',
    default: 'wp_',
    description: "The site's table prefix (`$table_prefix` in wp-config.php).",
    parse: tablePrefix,
  },
  restBaseUrl: {
    name: 'REST_BASE_URL',
    description:
      'Public root that links in answers are built on, such as `https://example.org/wp-json`. Absent: `http://localhost:PORT` plus `PATH_PREFIX`.',
    parse: httpUrl,
  },
  apiNamespaces: {
    name: 'API_NAMESPACES',
    default: OWN_NAMESPACE,
    description:
      "Names under which the interface answers, comma-separated; each links to itself. Add the plugin's own, `tribe/events/v1`, for clients that keep their URLs.",
    parse: namespaces,
  },
  pathPrefix: {
    name: 'PATH_PREFIX',
    default: '',
    description: 'Path in front of the namespaces, such as `/wp-json`.',
    parse: pathPrefix,
  },
  host: { name: 'HOST', default: '0.0.0.0', description: 'Address to listen on.', parse: text },
  port: { name: 'PORT', default: '3000', description: 'Port to listen on.', parse: wholeNumber(0, 65535) },
  trustProxy: {
    name: 'TRUST_PROXY',
    default: 'false',
    description:
      "Which proxies may say who the client is and that it came over TLS: `true`, a number of hops, or a list of addresses (Express's `trust proxy`).",
    parse: trustProxy,
  },
  poolSize: {
    name: 'DATABASE_POOL_SIZE',
    default: '10',
    description: 'Connections to MySQL.',
    parse: wholeNumber(1, 1000),
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'log',
    description: '`silent`, `error`, `warn`, `log` or `debug`.',
    parse: oneOf('silent', 'error', 'warn', 'log', 'debug'),
  },
  rateLimit: {
    name: 'RATE_LIMIT',
    default: '20/5m',
    description: 'Failed logins allowed per address and user: a count and a time (`20/5m`), or `off`.',
    parse: rateLimit,
  },
  bodyLimit: {
    name: 'BODY_LIMIT',
    default: '1mb',
    description:
      'Largest body of a request: bytes, or a size such as `512kb`. Larger ones answer 413 unread.',
    parse: byteSize(1024, 16 * 1024 * 1024),
  },
  uploadsDir: {
    name: 'UPLOADS_DIR',
    description:
      "The site's uploads folder (`wp-content/uploads`). Absent: images by URL are refused; attachment ids work.",
    parse: text,
  },
  themeSupport: {
    name: 'THEME_SUPPORT',
    description:
      'How the theme shapes rendered text: `block`, `classic` or `classic-no-html5`. Absent: decided from the name of the active theme.',
    parse: oneOf('block', 'classic', 'classic-no-html5'),
  },
  allowInsecureAuth: {
    name: 'ALLOW_INSECURE_AUTH',
    default: 'false',
    description: 'Accept credentials over plain HTTP from other machines.',
    parse: flag,
  },
  disallowUnfilteredHtml: {
    name: 'DISALLOW_UNFILTERED_HTML',
    default: 'false',
    description: 'As the WordPress constant: nobody may store unfiltered HTML.',
    parse: flag,
  },
  emptyTrashDays: {
    name: 'EMPTY_TRASH_DAYS',
    default: '30',
    description: 'As the WordPress constant: 0 deletes at once instead of trashing.',
    parse: wholeNumber(0, 100000),
  },
  plugins: {
    name: 'PLUGINS',
    default: '',
    description:
      'Plugins to load at start, comma-separated: paths such as `./dist/series.js`, or packages such as `@acme/almanac-tickets`, both seen from the working directory.',
    parse: pluginNames,
  },
} satisfies Record<string, Variable<unknown>>;

/** WordPress's keys and salts, under their own names; needed for login cookies and nonces only. */
export const SECRET_VARIABLES: readonly Variable<string>[] = KEY_NAMES.map((name) => ({
  name,
  description: `As in wp-config.php; needed for login cookies and nonces only.`,
  parse: text,
}));

type Values = { [K in keyof typeof VARIABLES]: ReturnType<(typeof VARIABLES)[K]['parse']> };
type Optional = 'databaseUrl' | 'restBaseUrl' | 'uploadsDir' | 'themeSupport';

/** The validated configuration; made once at start, injected everywhere. */
export class Environment {
  constructor(
    private readonly values: Omit<Values, Optional> & Partial<Pick<Values, Optional>>,
    /** The secret constants that were given. */
    readonly secrets: Readonly<Partial<Record<SecretName, string>>>,
  ) {}
  /** Where the rows are; the embedded demo when nothing was said. */
  get database(): DatabaseAddress {
    return this.values.databaseUrl ?? { kind: 'sqlite', path: 'data/demo.db', demo: true };
  }
  get restBaseUrl(): string {
    return this.values.restBaseUrl ?? `http://localhost:${this.values.port}${this.values.pathPrefix}`;
  }
  get tablePrefix() {
    return this.values.tablePrefix;
  }
  get apiNamespaces() {
    return this.values.apiNamespaces;
  }
  get pathPrefix() {
    return this.values.pathPrefix;
  }
  get host() {
    return this.values.host;
  }
  get port() {
    return this.values.port;
  }
  get trustProxy() {
    return this.values.trustProxy;
  }
  get poolSize() {
    return this.values.poolSize;
  }
  get logLevel() {
    return this.values.logLevel;
  }
  get rateLimit() {
    return this.values.rateLimit;
  }
  get bodyLimit() {
    return this.values.bodyLimit;
  }
  get uploadsDir() {
    return this.values.uploadsDir;
  }
  get themeSupport() {
    return this.values.themeSupport;
  }
  get allowInsecureAuth() {
    return this.values.allowInsecureAuth;
  }
  get disallowUnfilteredHtml() {
    return this.values.disallowUnfilteredHtml;
  }
  get emptyTrashDays() {
    return this.values.emptyTrashDays;
  }
  get plugins() {
    return this.values.plugins;
  }
}

/** Says every variable that is wrong, one line each. */
export class EnvironmentError extends Error {}

/** Reads and validates the whole environment; throws one `EnvironmentError` that names every bad variable. */
export function readEnvironment(source: Readonly<Record<string, string | undefined>>): Environment {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, variable] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const given = source[variable.name];
    const value = given === undefined || given === '' ? variable.default : given;
    if (value === undefined) continue;
    try {
      values[key] = variable.parse(value);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      problems.push(`${variable.name} ${error.message}`);
    }
  }
  if (problems.length > 0)
    throw new EnvironmentError(`The configuration is not usable:\n  ${problems.join('\n  ')}`);
  const secrets = Object.fromEntries(
    KEY_NAMES.flatMap((name) => (source[name] ? [[name, source[name]]] : [])),
  );
  return new Environment(values as unknown as Values, secrets);
}
