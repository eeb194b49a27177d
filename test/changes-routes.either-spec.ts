import { Module } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Hooks } from '../src/common/hooks/hooks.js';
import { postHooks, termHooks } from '../src/resources/base/resource-hooks.js';
import { CATEGORY } from '../src/resources/categories/category-type.js';
import { EVENT } from '../src/resources/events/event-type.js';
import { startApp } from './support/app.js';
import { type Caller, clientOf, request } from './support/calendar-client.js';
import { type ChangesSite, openChangesSite } from './support/changes-site.js';
import { describeEither, makeSite } from './support/sites.js';
import { EVENT as FIELDS } from './support/write-fixture.js';

const PLUGIN_NAMESPACE = 'tribe/events/v1';

let hooks: Hooks;

@Module({})
class Plugin {
  constructor(injected: Hooks) {
    hooks = injected;
  }
}

interface Page {
  changes: { type: string; id: number; change: string; record?: object }[];
  token: string;
  has_more: boolean;
}

describeEither('the route of changes', (database) => {
  let site: ChangesSite;
  beforeAll(async () => {
    const env = { API_NAMESPACES: `cal/events/v1,${PLUGIN_NAMESPACE}` };
    site = await openChangesSite(database, { plugins: [Plugin], env });
  });
  afterAll(() => site?.close());

  const page = async (caller: Caller, query: string) =>
    (await site.send(caller, 'GET', `/changes?${query}`)).body as unknown as Page;
  const create = async (path: string, fields: object) =>
    Number((await site.send('admin', 'POST', path, fields)).body['id']);

  it('exists under every name of the interface, with links of that name', async () => {
    const response = await fetch(`${site.app.url}/${PLUGIN_NAMESPACE}/changes?types=tags&per_page=1`);
    const { changes } = (await response.json()) as { changes: { record: { urls: { self: string } } }[] };
    expect(changes[0]?.record.urls.self).toContain(`/${PLUGIN_NAMESPACE}/tags/`);
  });

  it('is in the index and in /openapi.json, whose schema its responses have', async () => {
    const index = await fetch(`${site.app.url}/${PLUGIN_NAMESPACE}`);
    const { routes } = (await index.json()) as { routes: Record<string, { endpoints: { args: object }[] }> };
    expect(Object.keys(routes[`/${PLUGIN_NAMESPACE}/changes`]?.endpoints[0]?.args ?? {})).toEqual([
      'since',
      'types',
      'per_page',
    ]);
    const document = await (await fetch(`${site.app.url}/openapi.json`)).json();
    const { paths, components } = document as {
      paths: Record<string, { get: { operationId: string; responses: Record<string, unknown> } }>;
      components: { schemas: Record<string, object> };
    };
    expect(Object.keys(paths).filter((path) => path.startsWith('/changes'))).toEqual(['/changes']);
    expect(paths['/changes']?.get).toMatchObject({
      operationId: 'listChanges',
      responses: {
        200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Changes' } } } },
        410: {},
      },
    });
    expect(components.schemas['ChangedRecord']).toMatchObject({
      required: expect.arrayContaining(['type', 'id']),
    });
  });

  it('has no other methods, and no address of its stream', async () => {
    const replies = [
      await site.send('admin', 'POST', '/changes', {}),
      await site.send('admin', 'DELETE', '/changes'),
      await site.send('admin', 'GET', '/changes/stream'),
    ];
    expect(replies.map(({ status, body }) => [status, body['code']])).toEqual(
      replies.map(() => [404, 'rest_no_route']),
    );
  });

  it('gives only the ids of records that plugins hide', async () => {
    const hidden = await create('/events', {
      ...FIELDS,
      title: 'Hidden by a plugin',
      slug: 'hidden-by-a-plugin',
    });
    const category = await create('/categories', { name: 'Hidden category' });
    const isAdmin = ({ context }: { context: { access: { can(capability: string): boolean } } }) =>
      context.access.can('manage_options');
    hooks.addFilter(postHooks(EVENT).query, (list, args) =>
      isAdmin(args) ? list : list.where(() => sql`p.ID <> ${hidden}`),
    );
    hooks.addFilter(termHooks(CATEGORY).query, (list, args) =>
      isAdmin(args) ? list : { ...list, exclude: [...(list.exclude ?? []), category] },
    );
    const token = (await page('editor', 'since=now')).token;
    await site.send('admin', 'PUT', `/events/${hidden}`, { title: 'Hidden by a plugin, changed' });
    await site.send('admin', 'PUT', `/categories/${category}`, { name: 'Hidden category, changed' });
    const { changes } = await page('editor', `since=${token}`);
    expect(changes.map((change) => ({ ...change, changed_at: undefined }))).toEqual([
      { type: 'events', id: hidden, change: 'deleted', deleted: true, slug: null, modified: null },
      { type: 'categories', id: category, change: 'deleted', deleted: true, slug: null, modified: null },
    ]);
    let all = await page('editor', '');
    for (const found = [all]; all.has_more; found.push(all)) {
      expect(JSON.stringify(all)).not.toMatch(/hidden/i);
      all = await page('editor', `since=${all.token}`);
    }
  });
});

describeEither('changes that are not journaled', (database) => {
  it.each<Record<string, string>>([{}, { CHANGES: 'on' }])(
    'are 400 changes_disabled with %j and without tables',
    async (env) => {
      const site = await makeSite(database);
      const app = await startApp({ databaseUrl: site.url, env });
      try {
        const { status, body } = await clientOf(app.url)('admin', 'GET', '/changes');
        expect([status, body['code']]).toEqual([400, 'changes_disabled']);
        expect(body['message']).toMatch(/CHANGES=on.*almanac migrate/);
        const stream = await request(app.url, 'GET', '/changes', { Accept: 'text/event-stream' });
        expect([stream.status, stream.body['code']]).toEqual([400, 'changes_disabled']);
      } finally {
        await app.close();
        await site.drop();
      }
    },
  );
});
