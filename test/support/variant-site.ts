import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApp, type TestApp } from './app.js';
import { type Caller, credentials, type Reply, request } from './calendar-client.js';
import { type DatabaseName, makeSite, SITE_A } from './sites.js';
import { testFolder } from './test-folder.js';

/** Differences to the recorded site. */
export interface Variant {
  prefix: string;
  /** The URL that replaces the recorded one everywhere in the rows. */
  home: string;
  /** Options to set; null removes the row. */
  options: Readonly<Record<string, string | null>>;
  /** Further rows, as SQL values by table, such as `{ postmeta: ["700,55,'_key','value'"] }`. */
  rows?: Readonly<Record<string, readonly string[]>>;
}

/** A server on a site that differs from the recorded one. */
export interface VariantSite {
  /** The value of `REST_BASE_URL`. */
  rest: string;
  send(caller: Caller, method: string, path: string, body?: unknown): Promise<Reply>;
  /** The body of a read, or of a write, that must succeed. */
  body(path: string, caller?: Caller, method?: string, fields?: unknown): Promise<Record<string, unknown>>;
  /** Rows of a statement in which `{p}` stands for the table prefix. */
  ask(sql: string): Promise<Record<string, unknown>[]>;
  /** The first value of each meta key of a post. */
  meta(id: unknown): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

const RECORDED_HOME = 'http://calendar.example.org';

/** Loads the recorded dump with the differences and starts a server on it. */
export async function openVariant(database: DatabaseName, variant: Variant): Promise<VariantSite> {
  const dump = join(testFolder(), `${randomUUID()}.sql`);
  writeFileSync(dump, variantDump(readFileSync(SITE_A, 'utf8'), variant));
  const site = await makeSite(database, dump);
  rmSync(dump);
  const rest = `${variant.home}/wp-json`;
  const app: TestApp = await startApp({
    databaseUrl: site.url,
    env: { TABLE_PREFIX: variant.prefix, REST_BASE_URL: rest },
  });
  const ask = (sql: string): Promise<Record<string, unknown>[]> =>
    app.dataSource.query(sql.replaceAll('{p}', variant.prefix));
  const send: VariantSite['send'] = (caller, method, path, body) =>
    request(app.url, method, path, credentials(caller), body);
  return {
    rest,
    send,
    ask,
    body: async (path, caller = 'anonymous', method = 'GET', fields) => {
      const reply = await send(caller, method, path, fields);
      if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
      return reply.body;
    },
    meta: async (id) => {
      const rows = await ask(
        `SELECT meta_key, meta_value FROM {p}postmeta WHERE post_id = ${id} ORDER BY meta_id DESC`,
      );
      return Object.fromEntries(rows.map(({ meta_key: key, meta_value: value }) => [key, value]));
    },
    close: async () => {
      await app.close();
      await site.drop();
    },
  };
}

/** The dump with another prefix and URL, other options and further rows. */
function variantDump(dump: string, { prefix, home, options, rows = {} }: Variant): string {
  const isReplaced = (line: string) => {
    const name = /^INSERT INTO `wp_options` VALUES \(\d+,'([^']*)'/.exec(line)?.[1];
    return name !== undefined && name in options;
  };
  const remaining = dump.split('\n').filter((line) => !isReplaced(line));
  const added = Object.entries(options).flatMap(([name, value], at) =>
    value === null ? [] : [`${9000 + at},${quote(name)},${quote(value)},'on'`],
  );
  for (const [table, values] of Object.entries({ options: added, ...rows }))
    for (const value of values) remaining.push(`INSERT INTO \`wp_${table}\` VALUES (${value});`);
  return remaining
    .join('\n')
    .replaceAll('`wp_', `\`${prefix}`)
    .replace(/'wp_(user_roles|capabilities|user_level)'/g, `'${prefix}$1'`)
    .replaceAll(RECORDED_HOME, home);
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
