import { readEnvironment } from '../src/config/env.js';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { SITE_TABLES } from '../src/database/migrations/1700000000000-create-site.js';
import { openSite } from '../src/database/open-site.js';
import { serialize, toPhp } from '../src/lib/wordpress-text/php-serialize.js';
import { startApp } from './support/app.js';
import { type Caller, clientOf, userId } from './support/calendar-client.js';
import type { Ask } from './support/invariants.js';
import { loadRecording } from './support/replay.js';
import { type DatabaseName, describeEither } from './support/sites.js';
import { EVENT, openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const { users } = loadRecording('site-a/write');
const php = (value: Parameters<typeof toPhp>[0]) => serialize(toPhp(value)).replaceAll("'", "''");
/** Super admin, without a role on any site. */
const SUPER: Caller = 'subscriber';
/** Administrator of the network's first site, without a role on the second. */
const ELSEWHERE: Caller = 'admin';
const ROLES = `WHERE meta_key IN ('wp_capabilities', 'wp_user_level')`;
const HTML = '<p>Seats</p><script>alert(1)</script>';

/** Turns the recorded site into the second site of a network; its roles are stored under its own prefix. */
async function moveIntoNetwork(ask: Ask): Promise<void> {
  for (const name of SITE_TABLES)
    if (!name.startsWith('user')) await ask(`ALTER TABLE wp_${name} RENAME TO wp_2_${name}`);
  await ask("UPDATE wp_2_options SET option_name = 'wp_2_user_roles' WHERE option_name = 'wp_user_roles'");
  await ask(`DELETE FROM wp_usermeta ${ROLES} AND user_id = ${userId(SUPER)}`);
  await ask(
    `UPDATE wp_usermeta SET meta_key = 'wp_2_capabilities' WHERE meta_key = 'wp_capabilities' AND user_id <> ${userId(ELSEWHERE)}`,
  );
  await addNetwork(ask);
}

/** Adds the tables of two networks; the super admin of the second has no rights in the first. */
async function addNetwork(ask: Ask): Promise<void> {
  await ask('CREATE TABLE wp_site (id INTEGER, domain VARCHAR(200), path VARCHAR(100))');
  await ask('CREATE TABLE wp_blogs (blog_id INTEGER, site_id INTEGER, domain VARCHAR(200))');
  await ask(
    'CREATE TABLE wp_sitemeta (meta_id INTEGER, site_id INTEGER, meta_key VARCHAR(255), meta_value TEXT)',
  );
  await ask("INSERT INTO wp_blogs VALUES (1, 7, 'a'), (2, 7, 'b'), (3, 8, 'c')");
  const admins = { 7: [users[SUPER]?.login ?? '', 'Editor'], 8: [users['author']?.login ?? ''] };
  for (const [id, logins] of Object.entries(admins))
    await ask(`INSERT INTO wp_sitemeta VALUES (${id}, ${id}, 'site_admins', '${php(logins)}')`);
}

describeEither('a site of a network', (database: DatabaseName) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database, moveIntoNetwork, { TABLE_PREFIX: 'wp_2_' });
  });
  afterAll(() => fixture?.close());

  const stored = async (id: unknown) =>
    (
      await fixture.ask(`SELECT post_content AS text, post_author AS author FROM wp_2_posts WHERE ID = ${id}`)
    )[0];
  const drafts = async (caller: Caller) => (await fixture.send(caller, 'GET', '/events?status=draft')).status;

  it('allows anonymous reads, and writes by the roles that its users have on it', async () => {
    expect((await fixture.send('anonymous', 'GET', '/events')).body['total']).toBeGreaterThan(10);
    expect(await drafts('editor')).toBe(200);
    const { status, body } = await fixture.send('editor', 'POST', '/events', { ...EVENT, description: HTML });
    expect(status).toBe(201);
    // In a network only super admins may store unfiltered HTML; on a single site editors may, too.
    expect(await stored(body['id'])).toEqual({
      text: expect.not.stringContaining('script>'),
      author: userId('editor'),
    });
    const { status: venueStatus, body: draft } = await fixture.send('contributor', 'POST', '/venues', {
      venue: 'Here',
    });
    expect([venueStatus, draft['status']]).toEqual([201, 'draft']);
  });

  it('allows every write of a super admin without a role', async () => {
    const { status, body } = await fixture.send(SUPER, 'POST', '/events', { ...EVENT, description: HTML });
    expect(status).toBe(201);
    expect(await stored(body['id'])).toEqual({ text: HTML, author: userId(SUPER) });
    expect(await drafts(SUPER)).toBe(200);
    expect((await fixture.send(SUPER, 'POST', '/categories', { name: 'By a super admin' })).status).toBe(201);
    expect((await fixture.send(SUPER, 'PUT', '/events/53', { author: userId('editor') })).status).toBe(200);
    expect((await fixture.send(SUPER, 'DELETE', `/events/${body['id']}`)).status).toBe(200);
  });

  it('rejects users of other sites and super admins of other networks with 403 and writes nothing', async () => {
    for (const [method, path, body] of [
      ['POST', '/events', EVENT],
      ['PUT', '/events/53', { title: 'Taken' }],
      ['DELETE', '/events/53', undefined],
      ['POST', '/venues', { venue: 'Taken' }],
      ['POST', '/tags', { name: 'Taken' }],
    ] as const) {
      const { status, body: error } = await fixture.send(ELSEWHERE, method, path, body);
      expect([path, status, error['code']]).toEqual([path, 403, 'rest_forbidden']);
    }
    expect(await fixture.ask("SELECT ID FROM wp_2_posts WHERE post_title = 'Taken'")).toEqual([]);
    expect((await fixture.send('author', 'PUT', '/categories/4', { name: 'Taken' })).status).toBe(200);
    expect((await fixture.send('author', 'PUT', '/events/53', { title: 'Taken' })).status).toBe(403);
    // The list of super admins is compared case-sensitively.
    expect((await fixture.send('editor', 'POST', '/events', { ...EVENT, description: HTML })).status).toBe(
      201,
    );
  });
});

describeEither('a network without tables of its sites', (database: DatabaseName) => {
  it('has no super admins and filters the HTML of every user', async () => {
    const prepare = async (ask: Ask) => {
      await moveIntoNetwork(ask);
      for (const name of ['sitemeta', 'blogs']) await ask(`DROP TABLE wp_${name}`);
    };
    const fixture = await openWriteFixture(database, prepare, { TABLE_PREFIX: 'wp_2_' });
    try {
      expect((await fixture.send(SUPER, 'POST', '/events', EVENT)).status).toBe(403);
      const { body } = await fixture.send('editor', 'POST', '/events', { ...EVENT, description: HTML });
      expect(body['description']).not.toContain('script>');
    } finally {
      await fixture.close();
    }
  });
});

describeEither('the first site of a network', (database: DatabaseName) => {
  it.each([
    ['accepts a super admin without a role when tables of a network exist', {}, 201],
    ['rejects a super admin without a role with 403 when MULTISITE is false', { MULTISITE: 'false' }, 403],
  ])('%s', async (_name, env, expected) => {
    const fixture = await openWriteFixture(database, addNetwork, env);
    try {
      expect((await fixture.send(SUPER, 'POST', '/events', EVENT)).status).toBe(expected);
      expect((await fixture.send('admin', 'POST', '/events', EVENT)).status).toBe(201);
    } finally {
      await fixture.close();
    }
  });
});

describeEither('users in tables of another name', (database: DatabaseName) => {
  it('are read from USERS_TABLE and USERMETA_TABLE only', async () => {
    const env = { USERS_TABLE: 'people', USERMETA_TABLE: 'about_people' };
    const fixture = await openWriteFixture(
      database,
      async (ask) => {
        await ask('ALTER TABLE wp_users RENAME TO people');
        await ask('ALTER TABLE wp_usermeta RENAME TO about_people');
      },
      env,
    );
    try {
      expect((await fixture.send('editor', 'POST', '/events', EVENT)).status).toBe(201);
      const half = readEnvironment({ DATABASE_URL: fixture.databaseUrl, USERS_TABLE: 'people' });
      await expect(openSite(dataSourceOptions(half), half)).rejects.toThrow('Missing: wp_usermeta.');
      const other = await startApp({ databaseUrl: fixture.databaseUrl, env });
      expect((await clientOf(other.url)('author', 'POST', '/events', EVENT)).status).toBe(201);
      await other.close();
    } finally {
      await fixture.close();
    }
  });
});
