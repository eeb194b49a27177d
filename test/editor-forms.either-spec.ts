import type { ResourceForm } from '../src/pages/editor/resource-form.js';
import { startApp, type TestApp } from './support/app.js';
import { type Caller, clientOf, credentials } from './support/calendar-client.js';
import { COURSE, CoursesModule, EVENT_FIELDS } from './support/courses-plugin.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

describeEither('the forms that the editor reads', (database) => {
  let site: Site;
  let app: TestApp;
  let withoutPlugins: TestApp;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, plugins: [CoursesModule] });
    withoutPlugins = await startApp({ databaseUrl: site.url });
  });
  afterAll(async () => {
    await app?.close();
    await withoutPlugins?.close();
    await site?.drop();
  });

  const ask = (caller: Caller, { url }: TestApp = app) =>
    fetch(`${url}/editor/forms`, { headers: credentials(caller) });
  const forms = async (caller: Caller) => {
    const response = await ask(caller);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    return (await response.json()) as ResourceForm[];
  };
  const formOf = async (caller: Caller, path: string) =>
    (await forms(caller)).find((form) => form.path === path);
  const namesOf = async (caller: Caller, path: string) =>
    (await formOf(caller, path))?.fields.map(({ name }) => name);

  it('describe fields as data, without meta keys and capabilities', async () => {
    const [event] = await forms('admin');
    expect(event).toMatchObject({ path: 'events', isTerm: false, capabilities: 'tribe_events' });
    expect(event?.fields.map(({ name }) => name)).toEqual(Object.keys(EVENT_FIELDS));
    expect(event?.fields).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'code', type: 'string', title: 'Ticket code', unique: true }),
        expect.objectContaining({ name: 'indoors', type: 'boolean', default: true }),
        expect.objectContaining({ name: 'doors', type: 'date', zone: 'Asia/Tokyo' }),
        expect.objectContaining({ name: 'level', type: 'enum', values: ['easy', 'hard'] }),
        expect.objectContaining({ name: 'hotel', type: 'reference', to: 'venues' }),
        expect.objectContaining({
          name: 'address',
          properties: {
            street: { type: 'string', required: true },
            number: { type: 'integer' },
            host: { type: 'reference', to: 'organizers' },
          },
        }),
        expect.objectContaining({ name: 'colors', type: 'list', items: { type: 'string' }, maxItems: 3 }),
      ]),
    );
    const text = await (await ask('admin')).text();
    expect(text).not.toContain('_c_');
    expect(text).not.toContain('manage_options');
  });

  it('hold no field that the caller may not see or not write', async () => {
    for (const caller of ['editor', 'author', 'contributor'] as const) {
      const names = await namesOf(caller, 'events');
      expect([caller, names?.includes('seats')]).toEqual([caller, true]);
      expect([caller, names?.filter((name) => /budget|approved/.test(name))]).toEqual([caller, []]);
    }
  });

  it('describe a resource of a plugin with its relations, editable for callers who may edit some', async () => {
    expect(await formOf('contributor', COURSE.path)).toMatchObject({
      singular: 'course',
      plural: 'courses',
      isEditable: true,
      accepts: expect.arrayContaining(['title', 'description', 'status', 'image']),
      filters: expect.arrayContaining(['search', 'status', 'page']),
      fields: [
        { name: 'place', type: 'reference', to: 'venues', required: true },
        { name: 'teachers', type: 'list', items: { type: 'reference', to: 'organizers' } },
      ],
    });
    expect(await formOf('subscriber', COURSE.path)).toMatchObject({ isEditable: false });
    expect(await namesOf('admin', 'categories')).toEqual(['motto']);
    expect((await forms('admin')).map(({ path }) => path).sort()).toEqual([
      'acme-courses',
      'categories',
      'events',
    ]);
  });

  it('are rejected with 401 without a login, and gone with EDITOR=off', async () => {
    const anonymous = await ask('anonymous');
    expect([anonymous.status, (await anonymous.json()) as object]).toMatchObject([
      401,
      { code: 'rest_forbidden' },
    ]);
    const wrong = await fetch(`${app.url}/editor/forms`, { headers: { Authorization: 'Basic YTpi' } });
    expect(wrong.status).toBe(401);
    const off = await startApp({
      databaseUrl: site.url,
      plugins: [CoursesModule],
      env: { EDITOR: 'off', PATH_PREFIX: '/wp-json' },
    });
    try {
      const { status, headers } = await ask('admin', off);
      expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=UTF-8']);
    } finally {
      await off.close();
    }
  });

  it('are named by the page only where a plugin declares something', async () => {
    const page = async ({ url }: TestApp, path: string) =>
      (await fetch(url + path, { headers: { Accept: 'text/html' } })).text();
    expect(await page(app, '/editor')).toContain('data-forms="./editor/forms"');
    expect(await page(app, '/editor/')).toContain('data-forms="../editor/forms"');
    const plain = await page(withoutPlugins, '/editor');
    expect(plain).toContain('data-forms=""');
    expect(plain).not.toContain('declared');
    expect(await (await ask('admin', withoutPlugins)).json()).toEqual([]);
  });

  it('read the stored texts of a plain post by _raw=true, for callers who may edit it', async () => {
    const send = clientOf(app.url);
    const { body: venue } = await send('admin', 'POST', '/venues', { venue: 'School' });
    const { status, body } = await send('admin', 'POST', '/acme-courses', {
      title: 'Tea & "talk"',
      description: "<!-- wp:x -->It's [a]<!-- /wp:x -->",
      place: venue['id'],
    });
    expect(status).toBe(201);
    const path = `/acme-courses/${body['id']}?_raw=true`;
    expect((await send('editor', 'GET', path)).body['raw']).toEqual({
      title: 'Tea & "talk"',
      description: "<!-- wp:x -->It's [a]<!-- /wp:x -->",
      excerpt: '',
    });
    for (const [caller, expected] of [
      ['anonymous', 401],
      ['subscriber', 403],
    ] as const) {
      const refused = await send(caller, 'GET', path);
      expect([refused.status, refused.body['code']]).toEqual([expected, 'rest_forbidden_context']);
    }
  });
});
