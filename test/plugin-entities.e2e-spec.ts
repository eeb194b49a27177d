import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readEnvironment, StartError } from 'almanac';
import { Entity, PrimaryColumn } from 'typeorm';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { openSite } from '../src/database/open-site.js';
import { TecEvent } from '../src/resources/events/tec-event.entity.js';
import { Post, Revision } from '../src/wordpress/posts/post.entity.js';
import { describeDatabases, makeSite, type Site } from './support/sites.js';
import { testFolder } from './support/test-folder.js';

const ROOT = join(__dirname, '..');

/** A plugin whose entity maps the table of a built-in entity. */
const PLUGIN = `
  import { TypeOrmModule } from '@nestjs/typeorm';
  import { Entity, PrimaryColumn } from 'typeorm';
  class AcmeOption {}
  PrimaryColumn({ type: 'int' })(AcmeOption.prototype, 'id');
  Entity('options')(AcmeOption);
  export default { module: class Acme {}, imports: [TypeOrmModule.forFeature([AcmeOption])] };`;

/** Builds an entity that maps the given table. */
function entityOf(table: string, name: string) {
  const entity = { [name]: class {} }[name] as new () => object;
  PrimaryColumn({ type: 'int' })(entity.prototype, 'id');
  Entity(table)(entity);
  return entity;
}

describeDatabases("a plugin's entity", (database) => {
  let site: Site;
  beforeEach(async () => {
    site = await makeSite(database);
  });
  afterEach(() => site.drop());

  const startErrorOf = async (starting: Promise<unknown>) => {
    const thrown = await starting.catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(StartError);
    return (thrown as Error).message;
  };
  const openedWith = (entity: new () => object) => {
    const env = readEnvironment({ DATABASE_URL: site.url });
    const entities = [Post, Revision, TecEvent, entity];
    return openSite({ ...dataSourceOptions(env), entities }, env);
  };

  it.each([
    ['posts', 'AcmePost', 'Post'],
    ['TEC_events', 'AcmeEvent', 'TecEvent'],
    ['almanac_plugin_migrations', 'AcmeMigration', 'Almanac'],
  ])('is rejected with a StartError when it maps the table %s', async (table, name, owner) => {
    expect(await startErrorOf(openedWith(entityOf(table, name)))).toBe(
      `Both ${owner} and ${name} have the table wp_${table}: the tables of a plugin need a prefix of its own.`,
    );
  });

  it('is accepted with a table of its own', async () => {
    const source = await openedWith(entityOf('acme_posts', 'AcmeOwn'));
    await source.destroy();
  });

  // Runs in a process of its own, because TypeORM would load the entity in all later servers of this one.
  it('stops the start of a server when it maps a built-in table', async () => {
    const folder = mkdtempSync(join(testFolder(), 'acme-'));
    mkdirSync(join(folder, 'node_modules'));
    for (const name of ['@nestjs', 'typeorm'])
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    writeFileSync(join(folder, 'acme.mjs'), PLUGIN);
    const env = { PATH: process.env['PATH'], DATABASE_URL: site.url, PLUGINS: './acme.mjs' };
    const main = join(ROOT, 'dist', 'main.js');
    const started = promisify(execFile)(process.execPath, [main], { cwd: folder, env });
    const { stderr } = await started.catch((error: { stderr: string }) => error);
    expect(stderr).toContain(
      'Both Option and AcmeOption have the table wp_options: the tables of a plugin need a prefix of its own.',
    );
  });
});
