import { existsSync, readFileSync } from 'node:fs';
import { SECRET_NAMES, type SecretName, VARIABLES } from './data/variables.js';
import { lookalike } from './lookalike.js';
import {
  type DatabaseAddress,
  InvalidValue,
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
  onUnlessOff,
  oneOf,
  origins,
  pathPrefix,
  rateLimitRule,
  redisUrl,
  tableName,
  text,
  trustProxy,
  wholeNumber,
  workers,
} from './parse-variable.js';
import { systemErrorMessage } from '../common/errors/system-error-message.js';

/** The namespace of the API's own paths; other names are aliases. */
export const OWN_NAMESPACE = VARIABLES.apiNamespaces.default;

/** WordPress's own namespace, of which a few routes are served. */
export const CORE_NAMESPACE = 'wp/v2';

const PARSERS = {
  databaseUrl: databaseAddress,
  databaseCharset: oneOf('utf8mb4', 'latin1'),
  tablePrefix: tableName(40),
  usersTable: tableName(64),
  usermetaTable: tableName(64),
  multisite: flag,
  restBaseUrl: httpUrl,
  apiNamespaces: namespaces,
  pathPrefix,
  host: text,
  port: wholeNumber(0, 65535),
  trustProxy,
  tzdata: text,
  systemTzdata: text,
  poolSize: wholeNumber(1, 1000),
  databaseTimeout: duration(100, 600_000),
  replicaUrls: mysqlAddresses,
  workers,
  redisUrl,
  logLevel: oneOf('silent', 'error', 'warn', 'log', 'debug'),
  logFormat: oneOf('text', 'json'),
  logRequests: flag,
  metrics: listenAddress,
  serverTiming: flag,
  rateLimit: rateLimitRule,
  bodyLimit: byteSize(1024, 16 * 1024 * 1024),
  cache: offOr(byteSize(1024 * 1024, 4096 * 1024 * 1024)),
  corsOrigins: origins,
  embedOrigins: origins,
  readOnly: flag,
  keepAliveTimeout: duration(1000, 3_600_000),
  shutdownSeconds: wholeNumber(0, 3600),
  uploadsDir: text,
  themeSupport: oneOf('block', 'classic', 'classic-no-html5'),
  allowInsecureAuth: flag,
  disallowUnfilteredHtml: flag,
  emptyTrashDays: wholeNumber(0, 100000),
  editor: onUnlessOff,
  scheduler: oneOf('on', 'off'),
  plugins: names,
} satisfies Record<Key, (text: string) => unknown>;

type Key = keyof typeof VARIABLES;
/** Undefined is a value of variables without a default. */
type Absent<K extends Key> = (typeof VARIABLES)[K] extends { default: string } ? never : undefined;
type Values = { [K in Key]: ReturnType<(typeof PARSERS)[K]> | Absent<K> };

interface Settings extends Values {
  /** The database; by default the embedded demo. */
  database: DatabaseAddress;
  restBaseUrl: string;
  host: string;
  /** The configured secret constants. */
  secrets: Readonly<Partial<Record<SecretName, string>>>;
}

/** A class with the members of `Settings`, without repeating them. */
const SettingsHolder = class {
  constructor(settings: Settings) {
    Object.assign(this, settings);
  }
} as new (
  settings: Settings,
) => Readonly<Settings>;

/** The validated configuration, injected by its class. */
export class Environment extends SettingsHolder {}

/** Lists every invalid variable, one per line. */
export class EnvironmentError extends Error {}

/** Reads and validates the environment; throws one `EnvironmentError` that lists every invalid variable. */
export function readEnvironment(source: Readonly<Record<string, string | undefined>>): Environment {
  const problems: string[] = [];
  const parsed = (Object.keys(VARIABLES) as Key[]).map((key) => {
    const { name, default: fallback }: { name: string; default?: string } = VARIABLES[key];
    const value = source[name] || fallback;
    try {
      return [key, value === undefined ? undefined : PARSERS[key](value)];
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      problems.push(`${name} ${error.message}`);
      return [];
    }
  });
  const values: Values = Object.fromEntries(parsed);
  const { databaseUrl, host, restBaseUrl, port, pathPrefix } = values;
  const isDemo = databaseUrl === undefined;
  const database = databaseUrl ?? { kind: 'sqlite', path: 'data/demo.db', demo: true };
  problems.push(...misspelled(source));
  if (problems.length === 0) problems.push(...contradictions(values, database));
  if (problems.length > 0)
    throw new EnvironmentError(`The configuration is not usable:\n  ${problems.join('\n  ')}`);
  return new Environment({
    ...values,
    database,
    host: host ?? (isDemo ? '127.0.0.1' : '0.0.0.0'),
    restBaseUrl: restBaseUrl ?? `http://localhost:${port}${pathPrefix}`,
    secrets: Object.fromEntries(SECRET_NAMES.flatMap((name) => (source[name] ? [[name, source[name]]] : []))),
  });
}

const OWN_NAMES: readonly string[] = [...Object.values(VARIABLES).map(({ name }) => name), ...SECRET_NAMES];

/** Unknown variables whose name resembles an unset one of Almanac. */
function* misspelled(source: Readonly<Record<string, string | undefined>>): Generator<string> {
  const absent = OWN_NAMES.filter((name) => !source[name]);
  for (const name of Object.keys(source)) {
    const intended = source[name] && !OWN_NAMES.includes(name) ? lookalike(name, absent) : undefined;
    if (intended !== undefined) yield `${name} is no variable of Almanac: is ${intended} meant?`;
  }
}

function* contradictions(values: Values, database: DatabaseAddress): Generator<string> {
  if (database.kind === 'mysql') return;
  if (values.replicaUrls.length > 0)
    yield 'DATABASE_REPLICA_URLS needs a DATABASE_URL that begins with mysql://';
  if (values.workers > 1 && database.path === ':memory:') yield 'WORKERS can not share a database in memory';
}

/** The configuration of the process; `.env` of the working directory adds variables that are not set. */
export function ownEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile();
  return readEnvironment(process.env);
}

function loadEnvFile(): void {
  try {
    // Node's own error does not tell why a file can not be read.
    readFileSync('.env');
  } catch (error) {
    throw new EnvironmentError(`The file .env can not be read: ${systemErrorMessage(error)}.`);
  }
  process.loadEnvFile('.env');
}
