// What scripts/new-resource.mjs writes.

/** The files of a package, by path: `name` is the plural and the path, `one` the singular, `type` the post type. */
export function templates({ name, one, type, almanac, versions }) {
  const many = camel(name);
  const Many = pascal(name);
  const One = pascal(one);
  const capabilities = name.replaceAll('-', '_');
  const CONSTANT = name.replaceAll('-', '_').toUpperCase();
  const own = (...names) => Object.fromEntries(names.map((one) => [one, versionOf(one, versions)]));
  const shared = own('@nestjs/common', 'class-validator', 'typeorm');
  return {
    'package.json': json({
      name: `almanac-${name}`,
      version: '0.1.0',
      description: `A plugin for Almanac: ${name}`,
      private: true,
      type: 'module',
      exports: `./dist/src/${name}.module.js`,
      files: ['dist/src'],
      scripts: {
        build: 'tsc',
        'start:dev': 'almanac dev',
        test: 'tsc && NODE_OPTIONS=--experimental-vm-modules jest',
      },
      // The plugin shares the copies of the project that installs it.
      peerDependencies: Object.fromEntries(
        Object.entries({ ...shared, almanac: versions.version }).map(([peer, version]) => [
          peer,
          `^${version}`,
        ]),
      ),
      devDependencies: { ...shared, ...own('@types/jest', '@types/node', 'jest', 'typescript'), almanac },
      // What jest and Swagger would run when they are installed; nothing of it is needed.
      allowScripts: { '@parcel/watcher': false, '@scarf/scarf': false },
      jest: { testRegex: '/dist/test/.*\\.spec\\.js$', testTimeout: 60_000, transform: {} },
    }),
    '.npmrc': '# Almanac is copied, not linked: it and its plugins share one Nest.\ninstall-links=true\n',
    '.gitignore': 'node_modules/\n/dist/\n',
    'tsconfig.json': json({
      compilerOptions: {
        target: 'ES2023',
        lib: ['ES2023'],
        module: 'nodenext',
        rootDir: '.',
        outDir: 'dist',
        strict: true,
        strictPropertyInitialization: false,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
        useDefineForClassFields: false,
        skipLibCheck: true,
        declaration: true,
        types: ['node', 'jest'],
      },
      include: ['src/**/*.ts', 'test/**/*.ts'],
    }),
    [`src/${name}-type.ts`]: `import { definePosts, Post, VENUE } from 'almanac';
import { ChildEntity } from 'typeorm';

@ChildEntity('${type}')
export class ${One} extends Post {}

/** Posts of a type of their own; roles are granted their capabilities at the first start (almanac grants revoke ${capabilities} takes them back). */
export const ${CONSTANT} = definePosts({
  type: '${type}',
  path: '${name}',
  singular: '${one}',
  plural: '${name}',
  capabilities: '${capabilities}',
  grants: { editor: 'all', author: 'own', contributor: 'drafts' },
  entity: ${One},
  relations: {
    venue: { to: VENUE, meta: '_at_venue', description: 'Where it is.' },
  },
});
`,
    [`src/${name}.service.ts`]: `import { Injectable } from '@nestjs/common';
import { PlainPostsService, PostResourceDeps } from 'almanac';
import { ${CONSTANT} } from './${name}-type.js';

/** Lists, reads and writes ${name}. */
@Injectable()
export class ${Many}Service extends PlainPostsService<'${name}'> {
  constructor(tools: PostResourceDeps) {
    super(${CONSTANT}, tools);
  }
}
`,
    [`src/${name}.controller.ts`]: `import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  AllowBatch,
  Context,
  ListOf,
  OWN_NAMESPACE,
  withPageHeaders,
  Parameters,
  PathId,
  type PlainPostFields,
  PlainPostListQuery,
  PlainPostQuery,
  type RequestContext,
  StatusesArg,
  Update,
} from 'almanac';
import { ${CONSTANT} } from './${name}-type.js';
import { ${Many}Service } from './${name}.service.js';

@ListOf(${CONSTANT})
class List${Many}Query extends PlainPostListQuery {
  @StatusesArg(${CONSTANT}.type) status?: string[];
}

/** Routes: \`/cal/events/v1/${name}\` and \`/cal/events/v1/${name}/<id>\`. */
@AllowBatch()
@Controller(\`\${OWN_NAMESPACE}/${name}\`)
export class ${Many}Controller {
  constructor(private readonly ${many}: ${Many}Service) {}

  @Get()
  list(@Parameters(List${Many}Query) query: List${Many}Query, @Context() context: RequestContext) {
    return withPageHeaders(this.${many}.list(query, context));
  }

  @Post()
  create(@Parameters(${CONSTANT}.newBody) fields: PlainPostFields, @Context() context: RequestContext) {
    return this.${many}.create(fields, context);
  }

  @Get(':id')
  get(
    @Param('id', PathId) id: number,
    @Parameters(PlainPostQuery) query: PlainPostQuery,
    @Context() context: RequestContext,
  ) {
    return this.${many}.get(id, query, context);
  }

  @Update(':id')
  update(
    @Param('id', PathId) id: number,
    @Parameters(${CONSTANT}.body) fields: PlainPostFields,
    @Context() context: RequestContext,
  ) {
    return this.${many}.update(id, fields, context);
  }

  @Delete(':id')
  remove(@Param('id', PathId) id: number, @Context() context: RequestContext) {
    return this.${many}.remove(id, context);
  }
}
`,
    [`src/${name}.module.ts`]: `import { Module } from '@nestjs/common';
import { ResourceModule, VenuesModule } from 'almanac';
import { MaxLength } from 'class-validator';
import { ${CONSTANT} } from './${name}-type.js';
import { ${Many}Controller } from './${name}.controller.js';
import { ${Many}Service } from './${name}.service.js';

/** A field of its own: rendered, checked, stored, and a filter of lists. */
const subtitle = {
  meta: '_subtitle',
  type: 'string',
  description: 'Subtitle.',
  checks: [MaxLength(200)],
  filter: true,
} as const;

/** The plugin: \`PLUGINS=almanac-${name}\`. */
@Module({
  imports: [
    VenuesModule,
    ResourceModule.forFeature(${CONSTANT}),
    ResourceModule.withFields(${CONSTANT}, { subtitle }),
  ],
  controllers: [${Many}Controller],
  providers: [${Many}Service],
})
export default class ${Many}Module {}
`,
    [`test/${name}.spec.ts`]: `import { startTestServer, type TestServer } from 'almanac/testing';
import ${Many}Module from '../src/${name}.module.js';

const PATH = '/cal/events/v1/${name}';

interface RecordBody {
  id: number;
  title: string;
  subtitle: string | null;
  venue: number | null;
  _embedded?: { venue: { venue: string }[] };
}

describe('${name}', () => {
  let server: TestServer;
  let first: RecordBody;
  beforeAll(async () => {
    server = await startTestServer({ plugins: [${Many}Module] });
    const answer = await server.asAdmin().post<RecordBody>(PATH, { title: 'First', subtitle: 'One' });
    expect(answer.status).toBe(201);
    first = answer.body;
    await server.asAdmin().post(PATH, { title: 'Second', status: 'draft' });
  });
  afterAll(() => server?.close());

  const total = async (query = '') => (await server.get<{ total: number }>(PATH + query)).body.total;

  it('are read alone and in lists; drafts are for those who may read them', async () => {
    expect((await server.get<RecordBody>(\`\${PATH}/\${first.id}\`)).body).toMatchObject({
      title: 'First',
      subtitle: 'One',
    });
    expect([await total(), await total('?subtitle=one'), await total('?subtitle=two')]).toEqual([1, 1, 0]);
    expect((await server.asAdmin().get<{ total: number }>(PATH)).body.total).toBe(2);
  });

  it('change what was sent and nothing else', async () => {
    const { body } = await server.asAdmin().put<RecordBody>(\`\${PATH}/\${first.id}\`, { title: 'Changed' });
    expect(body).toMatchObject({ title: 'Changed', subtitle: 'One' });
  });

  it('name a venue, which readers may embed, and by which lists are filtered', async () => {
    const admin = server.asAdmin();
    const { body: hall } = await admin.post<RecordBody>('/cal/events/v1/venues', { venue: 'Hall' });
    await admin.put(\`\${PATH}/\${first.id}\`, { venue: hall.id });
    const { body } = await server.get<RecordBody>(\`\${PATH}/\${first.id}?_embed=venue\`);
    expect(body).toMatchObject({ venue: hall.id, _embedded: { venue: [{ venue: 'Hall' }] } });
    expect(await total(\`?venue=\${hall.id}\`)).toBe(1);
  });

  it.each([
    ['a title is missing', { subtitle: 'One' }, 'rest_missing_callback_param'],
    ['a subtitle is too long', { title: 'Long', subtitle: 'x'.repeat(201) }, 'rest_invalid_param'],
  ])('are rejected where %s, and nothing is written', async (_, sent, code) => {
    expect(await server.asAdmin().post(PATH, sent)).toMatchObject({ status: 400, body: { code } });
    expect(await total()).toBe(1);
  });

  it('are written and removed by those who may', async () => {
    expect((await server.post(PATH, { title: 'Mine' })).status).toBe(401);
    expect((await server.as('subscriber').post(PATH, { title: 'Mine' })).status).toBe(403);
    const mine = await server.as('author').post<RecordBody>(PATH, { title: 'Mine' });
    expect(mine.status).toBe(201);
    expect((await server.as('author').delete(\`\${PATH}/\${first.id}\`)).status).toBe(403);
    expect((await server.as('author').delete(\`\${PATH}/\${mine.body.id}\`)).status).toBe(200);
    expect((await server.delete(\`\${PATH}/\${first.id}\`)).status).toBe(401);
    expect((await server.asAdmin().delete(\`\${PATH}/\${first.id}\`)).body).toMatchObject({ status: 'trash' });
    expect(await total()).toBe(0);
  });
});
`,
  };
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

const pascal = (words) => words.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());

const camel = (words) => words.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

const versionOf = (name, { dependencies, devDependencies }) => dependencies[name] ?? devDependencies[name];
