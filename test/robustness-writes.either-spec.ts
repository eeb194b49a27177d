import index from './fixtures/contract/namespace-index-skeleton.json' with { type: 'json' };
import { credentials } from './support/calendar-client.js';
import type { RawRequest } from './support/raw-request.js';
import { describeMany } from './support/sites.js';
import { SeededRandom, SHAPES, UNUSUAL_JSON, UNUSUAL_VALUES } from './support/unusual-values.js';
import { expectValid, type LoggedServer, startLoggedServer } from './support/valid-responses.js';

const BASE = '/cal/events/v1';

interface Resource {
  name: string;
  /** Id of an existing record. */
  id: number;
  /** Fields required to create a record. */
  needs: Readonly<Record<string, string>>;
}

const RESOURCES: readonly Resource[] = [
  {
    name: 'events',
    id: 53,
    needs: { title: 'a', start_date: '2091-05-01 10:00:00', end_date: '2091-05-01 11:00:00' },
  },
  { name: 'venues', id: 9, needs: { venue: 'a' } },
  { name: 'organizers', id: 35, needs: { organizer: 'a' } },
  { name: 'categories', id: 3, needs: { name: 'a' } },
  { name: 'tags', id: 20, needs: { name: 'a' } },
];

/** Names of the fields that a resource takes in a body, from the recorded index. */
function fieldsOf(resource: string): string[] {
  const routes: Record<string, { endpoints: { methods: string[]; args: object }[] }> = index.routes;
  const endpoints = routes[`/tribe/events/v1/${resource}`]?.endpoints ?? [];
  return endpoints.flatMap(({ methods, args }) => (methods.includes('POST') ? Object.keys(args) : []));
}

/** Builds bodies with one unusual value, by field: JSON and forms, to create and to update. */
function unusualFields({ name, id, needs }: Resource): [field: string, requests: RawRequest[]][] {
  const random = new SeededRandom(id);
  const send = (path: string, type: string, body: string): RawRequest => ({
    method: 'POST',
    path: `${BASE}/${path}`,
    headers: { ...credentials('admin'), 'Content-Type': type },
    body,
  });
  const sendForm = (path: string, body: string) => send(path, 'application/x-www-form-urlencoded', body);
  const form = (field: string) => random.pick(SHAPES)(field, random.pick(UNUSUAL_VALUES));
  return fieldsOf(name).map((field) => [
    field,
    [
      ...random.some(8, UNUSUAL_JSON).flatMap((value) => {
        const unusual = `${JSON.stringify(field)}:${value}}`;
        const create = `${JSON.stringify(needs).slice(0, -1)},${unusual}`;
        return [
          send(name, 'application/json', create),
          send(`${name}/${id}`, 'application/json', `{${unusual}`),
        ];
      }),
      ...Array.from({ length: 4 }, () => sendForm(name, `${new URLSearchParams(needs)}&${form(field)}`)),
      ...Array.from({ length: 4 }, () => sendForm(`${name}/${id}`, form(field))),
    ],
  ]);
}

/** Writes with unusual values: each gets a valid response, none a server error. */
describeMany('unusual writes', (database, sample) => {
  let server: LoggedServer;

  beforeAll(async () => {
    server = await startLoggedServer(database);
  });
  afterAll(() => server?.close());

  describe.each(RESOURCES)('of $name', (resource) => {
    it.each(unusualFields(resource))('with unusual values of %s get valid responses', (_field, requests) =>
      expectValid(server, sample(requests)),
    );
  });
});
