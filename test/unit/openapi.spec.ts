import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type TestApp, startApp } from '../support/app.js';
import { loadRecording } from '../support/replay.js';
import { makeSite, type Site } from '../support/sites.js';

const BASE = '/cal/events/v1';

interface ApiDocument {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string }>>;
  components: { schemas: Record<string, Record<string, unknown>> };
}

describe('OpenAPI documents', () => {
  let site: Site;
  let app: TestApp;
  let complete: ApiDocument;

  const { login, password } = loadRecording('site-a/read').users['editor'] ?? { login: '', password: '' };
  const editor = { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
  const json = async <T = Record<string, unknown>>(path: string, headers = {}) =>
    (await (await fetch(app.url + path, { headers })).json()) as T;
  // The parser writes into what it checks.
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

  it('/doc is valid OpenAPI 3.0', async () => {
    const document = await json<ApiDocument>(`${BASE}/doc`);
    expect(document.openapi).toBe('3.0.0');
    await validate(document);
  });

  it('/openapi.json is valid OpenAPI 3.1', async () => {
    expect(complete.openapi).toBe('3.1.0');
    await validate(complete);
  });

  it('names every operation once', () => {
    const operations = Object.values(complete.paths).flatMap((item) => Object.values(item));
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  describe('the schemas hold for what is sent', () => {
    const validators = new Map<string, ValidateFunction>();

    beforeAll(() => {
      // Members that a schema does not name are mistakes here, though clients must take them.
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
    ])('%s: %s', async (name, path) => {
      check(name, await json(BASE + path));
      check(name, await json(BASE + path, editor));
    });

    it('EventsPage: every status', async () => {
      const path =
        '/events?start_date=2000-01-01&per_page=50&status=publish,draft,private,pending,future,trash';
      check('EventsPage', await json(BASE + path, editor));
    });

    it.each([
      ['Event', 'events'],
      ['Venue', 'venues'],
      ['Organizer', 'organizers'],
    ])('%s, each alone', async (name, plural) => {
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
