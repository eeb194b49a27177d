import { existsSync, readFileSync } from 'node:fs';
import { systemErrorMessage } from '../common/errors/system-error-message.js';
import type { Variable } from './data/variable.js';
import { SECRET_NAMES, type SecretName, VARIABLES } from './data/variables.js';
import { lookalike } from './lookalike.js';
import { type DatabaseAddress, InvalidValue } from './parse-variable.js';

/** The namespace of the API's own paths; other names are aliases. */
export const OWN_NAMESPACE = 'cal/events/v1';

/** The uploads folder of the embedded demo, beside its database; it appears with the first file. */
export const DEMO_UPLOADS = 'data/uploads';

/** WordPress's own namespace, of which a few routes are served. */
export const CORE_NAMESPACE = 'wp/v2';

type Key = keyof typeof VARIABLES;
type Values = { [K in Key]: (typeof VARIABLES)[K] extends Variable<infer Value> ? Value : never };

interface Settings extends Values {
  /** The database; by default the embedded demo. */
  database: DatabaseAddress;
  restBaseUrl: string;
  host: string;
  changes: 'on' | 'off';
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
    const { name, default: fallback, parse }: Variable<unknown> = VARIABLES[key];
    const value = source[name] || fallback;
    try {
      return [key, value === undefined ? undefined : parse(value)];
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      problems.push(`${name} ${error.message}`);
      return [];
    }
  });
  const values: Values = Object.fromEntries(parsed);
  const { databaseUrl, host, restBaseUrl, port, pathPrefix, changes, uploadsDir, uploadsS3Bucket } = values;
  const isDemo = databaseUrl === undefined;
  const database = databaseUrl ?? { kind: 'sqlite', path: 'data/demo.db', demo: true };
  problems.push(...misspelled(source));
  if (problems.length === 0) problems.push(...contradictions(values, database));
  if (problems.length > 0)
    throw new EnvironmentError(`The configuration is not usable:\n  ${problems.join('\n  ')}`);
  return new Environment({
    ...values,
    database,
    uploadsDir: uploadsDir ?? (isDemo && uploadsS3Bucket === undefined ? DEMO_UPLOADS : undefined),
    host: host ?? (isDemo ? '127.0.0.1' : '0.0.0.0'),
    changes: changes ?? (isDemo ? 'on' : 'off'),
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
  const { oidcIssuer, oidcAudience, oidcRoleClaim, oidcRoles } = values;
  if (oidcIssuer !== undefined && oidcAudience.length === 0)
    yield 'OIDC_ISSUER needs OIDC_AUDIENCE: without it tokens for other programs would be accepted';
  if (oidcIssuer === undefined && oidcAudience.length > 0) yield 'OIDC_AUDIENCE needs OIDC_ISSUER';
  yield* uploadContradictions(values);
  if (oidcRoles.size > 0 && oidcRoleClaim === undefined) yield 'OIDC_ROLES needs OIDC_ROLE_CLAIM';
  if (database.kind === 'mysql') return;
  if (values.replicaUrls.length > 0)
    yield 'DATABASE_REPLICA_URLS needs a DATABASE_URL that begins with mysql://';
  if (values.workers > 1 && database.path === ':memory:') yield 'WORKERS cannot share a database in memory';
}

function* uploadContradictions(values: Values): Generator<string> {
  if (values.uploadsS3Bucket !== undefined) {
    if (values.uploadsDir !== undefined)
      yield 'UPLOADS_DIR and UPLOADS_S3_BUCKET both say where uploads are stored: leave one of them out';
    return;
  }
  const { uploadsS3Region, uploadsS3Endpoint, uploadsS3Prefix, uploadsS3PathStyle, uploadsS3PublicUrl } =
    values;
  const alone = {
    UPLOADS_S3_REGION: uploadsS3Region,
    UPLOADS_S3_ENDPOINT: uploadsS3Endpoint,
    UPLOADS_S3_PREFIX: uploadsS3Prefix,
    UPLOADS_S3_PATH_STYLE: uploadsS3PathStyle,
    UPLOADS_S3_PUBLIC_URL: uploadsS3PublicUrl,
  };
  for (const [name, value] of Object.entries(alone)) if (value) yield `${name} needs UPLOADS_S3_BUCKET`;
}

/** The configuration of the process; `.env` of the working directory adds variables that are not set. */
export function ownEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile();
  return readEnvironment(process.env);
}

function loadEnvFile(): void {
  try {
    // Node's own error does not tell why a file cannot be read.
    readFileSync('.env');
  } catch (error) {
    throw new EnvironmentError(`The file .env cannot be read: ${systemErrorMessage(error)}.`);
  }
  process.loadEnvFile('.env');
}
