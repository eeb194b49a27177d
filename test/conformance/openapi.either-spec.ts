import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { addQueryArg } from '../../src/lib/wordpress-text/formatting/add-query-arg.js';
import { startApp, type TestApp } from '../support/app.js';
import { basic } from '../support/calendar-client.js';
import { loadRecording, type RecordingName, recordedSite } from '../support/replay.js';
import { describeEither, makeSite, type Site } from '../support/sites.js';
import { exchange, type RecordedCase } from './run-case.mjs';

const BASE = '/cal/events/v1';

interface Schema {
  anyOf?: readonly Schema[];
  [keyword: string]: unknown;
}

interface Response {
  $ref?: string;
  content?: { 'application/json'?: { schema: Schema } };
}

interface Operation {
  responses: Record<string, Response>;
}

interface ApiDocument {
  paths: Record<string, { get?: Operation }>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
}

const ENVELOPE = /[?&]_envelope/;
/** Parameters that omit members required elsewhere. */
const SPARSE = /[?&](_fields|context=embed)/;

/** The document with no required members. */
const withoutRequired = (document: string) => document.replaceAll(/"required":\[[^\]]*\]/g, '"required":[]');

/** Validates responses against the served OpenAPI document. */
class DocumentCheck {
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly ajv = new Ajv2020({ allErrors: true, strict: false });

  constructor(private readonly document: ApiDocument) {
    addFormats.default(this.ajv);
    const schemas = Object.entries(document.components.schemas).map(([name, schema]) => [
      name,
      // Undeclared members are errors here, although clients must accept them; images have metadata of any name.
      schema['properties'] && !name.includes('Image') ? { ...schema, unevaluatedProperties: false } : schema,
    ]);
    this.ajv.addSchema({ $id: 'doc:', components: { schemas: Object.fromEntries(schemas) } });
  }

  /** Validation errors of a response; `path` excludes the namespace. */
  errors(path: string, status: number, body: unknown): string[] {
    const { pathname } = new URL(path, 'http://h');
    const template = Object.keys(this.document.paths).find((one) =>
      new RegExp(`^${one.replace(/{id}/g, '\\d+').replace(/{\w+}/g, '[^/]+')}/*$`, 'i').test(pathname),
    );
    const operation = this.document.paths[template ?? '']?.get;
    if (!operation && status !== 404) return [`${pathname} is not in the document`];
    const responses = operation?.responses ?? { default: { $ref: '#/components/responses/default' } };
    return this.failures(this.schemaOf(responses, status, /[?&]_format=clean/.test(path)), body);
  }

  /** The schema of a response; of two forms the plain one is first and the normalized one second. */
  private schemaOf(responses: Operation['responses'], status: number, isClean: boolean): Schema {
    const found = responses[status] ?? responses['default'];
    const response = found?.$ref
      ? this.document.components.responses[found.$ref.split('/').at(-1) ?? '']
      : found;
    const schema = response?.content?.['application/json']?.schema ?? {};
    return schema.anyOf?.[isClean ? 1 : 0] ?? schema;
  }

  private failures(schema: Schema, body: unknown): string[] {
    const key = JSON.stringify(schema);
    const local = JSON.parse(key.replaceAll('"#/', '"doc:#/')) as Schema;
    const validator = this.validators.get(key) ?? this.ajv.compile(local);
    this.validators.set(key, validator);
    validator(body);
    return (validator.errors ?? []).map(
      ({ instancePath, schemaPath, message }) => `${instancePath} ${message} (${schemaPath})`,
    );
  }
}

const RECORDINGS: readonly RecordingName[] = ['site-a/read', 'site-a/read-more', 'site-d/read'];

describeEither('responses to recorded reads', (database) => {
  for (const name of RECORDINGS)
    describe(name, () => {
      const recording = loadRecording(name);
      let site: Site;
      let app: TestApp;
      let complete: DocumentCheck;
      let sparse: DocumentCheck;

      beforeAll(async () => {
        site = await makeSite(database, recordedSite(name));
        app = await startApp({ databaseUrl: site.url, now: recording.now });
        const { text } = await exchange(`${app.url}/openapi.json`, 'GET', {});
        complete = new DocumentCheck(JSON.parse(text) as ApiDocument);
        sparse = new DocumentCheck(JSON.parse(withoutRequired(text)) as ApiDocument);
      });
      afterAll(async () => {
        await app?.close();
        await site?.drop();
      });

      const reads = recording.cases.flatMap((one) => {
        const { path = '', method = 'GET', as } = one as RecordedCase & { as?: string };
        return method === 'GET' && path.startsWith(`${BASE}/`) ? [{ path, as }] : [];
      });
      const headersOf = (as: string | undefined): Record<string, string> => {
        const { login, password } = recording.users[as ?? ''] ?? {};
        return login && password ? { ...basic(login, password) } : {};
      };

      it.each([
        ['plain', (path: string) => path],
        ['clean', (path: string) => addQueryArg(path, { _format: 'clean' })],
      ])(`match /openapi.json in the %s form: ${reads.length} responses`, async (_, requested) => {
        const failures: string[] = [];
        for (const { path, as } of reads) {
          const { status, text } = await exchange(app.url + requested(path), 'GET', headersOf(as));
          const json = JSON.parse(text) as { status: number; body: unknown };
          const [sent, body] = ENVELOPE.test(path) ? [json.status, json.body] : [status, json];
          const check = SPARSE.test(path) ? sparse : complete;
          const errors = check.errors(requested(path).slice(BASE.length), sent, body);
          if (errors.length > 0) failures.push([`${path} as ${as}`, ...errors.slice(0, 5)].join('\n  '));
        }
        expect(failures).toEqual([]);
      });
    });
});
