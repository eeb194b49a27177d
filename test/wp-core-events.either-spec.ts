import sql from 'sql-template-tag';
import { Hooks } from '../src/common/hooks/hooks.js';
import { queryHook } from '../src/wordpress/posts/post-visibility.js';
import { REST_BASE_URL } from './support/app.js';
import { CALLERS, type Caller } from './support/calendar-client.js';
import { type Ask, askOf, type ProtocolResponse } from './support/protocol-client.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const STAFF: readonly Caller[] = ['editor', 'admin'];

type Listed = Record<string, unknown> & { id: number };

const listed = ({ body }: ProtocolResponse) => body as unknown as Listed[];
const idsOf = (received: ProtocolResponse) => listed(received).map(({ id }) => id);
const statusAndCode = ({ status, body }: ProtocolResponse) => [status, body['code']];

describeEither('events in wp/v2', (database) => {
  let fixture: WriteFixture;
  let ask: Ask;

  beforeAll(async () => {
    fixture = await openWriteFixture(database);
    const core = askOf(fixture.app.url);
    ask = (path, request) => core(`/wp/v2/tribe_events${path}`, request);
  });
  afterAll(() => fixture?.close());

  const create = async (fields: object, caller: Caller = 'admin') =>
    Number((await fixture.create({ ...fields }, caller))['id']);
  const searchFor = (text: string, more = '') => `?search=${encodeURIComponent(text)}${more}`;

  it('have the same members as in WordPress', async () => {
    const id = await create({
      title: 'Fish "and" chips',
      description: 'About <b>it</b>',
      categories: 'music',
      tags: 'outdoor',
      image: '4',
    });
    const { body: own } = await fixture.send('anonymous', 'GET', `/events/${id}`);
    const { status, body } = await ask(`/${id}`);
    const href = (path: string) => [{ href: `${REST_BASE_URL}/wp/v2/${path}` }];
    const embeddable = (path: string) => [{ embeddable: true, href: `${REST_BASE_URL}/wp/v2/${path}` }];
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      date: String(own['date']).replace(' ', 'T'),
      date_gmt: String(own['date_utc']).replace(' ', 'T'),
      guid: { rendered: expect.stringContaining('http') },
      modified: String(own['modified']).replace(' ', 'T'),
      modified_gmt: String(own['modified_utc']).replace(' ', 'T'),
      slug: own['slug'],
      status: 'publish',
      type: 'tribe_events',
      link: own['url'],
      title: { rendered: 'Fish &#8220;and&#8221; chips' },
      content: { rendered: '<p>About <b>it</b></p>\n', protected: false },
      excerpt: { rendered: '<p>About it</p>\n', protected: false },
      author: 1,
      featured_media: 4,
      comment_status: expect.any(String),
      ping_status: expect.any(String),
      template: '',
      meta: [],
      tribe_events_cat: [(own['categories'] as Listed[])[0]?.id],
      tags: [(own['tags'] as Listed[])[0]?.id],
      _links: {
        self: href(`tribe_events/${id}`),
        collection: href('tribe_events'),
        about: href('types/tribe_events'),
        author: embeddable('users/1'),
        replies: embeddable(`comments?post=${id}`),
        'wp:featuredmedia': embeddable('media/4'),
        'wp:attachment': href(`media?parent=${id}`),
        'wp:term': [
          { taxonomy: 'tribe_events_cat', ...embeddable(`tribe_events_cat?post=${id}`)[0] },
          { taxonomy: 'post_tag', ...embeddable(`tags?post=${id}`)[0] },
        ],
        curies: expect.any(Array),
      },
    });
    expect(listed(await ask(`?include=${id}`))).toEqual([body]);
    const embedded = await ask(`/${id}?context=embed`);
    expect(embedded.body).not.toHaveProperty('content');
    expect(embedded.body).toMatchObject({ excerpt: body['excerpt'], title: body['title'] });
    const edited = await ask(`/${id}?context=edit`, { as: 'editor' });
    expect(edited.body).toMatchObject({
      title: { raw: 'Fish "and" chips' },
      content: { raw: 'About <b>it</b>' },
      excerpt: { raw: '' },
      password: '',
    });
  });

  it('have an excerpt of the first 55 words when none is stored', async () => {
    const words = Array.from({ length: 60 }, (_, at) => `w${at}`);
    const id = await create({ description: words.join(' ') });
    const { body } = await ask(`/${id}`);
    const excerpt = `<p>${words.slice(0, 55).join(' ')} [&hellip;]</p>\n`;
    expect(body['excerpt']).toEqual({ rendered: excerpt, protected: false });
    const own = await create({ excerpt: 'Short', description: 'Long' });
    expect((await ask(`/${own}`)).body['excerpt']).toEqual({ rendered: '<p>Short</p>\n', protected: false });
  });

  it('never split a surrogate pair in an excerpt', async () => {
    for (const before of ['', 'a']) {
      const id = await create({ description: before + '😀'.repeat(11_000) });
      const { status, text } = await ask(`/${id}`);
      expect([status, text.match(/\\ud83d(?!\\ude00)/)]).toEqual([200, null]);
    }
  });

  it('are paginated by descending date with totals and links in headers', async () => {
    const ids: number[] = [];
    for (const day of ['01', '02', '03'])
      ids.push(await create({ title: `Paged ${day}`, date: `2090-01-${day} 10:00:00` }));
    const all = await ask(searchFor('Paged'));
    expect(idsOf(all)).toEqual(ids.toReversed());
    expect(all.headers).toMatchObject({ 'x-wp-total': '3', 'x-wp-totalpages': '1' });
    const second = await ask(searchFor('Paged', '&per_page=1&page=2'));
    expect([idsOf(second), second.headers['x-wp-totalpages']]).toEqual([[ids[1]], '3']);
    const url = `<${REST_BASE_URL}/wp/v2/tribe_events?per_page=1&search=Paged`;
    expect(second.headers['link']).toContain(`${url}&page=3>; rel="next"`);
    expect(second.headers['link']).toContain(`${url}>; rel="prev"`);
    expect(idsOf(await ask(searchFor('Paged', '&per_page=1&offset=2')))).toEqual([ids[0]]);
    expect(statusAndCode(await ask(searchFor('Paged', '&page=2')))).toEqual([
      400,
      'rest_post_invalid_page_number',
    ]);
    const none = await ask(searchFor('no such event'));
    expect([none.status, none.text, none.headers['x-wp-total']]).toEqual([200, '[]', '0']);
    expect(Object.keys(listed(await ask(searchFor('Paged', '&_fields=id,title')))[0] ?? {})).toEqual([
      'id',
      'title',
    ]);
  });

  it('are sorted and filtered', async () => {
    const text = 'Sorted';
    const a = await create({ title: `${text} b`, date: '2089-01-01 10:00:00', tags: 'outdoor' });
    const b = await create({ title: `${text} a`, date: '2089-01-03 10:00:00', categories: 'music' });
    const c = await create({ title: 'C', description: text, date: '2089-01-02 10:00:00' }, 'author');
    const tag = ((await ask(`/${a}`)).body['tags'] as number[])[0];
    const category = ((await ask(`/${b}`)).body['tribe_events_cat'] as number[])[0];
    const slug = String((await ask(`/${c}`)).body['slug']);
    for (const [query, ids] of [
      ['&order=asc', [a, c, b]],
      ['&orderby=title&order=asc', [c, b, a]],
      ['&orderby=id', [c, b, a]],
      ['&orderby=relevance', [b, a, c]],
      [`&include=${c},${a}&orderby=include`, [c, a]],
      [`&exclude=${a}`, [b, c]],
      [`&slug=${slug},nope`, [c]],
      ['&author=3', [c]],
      ['&author_exclude=3', [b, a]],
      ['&after=2089-01-01T10:00:00&before=2089-01-03T10:00:00', [c]],
      ['&after=2089-01-02', [b, c]],
      ['&after=9999-12-31T23:59:59-14:00', []],
      ['&modified_before=9999-12-31T23:59:59-14:00', [b, c, a]],
      ['&modified_before=2000-01-01', []],
      ['&modified_after=2000-01-01T00:00:00Z', [b, c, a]],
      [`&tags=${tag}`, [a]],
      [`&tags_exclude=${tag}`, [b, c]],
      [`&tribe_events_cat=${category}`, [b]],
      [`&tribe_events_cat=${category}&tags=${tag}`, []],
      [`&tribe_events_cat=${category}&tags=${tag}&tax_relation=OR`, [b, a]],
      ['&tags=999999', []],
      ['&include=999999', []],
    ] as const) {
      const response = await ask(searchFor(text, query));
      expect([query, response.status, idsOf(response)]).toEqual([query, 200, ids]);
      expect([query, response.headers['x-wp-total']]).toEqual([query, String(ids.length)]);
    }
    expect(statusAndCode(await ask('?orderby=include'))).toEqual([
      400,
      'rest_orderby_include_missing_include',
    ]);
    expect(statusAndCode(await ask('?orderby=relevance'))).toEqual([400, 'rest_no_search_term_defined']);
  });

  it.each([
    ['per_page', ['0', '101', 'x']],
    ['page', ['0', 'x']],
    ['orderby', ['nope', 'DATE']],
    ['order', ['up']],
    ['status', ['nope', 'draft', 'publish,private', 'any']],
    ['after', ['x', '2089-02-31']],
    ['modified_before', ['yesterday']],
    ['include', ['x']],
    ['tags', ['outdoor']],
    ['tax_relation', ['NOT']],
    ['context', ['all']],
  ])('reject %s out of its bounds with 400 rest_invalid_param', async (name, values) => {
    for (const value of values) {
      const response = await ask(`?${name}=${value}`);
      expect([value, ...statusAndCode(response)]).toEqual([value, 400, 'rest_invalid_param']);
      expect(Object.keys((response.body['data'] as { params: object }).params)).toEqual([name]);
    }
  });

  it.each<[string, readonly Caller[]]>([
    ['publish', CALLERS],
    ['private', STAFF],
    ['draft', STAFF],
    ['pending', STAFF],
  ])('with status %s are readable, counted and listed for %j', async (status, allowed) => {
    const title = `Seen ${status}`;
    const id = await create({ title, status });
    for (const as of CALLERS) {
      const isAllowed = allowed.includes(as);
      const denied = as === 'anonymous' ? 401 : 403;
      expect([as, (await ask(`/${id}`, { as })).status]).toEqual([as, isAllowed ? 200 : denied]);
      if (status === 'publish' || !['anonymous', 'subscriber'].includes(as)) {
        const list = await ask(searchFor(title, `&status=${status}`), { as });
        expect([as, idsOf(list), list.headers['x-wp-total']]).toEqual([
          as,
          isAllowed ? [id] : [],
          isAllowed ? '1' : '0',
        ]);
      }
      const plain = await ask(searchFor(title), { as });
      expect([as, idsOf(plain)]).toEqual([as, status === 'publish' ? [id] : []]);
    }
  });

  it('as drafts are listed for their author only', async () => {
    const own = await create({ title: 'Mine or not', status: 'draft' }, 'author');
    await create({ title: 'Mine or not', status: 'draft' });
    expect(idsOf(await ask(searchFor('Mine or not', '&status=draft'), { as: 'author' }))).toEqual([own]);
    expect(idsOf(await ask(searchFor('Mine or not', '&status=any'), { as: 'author' }))).toEqual([own]);
    expect(idsOf(await ask(searchFor('Mine or not', '&status=draft'), { as: 'contributor' }))).toEqual([]);
  });

  it('with context=edit are those that the user may edit', async () => {
    const title = 'To be edited';
    const own = await create({ title }, 'author');
    const other = await create({ title });
    for (const [as, ids] of [
      ['contributor', []],
      ['author', [own]],
      ['editor', [other, own]],
    ] as const) {
      const list = await ask(searchFor(title, '&context=edit&orderby=id'), { as });
      expect([as, list.status, idsOf(list)]).toEqual([as, 200, ids]);
      for (const one of listed(list)) expect(one['content']).toHaveProperty('raw');
    }
    for (const as of ['anonymous', 'subscriber'] as const)
      for (const path of [searchFor(title, '&context=edit'), `/${other}?context=edit`])
        expect(statusAndCode(await ask(path, { as }))).toEqual([
          as === 'anonymous' ? 401 : 403,
          'rest_forbidden_context',
        ]);
    expect(statusAndCode(await ask(`/${other}?context=edit`, { as: 'author' }))).toEqual([
      403,
      'rest_forbidden_context',
    ]);
  });

  it('with a password contain no content unless the password is sent', async () => {
    const id = await create({ title: 'Locked away', description: 'A secret', excerpt: 'Secret too' });
    await fixture.ask(`UPDATE wp_posts SET post_password = 'sesame' WHERE ID = ${id}`);
    const locked = { content: { rendered: '', protected: true }, excerpt: { rendered: '', protected: true } };
    for (const as of ['anonymous', 'author', 'editor'] as const) {
      const { body, text } = await ask(`/${id}`, { as });
      expect(body).toMatchObject(locked);
      expect(text).not.toMatch(/secret|sesame/i);
      const list = await ask(`?include=${id}`, { as });
      expect(listed(list)[0]).toMatchObject(locked);
      expect(list.text).not.toMatch(/secret|sesame/i);
    }
    expect(idsOf(await ask(searchFor('secret')))).not.toContain(id);
    expect(statusAndCode(await ask(`/${id}?password=wrong`))).toEqual([403, 'rest_post_incorrect_password']);
    const { body, headers } = await ask(`/${id}?password=sesame`);
    expect([headers['etag'], statusAndCode(await ask(`/${id}?password=wrong`))]).toEqual([
      undefined,
      [403, 'rest_post_incorrect_password'],
    ]);
    expect(body['content']).toEqual({ rendered: '<p>A secret</p>\n', protected: true });
    const edited = await ask(`/${id}?context=edit`, { as: 'editor' });
    expect(edited.body).toMatchObject({ content: { raw: 'A secret' }, password: 'sesame' });
  });

  it('hidden from listings are readable alone and listed with context=edit only', async () => {
    const id = await create({ title: 'Out of sight', hide_from_listings: true });
    expect(idsOf(await ask(searchFor('Out of sight')))).toEqual([]);
    expect(idsOf(await ask(`?include=${id}`))).toEqual([]);
    expect((await ask(`/${id}`)).status).toBe(200);
    expect(idsOf(await ask(searchFor('Out of sight', '&context=edit'), { as: 'editor' }))).toEqual([id]);
  });

  it('respond 404 to ids of other records, other paths and writes', async () => {
    for (const id of ['4', '999999', '0', '99999999999999999999'])
      expect([id, ...statusAndCode(await ask(`/${id}`))]).toEqual([id, 404, 'rest_post_invalid_id']);
    for (const path of ['/x', '/53/x', '/-53'])
      expect(statusAndCode(await ask(path))).toEqual([404, 'rest_no_route']);
    for (const method of ['POST', 'PUT', 'DELETE'])
      for (const path of ['', '/53'])
        expect(statusAndCode(await ask(path, { method, as: 'admin' }))).toEqual([404, 'rest_no_route']);
    expect((await ask('', { method: 'OPTIONS' })).headers['allow']).toBe('GET');
  });

  it('change at once for anonymous users after an update and a deletion', async () => {
    const id = await create({ title: 'Changing' });
    expect(idsOf(await ask(searchFor('Changing')))).toEqual([id]);
    await fixture.update(id, { title: 'Changing soon' });
    expect(listed(await ask(searchFor('Changing')))[0]).toMatchObject({
      title: { rendered: 'Changing soon' },
    });
    await fixture.send('admin', 'DELETE', `/events/${id}`);
    expect(idsOf(await ask(searchFor('Changing')))).toEqual([]);
    expect(statusAndCode(await ask(`/${id}`))).toEqual([401, 'rest_forbidden']);
  });

  it('take as many statements for eight as for two', async () => {
    for (let count = 0; count < 8; count++) await create({ title: 'Counted', tags: 'outdoor', image: '4' });
    const counts: number[] = [];
    for (const size of [2, 8]) {
      await ask(searchFor('Counted', `&per_page=${size}`), { as: 'author' });
      fixture.app.statements();
      expect(listed(await ask(searchFor('Counted', `&per_page=${size}`), { as: 'author' }))).toHaveLength(
        size,
      );
      const { sql: statements } = fixture.app.statements();
      // Cached terms and users may be read again once a second, whatever the list.
      counts.push(statements.filter((one) => /wp_(posts|postmeta|term_relationships)/.test(one)).length);
    }
    expect(counts[1]).toBe(counts[0]);
    expect(counts[0]).toBeLessThanOrEqual(10);
  });

  it('that a plugin hides are not listed and respond 404', async () => {
    const id = await create({ title: 'Hidden by a plugin' });
    const hooks = fixture.app.nest.get(Hooks);
    hooks.addFilter(queryHook('tribe_events'), (query) => query.where(sql`p.ID <> ${id}`));
    expect(idsOf(await ask(searchFor('Hidden by a plugin'), { as: 'admin' }))).toEqual([]);
    expect(statusAndCode(await ask(`/${id}`, { as: 'admin' }))).toEqual([404, 'rest_post_invalid_id']);
  });

  it('have site settings beside them that only administrators may read', async () => {
    const core = askOf(fixture.app.url);
    for (const as of CALLERS) {
      const response = await core('/wp/v2/settings', { as });
      if (as !== 'admin')
        expect([as, ...statusAndCode(response)]).toEqual([
          as,
          as === 'anonymous' ? 401 : 403,
          'rest_forbidden',
        ]);
      else
        expect(response.body).toMatchObject({
          title: expect.any(String),
          url: 'http://calendar.example.org',
          email: expect.stringContaining('@'),
          timezone: expect.any(String),
          start_of_week: expect.any(Number),
          language: 'en_US',
          use_smilies: expect.any(Boolean),
          posts_per_page: expect.any(Number),
          default_comment_status: expect.stringMatching(/open|closed/),
        });
    }
    expect(
      statusAndCode(await core('/wp/v2/settings', { method: 'POST', as: 'admin', json: { title: 'X' } })),
    ).toEqual([404, 'rest_no_route']);
  });
});
