import SwaggerParser from '@apidevtools/swagger-parser';
import { Controller, Delete, Get, Injectable, Module, Param, Post } from '@nestjs/common';
import { ChildEntity, Column, Entity, getMetadataArgsStorage, PrimaryColumn } from 'typeorm';
import { OWN_NAMESPACE } from '../src/config/env.js';
import { StartError } from '../src/database/start-error.js';
import { Transactions } from '../src/database/transactions.js';
import { Parameters } from '../src/http/params/parameters.js';
import { PathId } from '../src/http/params/path-id.js';
import { Context, type RequestContext, toWriteContext } from '../src/http/request-context.js';
import type { Plugin } from '../src/plugins/plugin.js';
import { definePosts } from '../src/resources/base/define-posts.js';
import { Member } from '../src/resources/base/member.js';
import { type PlainPostFields, PlainPostListQuery } from '../src/resources/base/plain-post.dto.js';
import { PlainPostsService } from '../src/resources/base/plain-posts.service.js';
import { PostResourceDeps } from '../src/resources/base/post-resource-deps.js';
import { defineResource, type LoadedPost } from '../src/resources/base/resource.js';
import { ResourceModule } from '../src/resources/base/resource.module.js';
import { Resources } from '../src/resources/base/resources.js';
import type { ResponseContext } from '../src/resources/base/response-context.js';
import { Post as PostRow } from '../src/wordpress/posts/post.entity.js';
import { PostWriter } from '../src/wordpress/posts/post-writer.js';
import { ContentTypes } from '../src/wordpress/types/content-types.js';
import { WordPressModule } from '../src/wordpress/wordpress.module.js';
import { startApp, type TestApp } from './support/app.js';
import { type Caller, clientOf, type Send } from './support/calendar-client.js';
import { TYPES } from './support/content-types.js';
import { withoutPassword } from './support/recorded-document.js';
import { makeSite, type Site } from './support/sites.js';

interface ApiDocument {
  paths: Record<string, Record<string, { summary: string }>>;
  components: { schemas: Record<string, unknown> };
}

@ChildEntity('ticket')
class Ticket extends PostRow {}

class TicketJson {
  @Member({ type: 'integer', visibleWhenLocked: true }) id: number;
}

const TICKET = defineResource({
  kind: 'post',
  type: 'ticket',
  path: 'tickets',
  singular: 'ticket',
  plural: 'tickets',
  json: TicketJson,
  entity: Ticket,
  capabilities: 'posts',
  linkBase: () => 'entry',
  body: class {},
  toJson: ({ post }) => ({ id: post.id }),
});

@Controller(`${OWN_NAMESPACE}/tickets`)
class TicketsController {
  constructor(
    private readonly transactions: Transactions,
    private readonly posts: PostWriter,
  ) {}

  @Get()
  list() {
    return { tickets: [] };
  }

  @Get(':id')
  get(@Param('id', PathId) id: number) {
    return { id };
  }

  @Post()
  async create(@Context() context: RequestContext) {
    const status = context.access.statusOnWrite(TICKET.type, 'publish');
    const author = context.access.user.id;
    const post = { type: TICKET.type, title: 'Stalls', status, author, mayPublish: true };
    return {
      id: await this.transactions.run((transaction) =>
        this.posts.insert(transaction, post, toWriteContext(context)),
      ),
    };
  }
}

@ChildEntity('note')
class Note extends PostRow {}

const NOTE = definePosts({
  type: 'note',
  path: 'notes',
  corePath: 'wp_notes',
  singular: 'note',
  plural: 'notes',
  capabilities: 'posts',
  entity: Note,
});

/** Renders a note with a member that its class does not declare. */
const renderNote = (loaded: LoadedPost, context: ResponseContext) => ({
  ...NOTE.toJson(loaded, context, { jsonLd: false }),
  undeclared: 'what is this?',
});

@Injectable()
class NotesService extends PlainPostsService<'notes'> {
  constructor(tools: PostResourceDeps) {
    super({ ...NOTE, toJson: renderNote }, tools);
  }
}

@Controller(`${OWN_NAMESPACE}/notes`)
class NotesController {
  constructor(private readonly notes: NotesService) {}

  @Get()
  list(@Parameters(PlainPostListQuery) query: PlainPostListQuery, @Context() context: RequestContext) {
    return this.notes.list(query, context);
  }

  @Post()
  create(@Parameters(NOTE.newBody) fields: PlainPostFields, @Context() context: RequestContext) {
    return this.notes.create(fields, context);
  }
}

@ChildEntity('memo')
class Memo extends PostRow {}

const MEMO = definePosts({
  type: 'memo',
  path: 'memos',
  singular: 'memo',
  plural: 'memos',
  capabilities: 'posts',
  entity: Memo,
});

@Injectable()
class MemosService extends PlainPostsService<'memos'> {
  constructor(tools: PostResourceDeps) {
    super(MEMO, tools);
  }
}

@Controller(`${OWN_NAMESPACE}/memos`)
class MemosController {
  constructor(private readonly memos: MemosService) {}

  @Post()
  create(@Parameters(MEMO.newBody) fields: PlainPostFields, @Context() context: RequestContext) {
    return this.memos.create(fields, context);
  }

  @Delete(':id')
  remove(@Param('id', PathId) id: number, @Context() context: RequestContext) {
    return this.memos.remove(id, context);
  }
}

@Module({
  imports: [
    ResourceModule.forFeature(MEMO),
    ResourceModule.withFields(MEMO, { due: { meta: '_due', description: 'When it is due.' } }),
    ResourceModule.forFeature(TICKET),
    ResourceModule.forFeature(NOTE),
    ResourceModule.withFields(NOTE, {
      colour: { meta: '_colour', description: 'Its colour.' },
      pin: { meta: '_pin', description: 'Who pinned it.', type: 'integer', readableBy: 'edit_posts' },
    }),
    WordPressModule,
  ],
  controllers: [TicketsController, NotesController, MemosController],
  providers: [NotesService, MemosService],
})
class TicketsModule {}

describe('a resource of a plugin', () => {
  let site: Site;
  let app: TestApp;
  let send: Send;

  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url, plugins: [TicketsModule] });
    send = clientOf(app.url);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const create = async (caller: Caller) => Number((await send(caller, 'POST', '/tickets', {})).body['id']);
  const rowOf = async (id: number) => {
    const rows = await app.dataSource.query(
      'SELECT post_type, post_status, guid FROM wp_posts WHERE ID = ?',
      [id],
    );
    return rows[0];
  };

  it('is stored with the status that its capabilities allow and the link of its type', async () => {
    expect(await rowOf(await create('editor'))).toEqual({
      post_type: 'ticket',
      post_status: 'publish',
      guid: 'http://calendar.example.org/entry/stalls/',
    });
    expect(await rowOf(await create('contributor'))).toMatchObject({ post_status: 'pending' });
  });

  it('lists the methods in Allow by the capabilities of its type', async () => {
    const allow = async (caller: Caller, path: string) =>
      (await send(caller, 'GET', path)).headers.get('allow');
    const id = await create('editor');
    expect(await allow('anonymous', `/tickets/${id}`)).toBe('GET');
    expect(await allow('contributor', `/tickets/${id}`)).toBe('GET');
    expect(await allow('editor', `/tickets/${id}`)).toBe('GET, DELETE, POST, PUT, PATCH');
    expect([await allow('subscriber', '/tickets'), await allow('editor', '/tickets')]).toEqual([
      'GET',
      'GET, POST',
    ]);
  });

  it('reports its namespace and path in /wp/v2/types', async () => {
    const typeOf = async (type: string) => (await fetch(`${app.url}/wp/v2/types/${type}`)).json();
    expect(await typeOf('memo')).toMatchObject({
      rest_base: 'memos',
      rest_namespace: 'cal/events/v1',
      _links: { 'wp:items': [{ href: 'http://calendar.example.org/wp-json/cal/events/v1/memos' }] },
    });
    // A type with `corePath` is served by WordPress, too.
    expect(await typeOf('note')).toMatchObject({
      rest_base: 'wp_notes',
      rest_namespace: 'wp/v2',
      _links: { 'wp:items': [{ href: 'http://calendar.example.org/wp-json/wp/v2/wp_notes' }] },
    });
  });

  it('contains only the members that its class allows while a password locks it', async () => {
    const sent = { title: 'Locked', description: 'Words', colour: 'red' };
    const { body } = await send('editor', 'POST', '/notes', sent);
    expect(body).toMatchObject({ ...sent, description: '<p>Words</p>', undeclared: 'what is this?' });
    await app.dataSource.query("UPDATE wp_posts SET post_password = 'x' WHERE ID = ?", [body['id']]);
    const list = (await send('anonymous', 'GET', '/notes')).body['notes'];
    const masked = { description: '', excerpt: '', image: false, colour: null, undeclared: null };
    const { pin: _, ...seen } = body;
    expect(list).toEqual([{ ...seen, ...masked }]);
  });

  it('has the fields declared on it and none of another type', async () => {
    const sent = { title: 'Two', colour: 'red', due: 'today' };
    const [note, memo] = await Promise.all(
      ['/notes', '/memos'].map((path) => send('editor', 'POST', path, sent)),
    );
    expect(note?.body).toMatchObject({ colour: 'red' });
    expect(note?.body).not.toHaveProperty('due');
    expect(memo?.body).toMatchObject({ due: 'today' });
    const { routes } = (await send('anonymous', 'GET', '/')).body as {
      routes: Record<string, { endpoints: { methods: string[]; args: object }[] }>;
    };
    const args = routes['/cal/events/v1/memos']?.endpoints[0]?.args;
    expect(args).toMatchObject({ due: {}, title: { required: true } });
    expect(args).not.toHaveProperty('colour');
    expect((await send('editor', 'POST', '/memos', { due: 'today' })).status).toBe(400);
  });

  it('removes its term relationships and lowers the counts when deleted permanently', async () => {
    const env = { EMPTY_TRASH_DAYS: '0' };
    const other = await startApp({ databaseUrl: site.url, plugins: [TicketsModule], env });
    try {
      const { id } = (await send('editor', 'POST', '/memos', { title: 'Filed' })).body;
      const query = (text: string): Promise<unknown[]> => app.dataSource.query(text);
      await query("INSERT INTO wp_terms (term_id, name, slug) VALUES (900001, 'File', 'file')");
      await query(
        `INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, count)
         VALUES (900001, 900001, 'file', '', 3)`,
      );
      await query(`INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (${id}, 900001)`);
      expect((await clientOf(other.url)('editor', 'DELETE', `/memos/${id}`)).status).toBe(200);
      expect(await query(`SELECT 1 FROM wp_term_relationships WHERE object_id = ${id}`)).toEqual([]);
      const counts = 'SELECT count FROM wp_term_taxonomy WHERE term_taxonomy_id = 900001';
      expect(await query(counts)).toEqual([{ count: 2 }]);
    } finally {
      await other.close();
    }
  });

  it('has a schema in /openapi.json with the fields that plugins declare', async () => {
    const complete = (await (await fetch(`${app.url}/openapi.json`)).json()) as ApiDocument;
    const note = complete.components.schemas['Note'] as { properties: object; required: string[] };
    expect(note.properties).toMatchObject({
      title: { type: 'string' },
      image: { anyOf: [{ $ref: '#/components/schemas/Image' }, { const: false }] },
      colour: { type: ['string', 'null'], description: 'Its colour.' },
      pin: { type: ['integer', 'null'] },
    });
    expect([note.required.includes('colour'), note.required.includes('pin')]).toEqual([true, false]);
  });

  it('is listed in the index, /openapi.json and /doc', async () => {
    const { body } = await send('anonymous', 'GET', '');
    expect(Object.keys(body['routes'] as object)).toContain(`/${OWN_NAMESPACE}/tickets`);
    const complete = (await (await fetch(`${app.url}/openapi.json`)).json()) as ApiDocument;
    expect(complete.paths['/tickets/{id}']?.['get']?.summary).toBe('Read one ticket');
    expect(complete.components.schemas['Ticket']).toEqual({
      type: 'object',
      properties: { id: { type: 'integer' } },
      required: ['id'],
    });
    await SwaggerParser.validate(complete as never);
    await SwaggerParser.validate(withoutPassword((await send('anonymous', 'GET', '/doc')).body) as never);
  });
});

describe('the registry of resources', () => {
  let site: Site;

  beforeAll(async () => {
    site = await makeSite('SQLite');
  });
  afterAll(() => site?.drop());

  const start = (plugin: Plugin) => startApp({ databaseUrl: site.url, plugins: [plugin] });
  const errorWith = (message: string) =>
    expect.objectContaining({ message: expect.stringContaining(message) });

  /** Entities decorated on demand and removed afterwards, because TypeORM would load them in all servers of this process. */
  const invalidEntities: Record<string, () => new () => object> = {
    Bare: () => class Bare extends PostRow {},
    Foreign: () => {
      class Foreign extends PostRow {}
      ChildEntity('tribe_events')(Foreign);
      return Foreign;
    },
    Own: () => {
      class Own {}
      PrimaryColumn({ type: 'int' })(Own.prototype, 'id');
      Entity('acme_own')(Own);
      return Own;
    },
    Wide: () => {
      class Wide extends PostRow {}
      Column({ type: 'int' })(Wide.prototype, 'seats');
      ChildEntity('wide')(Wide);
      return Wide;
    },
  };
  const removeMetadata = (entity: object) => {
    const { tables, columns, discriminatorValues } = getMetadataArgsStorage();
    for (const list of [tables, columns, discriminatorValues] as { target: unknown }[][])
      for (let at = list.length - 1; at >= 0; at--) if (list[at]?.target === entity) list.splice(at, 1);
  };
  const declarationOf = (name: string, type = 'entry') =>
    `write @ChildEntity('${type}') class ${name} extends Post {}.`;
  it.each<[string, string, string, string]>([
    [
      'without @ChildEntity',
      'entry',
      'Bare',
      `Bare of /entries has no @ChildEntity: ${declarationOf('Bare')}`,
    ],
    [
      'with that of another type',
      'entry',
      'Foreign',
      `Foreign of /entries is @ChildEntity('tribe_events'): ${declarationOf('Foreign')}`,
    ],
    ['of a table of its own', 'entry', 'Own', `Own of /entries is no Post: ${declarationOf('Own')}`],
    [
      'with columns of its own',
      'wide',
      'Wide',
      `Wide of /entries has columns (seats) that the table does not have: ${declarationOf('Wide', 'wide')}`,
    ],
  ])('rejects an entity %s with a StartError', async (_, type, name, message) => {
    const entity = invalidEntities[name]?.() as new () => object;
    const definition = { ...TICKET, type, path: 'entries', json: class Entry {} };
    @Module({
      providers: [
        {
          provide: 'entries',
          inject: [Resources],
          useFactory: (resources: Resources) => resources.add({ ...definition, entity } as never),
        },
      ],
    })
    class Entries {}
    await expect(start(Entries).finally(() => removeMetadata(entity))).rejects.toEqual(
      new StartError(`The entity ${message}`),
    );
  });

  it('rejects a resource without an entity and names its path', async () => {
    const plugin = ResourceModule.forFeature({
      ...TICKET,
      type: 'entry',
      path: 'entries',
      entity: undefined,
    } as never);
    await expect(start(plugin)).rejects.toEqual(
      new StartError(
        "The entity undefined of /entries is no Post: write @ChildEntity('entry') class Name extends Post {}.",
      ),
    );
  });

  it("rejects an entity with another type's discriminator value and names both", async () => {
    const entity = invalidEntities['Foreign']?.() as new () => PostRow;
    const plugin = ResourceModule.forFeature({ ...TICKET, type: 'entry', path: 'entries', entity });
    const thrown = await start(plugin).catch((error: unknown) => error);
    removeMetadata(entity);
    expect(thrown).toBeInstanceOf(StartError);
    expect((thrown as Error).message).toMatch(
      /^The entities of plugins are invalid: Entities Event and Foreign have the same discriminator values\./,
    );
  });

  it.each([
    ['a taxonomy', { taxonomies: [{ ...TYPES.taxonomy('post_tag'), taxonomy: 'nowhere' }] }, 'nowhere'],
    ['a linked type', { linked: [{ type: 'nothing', capabilities: 'posts' }] }, 'nothing'],
  ])('rejects a resource with %s that is not registered', async (_, more, name) => {
    const starting = start(ResourceModule.forFeature({ ...TICKET, ...more }));
    await expect(starting).rejects.toEqual(errorWith(`${name} is not registered`));
    await expect(starting).rejects.toBeInstanceOf(StartError);
  });

  it.each([
    ['path', { path: 'venues' }, 'path /venues'],
    ['schema', { json: class VenueJson {} }, 'the schema Venue'],
    ['post type', { type: 'tribe_venue' }, 'tribe_venue is registered twice'],
  ])('rejects two modules with the same %s', async (_, more, message) => {
    await expect(start(ResourceModule.forFeature({ ...TICKET, ...more }))).rejects.toEqual(
      errorWith(message),
    );
  });

  it('rejects the name of a type or taxonomy that is longer than its column', async () => {
    const starting = start(ResourceModule.forFeature({ ...TICKET, type: 'ticket_of_one_seat_only' }));
    await expect(starting).rejects.toEqual(errorWith('ticket_of_one_seat_only is too long'));
    const taxonomy = { ...TYPES.taxonomy('post_tag'), taxonomy: 'x'.repeat(33) };
    expect(() => new ContentTypes().add(taxonomy)).toThrow('at most 32 characters');
  });

  it('throws for types and taxonomies that are not registered', () => {
    expect(() => new ContentTypes().postType('tribe_events')).toThrow('tribe_events is not registered');
    expect(() => new ContentTypes().taxonomy('post_tag')).toThrow('post_tag is not registered');
  });
});
