import SwaggerParser from '@apidevtools/swagger-parser';
import { EVENT, FieldRegistry } from 'almanac';
import { startTestServer, type TestServer } from '../src/testing.js';
import { FieldsModule } from './support/field-plugin.js';

interface Schema {
  type?: unknown;
  properties: Record<string, Schema>;
  required: string[];
  items?: Schema;
  [word: string]: unknown;
}

interface Parameter {
  name?: string;
  schema: Schema;
  [word: string]: unknown;
}

interface ApiDocument {
  paths: Record<string, Record<string, { parameters: Parameter[]; responses: object }>>;
  components: { schemas: Record<string, Schema> };
}

describe('fields of each type in documents', () => {
  let server: TestServer;
  let document: ApiDocument;
  beforeAll(async () => {
    server = await startTestServer({ plugins: [FieldsModule] });
    ({ body: document } = await server.get<ApiDocument>('/openapi.json'));
  });
  afterAll(() => server?.close());

  const schemaOf = (name: string) => document.components.schemas[name] as Schema;

  it('make a valid /openapi.json', async () => {
    await SwaggerParser.validate(structuredClone(document) as never);
  });

  it('have the schema of responses', () => {
    const { properties, required } = schemaOf('Event');
    expect(properties).toMatchObject({
      price: { type: ['number', 'null'], description: 'Price.' },
      sale_start: { type: ['string', 'null'], format: 'date-time' },
      level: { type: ['string', 'null'], enum: ['easy', 'medium', 'hard', null] },
      hotel: { type: ['integer', 'null'] },
      colors: { type: ['array', 'null'], items: { type: 'string' } },
      address: {
        type: ['object', 'null'],
        title: 'Address',
        required: ['street', 'number', 'opened', 'is_open', 'kind', 'host', 'geo', 'floors'],
        properties: {
          geo: { type: ['object', 'null'], properties: { lat: { type: ['number', 'null'] } } },
          floors: { type: ['array', 'null'], items: { type: 'integer' } },
        },
      },
      contacts: { type: ['array', 'null'], items: { type: 'object' } },
    });
    expect(required).toEqual(expect.arrayContaining(['price', 'address', 'contacts']));
    expect(schemaOf('CleanEvent').properties).toMatchObject({
      price: { type: ['number', 'null'] },
      level: { type: ['string', 'null'], enum: ['easy', 'medium', 'hard', null] },
      address: { type: ['object', 'null'], properties: { street: { type: ['string', 'null'] } } },
      colors: { type: 'array', items: { type: 'string' } },
    });
    expect(schemaOf('Term').properties).toMatchObject({ since: { format: 'date-time' }, labels: {} });
  });

  it('have the schema of requests, with checks and what a create needs', () => {
    const { properties, required } = schemaOf('CreateEvent');
    expect(properties).toMatchObject({
      price: { type: ['number', 'null'], maximum: 1e6 },
      subtitle: { type: ['string', 'null'], default: 'None' },
      level: { enum: ['easy', 'medium', 'hard', '', null] },
      address: { type: ['object', 'null'], additionalProperties: false },
      colors: { anyOf: [{ type: ['array', 'null'], maxItems: 5 }, { type: 'string' }] },
      contacts: { type: ['array', 'null'], items: { type: 'object', required: ['name'] } },
    });
    expect(required).toEqual(expect.not.arrayContaining(['price']));
  });

  it('have the parameters of lists', () => {
    const { parameters = [] } = document.paths['/events']?.['get'] ?? {};
    const found = Object.fromEntries(parameters.map((one) => [one.name, one]));
    expect(found).toMatchObject({
      price: { schema: { type: 'number' } },
      min_price: { schema: { type: 'number' }, description: 'Minimum of the filter by price.' },
      max_price: {},
      min_sale_start: { schema: { type: 'string' } },
      level: { schema: { type: 'array', items: { enum: ['easy', 'medium', 'hard'] } }, explode: false },
      hosts: { schema: { type: 'array', items: { type: 'integer' }, maxItems: 100 } },
    });
    expect(found).not.toHaveProperty('doors');
    expect(found).not.toHaveProperty('min_level');
  });

  it('say that a unique value may be taken', () => {
    const responses = (path: string) => Object.keys(document.paths[path]?.['put']?.responses ?? {});
    expect([
      responses('/categories/{id}').includes('409'),
      responses('/events/{id}').includes('409'),
    ]).toEqual([true, false]);
  });

  it('are in the index and in /doc with their types', async () => {
    const index = await server.get<{ routes: Record<string, { endpoints: { args: object }[] }> }>(
      '/cal/events/v1',
    );
    const [list, create] = index.body.routes['/cal/events/v1/events']?.endpoints ?? [];
    expect(list?.args).toMatchObject({
      min_price: { type: 'number', required: false },
      hosts: { items: { type: 'integer' } },
    });
    expect(create?.args).toMatchObject({
      price: { type: 'number' },
      address: { type: 'object' },
      contacts: { items: { type: 'object' } },
      sale_start: { type: 'string', required: false },
    });
    const doc = await server.get('/cal/events/v1/doc');
    expect(JSON.stringify(doc.body)).toContain('"address":{"type":"object","description":"Where it is."}');
    expect(JSON.stringify(doc.body)).toContain('"contacts":{"type":"array","items":{"type":"object"}');
  });

  it('are described as data for forms, in their order', () => {
    const fields = server.app.get(FieldRegistry, { strict: false }).describe(EVENT);
    expect(fields.map(({ name }) => name).slice(0, 3)).toEqual(['contacts', 'subtitle', 'seats']);
    const described = Object.fromEntries(fields.map((field) => [field.name, field]));
    expect(JSON.parse(JSON.stringify(described))).toMatchObject({
      subtitle: { type: 'string', description: 'Subtitle.', default: 'None' },
      level: { type: 'enum', values: ['easy', 'medium', 'hard'] },
      hotel: { type: 'reference', to: 'venues' },
      address: { title: 'Address', properties: { geo: { type: 'object' }, host: { to: 'organizers' } } },
      hosts: { type: 'list', items: { type: 'reference', to: 'organizers' } },
      contacts: { items: { properties: { name: { type: 'string', required: true } } } },
    });
    expect(described['subtitle']).not.toHaveProperty('meta');
    expect(JSON.stringify(described)).not.toContain('checks');
  });
});
