import index from './fixtures/contract/namespace-index-skeleton.json' with { type: 'json' };
import { startApp, type TestApp } from './support/app.js';
import { Dice, ODD_JSON, ODD_VALUES, SHAPES } from './support/odd-values.js';
import type { RawRequest } from './support/raw-request.js';
import { loadRecording } from './support/replay.js';
import { describeDatabases, makeSite, type Site } from './support/sites.js';
import { ErrorLog, expectSound } from './support/sound-answers.js';

const BASE = '/cal/events/v1';

/** What each resource needs to be created, and an id of it that exists. */
const RESOURCES = [
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

describeDatabases('odd writes', (database) => {
  const { admin } = loadRecording('site-a/write').users;
  const Authorization = `Basic ${Buffer.from(`${admin?.login}:${admin?.password}`).toString('base64')}`;
  const log = new ErrorLog();
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url });
    app.nest.useLogger(log);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it.each(RESOURCES)('every field of $name', async ({ name, id, needs }) => {
    const dice = new Dice(id);
    const send = (path: string, type: string, body: string): RawRequest => ({
      method: 'POST',
      path: `${BASE}/${path}`,
      headers: { Authorization, 'Content-Type': type },
      body,
    });
    const form = (field: string) => dice.pick(SHAPES)(field, dice.pick(ODD_VALUES));
    const requests = fieldsOf(name).flatMap((field) => [
      ...dice.some(8, ODD_JSON).flatMap((value) => {
        const odd = `${JSON.stringify(field)}:${value}}`;
        const create = `${JSON.stringify(needs).slice(0, -1)},${odd}`;
        return [send(name, 'application/json', create), send(`${name}/${id}`, 'application/json', `{${odd}`)];
      }),
      ...Array.from({ length: 4 }, () =>
        send(
          name,
          'application/x-www-form-urlencoded',
          `${new URLSearchParams(Object.entries(needs))}&${form(field)}`,
        ),
      ),
      ...Array.from({ length: 4 }, () =>
        send(`${name}/${id}`, 'application/x-www-form-urlencoded', form(field)),
      ),
    ]);
    expect(requests.length).toBeGreaterThan(50);
    await expectSound(app.url, requests, log);
  });
});
