import { Module } from '@nestjs/common';
import sql from 'sql-template-tag';
import { CATEGORY } from '../src/resources/categories/category-type.js';
import { EVENT } from '../src/resources/events/event-type.js';
import { Hooks } from '../src/common/hooks/hooks.js';
import { postHooks, termHooks } from '../src/resources/base/resource-hooks.js';
import { TAG } from '../src/resources/tags/tag-type.js';
import { startApp, type TestApp } from './support/app.js';
import { type Caller, clientOf, type Send } from './support/calendar-client.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const UNUSED_USER_ID = 9_999_999;
const DAY = { start_date: '2031-03-01 10:00:00', end_date: '2031-03-01 11:00:00' };
const ON_DAY = 'start_date=2031-03-01&end_date=2031-03-01';

let hooks: Hooks;

@Module({})
class Plugin {
  constructor(own: Hooks) {
    hooks = own;
  }
}

describeEither('terms that plugins hide', (database) => {
  let site: Site;
  let app: TestApp;
  let send: Send;
  /** By path: a term that only administrators may know of, one below it, and one for all. */
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
      const below = await create(path, { name: 'Below', ...parent });
      ids[path] = { hidden, below, open: await create(path, { name: 'Open' }) };
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

  const told = async (caller: Caller, method: string, path: string, id: number, body?: object) => {
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
    const own = () => ids[path] ?? { hidden: 0, below: 0, open: 0 };
    const filter = path.slice(1);

    it.each(['anonymous', 'editor'] as const)('are to %s what an unknown id is', async (caller) => {
      for (const [method, where, body] of [
        ['GET', `${path}/ID`, undefined],
        ['PUT', `${path}/ID`, { name: 'Taken over' }],
        ['DELETE', `${path}/ID`, undefined],
        ['GET', `${path}?include=ID`, undefined],
        ['GET', `${path}?exclude=ID`, undefined],
        ['GET', `/events?${ON_DAY}&${filter}=ID`, undefined],
        ...(path === '/categories'
          ? ([
              ['GET', `${path}?parent=ID`, undefined],
              ['POST', path, { name: 'Child', parent: 'ID' }],
            ] as const)
          : []),
      ] as const) {
        const sent = (id: number) =>
          body && (JSON.parse(JSON.stringify(body).replace('"ID"', String(id))) as object);
        expect([method, where, await told(caller, method, where, own().hidden, sent(own().hidden))]).toEqual([
          method,
          where,
          await told(caller, method, where, UNUSED_USER_ID, sent(UNUSED_USER_ID)),
        ]);
      }
      expect(await rowsOf(own().hidden)).toMatchObject([{ name: 'Secret &amp; more' }]);
    });

    it('are not found by their slug or name either', async () => {
      for (const name of ['secret-more', 'Secret %26 more', 'SECRET-MORE'])
        expect((await send('editor', 'GET', `/events?${ON_DAY}&${filter}=${name}`)).status).toBe(400);
      expect((await send('editor', 'GET', `/events?${ON_DAY}&${filter}=open`)).body['total']).toBe(1);
      expect((await send('admin', 'GET', `/events?${ON_DAY}&${filter}=secret-more`)).body['total']).toBe(1);
    });

    it('stand in no event', async () => {
      const rendered = async (caller: Caller) => {
        const { body } = await send(caller, 'GET', `/events/${event}`);
        return (body[filter] as { id: number }[]).map(({ id }) => id).toSorted((a, b) => a - b);
      };
      expect(await rendered('anonymous')).toEqual([own().open]);
      expect(await rendered('admin')).toEqual([own().hidden, own().open]);
    });

    it('are not given to events', async () => {
      for (const item of [
        own().hidden,
        String(own().hidden),
        'Secret & more',
        ' secret-more',
        'SECRET &amp; MORE',
      ]) {
        const sent = { ...DAY, title: 'Wants it', [filter]: [item, own().open] };
        const { status, body } = await send('editor', 'POST', '/events', sent);
        expect([item, status, await termsOf(body['id'])]).toEqual([item, 201, [{ term_id: own().open }]]);
        await send('admin', 'DELETE', `/events/${body['id']}`);
      }
      const { body } = await send('admin', 'POST', '/events', {
        ...DAY,
        title: 'Has it',
        [filter]: [own().hidden],
      });
      expect(await termsOf(body['id'])).toEqual([{ term_id: own().hidden }]);
      await send('admin', 'DELETE', `/events/${body['id']}`);
    });
  });

  it('are not counted for events that plugins hide', async () => {
    const make = async (path: string, name: string, more = {}) =>
      (await send('admin', 'POST', path, { name, ...more })).body as { id: number };
    const above = await make('/categories', 'Counted above');
    const mixed = await make('/categories', 'Counted mixed', { parent: above.id });
    const secret = await make('/categories', 'Counted secret');
    const tag = await make('/tags', 'Counted tag');
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
    const short = async (caller: Caller, path: string) => {
      const { body } = await send(caller, 'GET', path);
      const list = Object.values(body).find((value) => Array.isArray(value)) as Counted[];
      const terms = list.flatMap((one) => one.categories ?? [one]);
      return [body['total'], terms.map(({ name, count }) => `${name} ${count}`)];
    };
    const search = '/categories?search=Counted&orderby=count&order=desc';
    expect(await short('anonymous', search)).toEqual([1, ['Counted mixed 1', 'Counted above 0']]);
    expect(await short('admin', search)).toEqual([
      2,
      ['Counted mixed 3', 'Counted secret 1', 'Counted above 0'],
    ]);
    expect(await short('editor', `${search}&hide_empty=0`)).toEqual([
      3,
      ['Counted mixed 1', 'Counted above 0', 'Counted secret 0'],
    ]);
    expect(await short('anonymous', '/tags?search=Counted')).toEqual([1, ['Counted tag 1']]);
    expect(await short('anonymous', '/events?start_date=2031-04-01&end_date=2031-04-01')).toEqual([
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

  it('are not embedded into what lies below them', async () => {
    const get = async (caller: Caller) =>
      (await send(caller, 'GET', `/categories/${ids['/categories']?.below}?_embed`)).body;
    expect(await get('editor')).not.toHaveProperty('_embedded');
    expect(await get('admin')).toHaveProperty('_embedded');
  });

  it('are not named as the parent of what lies below them, in no form and no order', async () => {
    const { hidden = 0, below = 0 } = ids['/categories'] ?? {};
    const carrier = await send('admin', 'POST', '/events', { ...DAY, title: 'Below', categories: [below] });
    const mentions = (body: unknown) =>
      new RegExp(`secret-more|[^0-9]${hidden}[^0-9]`).test(JSON.stringify(body));
    for (const path of [
      `/categories/${below}`,
      `/categories/${below}?_embed&_fields=parent,urls,_links`,
      `/categories?include=${below}`,
      `/events/${carrier.body['id']}`,
    ]) {
      const [toEditor, toAdmin] = [await send('editor', 'GET', path), await send('admin', 'GET', path)];
      const found = JSON.stringify(toEditor.body).includes(`categories/${below}`);
      expect([path, toEditor.status, found, mentions(toEditor.body)]).toEqual([path, 200, true, false]);
      expect([path, mentions(toAdmin.body)]).toEqual([path, true]);
    }
    const places = async (caller: Caller) => {
      const { body } = await send(caller, 'GET', `/categories?orderby=parent&hide_empty=0&per_page=50`);
      return (body['categories'] as { parent: number }[]).map(({ parent }) => parent);
    };
    for (const caller of ['editor', 'admin'] as const) {
      const parents = await places(caller);
      expect(parents).toEqual(parents.toSorted((a, b) => a - b));
    }
    const sent = { description: 'Whatever is above' };
    const changed = await send('editor', 'PUT', `/categories/${below}`, sent);
    expect(changed.body).toMatchObject({ ...sent, parent: 0 });
    expect(await rowsOf(below)).toMatchObject([{ ...sent, parent: hidden }]);
    await send('admin', 'DELETE', `/events/${carrier.body['id']}`);
  });

  it('are not named where their name is taken', async () => {
    for (const path of ['/categories', '/tags']) {
      const taken = async (caller: Caller) => {
        const { status, body } = await send(caller, 'POST', path, { name: 'Secret & more' });
        return [status, body['code'], body['data'], body['additional_data']];
      };
      const { hidden } = ids[path] ?? {};
      const known = { status: 400, term_id: hidden };
      expect(await taken('admin')).toEqual([400, 'term_exists', known, [hidden, hidden]]);
      expect(await taken('editor')).toEqual([400, 'term_exists', { status: 400 }, undefined]);
      expect(await app.dataSource.query("SELECT name FROM wp_terms WHERE name LIKE 'Secret%'")).toHaveLength(
        2,
      );
    }
  });

  it('may be made by somebody who is shown them once', async () => {
    hooks.addFilter(termHooks(TAG).query, (list, { context }) =>
      context.access.can('manage_options') ? list : { ...list, search: 'Open' },
    );
    const { status, body } = await send('editor', 'POST', '/tags', { name: 'Unseen' });
    expect([status, body['name']]).toEqual([201, 'Unseen']);
    expect((await send('editor', 'GET', `/tags/${body['id']}`)).status).toBe(400);
  });
});
