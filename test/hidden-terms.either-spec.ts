import { Module } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Hooks } from '../src/common/hooks/hooks.js';
import { postHooks, termHooks } from '../src/resources/base/resource-hooks.js';
import { CATEGORY } from '../src/resources/categories/category-type.js';
import { EVENT } from '../src/resources/events/event-type.js';
import { TAG } from '../src/resources/tags/tag-type.js';
import { startApp, type TestApp } from './support/app.js';
import { type Caller, clientOf, type Send } from './support/calendar-client.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const UNKNOWN_ID = 9_999_999;
const DAY = { start_date: '2031-03-01 10:00:00', end_date: '2031-03-01 11:00:00' };
const DAY_QUERY = 'start_date=2031-03-01&end_date=2031-03-01';

let hooks: Hooks;

@Module({})
class Plugin {
  constructor(idsOfPath: Hooks) {
    hooks = idsOfPath;
  }
}

describeEither('terms that plugins hide', (database) => {
  let site: Site;
  let app: TestApp;
  let send: Send;
  /** By path: a term visible to administrators only, a child of it, and a public one. */
  const ids: Record<string, { hidden: number; below: number; open: number }> = {};
  let event: number;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, plugins: [Plugin] });
    send = clientOf(app.url);
    const create = async (path: string, fields: object) =>
      Number((await send('admin', 'POST', path, fields)).body['id']);
    for (const path of ['/categories', '/tags']) {
      const hidden = await create(path, { name: 'Secret & more' });
      const parent = path === '/categories' ? { parent: hidden } : {};
      const child = await create(path, { name: 'Below', ...parent });
      ids[path] = { hidden, below: child, open: await create(path, { name: 'Open' }) };
    }
    const sent = {
      ...DAY,
      title: 'Carries all',
      categories: [ids['/categories']?.hidden, ids['/categories']?.open],
      tags: [ids['/tags']?.hidden, ids['/tags']?.open],
    };
    event = Number((await send('admin', 'POST', '/events', sent)).body['id']);
    for (const [kind, path] of [
      [CATEGORY, '/categories'],
      [TAG, '/tags'],
    ] as const)
      hooks.addFilter(termHooks(kind).query, (list, { context }) =>
        context.access.can('manage_options')
          ? list
          : { ...list, exclude: [...(list.exclude ?? []), ids[path]?.hidden ?? 0] },
      );
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const normalizedResponse = async (
    caller: Caller,
    method: string,
    path: string,
    id: number,
    body?: object,
  ) => {
    const response = await send(caller, method, path.replaceAll('ID', String(id)), body);
    return [response.status, JSON.parse(JSON.stringify(response.body).replaceAll(String(id), 'ID'))];
  };
  const rowsOf = (id: unknown) =>
    app.dataSource.query(`SELECT t.name, x.parent, x.description FROM wp_terms t
      JOIN wp_term_taxonomy x ON x.term_id = t.term_id WHERE t.term_id = ${id}`);
  const termsOf = (id: unknown): Promise<{ term_id: number }[]> =>
    app.dataSource.query(`SELECT x.term_id AS term_id FROM wp_term_relationships r
      JOIN wp_term_taxonomy x ON x.term_taxonomy_id = r.term_taxonomy_id WHERE r.object_id = ${id} ORDER BY x.term_id`);

  describe.each(['/categories', '/tags'])('%s', (path) => {
    const idsOfPath = () => ids[path] ?? { hidden: 0, below: 0, open: 0 };
    const filter = path.slice(1);

    it.each(['anonymous', 'editor'] as const)('are the same as an unknown id to %s', async (caller) => {
      for (const [method, target, body] of [
        ['GET', `${path}/ID`, undefined],
        ['PUT', `${path}/ID`, { name: 'Taken over' }],
        ['DELETE', `${path}/ID`, undefined],
        ['GET', `${path}?include=ID`, undefined],
        ['GET', `${path}?exclude=ID`, undefined],
        ['GET', `/events?${DAY_QUERY}&${filter}=ID`, undefined],
        ...(path === '/categories'
          ? ([
              ['GET', `${path}?parent=ID`, undefined],
              ['POST', path, { name: 'Child', parent: 'ID' }],
            ] as const)
          : []),
      ] as const) {
        const sent = (id: number) =>
          body && (JSON.parse(JSON.stringify(body).replace('"ID"', String(id))) as object);
        expect([
          method,
          target,
          await normalizedResponse(caller, method, target, idsOfPath().hidden, sent(idsOfPath().hidden)),
        ]).toEqual([
          method,
          target,
          await normalizedResponse(caller, method, target, UNKNOWN_ID, sent(UNKNOWN_ID)),
        ]);
      }
      expect(await rowsOf(idsOfPath().hidden)).toMatchObject([{ name: 'Secret &amp; more' }]);
    });

    it('are not found by slug or name', async () => {
      for (const name of ['secret-more', 'Secret %26 more', 'SECRET-MORE'])
        expect((await send('editor', 'GET', `/events?${DAY_QUERY}&${filter}=${name}`)).status).toBe(400);
      expect((await send('editor', 'GET', `/events?${DAY_QUERY}&${filter}=open`)).body['total']).toBe(1);
      expect((await send('admin', 'GET', `/events?${DAY_QUERY}&${filter}=secret-more`)).body['total']).toBe(
        1,
      );
    });

    it('are omitted from events', async () => {
      const rendered = async (caller: Caller) => {
        const { body } = await send(caller, 'GET', `/events/${event}`);
        return (body[filter] as { id: number }[]).map(({ id }) => id).toSorted((a, b) => a - b);
      };
      expect(await rendered('anonymous')).toEqual([idsOfPath().open]);
      expect(await rendered('admin')).toEqual([idsOfPath().hidden, idsOfPath().open]);
    });

    it('cannot be assigned to events', async () => {
      for (const item of [
        idsOfPath().hidden,
        String(idsOfPath().hidden),
        'Secret & more',
        ' secret-more',
        'SECRET &amp; MORE',
      ]) {
        const sent = { ...DAY, title: 'Wants it', [filter]: [item, idsOfPath().open] };
        const { status, body } = await send('editor', 'POST', '/events', sent);
        expect([item, status, await termsOf(body['id'])]).toEqual([
          item,
          201,
          [{ term_id: idsOfPath().open }],
        ]);
        await send('admin', 'DELETE', `/events/${body['id']}`);
      }
      const { body } = await send('admin', 'POST', '/events', {
        ...DAY,
        title: 'Has it',
        [filter]: [idsOfPath().hidden],
      });
      expect(await termsOf(body['id'])).toEqual([{ term_id: idsOfPath().hidden }]);
      await send('admin', 'DELETE', `/events/${body['id']}`);
    });
  });

  it('do not count events that plugins hide', async () => {
    const createTerm = async (path: string, name: string, more = {}) =>
      (await send('admin', 'POST', path, { name, ...more })).body as { id: number };
    const above = await createTerm('/categories', 'Counted above');
    const mixed = await createTerm('/categories', 'Counted mixed', { parent: above.id });
    const secret = await createTerm('/categories', 'Counted secret');
    const tag = await createTerm('/tags', 'Counted tag');
    const day = { start_date: '2031-04-01 10:00:00', end_date: '2031-04-01 11:00:00', tags: [tag.id] };
    for (const [title, categories] of [
      ['Members only', [mixed.id, secret.id]],
      ['Members only', [mixed.id]],
      ['For all', [mixed.id]],
      ['Not yet', [secret.id]],
    ] as const)
      await send('admin', 'POST', '/events', {
        ...day,
        title,
        categories,
        status: title === 'Not yet' ? 'draft' : 'publish',
      });
    hooks.addFilter(postHooks(EVENT).query, (list, { context }) =>
      context.access.can('manage_options') ? list : list.where(sql`p.post_title <> 'Members only'`),
    );
    interface Counted {
      name: string;
      count: number;
      categories?: Counted[];
    }
    const totalAndCounts = async (caller: Caller, path: string) => {
      const { body } = await send(caller, 'GET', path);
      const list = Object.values(body).find((value) => Array.isArray(value)) as Counted[];
      const terms = list.flatMap((one) => one.categories ?? [one]);
      return [body['total'], terms.map(({ name, count }) => `${name} ${count}`)];
    };
    const search = '/categories?search=Counted&orderby=count&order=desc';
    expect(await totalAndCounts('anonymous', search)).toEqual([1, ['Counted mixed 1', 'Counted above 0']]);
    expect(await totalAndCounts('admin', search)).toEqual([
      2,
      ['Counted mixed 3', 'Counted secret 1', 'Counted above 0'],
    ]);
    expect(await totalAndCounts('editor', `${search}&hide_empty=0`)).toEqual([
      3,
      ['Counted mixed 1', 'Counted above 0', 'Counted secret 0'],
    ]);
    expect(await totalAndCounts('anonymous', '/tags?search=Counted')).toEqual([1, ['Counted tag 1']]);
    expect(await totalAndCounts('anonymous', '/events?start_date=2031-04-01&end_date=2031-04-01')).toEqual([
      1,
      ['Counted mixed 1'],
    ]);
    for (const [caller, count] of [
      ['anonymous', 1],
      ['admin', 3],
    ] as const)
      expect((await send(caller, 'GET', `/categories/${mixed.id}`)).body).toMatchObject({ count });
    const renamed = await send('editor', 'PUT', `/categories/${mixed.id}`, { description: 'Once more' });
    expect(renamed.body).toMatchObject({ count: 1 });
    expect((await send('editor', 'DELETE', `/categories/${mixed.id}`)).body).toMatchObject({ count: 1 });
  });

  it('are not embedded as parents of visible terms', async () => {
    const get = async (caller: Caller) =>
      (await send(caller, 'GET', `/categories/${ids['/categories']?.below}?_embed`)).body;
    expect(await get('editor')).not.toHaveProperty('_embedded');
    expect(await get('admin')).toHaveProperty('_embedded');
  });

  it('are not named as parents of visible terms in any format or order', async () => {
    const { hidden = 0, below: child = 0 } = ids['/categories'] ?? {};
    const childEvent = await send('admin', 'POST', '/events', {
      ...DAY,
      title: 'Below',
      categories: [child],
    });
    const mentions = (body: unknown) =>
      new RegExp(`secret-more|[^0-9]${hidden}[^0-9]`).test(JSON.stringify(body));
    for (const path of [
      `/categories/${child}`,
      `/categories/${child}?_embed&_fields=parent,urls,_links`,
      `/categories?include=${child}`,
      `/events/${childEvent.body['id']}`,
    ]) {
      const [forEditor, forAdmin] = [await send('editor', 'GET', path), await send('admin', 'GET', path)];
      const found = JSON.stringify(forEditor.body).includes(`categories/${child}`);
      expect([path, forEditor.status, found, mentions(forEditor.body)]).toEqual([path, 200, true, false]);
      expect([path, mentions(forAdmin.body)]).toEqual([path, true]);
    }
    const parentIds = async (caller: Caller) => {
      const { body } = await send(caller, 'GET', `/categories?orderby=parent&hide_empty=0&per_page=50`);
      return (body['categories'] as { parent: number }[]).map(({ parent }) => parent);
    };
    for (const caller of ['editor', 'admin'] as const) {
      const parents = await parentIds(caller);
      expect(parents).toEqual(parents.toSorted((a, b) => a - b));
    }
    const sent = { description: 'Whatever is above' };
    const changed = await send('editor', 'PUT', `/categories/${child}`, sent);
    expect(changed.body).toMatchObject({ ...sent, parent: 0 });
    expect(await rowsOf(child)).toMatchObject([{ ...sent, parent: hidden }]);
    await send('admin', 'DELETE', `/events/${childEvent.body['id']}`);
  });

  it('are not named in a term_exists error', async () => {
    for (const path of ['/categories', '/tags']) {
      const createTaken = async (caller: Caller) => {
        const { status, body } = await send(caller, 'POST', path, { name: 'Secret & more' });
        return [status, body['code'], body['data'], body['additional_data']];
      };
      const { hidden } = ids[path] ?? {};
      const data = { status: 400, term_id: hidden };
      expect(await createTaken('admin')).toEqual([400, 'term_exists', data, [hidden, hidden]]);
      expect(await createTaken('editor')).toEqual([400, 'term_exists', { status: 400 }, undefined]);
      expect(await app.dataSource.query("SELECT name FROM wp_terms WHERE name LIKE 'Secret%'")).toHaveLength(
        2,
      );
    }
  });

  it('are still returned by the request that creates them', async () => {
    hooks.addFilter(termHooks(TAG).query, (list, { context }) =>
      context.access.can('manage_options') ? list : { ...list, search: 'Open' },
    );
    const { status, body } = await send('editor', 'POST', '/tags', { name: 'Unseen' });
    expect([status, body['name']]).toEqual([201, 'Unseen']);
    expect((await send('editor', 'GET', `/tags/${body['id']}`)).status).toBe(400);
  });
});
