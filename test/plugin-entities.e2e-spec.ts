import { TypeOrmModule } from '@nestjs/typeorm';
import { createServer, readEnvironment, StartError } from 'almanac';
import { Entity, PrimaryColumn } from 'typeorm';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { openSite } from '../src/database/open-site.js';
import { TecEvent } from '../src/resources/events/tec-event.entity.js';
import { Post } from '../src/wordpress/posts/post.entity.js';
import { Revision } from '../src/wordpress/posts/revision.entity.js';
import { describeDatabases, makeSite, type Site } from './support/sites.js';

/** An entity of that table. */
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

  const refusal = async (starting: Promise<unknown>) => {
    const refused = await starting.catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartError);
    return (refused as Error).message;
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
  ])('may not have the table %s', async (table, name, owner) => {
    expect(await refusal(openedWith(entityOf(table, name)))).toBe(
      `Both ${owner} and ${name} have the table wp_${table}: the tables of a plugin need a prefix of its own.`,
    );
  });

  it('may have any other', async () => {
    const source = await openedWith(entityOf('acme_posts', 'AcmeOwn'));
    await source.destroy();
  });

  // It is loaded by every server of this process that starts later.
  it('keeps a server from starting', async () => {
    const entity = entityOf('options', 'AcmeOption');
    const plugin = { module: class Acme {}, imports: [TypeOrmModule.forFeature([entity])] };
    const env = readEnvironment({ DATABASE_URL: site.url });
    expect(await refusal(createServer({ env, plugins: [plugin], logger: false }))).toBe(
      'Both Option and AcmeOption have the table wp_options: the tables of a plugin need a prefix of its own.',
    );
  });
});
