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
import { parseRoles } from '../src/wordpress/users/capabilities.js';
import { almanac } from './support/command.js';
import { describeDatabases, makeSite, type Site } from './support/sites.js';

@ChildEntity('acme_training')
class Workshop extends Post {}

const WORKSHOP = definePosts({
  type: 'acme_training',
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

  interface WorkshopJson {
    id: number;
    status: string;
  }
  const createAs = (role: string, status = 'publish') =>
    server.as(role).post<WorkshopJson>(PATH, { title: role, status });

  it('give each role the capabilities of its level, and administrators all', async () => {
    const idsByRole: Record<string, number> = {};
    for (const [role, status] of Object.entries({
      administrator: 'publish',
      editor: 'publish',
      author: 'publish',
      contributor: 'pending',
    })) {
      const { body, ...response } = await createAs(role);
      expect([role, response.status, body.status]).toEqual([role, 201, status]);
      idsByRole[role] = body.id;
    }
    expect((await createAs('subscriber')).status).toBe(403);
    expect((await server.post(PATH, { title: 'nobody' })).status).toBe(401);
    const change = async (role: string, ownerRole: string) =>
      (await server.as(role).put(`${PATH}/${idsByRole[ownerRole]}`, { excerpt: role })).status;
    expect(await Promise.all(['author', 'contributor'].map((role) => change('editor', role)))).toEqual([
      200, 200,
    ]);
    expect(await change('author', 'author')).toBe(200);
    expect([await change('author', 'editor'), await change('contributor', 'author')]).toEqual([403, 403]);
    expect((await server.as('author').delete(`${PATH}/${idsByRole['author']}`)).status).toBe(200);
    expect((await server.as('administrator').delete(`${PATH}/${idsByRole['editor']}`)).status).toBe(200);
  });

  it.each<[string, Grants, Partial<typeof WORKSHOP>, string]>([
    [
      'an unknown level',
      { editor: 'some' as 'all' },
      {},
      '/workshops grants some to the role editor; it may be all, own, drafts.',
    ],
    [
      "the calendar's own capabilities",
      { editor: 'own' },
      { capabilities: 'tribe_events' },
      '/workshops grants read_private_tribe_events, edit_tribe_events, edit_others_tribe_events, edit_private_tribe_events, edit_published_tribe_events, delete_tribe_events, delete_others_tribe_events, delete_private_tribe_events, delete_published_tribe_events, publish_tribe_events, which roles have by WordPress or the calendar: give it capabilities of its own.',
    ],
  ])('prevent the start with %s', async (_, grants, more, message) => {
    const plugin = ResourceModule.forFeature({ ...WORKSHOP, ...more, grants });
    await expect(startTestServer({ plugins: [plugin] })).rejects.toEqual(new StartError(message));
  });
});

describeDatabases('the grants of a resource on an existing site', (database) => {
  let site: Site;
  beforeEach(async () => {
    site = await makeSite(database);
  });
  afterEach(() => site.drop());

  const warnings: string[] = [];
  const ignore = () => undefined;
  const logger = { log: ignore, error: ignore, warn: (line: string) => void warnings.push(line) };
  /** Starts a server, runs `work` with its database and closes it. */
  const withServer = async <T>(
    work: (rows: Database) => Promise<T>,
    env = {},
    plugins = [WorkshopsModule],
  ) => {
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
  const workshopCapabilities = async (rows: Database, role: string) =>
    [...(parseRoles(await option(rows)).get(role) ?? [])]
      .filter(([name]) => name.endsWith('_workshops'))
      .map(([name, isGranted]) => (isGranted ? name : `not ${name}`));
  const setCapability = async (rows: Database, role: string, change: (capabilities: PhpArray) => void) => {
    const roles = unserialize((await option(rows)) ?? '') as PhpArray;
    change(asMap(asMap(roles.get(role)).get('capabilities')));
    await rows.query(
      sql`UPDATE wp_options SET option_value = ${serialize(roles)} WHERE option_name = 'wp_user_roles'`,
    );
  };
  const AUTHOR = ['edit', 'edit_published', 'delete', 'delete_published', 'publish'].map(
    (action) => `${action}_workshops`,
  );

  it('are written once, and later changes of administrators persist', async () => {
    const before = await withServer((rows) => option(rows), {}, []);
    await withServer(async (rows) => {
      expect(await workshopCapabilities(rows, 'administrator')).toHaveLength(10);
      expect(await workshopCapabilities(rows, 'author')).toEqual(AUTHOR);
      expect(await workshopCapabilities(rows, 'contributor')).toEqual(['edit_workshops', 'delete_workshops']);
      expect(await workshopCapabilities(rows, 'subscriber')).toEqual([]);
      const without = ((await option(rows)) ?? '').replace(/s:\d+:"[a-z_]+_workshops";b:1;/g, '');
      expect(without.replace(/a:\d+:/g, '')).toBe((before ?? '').replace(/a:\d+:/g, ''));
      await setCapability(rows, 'author', (capabilities) => {
        capabilities.delete('publish_workshops');
        capabilities.set('edit_published_workshops', false);
      });
    });
    expect(await withServer((rows) => workshopCapabilities(rows, 'author'))).toEqual([
      'edit_workshops',
      'not edit_published_workshops',
      'delete_workshops',
      'delete_published_workshops',
    ]);
  });

  it('are revoked by almanac grants revoke, except capabilities that roles had before', async () => {
    await withServer(
      (rows) =>
        setCapability(rows, 'editor', (capabilities) => void capabilities.set('edit_workshops', true)),
      {},
      [],
    );
    const before = await withServer((rows) => option(rows), {}, []);
    await withServer(async (rows) => expect(await workshopCapabilities(rows, 'author')).toEqual(AUTHOR));
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
    expect(await withServer((rows) => option(rows))).toBe(before);
    expect(await almanac(site.url, ['grants', 'revoke', 'workshops'])).toMatchObject({
      code: 1,
      err: 'workshops is revoked already.\n',
    });
    expect(await almanac(site.url, ['grants', 'revoke', 'seats'])).toMatchObject({
      code: 1,
      err: 'Nothing was granted as seats; there is workshops.\n',
    });
    expect((await almanac(site.url, ['grants', 'restore', 'workshops'])).code).toBe(0);
    await withServer(async (rows) => expect(await workshopCapabilities(rows, 'author')).toEqual(AUTHOR));
  });

  it('wait for a start with write access, and a read-only start warns', async () => {
    const before = await withServer((rows) => option(rows), {}, []);
    expect(await withServer((rows) => option(rows), { READ_ONLY: 'true' })).toBe(before);
    expect(warnings).toContain(
      'The roles of the site cannot be written: the capabilities of workshops are not granted yet.',
    );
    await withServer(async (rows) => expect(await workshopCapabilities(rows, 'author')).toEqual(AUTHOR));
  });

  it('leave unreadable roles unchanged and warn about a role that the site lacks', async () => {
    await withServer(
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
    await withServer(async (rows) => expect(await workshopCapabilities(rows, 'author')).toEqual(AUTHOR));
    expect(warnings).toContain('workshops is not granted to contributor: the site has no such role.');
    await almanac(site.url, ['grants', 'revoke', 'workshops']);
    await almanac(site.url, ['grants', 'restore', 'workshops']);
    await withServer(
      (rows) =>
        rows.query(
          sql`UPDATE wp_options SET option_value = 'O:8:"stdClass":0:{}' WHERE option_name = 'wp_user_roles'`,
        ),
      {},
      [],
    );
    expect(await withServer((rows) => option(rows))).toBe('O:8:"stdClass":0:{}');
    expect(warnings).toContain('The roles of the site cannot be read: workshops is not granted.');
    expect(await almanac(site.url, ['grants', 'list'])).toMatchObject({ out: 'Nothing was granted.\n' });
  });
});
