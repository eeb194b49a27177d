import { Controller, Get, Injectable, Module, Param, Post } from '@nestjs/common';
import {
  CATEGORY,
  CategoriesModule,
  Context,
  defineResource,
  EventTermsModule,
  EventTermsService,
  GetTermQuery,
  ListOf,
  ListTermsQuery,
  OWN_NAMESPACE,
  Parameters,
  PathId,
  type RequestContext,
  ResourceModule,
  StartError,
  TAG,
  TagsModule,
  TermDeps,
  TermJson,
  TermTaxonomy,
  type TermType,
  WriteTermDto,
  withPageHeaders,
} from 'almanac';
import { Matches, MaxLength } from 'class-validator';
import { ChildEntity } from 'typeorm';
import { startTestServer } from '../src/testing.js';
import { startApp, type TestApp } from './support/app.js';
import { type Caller, clientOf, type Send } from './support/calendar-client.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

@ChildEntity('acme_topic')
class Topic extends TermTaxonomy {}

class TopicBody extends WriteTermDto {}

const TOPIC = defineResource({
  kind: 'term',
  taxonomy: 'acme_topic',
  path: 'topics',
  singular: 'topic',
  plural: 'topics',
  entity: Topic,
  body: TopicBody,
  json: TermJson,
  hierarchical: false,
  capabilities: { manage: ['edit_tribe_events'], assign: 'edit_tribe_events' },
  queryVariable: 'topic',
  linkBase: () => 'topic',
  corePath: 'topics',
  coreParameter: 'topics',
  corePostTypes: [],
  coreCapability: 'edit_tribe_events',
}) satisfies TermType;

@ListOf(TOPIC)
class ListTopicsQuery extends ListTermsQuery {}

@Injectable()
class TopicsService extends EventTermsService<'topics', TopicBody> {
  constructor(tools: TermDeps) {
    super(TOPIC, tools);
  }
}

@Controller(`${OWN_NAMESPACE}/topics`)
class TopicsController {
  constructor(private readonly topics: TopicsService) {}

  @Get()
  list(@Parameters(ListTopicsQuery) query: ListTopicsQuery, @Context() context: RequestContext) {
    return withPageHeaders(this.topics.list(query, context));
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(GetTermQuery) query: GetTermQuery,
    @Context() context: RequestContext,
  ) {
    return this.topics.get(id, query, context);
  }

  @Post()
  create(@Parameters(TopicBody) fields: TopicBody & { name: string }, @Context() context: RequestContext) {
    return this.topics.create(fields, context);
  }
}

const colour = {
  meta: '_colour',
  type: 'string',
  description: 'Its colour.',
  checks: [Matches(/^#[0-9a-f]{6}$/), MaxLength(7)],
  filter: true,
} as const;
const rank = { meta: '_rank', description: 'Its rank.', type: 'integer' } as const;
const starred = {
  meta: '_starred',
  description: 'Whether it is starred.',
  type: 'boolean',
  filter: true,
} as const;
const budget = {
  meta: '_budget',
  type: 'string',
  description: 'What there is to spend.',
  filter: true,
  readableBy: 'edit_others_tribe_events',
  writableBy: 'edit_others_tribe_events',
} as const;

@Module({
  imports: [
    CategoriesModule,
    TagsModule,
    EventTermsModule,
    ResourceModule.forFeature(TOPIC),
    ResourceModule.withFields(CATEGORY, { colour, rank, budget }),
    ResourceModule.withFields(TAG, { starred }),
    ResourceModule.withFields(TOPIC, { colour }),
  ],
  controllers: [TopicsController],
  providers: [TopicsService],
})
class ColoursModule {}

interface Schema {
  properties: Record<string, object>;
  required: string[];
}

describeEither('declared fields of terms', (database) => {
  let site: Site;
  let app: TestApp;
  let send: Send;
  let created = 0;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, plugins: [ColoursModule] });
    send = clientOf(app.url);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const ask = (text: string): Promise<Record<string, unknown>[]> => app.dataSource.query(text);
  const metaOf = (id: unknown) =>
    ask(`SELECT meta_key, meta_value FROM wp_termmeta WHERE term_id = ${id} ORDER BY meta_id`);
  const create = async (path: string, fields: object, caller: Caller = 'editor') => {
    const { status, body } = await send(caller, 'POST', path, { name: `Term ${++created}`, ...fields });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body;
  };
  const idsOf = async (path: string, caller: Caller = 'anonymous') => {
    const { body } = await send(caller, 'GET', path);
    const list = Object.values(body).find((value) => Array.isArray(value)) as { id: number }[];
    return list.map(({ id }) => id);
  };

  it('are stored as plain text and returned by single reads and lists', async () => {
    const { id, ...body } = await create('/categories', { colour: '#aa0000', rank: '3' });
    expect(body).toMatchObject({ colour: '#aa0000', rank: 3, budget: null });
    expect(await metaOf(id)).toEqual([
      { meta_key: '_colour', meta_value: '#aa0000' },
      { meta_key: '_rank', meta_value: '3' },
    ]);
    const single = await send('anonymous', 'GET', `/categories/${id}`);
    expect(single.body).toMatchObject({ colour: '#aa0000', rank: 3 });
    expect(single.body).not.toHaveProperty('budget');
    const list = await send('anonymous', 'GET', `/categories?hide_empty=0&include=${id}`);
    expect(list.body['categories']).toMatchObject([{ colour: '#aa0000', rank: 3 }]);
    const tag = await create('/tags', {});
    expect(tag).toMatchObject({ starred: false });
    expect(tag).not.toHaveProperty('colour');
    expect(await metaOf(tag['id'])).toEqual([]);
  });

  it('keep their values when an update omits them', async () => {
    const { id } = await create('/categories', { colour: '#aa0000', rank: 3 });
    const put = async (fields: object) => (await send('editor', 'PUT', `/categories/${id}`, fields)).body;
    expect(await put({ name: 'Renamed term' })).toMatchObject({ colour: '#aa0000', rank: 3 });
    expect(await put({ rank: 4 })).toMatchObject({ colour: '#aa0000', rank: 4, name: 'Renamed term' });
    const patched = await send('editor', 'PATCH', `/categories/${id}`, { colour: '#00aa00' });
    expect(patched.body).toMatchObject({ colour: '#00aa00', rank: 4 });
    expect(await metaOf(id)).toHaveLength(2);
  });

  it('obey _fields and context', async () => {
    const { id } = await create('/categories', { colour: '#aa0000' });
    const get = async (query: string) => (await send('editor', 'GET', `/categories/${id}?${query}`)).body;
    expect(await get('_fields=colour,id')).toEqual({ id, colour: '#aa0000' });
    expect(await get('context=embed')).not.toHaveProperty('colour');
  });

  it('are included in the terms of events', async () => {
    const { id } = await create('/categories', { colour: '#123456', budget: '100' });
    const tag = await create('/tags', { starred: true });
    const { body } = await send('editor', 'POST', '/events', {
      title: 'Coloured',
      start_date: '2030-02-01 10:00:00',
      end_date: '2030-02-01 11:00:00',
      categories: [id],
      tags: [tag['id']],
    });
    expect(body).toMatchObject({
      categories: [{ id, colour: '#123456', budget: '100' }],
      tags: [{ id: tag['id'], starred: true }],
    });
    const { body: seen } = await send('anonymous', 'GET', `/events/${body['id']}`);
    const [category] = seen['categories'] as object[];
    expect(category).toMatchObject({ colour: '#123456', rank: null });
    expect(category).not.toHaveProperty('budget');
    const list = await send('anonymous', 'GET', '/events?start_date=2030-02-01&end_date=2030-02-01');
    expect(list.body['events']).toMatchObject([{ categories: [{ colour: '#123456' }] }]);
  });

  it('take one more statement, and none where the response has no terms', async () => {
    // With a cache, statements depend on the time of its last poll.
    const uncached = await startApp({
      databaseUrl: site.url,
      plugins: [ColoursModule],
      env: { CACHE: 'off' },
    });
    const statementCount = async (path: string) => {
      uncached.statements();
      expect((await fetch(`${uncached.url}/cal/events/v1${path}`)).status).toBe(200);
      return uncached.statements().sql.filter((text) => text.includes('termmeta')).length;
    };
    try {
      expect([
        await statementCount('/categories?hide_empty=0&per_page=1'),
        await statementCount('/categories?hide_empty=0&per_page=50'),
        await statementCount('/events?start_date=2000-01-01&end_date=2099-12-31&per_page=50'),
        await statementCount('/venues'),
      ]).toEqual([1, 1, 1, 0]);
    } finally {
      await uncached.close();
    }
  });

  it('filter lists, and paging links repeat the filter', async () => {
    const red = await create('/categories', { colour: '#ff0000' });
    const blue = await create('/categories', { colour: '#0000ff', parent: red['id'] });
    const more = await create('/categories', { colour: '#0000ff' });
    expect(await idsOf('/categories?hide_empty=0&colour=%23ff0000')).toEqual([red['id']]);
    const list = await send('anonymous', 'GET', '/categories?hide_empty=0&per_page=1&colour=%230000ff');
    expect(list.body).toMatchObject({ total: 2, total_pages: 2 });
    const next = new URL(String(list.body['next_rest_url']));
    expect([next.searchParams.get('colour'), next.searchParams.get('page')]).toEqual(['#0000ff', '2']);
    expect((await idsOf('/categories?hide_empty=0&colour=%230000ff')).toSorted()).toEqual(
      [Number(blue['id']), Number(more['id'])].toSorted(),
    );
    const starred = await create('/tags', { starred: true });
    expect(await idsOf('/tags?hide_empty=0&starred=1')).toContain(starred['id']);
    expect(await idsOf('/tags?hide_empty=0&per_page=50&starred=0')).not.toContain(starred['id']);
    const { status, body } = await send('anonymous', 'GET', '/categories?colour=red');
    expect([status, body['code']]).toEqual([400, 'rest_invalid_param']);
  });

  it('return 400 when a check fails, and nothing is written', async () => {
    const before = await ask('SELECT COUNT(*) AS n FROM wp_terms');
    const { status, body } = await send('editor', 'POST', '/categories', { name: 'Odd', colour: 'red' });
    expect([status, body['code']]).toEqual([400, 'rest_invalid_param']);
    expect(await ask('SELECT COUNT(*) AS n FROM wp_terms')).toEqual(before);
  });

  it('are rendered, filtered and written only with the capability', async () => {
    const { id } = await create('/categories', { budget: '500' });
    const before = await metaOf(id);
    expect((await send('author', 'GET', `/categories/${id}`)).body).not.toHaveProperty('budget');
    for (const [caller, status] of [
      ['anonymous', 401],
      ['author', 403],
    ] as const) {
      expect((await send(caller, 'GET', '/categories?hide_empty=0&budget=500')).status).toBe(status);
      expect((await send(caller, 'PUT', `/categories/${id}`, { budget: '9' })).status).toBe(status);
      expect((await send(caller, 'POST', '/categories', { name: 'Rich', budget: '9' })).status).toBe(status);
    }
    expect(await idsOf('/categories?hide_empty=0&budget=500', 'editor')).toEqual([id]);
    expect([await metaOf(id), await ask("SELECT 1 FROM wp_terms WHERE name = 'Rich'")]).toEqual([before, []]);
  });

  it('are deleted with their term, and the response still has them', async () => {
    const { id } = await create('/categories', { colour: '#aa0000' });
    const deleted = await send('editor', 'DELETE', `/categories/${id}`);
    expect(deleted.body).toMatchObject({ id, colour: '#aa0000' });
    expect(await metaOf(id)).toEqual([]);
  });

  it('are separate where two taxonomies share a term', async () => {
    const { id } = await create('/categories', { colour: '#abcdef' });
    await ask(
      `INSERT INTO wp_term_taxonomy (term_id, taxonomy, description, parent, count) VALUES (${id}, 'post_tag', '', 0, 0)`,
    );
    const tag = await send('anonymous', 'GET', `/tags/${id}`);
    expect(tag.body).toMatchObject({ id, starred: false });
    expect(tag.body).not.toHaveProperty('colour');
    await send('editor', 'DELETE', `/tags/${id}`);
    expect((await send('anonymous', 'GET', `/categories/${id}`)).body).toMatchObject({ colour: '#abcdef' });
  });

  it("work on a plugin's own taxonomy", async () => {
    const topic = await create('/topics', { colour: '#0a0a0a' });
    expect(topic).toMatchObject({ taxonomy: 'acme_topic', colour: '#0a0a0a' });
    expect(await idsOf('/topics?hide_empty=0&colour=%230a0a0a')).toEqual([topic['id']]);
  });

  it('appear in the index and in the OpenAPI document', async () => {
    const index = (await send('anonymous', 'GET', '/')).body as {
      routes: Record<string, { endpoints: { args: object }[] }>;
    };
    const [list, post] = index.routes['/cal/events/v1/categories']?.endpoints ?? [];
    expect(list?.args).toMatchObject({ colour: { type: 'string' }, budget: {} });
    expect(list?.args).not.toHaveProperty('rank');
    expect(post?.args).toMatchObject({ colour: {}, rank: { type: 'integer' }, budget: {} });
    const document = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
      components: { schemas: Record<string, Schema> };
    };
    for (const name of ['Term', 'EventTerm']) {
      const { properties, required } = document.components.schemas[name] as Schema;
      expect(properties).toMatchObject({ colour: { type: ['string', 'null'] }, starred: {}, slug: {} });
      expect(required).not.toContain('colour');
    }
  });
});

describe('conflicting term fields prevent the start', () => {
  it.each([
    ['a field of terms', { slug: rank }],
    ['a field of terms inside events', { term_group: rank }],
    ['a filter of lists', { order: { ...rank, filter: true } }],
  ])('when named like %s', async (_, fields) => {
    @Module({ imports: [ResourceModule.withFields(CATEGORY, fields)] })
    class Taken {}
    await expect(startTestServer({ plugins: [Taken] })).rejects.toThrow(StartError);
  });
});
