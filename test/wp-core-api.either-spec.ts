import sql from 'sql-template-tag';
import { Hooks } from '../src/common/hooks/hooks.js';
import { queryHook } from '../src/wordpress/posts/post-visibility.js';
import { REST_BASE_URL } from './support/app.js';
import { CALLERS, type Caller } from './support/calendar-client.js';
import { type Ask, askOf, type ProtocolResponse } from './support/protocol-client.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const CORE = '/wp/v2';
const STAFF: readonly Caller[] = ['editor', 'admin'];

const statusAndCode = ({ status, body }: ProtocolResponse) => [status, body['code']];

describeEither('reads in wp/v2', (database) => {
  let fixture: WriteFixture;
  let ask: Ask;
  let nextId = 610_000;

  beforeAll(async () => {
    fixture = await openWriteFixture(database);
    const core = askOf(fixture.app.url);
    ask = (path, request) => core(path.startsWith('/') ? path : `${CORE}/${path}`, request);
  });
  afterAll(() => fixture?.close());

  async function attach(parent: number, more: { status?: string; author?: number; password?: string } = {}) {
    const { status = 'inherit', author = 1, password = '' } = more;
    const id = ++nextId;
    const now = "'2091-01-01 10:00:00'";
    await fixture.ask(
      `INSERT INTO wp_posts (ID, post_author, post_date, post_date_gmt, post_modified, post_modified_gmt, post_content,
       post_title, post_excerpt, to_ping, pinged, post_content_filtered, post_status, post_name, post_parent, post_type,
       post_mime_type, post_password, guid) VALUES (${id}, ${author}, ${now}, ${now}, ${now}, '0000-00-00 00:00:00',
       'About "it"', 'A "file"', 'Seen', '', '', '', '${status}', 'a-${id}', ${parent}, 'attachment', 'audio/mpeg',
       '${password}', 'http://calendar.example.org/?p=${id}')`,
    );
    return id;
  }

  it('are announced by the root with the authorization page of WordPress', async () => {
    const { authentication } = (await ask('/')).body as { authentication: Record<string, object> };
    const page = 'http://calendar.example.org/wp-admin/authorize-application.php';
    // A site in SQLite has no WordPress beside it.
    const endpoints = database === 'SQLite' ? {} : { authorization: page };
    expect(authentication).toEqual({ 'application-passwords': { endpoints } });
  });

  describe('users/me', () => {
    it('returns the public members of the authenticated user', async () => {
      const { status, body, headers } = await ask('users/me', { as: 'editor' });
      expect([status, headers['allow']]).toEqual([200, 'GET']);
      expect(headers['cache-control']).toContain('no-store');
      expect(body).toEqual({
        id: 2,
        name: 'Editor1',
        url: '',
        description: '',
        link: 'http://calendar.example.org/author/editor1/',
        slug: 'editor1',
        meta: [],
        _links: {
          self: [{ href: `${REST_BASE_URL}/wp/v2/users/2` }],
          collection: [{ href: `${REST_BASE_URL}/wp/v2/users` }],
        },
      });
      const { meta: _, ...embedded } = body;
      expect((await ask('users/me?context=embed', { as: 'editor' })).body).toEqual(embedded);
    });

    it('returns roles, capabilities and e-mail with context=edit, and no secret', async () => {
      for (const as of ['subscriber', 'editor'] as const) {
        const { text, body } = await ask('users/me?context=edit', { as });
        expect(body).toMatchObject({
          username: `${as}1`,
          email: `${as}1@example.org`,
          first_name: '',
          nickname: `${as}1`,
          locale: 'en_US',
          registered_date: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
          roles: [as],
          extra_capabilities: { [as]: true },
        });
        expect(body['capabilities']).toMatchObject({ read: true, [as]: true });
        const { edit_others_tribe_events: others } = body['capabilities'] as Record<string, unknown>;
        expect(others).toBe(as === 'editor' ? true : undefined);
        expect(text).not.toMatch(/\$P\$|\$wp|\$generic|session|password/i);
      }
    });

    it('rejects anonymous users with 401 rest_not_logged_in, and writes with 404', async () => {
      for (const path of ['users/me', 'users/me?context=edit', 'users/me?_fields=id'])
        expect(statusAndCode(await ask(path))).toEqual([401, 'rest_not_logged_in']);
      const wrong = { Authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}` };
      expect(statusAndCode(await ask('users/me', { headers: wrong }))).toEqual([401, 'incorrect_password']);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expect(statusAndCode(await ask('users/me', { method, as: 'admin', json: { name: 'X' } }))).toEqual([
          404,
          'rest_no_route',
        ]);
      for (const path of ['users/1', 'users/me/x'])
        expect(statusAndCode(await ask(path, { as: 'admin' }))).toEqual([404, 'rest_no_route']);
    });

    it('accepts _fields, _envelope, context, OPTIONS and HEAD', async () => {
      expect((await ask('users/me?_fields=id,slug', { as: 'author' })).body).toEqual({
        id: 3,
        slug: 'author1',
      });
      expect((await ask('users/me?_envelope')).body).toMatchObject({
        status: 401,
        body: { code: 'rest_not_logged_in' },
      });
      expect(statusAndCode(await ask('users/me?context=all', { as: 'author' }))).toEqual([
        400,
        'rest_invalid_param',
      ]);
      const { status, body, headers } = await ask('users/me', { method: 'OPTIONS' });
      expect([status, headers['allow'], body['namespace'], body['methods']]).toEqual([
        200,
        'GET',
        'wp/v2',
        ['GET'],
      ]);
      const head = await ask('users/me', { method: 'HEAD', as: 'author' });
      expect([head.status, head.text]).toEqual([200, '']);
    });
  });

  describe('users', () => {
    const names = (body: unknown) => (body as { name: string }[]).map(({ name }) => name);

    it('lists id and name of users who may write records, for those who may edit others’ records', async () => {
      for (const as of STAFF) {
        const { status, body, text, headers } = await ask('users', { as });
        expect([status, headers['x-wp-total'], headers['x-wp-totalpages']]).toEqual([
          200,
          String(names(body).length),
          '1',
        ]);
        for (const user of body as unknown as object[]) expect(Object.keys(user)).toEqual(['id', 'name']);
        expect(text).not.toContain('@');
        const ids = (body as unknown as { id: number }[]).map(({ id }) => id);
        expect(ids).toEqual(expect.arrayContaining([1, 2, 3]));
        const subscriber = (await ask('users/me', { as: 'subscriber' })).body['id'];
        expect(ids).not.toContain(subscriber);
        expect((await ask(`users?include=${subscriber}`, { as })).body).toEqual([]);
      }
    });

    it('lists others only themselves, and rejects anonymous users with 401', async () => {
      for (const as of ['author', 'subscriber'] as const) {
        const { id, name } = (await ask('users/me', { as })).body;
        for (const path of ['users', 'users?per_page=100', `users?include=1,2,${id}`])
          expect((await ask(path, { as })).body).toEqual([{ id, name }]);
        expect((await ask('users?include=1', { as })).body).toEqual([]);
        expect(statusAndCode(await ask('users?context=edit', { as }))).toEqual([
          403,
          'rest_forbidden_context',
        ]);
      }
      expect(statusAndCode(await ask('users'))).toEqual([401, 'rest_user_cannot_view']);
    });

    it('finds a part of the name in any case, and not login or e-mail', async () => {
      await fixture.ask("UPDATE wp_users SET display_name = 'Zoë 100% Quill' WHERE ID = 3");
      try {
        for (const search of ['zoe', 'QUILL', '0% q'])
          expect(
            names((await ask(`users?search=${encodeURIComponent(search)}`, { as: 'editor' })).body),
          ).toEqual(['Zoë 100% Quill']);
        for (const search of ['author1', 'example.org', '_', '%%'])
          expect(
            names((await ask(`users?search=${encodeURIComponent(search)}`, { as: 'editor' })).body),
          ).not.toContain('Zoë 100% Quill');
        const own = (search: string) => ask(`users?search=${encodeURIComponent(search)}`, { as: 'author' });
        expect(names((await own('zoe')).body)).toEqual(['Zoë 100% Quill']);
        expect((await own('zoo')).body).toEqual([]);
      } finally {
        await fixture.ask("UPDATE wp_users SET display_name = 'author1' WHERE ID = 3");
      }
    });

    it('links from a page behind the last one to the last one', async () => {
      const { headers } = await ask('users?page=1000', { as: 'editor' });
      expect(headers['link']).toMatch(/users>; rel="prev"/);
    });

    it('names the author of a record who may write no more, by id only', async () => {
      const [{ id }] = (await fixture.ask('SELECT MAX(ID) + 1 AS id FROM wp_users')) as [{ id: number }];
      await fixture.ask(
        `INSERT INTO wp_users (ID, user_login, user_nicename, user_email, user_registered, display_name)
         VALUES (${id}, 'gone', 'gone', 'gone@example.org', '2091-01-01 10:00:00', 'Formerly Here')`,
      );
      expect((await ask(`users?include=${id}`, { as: 'editor' })).body).toEqual([]);
      const venue = await attach(0, { author: id });
      await fixture.ask(`UPDATE wp_posts SET post_type = 'tribe_venue' WHERE ID = ${venue}`);
      const found = await ask(`users?include=1,${id}&per_page=1&page=2`, { as: 'editor' });
      expect([found.headers['x-wp-total'], found.headers['x-wp-totalpages'], names(found.body)]).toEqual([
        '2',
        '2',
        ['Formerly Here'],
      ]);
      expect(names((await ask('users?search=formerly', { as: 'editor' })).body)).toEqual([]);
    });

    it('rejects invalid parameters with 400, and returns no users behind the last page', async () => {
      for (const query of ['per_page=0', 'per_page=101', 'per_page=x', 'page=0', 'include=x', 'who=all'])
        expect([query, ...statusAndCode(await ask(`users?${query}`, { as: 'editor' }))]).toEqual([
          query,
          400,
          'rest_invalid_param',
        ]);
      expect((await ask('users?page=9', { as: 'editor' })).body).toEqual([]);
    });
  });

  describe('types and taxonomies', () => {
    const slugs = async (path: string, as: Caller = 'anonymous') =>
      Object.keys((await ask(path, { as })).body);
    const linked = (collection: string, items: string) => ({
      collection: [{ href: `${REST_BASE_URL}/wp/v2/${collection}` }],
      'wp:items': [{ href: `${REST_BASE_URL}/wp/v2/${items}` }],
      curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }],
    });

    it('are listed as they are read alone', async () => {
      for (const [list, some] of [
        ['types', ['post', 'page', 'attachment', 'tribe_events', 'tribe_venue', 'tribe_organizer']],
        ['taxonomies', ['category', 'tribe_events_cat', 'post_tag']],
      ] as const) {
        const { body } = await ask(list);
        expect(Object.keys(body).toSorted()).toEqual(some.toSorted());
        for (const [slug, one] of Object.entries(body))
          expect((await ask(`${list}/${slug}`)).body).toEqual(one);
      }
      expect((await ask('types/tribe_events')).body).toEqual({
        description: '',
        hierarchical: false,
        name: 'Events',
        slug: 'tribe_events',
        icon: null,
        taxonomies: ['tribe_events_cat', 'post_tag'],
        rest_base: 'tribe_events',
        rest_namespace: 'wp/v2',
        _links: linked('types', 'tribe_events'),
      });
      expect((await ask('taxonomies/post_tag')).body).toEqual({
        name: 'Tags',
        slug: 'post_tag',
        description: '',
        types: ['post', 'tribe_events'],
        hierarchical: false,
        rest_base: 'tags',
        rest_namespace: 'wp/v2',
        _links: linked('taxonomies', 'tags'),
      });
    });

    it('are the targets of the about links of terms', async () => {
      for (const path of ['categories/4', 'tags/20']) {
        const { body } = await ask(`/cal/events/v1/${path}`);
        const { about } = body['_links'] as { about: [{ href: string }] };
        const response = await ask(about[0].href.slice(REST_BASE_URL.length));
        expect([response.status, response.body['slug']]).toEqual([200, body['taxonomy']]);
      }
    });

    it('are filtered by post type', async () => {
      expect(await slugs('taxonomies?type=post')).toEqual(['category', 'post_tag']);
      expect(await slugs('taxonomies?type=nope')).toEqual([]);
    });

    it('contain capabilities with context=edit for users who may edit their records', async () => {
      expect(statusAndCode(await ask('types?context=edit'))).toEqual([401, 'rest_cannot_view']);
      expect(statusAndCode(await ask('types?context=edit', { as: 'subscriber' }))).toEqual([
        403,
        'rest_cannot_view',
      ]);
      expect(statusAndCode(await ask('taxonomies?context=edit', { as: 'subscriber' }))).toEqual([
        403,
        'rest_cannot_view',
      ]);
      for (const path of ['types/tribe_venue', 'taxonomies/tribe_events_cat'])
        expect(statusAndCode(await ask(`${path}?context=edit`))).toEqual([401, 'rest_forbidden_context']);
      expect(await slugs('types?context=edit', 'contributor')).not.toContain('page');
      const { body } = await ask('types/tribe_venue?context=edit', { as: 'contributor' });
      expect(body).toMatchObject({
        labels: { name: 'Venues', singular_name: 'Venue' },
        capabilities: { edit_others_posts: 'edit_others_tribe_venues', create_posts: 'edit_tribe_venues' },
      });
      const category = await ask('taxonomies/tribe_events_cat?context=edit', { as: 'admin' });
      expect(category.body['capabilities']).toMatchObject({
        manage_terms: 'publish_tribe_events',
        assign_terms: 'edit_tribe_events',
      });
    });

    it('respond 404 under other names', async () => {
      expect(statusAndCode(await ask('types/nope'))).toEqual([404, 'rest_type_invalid']);
      expect(statusAndCode(await ask('types/constructor'))).toEqual([404, 'rest_type_invalid']);
      expect(statusAndCode(await ask('taxonomies/nav_menu'))).toEqual([404, 'rest_taxonomy_invalid']);
      for (const path of [
        'posts',
        'categories',
        'posts/1',
        'types/tribe%5Fevents/x',
        '/wp',
        '/wp/v1/types',
      ]) {
        const response = await ask(path);
        expect([path, ...statusAndCode(response), response.headers['allow']]).toEqual([
          path,
          404,
          'rest_no_route',
          undefined,
        ]);
        const options = await ask(path, { method: 'OPTIONS' });
        expect([options.text, options.headers['allow']]).toEqual(['[]', undefined]);
      }
    });

    it('are cacheable for anonymous users only', async () => {
      const { headers } = await ask('types');
      expect(headers['etag']).toBeDefined();
      const again = await ask('types', { headers: { 'If-None-Match': String(headers['etag']) } });
      expect(again.status).toBe(304);
      expect((await ask('types', { as: 'editor' })).headers['etag']).toBeUndefined();
    });
  });

  describe('media', () => {
    it('describes a file with its sizes', async () => {
      const { status, body } = await ask('media/4');
      const uploads = 'http://calendar.example.org/wp-content/uploads';
      expect(status).toBe(200);
      expect(body).toMatchObject({
        id: 4,
        slug: 'hall',
        status: 'inherit',
        type: 'attachment',
        title: { rendered: 'hall' },
        media_type: 'image',
        mime_type: 'image/jpeg',
        post: null,
        author: 1,
        _links: { about: [{ href: `${REST_BASE_URL}/wp/v2/types/attachment` }] },
      });
      const source = String(body['source_url']);
      expect(source).toMatch(new RegExp(`^${uploads}/\\d+/\\d+/hall.jpg$`));
      const { sizes } = body['media_details'] as { sizes: Record<string, Record<string, unknown>> };
      expect(sizes['full']).toMatchObject({ file: 'hall.jpg', mime_type: 'image/jpeg', source_url: source });
      expect(sizes['thumbnail']).toMatchObject({ source_url: source.replace('.jpg', '-150x150.jpg') });
      expect(sizes['thumbnail']).not.toHaveProperty('mime-type');
      expect(String(body['date'])).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      const embedded = await ask('media/4?context=embed');
      expect(Object.keys(body)).toEqual(expect.arrayContaining(Object.keys(embedded.body)));
      expect(embedded.body).not.toHaveProperty('description');
    });

    it('contains rendered texts, and raw ones for users who may edit it', async () => {
      const id = await attach(0);
      const { body } = await ask(`media/${id}`);
      expect(body).toMatchObject({
        title: { rendered: 'A &#8220;file&#8221;' },
        caption: { rendered: '<p>Seen</p>\n' },
        description: { rendered: '<p>About &#8220;it&#8221;</p>\n' },
        modified_gmt: null,
        media_details: {},
        media_type: 'file',
        source_url: `http://calendar.example.org/?p=${id}`,
      });
      for (const as of ['anonymous', 'contributor', 'author'] as const)
        expect(statusAndCode(await ask(`media/${id}?context=edit`, { as }))).toEqual([
          as === 'anonymous' ? 401 : 403,
          'rest_forbidden_context',
        ]);
      const edited = await ask(`media/${id}?context=edit`, { as: 'editor' });
      expect(edited.body).toMatchObject({
        title: { raw: 'A "file"' },
        caption: { raw: 'Seen' },
        description: { raw: 'About "it"' },
      });
    });

    it.each<[string, readonly Caller[]]>([
      ['publish', CALLERS],
      ['private', STAFF],
      ['draft', STAFF],
      ['pending', STAFF],
    ])('of a parent with status %s is readable for %j', async (status, allowed) => {
      const id = await attach(Number((await fixture.create({ status }))['id']));
      for (const as of CALLERS)
        expect([as, (await ask(`media/${id}`, { as })).status]).toEqual([
          as,
          allowed.includes(as) ? 200 : as === 'anonymous' ? 401 : 403,
        ]);
    });

    it('of a parent with a password, or with its own status or password, is readable for its editors', async () => {
      const parent = Number((await fixture.create())['id']);
      await fixture.ask(`UPDATE wp_posts SET post_password = 'opensesame' WHERE ID = ${parent}`);
      const ids = [
        await attach(parent, { author: 3 }),
        await attach(0, { author: 3, status: 'private' }),
        await attach(0, { author: 3, status: 'trash' }),
        await attach(0, { author: 3, password: 'opensesame' }),
      ];
      for (const id of ids) {
        expect(statusAndCode(await ask(`media/${id}`))).toEqual([401, 'rest_forbidden']);
        expect(statusAndCode(await ask(`media/${id}`, { as: 'contributor' }))).toEqual([
          403,
          'rest_forbidden',
        ]);
        for (const as of ['author', 'editor'] as const)
          expect((await ask(`media/${id}`, { as })).status).toBe(200);
      }
    });

    it('of a trashed parent is hidden at once, of a missing parent is public', async () => {
      const parent = Number((await fixture.create())['id']);
      const id = await attach(parent);
      expect((await ask(`media/${id}`)).body).toMatchObject({ post: parent });
      expect((await fixture.send('admin', 'DELETE', `/events/${parent}`)).status).toBe(200);
      expect(statusAndCode(await ask(`media/${id}`))).toEqual([401, 'rest_forbidden']);
      expect((await ask(`media/${await attach(699_998)}`)).status).toBe(200);
    });

    it('of a parent that a plugin hides is hidden', async () => {
      const parent = Number((await fixture.create())['id']);
      const [hidden, visible] = [await attach(parent), await attach(0)];
      const hooks = fixture.app.nest.get(Hooks);
      hooks.addFilter(queryHook('tribe_events'), (query) => query.where(sql`p.ID <> ${parent}`));
      expect(statusAndCode(await ask(`media/${hidden}`))).toEqual([401, 'rest_forbidden']);
      expect((await ask(`media/${visible}`)).status).toBe(200);
    });

    it('responds 404 to ids of other records and other paths, 401 to anonymous writes', async () => {
      for (const id of ['53', '999999', '0', '99999999999999999999'])
        expect(statusAndCode(await ask(`media/${id}`))).toEqual([404, 'rest_post_invalid_id']);
      for (const path of ['media/x', 'media/4/x', 'media/-4'])
        expect(statusAndCode(await ask(path))).toEqual([404, 'rest_no_route']);
      expect(statusAndCode(await ask('media/4', { method: 'POST' }))).toEqual([401, 'rest_cannot_edit']);
      expect(statusAndCode(await ask('media/4', { method: 'DELETE' }))).toEqual([401, 'rest_cannot_delete']);
    });
  });
});
