import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { basic, clientOf, request } from '../support/calendar-client.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';

const LOGIN = /Log in as "admin" with the application password "([^"]+)"/;

(serverMissing() ? describe.skip : describe)('a server that stores names of tables in small letters', () => {
  let database: OwnServer;
  let server: BuiltServer | undefined;

  beforeAll(async () => {
    database = await startOwnServer(SERVER, '--lower-case-table-names=1');
  });
  afterEach(async () => {
    await server?.kill();
    server = undefined;
  });
  afterAll(() => database?.kill());

  const start = async (url: string, TABLE_PREFIX: string) => {
    server = await startBuilt(url, [], { env: { TABLE_PREFIX } });
    return server;
  };

  it('recognizes at the second start the site that the first one created under a prefix with capitals', async () => {
    await database.ask('CREATE DATABASE made');
    const url = database.url.replace(/site$/, 'made');
    const first = await start(url, 'Site_');
    const [, password = ''] = LOGIN.exec(first.log()) ?? [];
    const admin = basic('admin', password);
    const created = await request(first.url, 'POST', '/tags', admin, { name: 'The first' });
    expect(created.status).toBe(201);
    await first.kill();
    for (const prefix of ['Site_', 'site_', 'SITE_']) {
      const { url: root, kill, log } = await start(url, prefix);
      const found = await request(root, 'GET', `/tags/${created.body['id']}`, {});
      expect([prefix, found.body['name']]).toEqual([prefix, 'The first']);
      // Roles and capabilities use the spelling of the rows.
      const changed = await request(root, 'PUT', `/tags/${created.body['id']}`, admin, {
        description: prefix,
      });
      expect([prefix, changed.status, changed.body['description']]).toEqual([prefix, 200, prefix]);
      expect(log()).not.toMatch(LOGIN);
      await kill();
    }
    expect(await database.ask('SELECT user_login FROM made.site_users')).toHaveLength(1);
  });

  it('completes a site under a prefix with capitals whose first start was interrupted', async () => {
    await database.ask('CREATE DATABASE cut_off');
    const url = database.url.replace(/site$/, 'cut_off');
    const first = await start(url, 'Site_');
    await first.kill();
    await database.ask('DROP TABLE cut_off.site_tec_occurrences; DELETE FROM cut_off.almanac_migrations');
    const { url: root } = await start(url, 'Site_');
    expect((await request(root, 'GET', '/events', {})).status).toBe(200);
  });

  it('recognizes the roles of a site whose rows spell the prefix in another case', async () => {
    const { url } = await start(database.url, 'WP_');
    const send = clientOf(url);
    const read = await send(
      'editor',
      'GET',
      '/events?status=draft&start_date=2000-01-01&end_date=2099-12-31',
    );
    expect([read.status, Number(read.body['total']) > 0]).toEqual([200, true]);
    expect((await send('subscriber', 'POST', '/tags', { name: 'No' })).status).toBe(403);
  });
});
