import type { Type } from '@nestjs/common';
import { startApp, type TestApp } from './app.js';
import { clientOf, type Send } from './calendar-client.js';
import { type DatabaseName, makeSite, type Site } from './sites.js';

/** A site for writes of terms, its server and its rows. */
export interface TermSite {
  send: Send;
  /** Creates a term as an administrator; returns its id. */
  make(fields: Record<string, unknown>): Promise<number>;
  /** The rows of all tables that term writes touch, as comparable text. */
  rows(): Promise<string>;
  /** Rows of a statement; `wp_` is the site's prefix. */
  query<Row>(sql: string): Promise<Row[]>;
  /** A service of the running server. */
  service<T>(type: Type<T>): T;
}

const TABLES = ['terms', 'term_taxonomy', 'term_relationships', 'termmeta'];
const TREE = "SELECT option_value FROM wp_options WHERE option_name = 'tribe_events_cat_children'";

/** Creates a term with a unique name. */
let created = 0;
export const fresh = (word = 'Term'): string => `${word} number ${++created}`;

/** Declares the site of one block of tests: `categories` or `tags` of the recorded site. */
export function useTermSite(database: DatabaseName, plural: 'categories' | 'tags'): TermSite {
  let site: Site;
  let app: TestApp;
  let send: Send;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url });
    send = clientOf(app.url);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const query = <Row>(sql: string): Promise<Row[]> => app.dataSource.query(sql);
  return {
    send: (...request) => send(...request),
    make: async (fields) => {
      const { status, body } = await send('admin', 'POST', `/${plural}`, fields);
      expect(status).toBe(201);
      return Number(body['id']);
    },
    rows: async () => {
      const all = TABLES.map((table) => query(`SELECT * FROM wp_${table} ORDER BY 1, 2`));
      return JSON.stringify([...(await Promise.all(all)), await query(TREE)]);
    },
    query,
    service: (type) => app.nest.get(type, { strict: false }),
  };
}

const LONG = 'x'.repeat(201);

/** Bodies that every create and update of a term rejects: the code, and the named parameters. */
export const REFUSED_FIELDS: readonly [
  title: string,
  body: Record<string, unknown>,
  code: string,
  params: string[],
][] = [
  ['W18: name as a number', { name: 5 }, 'rest_invalid_param', ['name']],
  ['W18: name as a list', { name: ['a'] }, 'rest_invalid_param', ['name']],
  ['W18: name as an object', { name: { a: 'b' } }, 'rest_invalid_param', ['name']],
  ['W18: name as true', { name: true }, 'rest_invalid_param', ['name']],
  ['W18: description null', { name: 'X', description: null }, 'rest_invalid_param', ['description']],
  ['W18: slug null', { name: 'X', slug: null }, 'rest_invalid_param', ['slug']],
  ['W18: slug as a list', { name: 'X', slug: ['a'] }, 'rest_invalid_param', ['slug']],
  ['W4: empty name', { name: '' }, 'rest_invalid_param', ['name']],
  ['W4: empty description', { name: 'X', description: '' }, 'rest_invalid_param', ['description']],
  ['W4: empty slug', { name: 'X', slug: '' }, 'rest_invalid_param', ['slug']],
  [
    'all of them',
    { name: '0', description: 1, slug: {} },
    'rest_invalid_param',
    ['name', 'description', 'slug'],
  ],
  ['W15: blank name', { name: ' \t ' }, 'empty_term_name', []],
  ['W15: name of tags only', { name: '<script>x</script>' }, 'invalid_term_name', []],
  ['W15: name too long', { name: LONG }, 'db_insert_error', []],
  ['W15: name too long as stored', { name: '&'.repeat(60) }, 'db_insert_error', []],
];

/** The parameters that an error names. */
export function namesOf(body: Record<string, unknown>): string[] {
  const params = (body['data'] as { params?: object } | undefined)?.params ?? [];
  return Array.isArray(params) ? params : Object.keys(params);
}
