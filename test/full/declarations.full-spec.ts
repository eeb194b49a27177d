import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TSC = resolve('node_modules/typescript/bin/tsc');

/** Plugin code with inferred types, compiled with declarations as in Nest's project skeleton. */
const PLUGIN = `
import {
  CATEGORY, CategoriesService, EVENT, EventsService, type Hooks, ORGANIZER, OrganizersService, postHooks, PostsService,
  type RequestContext, SettingsService, TagsService, termHooks, VENUE, VenuesService, withPageHeaders,
} from 'almanac';

export class Wrapped {
  constructor(
    private readonly events: EventsService,
    private readonly venues: VenuesService,
    private readonly organizers: OrganizersService,
    private readonly categories: CategoriesService,
    private readonly tags: TagsService,
    private readonly posts: PostsService,
    private readonly settings: SettingsService,
  ) {}
  event(context: RequestContext) { return this.events.get(1, {}, context); }
  allEvents(context: RequestContext) { return this.events.list({ page: 1, per_page: 5 }, context); }
  pages(context: RequestContext) { return withPageHeaders(this.allEvents(context)); }
  async image(context: RequestContext) { return (await this.event(context)).image; }
  async place(context: RequestContext) { return (await this.event(context)).venue; }
  venue(context: RequestContext) { return this.venues.create({ venue: 'Hall' }, context); }
  organizer(context: RequestContext) { return this.organizers.remove(1, context); }
  category(context: RequestContext) { return this.categories.get(1, {}, context); }
  allTags(context: RequestContext) { return this.tags.list({ page: 1, per_page: 5 }, context); }
  rows() { return this.posts.rows([1]); }
  identities() { return this.posts.identities([1]); }
  site() { return this.settings.current(); }
  async links() { return (await this.site()).links; }
  async media() { return (await this.site()).media; }
  async render() { return (await this.site()).render; }
  async roles() { return (await this.site()).roles; }
  of({ access, base, settings }: RequestContext) { return { user: access.user, base, settings }; }
}
export const ofEvents = postHooks(EVENT);
export const ofVenues = postHooks(VENUE);
export const ofOrganizers = postHooks(ORGANIZER);
export const ofCategories = termHooks(CATEGORY);
export const moderate = (hooks: Hooks) =>
  hooks.addFilter(ofEvents.preInsert, (fields, { before }) => {
    if (before === undefined) return { ...fields, status: 'pending' };
    return fields;
  });
`;

it('the declarations of the plugin interface name all their types', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-declarations-'));
  try {
    const almanac = join(folder, 'node_modules/almanac');
    await mkdir(almanac, { recursive: true });
    for (const name of await readdir('node_modules'))
      if (name !== 'almanac')
        await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
    await run(process.execPath, [
      TSC,
      ...[
        '--project',
        'tsconfig.json',
        '--emitDeclarationOnly',
        '--incremental',
        'false',
        '--composite',
        'false',
        '--declaration',
      ],
      ...['--outDir', join(almanac, 'dist')],
    ]);
    const types = { types: './dist/almanac.d.ts' };
    await writeFile(
      join(almanac, 'package.json'),
      JSON.stringify({ type: 'module', exports: { '.': types } }),
    );
    const compilerOptions = {
      ...{ target: 'ES2023', module: 'nodenext', strict: true, declaration: true, noEmit: true },
      ...{ experimentalDecorators: true, emitDecoratorMetadata: true, skipLibCheck: true, types: ['node'] },
    };
    const project = JSON.stringify({ compilerOptions, files: ['plugin.ts'] });
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    await writeFile(join(folder, 'tsconfig.json'), project);
    await writeFile(join(folder, 'plugin.ts'), PLUGIN);
    const { stdout } = await run(process.execPath, [TSC, '-p', folder]).catch((error) => error);
    expect(stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
