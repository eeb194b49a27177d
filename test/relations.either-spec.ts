import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Delete, Get, Injectable, Module, Param, Post as PostRoute } from '@nestjs/common';
import {
  Context,
  definePosts,
  ListOf,
  ORGANIZER,
  OrganizersModule,
  OWN_NAMESPACE,
  Parameters,
  PathId,
  PlainPostFields,
  PlainPostListQuery,
  PlainPostQuery,
  PlainPostsService,
  Post,
  PostResourceDeps,
  type RequestContext,
  RequestContexts,
  ResourceModule,
  Update,
  VENUE,
  VenuesModule,
  VenuesService,
  withPageHeaders,
} from 'almanac';
import { ChildEntity } from 'typeorm';
import { startApp, type TestApp } from './support/app.js';
import { type Caller, clientOf, type Send } from './support/calendar-client.js';
import { census } from './support/event-rows.js';
import { journalReady, makeJournalTables } from './support/journal-site.js';
import { retry } from './support/retry.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

@ChildEntity('acme_workshop')
class Workshop extends Post {}

const WORKSHOP = definePosts({
  type: 'acme_workshop',
  path: 'workshops',
  singular: 'workshop',
  plural: 'workshops',
  capabilities: 'tribe_events',
  entity: Workshop,
  relations: {
    venue: { to: VENUE, meta: '_acme_venue', description: 'Where it takes place.' },
    tutors: {
      to: ORGANIZER,
      many: true,
      meta: '_acme_tutor',
      description: 'Who gives it.',
      onTrash: 'clear',
    },
    owner: { to: ORGANIZER, meta: '_acme_owner', description: 'Whose it is.', onTrash: 'refuse' },
  },
});

@Injectable()
class WorkshopsService extends PlainPostsService<'workshops'> {
  constructor(tools: PostResourceDeps) {
    super(WORKSHOP, tools);
  }
}

@ListOf(WORKSHOP)
class ListWorkshopsQuery extends PlainPostListQuery {}

@Controller(`${OWN_NAMESPACE}/workshops`)
class WorkshopsController {
  constructor(private readonly workshops: WorkshopsService) {}

  @Get()
  list(@Parameters(ListWorkshopsQuery) query: ListWorkshopsQuery, @Context() context: RequestContext) {
    return withPageHeaders(this.workshops.list(query, context));
  }

  @PostRoute()
  create(@Parameters(WORKSHOP.newBody) fields: PlainPostFields, @Context() context: RequestContext) {
    return this.workshops.create(fields, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(PlainPostQuery) query: PlainPostQuery,
    @Context() context: RequestContext,
  ) {
    return this.workshops.get(id, query, context);
  }

  @Update(':id')
  update(
    @Param('id', PathId) id: number,
    @Parameters(WORKSHOP.body) fields: PlainPostFields,
    @Context() context: RequestContext,
  ) {
    return this.workshops.update(id, fields, context);
  }

  @Delete(':id')
  remove(@Param('id', PathId) id: number, @Context() context: RequestContext) {
    return this.workshops.remove(id, context);
  }
}

@Module({
  imports: [
    VenuesModule,
    OrganizersModule,
    ResourceModule.forFeature(WORKSHOP),
    ResourceModule.withRelations(WORKSHOP, {
      follows: { to: WORKSHOP, meta: '_acme_follows', description: 'The one before.' },
    }),
  ],
  controllers: [WorkshopsController],
  providers: [WorkshopsService],
})
class WorkshopsModule {}

interface Json {
  id: number;
  venue: number | null;
  tutors: number[];
  owner: number | null;
  follows: number | null;
  _links?: Record<string, { href: string; embeddable: boolean }[]>;
  _embedded?: Record<string, { id: number }[]>;
}

describeEither('relations of a resource', (database) => {
  let site: Site;
  let app: TestApp;
  let send: Send;
  let names = 0;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({
      databaseUrl: site.url,
      plugins: [WorkshopsModule],
      env: { EMPTY_TRASH_DAYS: '30' },
    });
    send = clientOf(app.url);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const ask = (sql: string) => app.dataSource.query(sql);
  const make = async (path: string, fields: object) => {
    const { status, body } = await send('admin', 'POST', path, fields);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return Number(body['id']);
  };
  const venue = (fields = {}) => {
    names += 1;
    return make('/venues', { venue: `Venue ${names}`, ...fields });
  };
  const organizer = (fields = {}) => {
    names += 1;
    return make('/organizers', { organizer: `Organizer ${names}`, ...fields });
  };
  const workshop = (fields = {}) => make('/workshops', { title: 'A workshop', ...fields });
  const read = async (id: number, query = '', caller: Caller = 'anonymous') =>
    (await send(caller, 'GET', `/workshops/${id}${query}`)).body as unknown as Json;
  const found = async (query: string, caller: Caller = 'anonymous') => {
    const { status, body } = await send(caller, 'GET', `/workshops?${query}`);
    if (status !== 200)
      return `${status} ${body['code']} ${Object.keys((body['data'] as { params?: object }).params ?? {})}`;
    return (body['workshops'] as { id: number }[]).map(({ id }) => id).sort((a, b) => a - b);
  };

  it('are stored by create and update as a meta row per record, and read as ids in their order', async () => {
    const [place, one, two] = [await venue(), await organizer(), await organizer()];
    const id = await workshop({ venue: place, tutors: [two, one] });
    const rows = await ask(
      `SELECT meta_key, meta_value FROM wp_postmeta WHERE post_id = ${id} AND meta_key LIKE '_acme_%' ORDER BY meta_id`,
    );
    expect(rows.map(Object.values)).toEqual([
      ['_acme_venue', String(place)],
      ['_acme_tutor', String(two)],
      ['_acme_tutor', String(one)],
    ]);
    expect(await read(id)).toMatchObject({ venue: place, tutors: [two, one], owner: null, follows: null });
    await send('admin', 'PUT', `/workshops/${id}`, { tutors: [one, two, one] });
    expect(await read(id)).toMatchObject({ venue: place, tutors: [one, two] });
    await send('admin', 'PUT', `/workshops/${id}`, { venue: null, tutors: [] });
    expect(await read(id)).toMatchObject({ venue: null, tutors: [] });
    const next = await workshop({ follows: id });
    expect(await read(next)).toMatchObject({ follows: id });
  });

  it('reject ids of no record, of another type and of hidden records with 400, and write nothing', async () => {
    const [place, draft] = [await venue(), await venue({ status: 'draft' })];
    const before = await census(ask);
    for (const [caller, fields, name] of [
      ['admin', { venue: 999_999 }, 'venue'],
      ['admin', { tutors: [place] }, 'tutors'],
      ['admin', { venue: 'x' }, 'venue'],
      ['author', { venue: draft }, 'venue'],
    ] as const) {
      const { status, body } = await send(caller, 'POST', '/workshops', { title: 'No', ...fields });
      const { params } = body['data'] as { params: object };
      expect([status, body['code'], Object.keys(params)]).toEqual([400, 'rest_invalid_param', [name]]);
    }
    expect(await census(ask)).toEqual(before);
    expect((await send('admin', 'POST', '/workshops', { title: 'Yes', venue: draft })).status).toBe(201);
  });

  it('embed the records that _embed names, with links, in lists and alone', async () => {
    const [place, one, two] = [await venue(), await organizer(), await organizer()];
    const id = await workshop({ venue: place, tutors: [two, one] });
    const plain = await read(id);
    expect([plain._links, plain._embedded]).toEqual([undefined, undefined]);
    const unknown = await read(id, '?_embed=nothing');
    expect([unknown._links, unknown._embedded]).toEqual([undefined, undefined]);
    const whole = await read(id, '?_embed=1');
    expect(whole._embedded).toMatchObject({
      venue: [{ id: place, venue: expect.any(String), url: expect.any(String) }],
      tutors: [{ id: two }, { id: one }],
      owner: [],
      follows: [],
    });
    const href = expect.stringMatching(new RegExp(`/cal/events/v1/venues/${place}$`));
    expect(whole._links?.['venue']).toEqual([{ href, embeddable: true }]);
    const some = await read(id, '?_embed=tutors,nothing');
    expect([Object.keys(some._embedded ?? {}), Object.keys(some._links ?? {})]).toEqual([
      ['tutors'],
      ['tutors'],
    ]);
    const { body } = await send('anonymous', 'GET', `/workshops?_embed&venue=${place}`);
    expect(body['workshops']).toMatchObject([{ id, _embedded: whole._embedded }]);
    expect(body['rest_url']).toContain('_embed');
  });

  it('take the same number of statements for 1 and for 50 records', async () => {
    const shared = await organizer();
    const count = async (most: number) => {
      app.statements();
      const path = `/workshops?_embed=1&tutors=${shared}&per_page=${most}`;
      const { body } = await send('admin', 'GET', path);
      expect(body['workshops']).toHaveLength(most);
      return app.statements().records;
    };
    for (let number = 0; number < 50; number++)
      await workshop({ venue: await venue(), tutors: [shared, await organizer()] });
    await count(50);
    // A poll of the tables may fall into one of the two.
    await retry(async () => expect(await count(50)).toBe(await count(1)));
  });

  it('filter lists by ids; hidden records are no filter and show nowhere', async () => {
    const [place, other, hidden] = [await venue(), await venue(), await venue()];
    const [first, second, third] = [
      await workshop({ venue: place }),
      await workshop({ venue: other }),
      await workshop({ venue: hidden }),
    ];
    expect(await found(`venue=${place}`)).toEqual([first]);
    await send('admin', 'PUT', `/venues/${hidden}`, { status: 'private' });
    expect(await found(`venue=${hidden}`)).toBe('400 rest_invalid_param venue');
    expect(await found(`venue=${hidden}`, 'admin')).toEqual([third]);
    expect(await read(third, '?_embed=1')).toMatchObject({ venue: null, _embedded: { venue: [] } });
    expect(await read(third, '?_embed=1', 'admin')).toMatchObject({
      venue: hidden,
      _embedded: { venue: [{ id: hidden }] },
    });
    expect(await read(second)).toMatchObject({ venue: other });
    const [tutor, both] = [await organizer(), await organizer()];
    const ids = [await workshop({ tutors: [tutor, both] }), await workshop({ tutors: [both] })];
    expect([await found(`tutors=${tutor}`), await found(`tutors=${tutor},${both}`)]).toEqual([[ids[0]], ids]);
  });

  it('of a locked record are hidden by its password, and found by nobody without it', async () => {
    const place = await venue();
    const id = await workshop({ venue: place });
    await ask(`UPDATE wp_posts SET post_password = 'secret' WHERE ID = ${id}`);
    expect(await read(id, '?_embed=1')).toMatchObject({ venue: null, _embedded: { venue: [] } });
    expect(await found(`venue=${place}`)).toEqual([]);
    expect(await read(id, '?_embed=1&password=secret')).toMatchObject({
      _embedded: { venue: [{ id: place }] },
    });
    expect(await found(`venue=${place}&password=secret`)).toEqual([id]);
  });

  it('with a locked record embed what its password leaves', async () => {
    const place = await venue({ address: '1 Secret Road' });
    const id = await workshop({ venue: place });
    expect((await read(id, '?_embed=1'))._embedded?.['venue']).toMatchObject([{ address: '1 Secret Road' }]);
    await ask(`UPDATE wp_posts SET post_password = 'secret' WHERE ID = ${place}`);
    const [embedded] = (await read(id, '?_embed=1'))._embedded?.['venue'] ?? [];
    expect(JSON.stringify(embedded)).not.toContain('1 Secret Road');
  });

  it('to a trashed record are hidden until it is restored, cleared, or forbid that', async () => {
    const [place, tutor, owner] = [await venue(), await organizer(), await organizer()];
    const id = await workshop({ venue: place, tutors: [tutor], owner });
    expect((await send('admin', 'DELETE', `/venues/${place}`)).status).toBe(200);
    expect([(await read(id)).venue, (await read(id, '', 'admin')).venue]).toEqual([null, null]);
    await send('admin', 'PUT', `/venues/${place}`, { status: 'publish' });
    expect(await read(id)).toMatchObject({ venue: place });
    expect((await send('admin', 'DELETE', `/organizers/${tutor}`)).status).toBe(200);
    await send('admin', 'PUT', `/organizers/${tutor}`, { status: 'publish' });
    expect(await read(id)).toMatchObject({ tutors: [] });
    const before = await census(ask);
    const refused = await send('admin', 'DELETE', `/organizers/${owner}`);
    expect([refused.status, refused.body['code']]).toEqual([409, 'organizer-in-use']);
    expect(await census(ask)).toEqual(before);
    expect((await send('admin', 'DELETE', `/workshops/${id}`)).status).toBe(200);
    expect((await send('admin', 'DELETE', `/organizers/${owner}`)).status).toBe(200);
  });

  it('to a record that is deleted for good are removed with it', async () => {
    const place = await venue();
    const id = await workshop({ venue: place });
    await send('admin', 'DELETE', `/venues/${place}`);
    const rows = () =>
      ask(`SELECT meta_id FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '_acme_venue'`);
    expect(await rows()).toHaveLength(1);
    const context = await app.nest.get(RequestContexts).anonymous();
    const venues = app.nest.get(VenuesService);
    expect(await venues.removeTrashed(place, Number.MAX_SAFE_INTEGER, context)).toBe(true);
    expect([await rows(), (await read(id)).venue]).toEqual([[], null]);
  });

  it('to a record that PHP has deleted or changed break no read', async () => {
    const [place, tutor] = [await venue(), await organizer()];
    const id = await workshop({ venue: place, tutors: [tutor] });
    await ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_acme_tutor', 'x'), (${id}, '_acme_tutor', '${place}'), (${id}, '_acme_tutor', NULL)`,
    );
    await ask(`DELETE FROM wp_posts WHERE ID = ${place}`);
    await ask(`DELETE FROM wp_postmeta WHERE post_id = ${place}`);
    const json = await read(id, '?_embed=1', 'admin');
    expect(json).toMatchObject({
      venue: null,
      tutors: [tutor],
      _embedded: { venue: [], tutors: [{ id: tutor }] },
    });
  });

  it('are described in /openapi.json: bodies, responses and filters', async () => {
    const { paths, components } = await (await fetch(`${app.url}/openapi.json`)).json();
    const schema = JSON.stringify(components.schemas);
    expect(schema).toContain('Where it takes place.');
    const path = Object.keys(paths).find((one) => one.endsWith('/workshops')) ?? '';
    const parameters = paths[path].get.parameters.map(({ name }: { name: string }) => name);
    expect(parameters).toEqual(expect.arrayContaining(['venue', 'tutors', 'owner', 'follows', '_embed']));
  });
});

describeEither('relations in the journal of changes', (database) => {
  it('have an entry of the record that names another one, when that is hidden, shown and trashed', async () => {
    const site = await makeSite(database);
    await makeJournalTables(site.url);
    const app = await startApp({
      databaseUrl: site.url,
      plugins: [WorkshopsModule],
      env: { CHANGES: 'on', EMPTY_TRASH_DAYS: '30' },
    });
    try {
      const journal = await journalReady(app);
      let seen = await journal.head();
      const news = async (count: number) => {
        for (const giveUp = Date.now() + 20_000; ; await sleep(20)) {
          const changes = await journal.after(seen, { limit: 100 });
          if (changes.length < count && Date.now() < giveUp) continue;
          seen = changes.at(-1)?.seq ?? seen;
          return changes.map(({ change, type, id, source }) => `${change} ${type} ${id} ${source}`);
        }
      };
      const send = clientOf(app.url);
      const write = async (method: string, path: string, fields: object = {}) => {
        const { status, body } = await send('admin', method, path, fields);
        expect(status).toBeLessThan(300);
        return Number(body['id']);
      };
      const venue = await write('POST', '/venues', { venue: 'A hall' });
      const workshop = await write('POST', '/workshops', { title: 'A workshop', venue });
      expect(await news(2)).toEqual([
        `created tribe_venue ${venue} almanac`,
        `created acme_workshop ${workshop} almanac`,
      ]);
      // Its name is not in the workshop's JSON.
      await write('PUT', `/venues/${venue}`, { venue: 'Another hall' });
      for (const [status, change] of [
        ['draft', 'updated'],
        ['publish', 'updated'],
      ]) {
        await write('PUT', `/venues/${venue}`, { status });
        expect((await news(status === 'draft' ? 3 : 2)).slice(-2)).toEqual([
          `${change} tribe_venue ${venue} almanac`,
          `updated acme_workshop ${workshop} linked`,
        ]);
      }
      await write('DELETE', `/venues/${venue}`);
      expect(await news(2)).toEqual([
        `trashed tribe_venue ${venue} almanac`,
        `updated acme_workshop ${workshop} linked`,
      ]);
      await write('PUT', `/workshops/${workshop}`, { title: 'Renamed' });
      await write('DELETE', `/workshops/${workshop}`);
      expect(await news(2)).toEqual([
        `updated acme_workshop ${workshop} almanac`,
        `trashed acme_workshop ${workshop} almanac`,
      ]);
      const all = await journal.after(0, { limit: 100 });
      expect(all.filter(({ source }) => source === 'linked')).toHaveLength(3);
    } finally {
      await app.close();
      await site.drop();
    }
  });
});
