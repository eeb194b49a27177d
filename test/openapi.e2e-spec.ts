import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { startApp, type TestApp } from './support/app.js';
import { basic } from './support/calendar-client.js';
import { withoutPassword } from './support/recorded-document.js';
import { loadRecording } from './support/replay.js';
import { makeSite, type Site } from './support/sites.js';
import { testFolder } from './support/test-folder.js';

const BASE = '/cal/events/v1';

interface Operation {
  operationId: string;
  security: object[];
}

interface ApiDocument {
  openapi: string;
  info: Record<string, unknown>;
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Record<string, unknown>> };
}

describe('OpenAPI documents', () => {
  let site: Site;
  let app: TestApp;
  let complete: ApiDocument;

  const { login, password } = loadRecording('site-a/read').users['editor'] ?? { login: '', password: '' };
  const editor = basic(login, password);
  const json = async <T = Record<string, unknown>>(path: string, headers = {}) =>
    (await (await fetch(app.url + path, { headers })).json()) as T;
  // The parser modifies its input.
  const validate = (document: ApiDocument) => SwaggerParser.validate(structuredClone(document) as never);

  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url });
    complete = await json<ApiDocument>('/openapi.json');
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it('/doc is valid OpenAPI 3.0 except for the recorded password in a path', async () => {
    const document = await json<ApiDocument>(`${BASE}/doc`);
    expect(document.openapi).toBe('3.0.0');
    await validate(withoutPassword(document));
  });

  it('/openapi.json is valid OpenAPI 3.1', async () => {
    expect(complete.openapi).toBe('3.1.0');
    await validate(complete);
  });

  it.each([
    ['redocly', ['@redocly/cli/bin/cli.js', 'lint', '--config', 'redocly.yaml']],
    [
      'spectral',
      [
        '@stoplight/spectral-cli/dist/index.js',
        'lint',
        '--ruleset',
        '.spectral.yaml',
        '--fail-severity',
        'warn',
      ],
    ],
  ])('/openapi.json passes %s', async (_, [tool = '', ...args]) => {
    const file = join(testFolder(), 'openapi.json');
    writeFileSync(file, JSON.stringify(complete));
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const program = join('node_modules', tool);
    const run = promisify(execFile)(process.execPath, [program, ...args, file], { env });
    const { stdout } = await run.catch((error: { stdout: string; stderr: string }) => {
      throw new Error(error.stdout + error.stderr);
    });
    expect(stdout).not.toMatch(/[1-9]\d* (problem|warning|error)/);
  });

  it('/openapi.json gives every operation a unique operationId', () => {
    const operations = Object.values(complete.paths).flatMap((item) => Object.values(item));
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it('/openapi.json contains version, license, described tags, operation ids and security', () => {
    expect(complete.info).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      license: { identifier: 'MIT' },
    });
    expect(complete.tags.map(({ name }) => name)).toEqual([
      'events',
      'venues',
      'organizers',
      'categories',
      'tags',
      'changes',
      'feeds',
      'index',
      'webhooks',
    ]);
    expect(complete.tags.filter(({ description }) => !description)).toEqual([]);
    const ids = (path: string) =>
      Object.entries(complete.paths[path] ?? {}).map(
        ([method, { operationId }]) => `${method} ${operationId}`,
      );
    expect([...ids('/events'), ...ids('/events/{id}'), ...ids('/events/by-slug/{slug}')]).toEqual([
      'get listEvents',
      'post createEvent',
      'get getEvent',
      'post updateEvent',
      'put putEvent',
      'patch patchEvent',
      'delete deleteEvent',
      'get getEventBySlug',
      'post updateEventBySlug',
      'put putEventBySlug',
      'patch patchEventBySlug',
      'delete deleteEventBySlug',
    ]);
    expect([...ids('/categories'), ...ids('/')]).toEqual([
      'get listCategories',
      'post createCategory',
      'get getIndex',
    ]);
    for (const [, method, { security }] of operations())
      expect(security).toEqual(method === 'get' ? [{}, { basic: [] }] : [{ basic: [] }]);
  });

  it('/openapi.json documents login cookies when their keys and salts are configured', async () => {
    const keys = ['LOGGED_IN_KEY', 'LOGGED_IN_SALT', 'NONCE_KEY', 'NONCE_SALT'];
    const other = await startApp({
      databaseUrl: site.url,
      env: Object.fromEntries(keys.map((key) => [key, `${key} of a test`])),
    });
    const document = (await (await fetch(`${other.url}/openapi.json`)).json()) as ApiDocument;
    await other.close();
    const { securitySchemes } = document.components as unknown as { securitySchemes: object };
    expect(Object.keys(securitySchemes)).toEqual(['basic', 'cookie', 'nonce']);
    expect(document.paths['/tags']?.['post']?.security).toEqual([{ basic: [] }, { cookie: [], nonce: [] }]);
    await validate(document);
  });

  const operations = () =>
    Object.entries(complete.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [path, method, operation] as const),
    );
  describe('schemas of /openapi.json', () => {
    const validators = new Map<string, ValidateFunction>();

    beforeAll(() => {
      // Undeclared members are errors here, although clients must tolerate them.
      const schemas = Object.entries(complete.components.schemas).map(([name, schema]) => [
        name,
        { ...schema, ...(schema['properties'] ? { unevaluatedProperties: false } : {}) },
      ]);
      const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
      ajv.addSchema({ $id: 'doc:', components: { schemas: Object.fromEntries(schemas) } });
      for (const name of Object.keys(complete.components.schemas))
        validators.set(name, ajv.compile({ $ref: `doc:#/components/schemas/${name}` }));
    });

    function check(name: string, body: unknown) {
      const validator = validators.get(name);
      if (!validator) throw new Error(`no schema ${name}`);
      validator(body);
      expect(validator.errors ?? []).toEqual([]);
    }

    it.each([
      ['EventsPage', '/events?start_date=2000-01-01&per_page=50'],
      ['EventsPage', '/events?page=2'],
      ['VenuesPage', '/venues?per_page=50'],
      ['OrganizersPage', '/organizers?per_page=50'],
      ['CategoriesPage', '/categories?hide_empty=0'],
      ['TagsPage', '/tags?hide_empty=0&per_page=1'],
      ['Term', '/categories/3'],
      ['Term', '/tags/20'],
      ['Error', '/events/999999'],
      ['Error', '/events?page=0&per_page=x'],
      ['Error', '/nope'],
    ])('%s matches the response of %s', async (name, path) => {
      check(name, await json(BASE + path));
      check(name, await json(BASE + path, editor));
    });

    it('EventsPage matches events of every status', async () => {
      const path =
        '/events?start_date=2000-01-01&per_page=50&status=publish,draft,private,pending,future,trash';
      check('EventsPage', await json(BASE + path, editor));
    });

    it.each([
      ['Event', 'events'],
      ['Venue', 'venues'],
      ['Organizer', 'organizers'],
    ])('%s matches every single record', async (name, plural) => {
      const path = `${BASE}/${plural}`;
      const list = await json<Record<string, { id: number }[]>>(
        `${path}?per_page=50&start_date=2000-01-01`,
        editor,
      );
      expect(list[plural]?.length).toBeGreaterThan(1);
      for (const { id } of list[plural] ?? [])
        for (const headers of [{}, editor]) {
          const body = await json(`${path}/${id}`, headers);
          check('code' in body ? 'Error' : name, body);
        }
    });
  });
});
