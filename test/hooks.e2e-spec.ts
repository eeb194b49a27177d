import { BadRequestException, Module } from '@nestjs/common';
import sql from 'sql-template-tag';
import { RestException } from '../src/common/errors/rest-exception.js';
import { Hooks } from '../src/common/hooks/hooks.js';
import { Database } from '../src/database/database.js';
import { postHooks, termHooks } from '../src/resources/base/resource-hooks.js';
import { CATEGORY } from '../src/resources/categories/category-type.js';
import { EVENT } from '../src/resources/events/event-type.js';
import { TAG } from '../src/resources/tags/tag-type.js';
import { VENUE } from '../src/resources/venues/venue-type.js';
import { startTestServer, type TestServer } from '../src/testing.js';
import { PostsService } from '../src/wordpress/posts/posts.service.js';

const API = '/cal/events/v1';
const DAY = { start_date: '2030-01-20 20:00:00', end_date: '2030-01-20 23:00:00' };

interface RecordJson {
  id: number;
  title: string;
  name: string;
  venue: { venue: string };
}

@Module({})
class Plugin {}

/** Logged errors. */
const logged: string[] = [];
const ignore = () => undefined;
const logger = { log: ignore, warn: ignore, error: (line: string) => void logged.push(line) };

describe('filters and actions', () => {
  let server: TestServer;
  let hooks: Hooks;
  /** Recorded calls of actions, in order. */
  const calls: string[] = [];
  const record = (name: string) => (args: { id?: number; isNew?: boolean; isTrashed?: boolean }) => {
    calls.push([name, args.isNew, args.isTrashed].filter((word) => word !== undefined).join(' '));
  };

  beforeAll(async () => {
    server = await startTestServer({ plugins: [Plugin] });
    hooks = server.app.get(Hooks);
    hooks.addAction(postHooks(EVENT).afterInsert, record('event'));
    hooks.addAction(postHooks(EVENT).delete, record('event gone'));
    hooks.addAction('rest_after_insert_tribe_venue', record('venue'));
    hooks.addAction(termHooks(CATEGORY).afterInsert, record('category'));
    hooks.addAction(termHooks(CATEGORY).delete, record('category gone'));
  });
  afterAll(() => server?.close());
  beforeEach(() => calls.splice(0));

  const admin = () => server.asAdmin();
  const total = async () => (await admin().get<{ total: number }>(`${API}/events`)).body.total;
  const create = (fields: object) =>
    admin().post<RecordJson & { code?: string }>(`${API}/events`, { ...DAY, title: 'Plain', ...fields });

  it("have WordPress's names", () => {
    const { query, preInsert, prepare, afterInsert, delete: deleteAction } = postHooks(EVENT);
    expect([query, preInsert, prepare, afterInsert, deleteAction].map(({ name }) => name)).toEqual([
      'rest_tribe_events_query',
      'rest_pre_insert_tribe_events',
      'rest_prepare_tribe_events',
      'rest_after_insert_tribe_events',
      'rest_delete_tribe_events',
    ]);
    expect(termHooks(CATEGORY).preInsert.name).toBe('rest_pre_insert_tribe_events_cat');
  });

  it('filters change written fields in order of priority', async () => {
    const { preInsert } = postHooks(EVENT);
    const appendToTitle = (text: string) => async (fields: object) => {
      const { title } = fields as { title?: string };
      return title?.startsWith('Chain') ? { ...fields, title: `${title} ${text}` } : fields;
    };
    hooks.addFilter(preInsert, appendToTitle('late') as never, 20);
    hooks.addFilter(preInsert, appendToTitle('early') as never);
    expect((await create({ title: 'Chain' })).body.title).toBe('Chain early late');
    expect(calls).toEqual(['event true']);
  });

  it('a filter rejects a write with its own code, and nothing is written', async () => {
    hooks.addFilter(postHooks(EVENT).preInsert, (fields) => {
      if (fields.title === 'Forbidden')
        throw new RestException('forbidden_for_all', 'acme_closed', 'Not this one.');
      return fields;
    });
    const before = await total();
    expect(await create({ title: 'Forbidden' })).toMatchObject({
      status: 403,
      body: { code: 'acme_closed' },
    });
    expect([await total(), calls]).toEqual([before, []]);
  });

  it('inline records pass the filters of their own type before anything is written', async () => {
    hooks.addFilter(postHooks(VENUE).preInsert, (fields) => {
      if (fields.venue === 'Nowhere')
        throw new RestException('invalid', 'acme_nowhere', 'There is no such place.');
      return fields.venue === 'Hall' ? { ...fields, venue: 'Town Hall' } : fields;
    });
    const before = await total();
    expect((await create({ venue: { venue: 'Nowhere' } })).body.code).toBe('acme_nowhere');
    expect(await total()).toBe(before);
    const { body } = await create({ title: 'At a place', venue: { venue: 'Hall' } });
    expect(body.venue.venue).toBe('Town Hall');
    expect(calls).toEqual(['venue true', 'event true']);
  });

  it('rest_prepare filters change a record in every response', async () => {
    hooks.addFilter(postHooks(VENUE).prepare, (venue) => ({ ...venue, venue: `${venue.venue}!` }));
    const { body } = await create({ title: 'At a place again', venue: { venue: 'Hall' } });
    expect(body.venue.venue).toBe('Town Hall!');
    const list = await server.get<{ venues: { venue: string }[] }>(`${API}/venues`);
    expect(list.body.venues.map(({ venue }) => venue)).toEqual(['Town Hall!']);
  });

  it('actions run after the commit, and a failing one fails nothing else', async () => {
    let readStatus = 0;
    hooks.addAction(postHooks(EVENT).afterInsert, async ({ id, fields }) => {
      if (fields.title !== 'Noisy') return;
      readStatus = (await server.get(`${API}/events/${id}`)).status;
      throw new Error('the plugin failed');
    });
    const { status, body } = await create({ title: 'Noisy' });
    expect([status, readStatus]).toEqual([201, 200]);
    expect((await admin().put(`${API}/events/${body.id}`, { title: 'Calm' })).status).toBe(200);
    expect((await admin().delete(`${API}/events/${body.id}`)).status).toBe(200);
    expect(calls).toEqual(['event true', 'event false', 'event gone true']);
  });

  it('no action runs for a failed write', async () => {
    const response = await create({ title: 'Late', end_date: '2030-01-19 00:00:00' });
    expect([response.status, calls]).toEqual([400, []]);
  });

  it('terms have the same hooks', async () => {
    const { preInsert, prepare, query } = termHooks<{ name?: string }, { name?: string }>(CATEGORY);
    hooks.addFilter(preInsert, (fields) => ({ ...fields, name: fields.name?.toUpperCase() }));
    hooks.addFilter(prepare, (term) => ({ ...term, name: `*${term.name}` }));
    const { body } = await admin().post<RecordJson>(`${API}/categories`, { name: 'arts' });
    expect(body.name).toBe('*ARTS');
    hooks.addFilter(query, (list, { context }) =>
      context.access.signedIn ? list : { ...list, include: [] },
    );
    const listed = async (client: Pick<TestServer, 'get'>) =>
      (await client.get<{ total: number }>(`${API}/categories?hide_empty=0`)).body.total;
    expect([await listed(server), await listed(admin())]).toEqual([0, 1]);
    expect((await admin().delete(`${API}/categories/${body.id}`)).status).toBe(200);
    expect(calls).toEqual(['category true', 'category gone false']);
  });

  it('rest_prepare filters change terms in every response', async () => {
    const { prepare } = termHooks<object, { name?: string }>(CATEGORY);
    hooks.addFilter(prepare, (term) => ({ ...term, name: `(${term.name})` }));
    const { body } = await admin().post<RecordJson>(`${API}/categories`, { name: 'arts' });
    const { body: child } = await admin().post<RecordJson>(`${API}/categories`, {
      name: 'film',
      parent: body.id,
    });
    const { body: embeddedCategory } = await admin().get<{
      name: string;
      _embedded: { up: { name: string }[] };
    }>(`${API}/categories/${child.id}?_embed`);
    expect([embeddedCategory.name, embeddedCategory._embedded.up[0]?.name]).toEqual(['(*FILM)', '(*ARTS)']);
    const event = await create({ title: 'Of a kind', categories: [child.id] });
    expect(event.body).toMatchObject({ categories: [{ id: child.id, name: '(*FILM)' }] });
  });

  it('records hidden by a query filter cannot be written', async () => {
    const { body } = await create({ title: 'Sealed' });
    hooks.addFilter(postHooks(EVENT).query, (list) => list.withoutMeta('_sealed'));
    const updateTitle = (title: string) => admin().put(`${API}/events/${body.id}`, { title });
    expect((await updateTitle('Open')).status).toBe(200);
    await server.app
      .get(Database)
      .query(
        sql`INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${body.id}, '_sealed', '1')`,
      );
    expect((await updateTitle('Changed')).status).toBe(403);
    expect((await admin().delete(`${API}/events/${body.id}`)).status).toBe(403);
    expect(await server.app.get(PostsService).find(body.id)).toMatchObject({
      title: 'Open',
      status: 'publish',
    });
  });

  describe('a failing rest_prepare filter', () => {
    const fail = (kind: string) => () => {
      if (kind === 'nothing') return undefined as never;
      throw kind === 'Error'
        ? new Error('broken')
        : kind === 'RestException'
          ? new RestException('invalid', 'acme_broken', 'broken')
          : new BadRequestException('broken');
    };
    let other: TestServer;
    let failure = '';
    const failWhenBroken = <T>(value: T): T => (failure ? fail(failure)() : value);
    beforeAll(async () => {
      other = await startTestServer({ plugins: [Plugin] });
      other.app.useLogger(logger);
      other.app.get(Hooks).addFilter(postHooks(EVENT).prepare, failWhenBroken);
      other.app.get(Hooks).addFilter(postHooks(VENUE).prepare, failWhenBroken);
      for (const kind of [CATEGORY, TAG])
        other.app.get(Hooks).addFilter(termHooks(kind).prepare, failWhenBroken);
    });
    afterAll(() => other?.close());
    afterEach(() => {
      failure = '';
      logged.splice(0);
    });
    const rows = async (table: 'posts' | 'terms', name: string) => {
      const named = table === 'posts' ? sql`post_type <> 'revision' AND post_title` : sql`name`;
      const database = other.app.get(Database);
      return (await database.query(sql`SELECT 1 FROM ${database.table(table)} WHERE ${named} = ${name}`))
        .length;
    };

    it.each(['Error', 'RestException', 'BadRequestException', 'nothing'])(
      'is logged, and the write still succeeds: %s',
      async (kind) => {
        const admin = other.asAdmin();
        const venue = { venue: `Hall ${kind}` };
        failure = kind;
        const event = { ...DAY, title: kind, venue, categories: [`Cat ${kind}`] };
        const created = await admin.post<RecordJson>(`${API}/events`, event);
        expect(created).toMatchObject({ status: 201, body: { title: kind, venue } });
        const path = `${API}/events/${created.body.id}`;
        expect(await admin.put(path, { title: `${kind} 2` })).toMatchObject({
          status: 200,
          body: { title: `${kind} 2` },
        });
        expect((await admin.post(`${API}/venues`, { venue: `${kind} venue` })).status).toBe(201);
        const tag = await admin.post<RecordJson>(`${API}/tags`, { name: `Tag ${kind}` });
        expect(tag).toMatchObject({ status: 201, body: { name: `Tag ${kind}` } });
        expect((await admin.delete(`${API}/tags/${tag.body.id}`)).status).toBe(200);
        expect(await rows('posts', `${kind} 2`)).toBe(1);
        expect(await rows('terms', `Tag ${kind}`)).toBe(0);
        expect((await admin.delete(path)).status).toBe(200);
        expect(logged).toContainEqual(expect.stringMatching(/^rest_prepare_tribe_events: /));
        expect(logged).toContainEqual(expect.stringMatching(/^rest_prepare_post_tag: /));
      },
    );

    it('fails a read', async () => {
      const { body } = await other.asAdmin().post<RecordJson>(`${API}/events`, { ...DAY, title: 'Read' });
      failure = 'RestException';
      expect(await other.get(`${API}/events/${body.id}`)).toMatchObject({
        status: 400,
        body: { code: 'acme_broken' },
      });
    });

    it('differs from another failure after the commit, which returns 503 write_not_shown', async () => {
      const spy = jest.spyOn(other.app.get(PostsService), 'rows').mockImplementationOnce(async () => {
        throw new BadRequestException('broken');
      });
      try {
        expect(await other.asAdmin().post(`${API}/venues`, { venue: 'Unseen' })).toMatchObject({
          status: 503,
          body: { code: 'write_not_shown', message: 'The write was stored, but it cannot be shown.' },
        });
      } finally {
        spy.mockRestore();
      }
      expect(await rows('posts', 'Unseen')).toBe(1);
    });
  });

  it('a filter without a return value returns 500 and nothing is written', async () => {
    hooks.addFilter(postHooks(EVENT).preInsert, () => undefined as never);
    const response = await create({ title: 'Forgotten' });
    expect(response).toMatchObject({ status: 500, body: { code: 'internal_server_error' } });
    const rows = await server.app
      .get(Database)
      .query(sql`SELECT 1 FROM wp_posts WHERE post_title = 'Forgotten'`);
    expect(rows).toEqual([]);
  });
});
