import sql from 'sql-template-tag';
import { Hooks } from '../src/common/hooks/hooks.js';
import { queryHook } from '../src/wordpress/posts/post-visibility.js';
import type { TermListQuery } from '../src/wordpress/terms/terms.service.js';
import { REST_BASE_URL } from './support/app.js';
import { CALLERS, type Caller } from './support/calendar-client.js';
import { type Ask, askOf, type ProtocolResponse } from './support/protocol-client.js';
import { describeEither } from './support/sites.js';
import { openValidWriteFixture, type WriteFixture } from './support/write-fixture.js';

interface Listed {
  id: number;
  slug: string;
  name: string;
  count: number;
  parent?: number;
}

const listed = ({ body }: ProtocolResponse) => body as unknown as Listed[];
const idsOf = (received: ProtocolResponse) => listed(received).map(({ id }) => id);
const statusAndCode = ({ status, body }: ProtocolResponse) => [status, body['code']];

describeEither('tags and categories in wp/v2', (database) => {
  let fixture: WriteFixture;
  let ask: Ask;

  beforeAll(async () => {
    fixture = await openValidWriteFixture(database);
    const core = askOf(fixture.app.url);
    ask = (path, request) => core(`/wp/v2/${path}`, request);
  });
  afterAll(() => fixture?.close());

  const rejectionOf = async (path: string, request: Parameters<Ask>[1]) =>
    fixture.unchanged(async () => statusAndCode(await ask(path, request)));
  const create = async (path: string, json: object) =>
    Number((await ask(path, { method: 'POST', as: 'admin', json })).body['id']);

  it('have the same members as in WordPress, in lists and alone', async () => {
    for (const [path, taxonomy] of [
      ['tags', 'post_tag'],
      ['tribe_events_cat', 'tribe_events_cat'],
    ] as const) {
      const list = await ask(`${path}?per_page=100`);
      expect(list.status).toBe(200);
      expect(list.headers['x-wp-total']).toBe(String(listed(list).length));
      for (const one of listed(list)) {
        expect(one).toMatchObject({ taxonomy, meta: [], link: expect.stringMatching(/^http/) });
        expect('parent' in one).toBe(path !== 'tags');
        expect((await ask(`${path}/${one.id}`)).body).toEqual(one);
      }
      const [first] = listed(await ask(`${path}?context=embed`));
      expect(Object.keys(first ?? {})).toEqual(['id', 'link', 'name', 'slug', 'taxonomy', '_links']);
    }
  });

  it('equal the terms of the calendar', async () => {
    for (const [path, own] of [
      ['tags', 'tags'],
      ['tribe_events_cat', 'categories'],
    ] as const) {
      const { body } = await askOf(fixture.app.url)(`/cal/events/v1/${own}?hide_empty=0&per_page=50`);
      const terms = body[own] as (Listed & { url: string })[];
      for (const { id, name, slug, count, url } of terms) {
        const response = await ask(`${path}/${id}`);
        expect(response.body).toMatchObject({ id, name, slug, count, link: url });
        const { self } = response.body['_links'] as { self: [{ href: string }] };
        expect(self[0].href).toBe(`${REST_BASE_URL}/wp/v2/${path}/${id}`);
      }
    }
  });

  it('are paginated with totals and links in headers', async () => {
    const all = idsOf(await ask('tags?per_page=100&orderby=id'));
    const second = await ask('tags?per_page=2&page=2&orderby=id');
    expect(idsOf(second)).toEqual(all.slice(2, 4));
    expect(second.headers).toMatchObject({
      'x-wp-total': String(all.length),
      'x-wp-totalpages': String(Math.ceil(all.length / 2)),
    });
    const next = `<${REST_BASE_URL}/wp/v2/tags?per_page=2&orderby=id&page=3>; rel="next"`;
    expect(second.headers['link']).toContain(next);
    expect(second.headers['link']).toContain('tags?per_page=2&orderby=id>; rel="prev"');
    const shifted = await ask('tags?per_page=2&offset=1&orderby=id');
    expect([idsOf(shifted), shifted.headers['link']]).toEqual([
      all.slice(1, 3),
      expect.not.stringContaining('rel="next"'),
    ]);
    const past = await ask('tags?page=99');
    expect([past.status, past.text]).toEqual([200, '[]']);
    expect((await ask('tags')).headers['x-wp-totalpages']).toBe(String(Math.ceil(all.length / 10)));
  });

  it('list the permitted methods in Allow for OPTIONS as for GET', async () => {
    for (const as of ['anonymous', 'contributor', 'editor'] as const) {
      const [read, options] = [await ask('tags', { as }), await ask('tags', { as, method: 'OPTIONS' })];
      expect([as, options.headers['allow']]).toEqual([as, as === 'anonymous' ? 'GET' : 'GET, POST']);
      expect(read.headers['allow']).toBe(options.headers['allow']);
    }
  });

  it('are sorted and filtered', async () => {
    const all = idsOf(await ask('tags?per_page=100&orderby=id'));
    const [a = 0, b = 0, c = 0] = all;
    expect(idsOf(await ask('tags?per_page=100&orderby=id&order=desc'))).toEqual(all.toReversed());
    expect(idsOf(await ask(`tags?include=${c},${a}&orderby=include`))).toEqual([c, a]);
    expect(idsOf(await ask(`tags?include[]=${c}&include[]=${a}&orderby=id`))).toEqual([a, c]);
    expect(idsOf(await ask(`tags?per_page=100&orderby=id&exclude=${a},${b}`))).toEqual(all.slice(2));
    const tags = listed(await ask(`tags?include=${a},${b}&orderby=id`));
    const [one, other] = tags.map(({ slug }) => slug);
    expect(idsOf(await ask(`tags?slug=${one},${other},nope&orderby=id`))).toEqual([a, b]);
    expect(idsOf(await ask('tags?slug=nope'))).toEqual([]);
    expect(idsOf(await ask('tags?include=999999'))).toEqual([]);
    const empty = await create('tags', { name: 'Nothing has this' });
    expect(idsOf(await ask('tags?search=nothing%20has'))).toEqual([empty]);
    expect(idsOf(await ask('tags?search=nothing%20has&hide_empty=true'))).toEqual([]);
    const counts = listed(await ask('tags?per_page=100&hide_empty=1&orderby=count&order=desc')).map(
      ({ count }) => count,
    );
    expect(counts).toEqual(counts.toSorted((x, y) => y - x));
    expect(counts.at(-1)).toBeGreaterThan(0);
    const top = await create('tribe_events_cat', { name: 'Above' });
    const below = await create('tribe_events_cat', { name: 'Below', parent: top });
    expect(idsOf(await ask(`tribe_events_cat?parent=${top}`))).toEqual([below]);
    expect(idsOf(await ask('tribe_events_cat?parent=0&per_page=100'))).not.toContain(below);
    expect((await ask(`tribe_events_cat/${below}`)).body).toMatchObject({
      parent: top,
      link: expect.stringContaining('/above/below/'),
    });
  });

  it('of a post are listed for users who may read it', async () => {
    const { id } = await fixture.create({ tags: 'outdoor', categories: 'music' });
    expect(listed(await ask(`tags?post=${id}`)).map(({ slug }) => slug)).toEqual(['outdoor']);
    expect(listed(await ask(`tribe_events_cat?post=${id}`)).map(({ slug }) => slug)).toEqual(['music']);
    await fixture.update(id, { status: 'draft' });
    for (const as of CALLERS) {
      const response = await ask(`tags?post=${id}`, { as });
      const count = as === 'editor' || as === 'admin' ? 1 : 0;
      expect([as, listed(response).length, response.headers['x-wp-total']]).toEqual([
        as,
        count,
        String(count),
      ]);
    }
    expect(idsOf(await ask('tags?post=999999'))).toEqual([]);
  });

  it.each([
    ['per_page', ['0', '101', '-1', 'x', '1.5']],
    ['page', ['0', 'x']],
    ['offset', ['-1', 'x']],
    ['orderby', ['nope', 'NAME', '']],
    ['order', ['up', 'ASC']],
    ['include', ['x', '1,x', '-1']],
    ['exclude', ['1;2']],
    ['hide_empty', ['maybe']],
    ['post', ['x']],
    ['search', ['x'.repeat(1601)]],
    ['context', ['all']],
  ])('reject %s out of its bounds with 400 rest_invalid_param', async (name, values) => {
    for (const value of values) {
      const response = await ask(`tags?${name}=${value}`);
      expect([value, ...statusAndCode(response)]).toEqual([value, 400, 'rest_invalid_param']);
      expect(Object.keys((response.body['data'] as { params: object }).params)).toEqual([name]);
    }
  });

  it('respond 404 to ids of other taxonomies, other paths and DELETE', async () => {
    for (const path of [
      'tags/999999',
      'tags/3',
      'tribe_events_cat/20',
      'tags/0',
      'tags/99999999999999999999',
    ])
      expect([path, ...statusAndCode(await ask(path))]).toEqual([path, 404, 'rest_term_invalid']);
    for (const path of ['tags/x', 'tags/20/x', 'tags/-20'])
      expect(statusAndCode(await ask(path))).toEqual([404, 'rest_no_route']);
    expect(statusAndCode(await ask('tags/20', { method: 'DELETE', as: 'admin' }))).toEqual([
      404,
      'rest_no_route',
    ]);
  });

  it('are readable with context=edit for users who may edit them', async () => {
    const allowed: Record<string, readonly Caller[]> = {
      tags: ['editor', 'admin'],
      tribe_events_cat: ['author', 'editor', 'admin'],
    };
    for (const [path, callers] of Object.entries(allowed))
      for (const as of CALLERS)
        for (const place of [path, `${path}/${path === 'tags' ? 20 : 3}`]) {
          const response = await ask(`${place}?context=edit`, { as });
          if (callers.includes(as)) expect([as, response.status]).toEqual([as, 200]);
          else
            expect([as, ...statusAndCode(response)]).toEqual([
              as,
              as === 'anonymous' ? 401 : 403,
              'rest_forbidden_context',
            ]);
        }
  });

  it('are created by users who may assign tags or manage categories', async () => {
    const allowed: Record<string, readonly Caller[]> = {
      tags: ['contributor', 'author', 'editor', 'admin'],
      tribe_events_cat: ['author', 'editor', 'admin'],
    };
    for (const [path, callers] of Object.entries(allowed))
      for (const as of CALLERS) {
        const request = {
          method: 'POST',
          as,
          json: { name: `New by ${as}`, description: 'Some <b>text</b>' },
        };
        if (!callers.includes(as)) {
          expect([as, ...(await rejectionOf(path, request))]).toEqual([
            as,
            as === 'anonymous' ? 401 : 403,
            'rest_cannot_create',
          ]);
          continue;
        }
        const { status, body, headers } = await ask(path, request);
        expect([as, status]).toEqual([as, 201]);
        expect(body).toMatchObject({
          name: `New by ${as}`,
          slug: `new-by-${as}`,
          count: 0,
          description: 'Some <b>text</b>',
        });
        expect(headers['location']).toBe(`${REST_BASE_URL}/wp/v2/${path}/${body['id']}`);
        expect((await ask(`${path}/${body['id']}`)).body).toMatchObject({ slug: `new-by-${as}` });
        const allow = (await ask(path, { as })).headers['allow'];
        expect(allow).toBe('GET, POST');
      }
    expect((await ask('tags')).headers['allow']).toBe('GET');
  });

  it('are rejected with the codes of WordPress, and nothing is written', async () => {
    const post = (path: string, json: object) => rejectionOf(path, { method: 'POST', as: 'admin', json });
    expect(await post('tags', {})).toEqual([400, 'rest_missing_callback_param']);
    expect(await post('tags', { name: '' })).toEqual([400, 'empty_term_name']);
    expect(await post('tags', { name: ['x'] })).toEqual([400, 'rest_invalid_param']);
    expect(await post('tags', { name: 'x'.repeat(201) })).toEqual([400, 'db_insert_error']);
    expect(await post('tags', { name: 'Outdoor' })).toEqual([400, 'term_exists']);
    expect(await post('tags', { name: 'X', parent: 20 })).toEqual([400, 'rest_taxonomy_not_hierarchical']);
    expect(await post('tribe_events_cat', { name: 'X', parent: 999_999 })).toEqual([
      400,
      'rest_term_invalid',
    ]);
    const { body } = await ask('tags', { method: 'POST', as: 'admin', json: { name: 'Outdoor' } });
    expect(body['data']).toMatchObject({ status: 400, term_id: 20 });
  });

  it('are updated in the sent fields by users who may manage them', async () => {
    const id = await create('tags', { name: 'Before', description: 'Kept', slug: 'before' });
    for (const as of ['anonymous', 'subscriber', 'contributor', 'author'] as const)
      expect([as, ...(await rejectionOf(`tags/${id}`, { method: 'POST', as, json: { name: 'X' } }))]).toEqual(
        [as, as === 'anonymous' ? 401 : 403, 'rest_cannot_update'],
      );
    for (const [method, json, expected] of [
      ['POST', { name: 'After' }, { name: 'After', slug: 'before', description: 'Kept' }],
      ['PUT', { slug: 'after' }, { name: 'After', slug: 'after', description: 'Kept' }],
      ['PATCH', { description: '' }, { name: 'After', slug: 'after', description: '' }],
    ] as const) {
      const { status, body } = await ask(`tags/${id}`, { method, as: 'editor', json });
      expect([method, status]).toEqual([method, 200]);
      expect(body).toMatchObject(expected);
      expect((await ask(`tags/${id}`)).body).toMatchObject(expected);
    }
    expect(
      await rejectionOf(`tags/${id}`, { method: 'POST', as: 'admin', json: { slug: 'outdoor' } }),
    ).toEqual([400, 'duplicate_term_slug']);
    expect(await rejectionOf('tags/999999', { method: 'POST', as: 'admin', json: { name: 'X' } })).toEqual([
      404,
      'rest_term_invalid',
    ]);
    const allow = (await ask(`tags/${id}`, { as: 'editor' })).headers['allow'];
    expect(allow).toBe('GET, POST, PUT, PATCH');
    expect((await ask(`tags/${id}`, { as: 'author' })).headers['allow']).toBe('GET');
  });

  it('are reduced to the members that _fields names, in lists and alone', async () => {
    const [first] = listed(await ask('tags?_fields=id,slug'));
    expect(Object.keys(first ?? {})).toEqual(['id', 'slug']);
    expect(Object.keys((await ask('tags/20?_fields=name,_links.self')).body)).toEqual(['name', '_links']);
  });

  it('that a plugin hides are not listed and respond 404', async () => {
    const id = await create('tags', { name: 'Hidden by a plugin' });
    const hooks = fixture.app.nest.get(Hooks);
    hooks.addFilter(queryHook<TermListQuery>('post_tag'), (query) => ({
      ...query,
      where: [...(query.where ?? []), sql`t.term_id <> ${id}`],
    }));
    expect(idsOf(await ask('tags?search=hidden%20by'))).toEqual([]);
    expect(statusAndCode(await ask(`tags/${id}`))).toEqual([404, 'rest_term_invalid']);
    expect(await rejectionOf(`tags/${id}`, { method: 'POST', as: 'admin', json: { name: 'X' } })).toEqual([
      404,
      'rest_term_invalid',
    ]);
  });
});
