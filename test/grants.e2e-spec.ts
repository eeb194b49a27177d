import { Controller, Delete, Get, Injectable, Module, Param, Post as PostRoute } from '@nestjs/common';
import {
  Context,
  createServer,
  Database,
  definePosts,
  type Grants,
  ListOf,
  OWN_NAMESPACE,
  Parameters,
  PathId,
  type PlainPostFields,
  PlainPostListQuery,
  PlainPostsService,
  Post,
  PostResourceDeps,
  type RequestContext,
  ResourceModule,
  readEnvironment,
  StartError,
  StatusesArg,
  Update,
  withPageHeaders,
} from 'almanac';
import { startTestServer, type TestServer } from 'almanac/testing';
import sql from 'sql-template-tag';
import { ChildEntity } from 'typeorm';
import { asMap, type PhpArray, serialize, unserialize } from '../src/lib/wordpress-text/php-serialize.js';
import { parseRoles } from '../src/wordpress/users/roles.js';
import { almanac } from './support/command.js';
import { describeDatabases, makeSite, type Site } from './support/sites.js';

@ChildEntity('acme_workshop')
class Workshop extends Post {}

const WORKSHOP = definePosts({
  type: 'acme_workshop',
  path: 'workshops',
  singular: 'workshop',
  plural: 'workshops',
  capabilities: 'workshops',
  grants: { editor: 'all', author: 'own', contributor: 'drafts' },
  entity: Workshop,
});

@Injectable()
class WorkshopsService extends PlainPostsService<'workshops'> {
  constructor(tools: PostResourceDeps) {
    super(WORKSHOP, tools);
  }
}

@ListOf(WORKSHOP)
class ListWorkshopsQuery extends PlainPostListQuery {
  @StatusesArg(WORKSHOP.type) status?: string[];
}

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
  imports: [ResourceModule.forFeature(WORKSHOP)],
  controllers: [WorkshopsController],
  providers: [WorkshopsService],
})
class WorkshopsModule {}

const PATH = '/cal/events/v1/workshops';

describe('the grants of a resource', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ plugins: [WorkshopsModule] });
  });
  afterAll(() => server?.close());

  interface Shown {
    id: number;
    status: string;
  }
  const created = (role: string, status = 'publish') =>
    server.as(role).post<Shown>(PATH, { title: role, status });

  it('let each role do what its level says, and administrators everything', async () => {
    const mine: Record<string, number> = {};
    for (const [role, status] of Object.entries({
      administrator: 'publish',
      editor: 'publish',
      author: 'publish',
      contributor: 'pending',
    })) {
      const { body, ...response } = await created(role);
      expect([role, response.status, body.status]).toEqual([role, 201, status]);
      mine[role] = body.id;
    }
    expect((await created('subscriber')).status).toBe(403);
    expect((await server.post(PATH, { title: 'nobody' })).status).toBe(401);
    const change = async (role: string, whose: string) =>
      (await server.as(role).put(`${PATH}/${mine[whose]}`, { excerpt: role })).status;
    expect(await Promise.all(['author', 'contributor'].map((role) => change('editor', role)))).toEqual([
      200, 200,
    ]);
    expect(await change('author', 'author')).toBe(200);
    expect([await change('author', 'editor'), await change('contributor', 'author')]).toEqual([403, 403]);
    expect((await server.as('author').delete(`${PATH}/${mine['author']}`)).status).toBe(200);
    expect((await server.as('administrator').delete(`${PATH}/${mine['editor']}`)).status).toBe(200);
  });

  it.each<[string, Grants, Partial<typeof WORKSHOP>, string]>([
    [
      'of a level that there is not',
      { editor: 'some' as 'all' },
      {},
      '/workshops grants some to the role editor; it may be all, own, drafts.',
    ],
    [
      "of the calendar's own capabilities",
      { editor: 'own' },
      { capabilities: 'tribe_events' },
      '/workshops grants read_private_tribe_events, edit_tribe_events, edit_others_tribe_events, edit_private_tribe_events, edit_published_tribe_events, delete_tribe_events, delete_others_tribe_events, delete_private_tribe_events, delete_published_tribe_events, publish_tribe_events, which roles have by WordPress or the calendar: give it capabilities of its own.',
    ],
  ])('keep the server from starting: %s', async (_, grants, more, message) => {
    const plugin = ResourceModule.forFeature({ ...WORKSHOP, ...more, grants });
    await expect(startTestServer({ plugins: [plugin] })).rejects.toEqual(new StartError(message));
  });
});

describeDatabases('the grants of a resource on a site that exists', (database) => {
  let site: Site;
  beforeEach(async () => {
    site = await makeSite(database);
  });
  afterEach(() => site.drop());

  const warnings: string[] = [];
  const quiet = () => undefined;
  const logger = { log: quiet, error: quiet, warn: (line: string) => void warnings.push(line) };
  /** Starts a server, does something with its database, and ends it. */
  const started = async <T>(work: (rows: Database) => Promise<T>, env = {}, plugins = [WorkshopsModule]) => {
    warnings.splice(0);
    const all = readEnvironment({ DATABASE_URL: site.url, SCHEDULER: 'off', ...env });
    const app = await createServer({ env: all, plugins, logger });
    try {
      return await work(app.get(Database));
    } finally {
      await app.close();
    }
  };
  const option = async (rows: Database, name = 'wp_user_roles') =>
    (
      await rows.query<{ value: string }>(
        sql`SELECT option_value AS value FROM wp_options WHERE option_name = ${name}`,
      )
    )[0]?.value;
  const ownOf = async (rows: Database, role: string) =>
    [...(parseRoles(await option(rows)).get(role) ?? [])]
      .filter(([name]) => name.endsWith('_workshops'))
      .map(([name, given]) => (given ? name : `not ${name}`));
  const setCapability = async (rows: Database, role: string, change: (capabilities: PhpArray) => void) => {
    const roles = unserialize((await option(rows)) ?? '') as PhpArray;
    change(asMap(asMap(roles.get(role)).get('capabilities')));
    await rows.query(
      sql`UPDATE wp_options SET option_value = ${serialize(roles)} WHERE option_name = 'wp_user_roles'`,
    );
  };
  const AUTHOR = ['edit', 'edit_published', 'delete', 'delete_published', 'publish'].map(
    (one) => `${one}_workshops`,
  );

  it('are written once: what administrators change of them stays', async () => {
    const before = await started((rows) => option(rows), {}, []);
    await started(async (rows) => {
      expect(await ownOf(rows, 'administrator')).toHaveLength(10);
      expect(await ownOf(rows, 'author')).toEqual(AUTHOR);
      expect(await ownOf(rows, 'contributor')).toEqual(['edit_workshops', 'delete_workshops']);
      expect(await ownOf(rows, 'subscriber')).toEqual([]);
      const without = ((await option(rows)) ?? '').replace(/s:\d+:"[a-z_]+_workshops";b:1;/g, '');
      expect(without.replace(/a:\d+:/g, '')).toBe((before ?? '').replace(/a:\d+:/g, ''));
      await setCapability(rows, 'author', (own) => {
        own.delete('publish_workshops');
        own.set('edit_published_workshops', false);
      });
    });
    expect(await started((rows) => ownOf(rows, 'author'))).toEqual([
      'edit_workshops',
      'not edit_published_workshops',
      'delete_workshops',
      'delete_published_workshops',
    ]);
  });

  it('are taken back by a command, without the plugin too, but not what roles had before', async () => {
    await started(
      (rows) => setCapability(rows, 'editor', (own) => void own.set('edit_workshops', true)),
      {},
      [],
    );
    const before = await started((rows) => option(rows), {}, []);
    await started(async (rows) => expect(await ownOf(rows, 'author')).toEqual(AUTHOR));
    const listed = await almanac(site.url, ['grants', 'list']);
    expect(listed.out).toMatch(
      /^workshops: administrator \(read_private_workshops, .*\); editor \(.*\); author \(/,
    );
    const revoked = await almanac(site.url, ['grants', 'revoke', 'workshops']);
    expect(revoked).toEqual({
      code: 0,
      out: 'workshops is revoked: administrator, editor, author, contributor.\n',
      err: '',
    });
    expect(await started((rows) => option(rows))).toBe(before);
    expect(await almanac(site.url, ['grants', 'revoke', 'workshops'])).toMatchObject({
      code: 1,
      err: 'workshops is revoked already.\n',
    });
    expect(await almanac(site.url, ['grants', 'revoke', 'seats'])).toMatchObject({
      code: 1,
      err: 'Nothing was granted as seats; there is workshops.\n',
    });
    expect((await almanac(site.url, ['grants', 'restore', 'workshops'])).code).toBe(0);
    await started(async (rows) => expect(await ownOf(rows, 'author')).toEqual(AUTHOR));
  });

  it('wait for a start that may write, and say so', async () => {
    const before = await started((rows) => option(rows), {}, []);
    expect(await started((rows) => option(rows), { READ_ONLY: 'true' })).toBe(before);
    expect(warnings).toContain(
      'The roles of the site can not be written: nobody has the capabilities of workshops yet.',
    );
    await started(async (rows) => expect(await ownOf(rows, 'author')).toEqual(AUTHOR));
  });

  it('leave roles alone that can not be read, and name a role that the site does not have', async () => {
    await started(
      async (rows) => {
        const roles = unserialize((await option(rows)) ?? '') as PhpArray;
        roles.delete('contributor');
        await rows.query(
          sql`UPDATE wp_options SET option_value = ${serialize(roles)} WHERE option_name = 'wp_user_roles'`,
        );
      },
      {},
      [],
    );
    await started(async (rows) => expect(await ownOf(rows, 'author')).toEqual(AUTHOR));
    expect(warnings).toContain('workshops is not granted to contributor: the site has no such role.');
    await almanac(site.url, ['grants', 'revoke', 'workshops']);
    await almanac(site.url, ['grants', 'restore', 'workshops']);
    await started(
      (rows) =>
        rows.query(
          sql`UPDATE wp_options SET option_value = 'O:8:"stdClass":0:{}' WHERE option_name = 'wp_user_roles'`,
        ),
      {},
      [],
    );
    expect(await started((rows) => option(rows))).toBe('O:8:"stdClass":0:{}');
    expect(warnings).toContain('The roles of the site can not be read: workshops is not granted.');
    expect(await almanac(site.url, ['grants', 'list'])).toMatchObject({ out: 'Nothing was granted.\n' });
  });
});
