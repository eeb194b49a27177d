import { startTestServer, type TestServer } from 'almanac/testing';
import { DataSource } from 'typeorm';
import { ApiKey } from '../src/auth/api-keys/api-key.entity.js';
import { ApiKeyAdmin } from '../src/cli/api-key/api-key.js';
import { StartError } from '../src/database/start-error.js';
import { almanac } from './support/command.js';
import { describeEither, makeEmpty, makeSite, type Site } from './support/sites.js';

const EVENTS = '/cal/events/v1/events';
const ME = '/wp/v2/users/me?context=edit';
const EVENT = { title: 'New', start_date: '2030-02-01 10:00:00', end_date: '2030-02-01 11:00:00' };

describeEither('API keys', (database) => {
  const lines: string[] = [];
  const log = (message: unknown) => void lines.push(String(message));
  let site: Site | undefined;
  let server: TestServer;
  let admin: ApiKeyAdmin;
  beforeAll(async () => {
    if (database !== 'SQLite') site = await makeEmpty(database);
    server = await startTestServer({
      database: site?.url,
      env: { API_KEYS: 'on', TRUST_PROXY: 'loopback' },
      logger: { log, warn: log, error: log },
    });
    // Creates the user.
    await server.as('editor').get(ME);
    admin = new ApiKeyAdmin(server.app);
  });
  afterAll(async () => {
    await server?.close();
    await site?.drop();
  });

  const withKey = (key: string, more = {}) => server.withHeaders({ authorization: `Bearer ${key}`, ...more });
  const answer = async (key: string, more = {}) => {
    const { status, body } = await withKey(key, more).get<{ code?: string }>(EVENTS);
    return `${status} ${body.code ?? ''}`;
  };
  const make = (more = {}) => admin.create({ login: 'test-editor', name: 'Import', ...more });
  const rowOf = (id: string) => server.app.get(DataSource).getRepository(ApiKey).findOneByOrFail({ id });

  it('sign in their user with all rights, and are stored as a hash only', async () => {
    const { id, key } = await make();
    expect(key).toMatch(/^almk_[0-9a-f]{16}_[\w-]{43}$/);
    expect((await withKey(key).get<{ username: string }>(ME)).body.username).toBe('test-editor');
    const { status } = await withKey(key).post(EVENTS, EVENT);
    expect(status).toBe(201);
    expect(JSON.stringify(await rowOf(id))).not.toContain(key.slice(-43));
    expect(lines.join('\n')).not.toContain(key.slice(-43));
    expect(lines.some((line) => / 201 .*ms user=\d+ via=api-key$/.test(line))).toBe(true);
  });

  it('have the capabilities that they are limited to, of those that their user still has', async () => {
    const { id, key } = await make({ can: ['read', 'edit_tribe_events', 'edit_tribe_events'] });
    expect((await withKey(key).get<{ capabilities: object }>(ME)).body.capabilities).toEqual({
      read: true,
      edit_tribe_events: true,
    });
    const draft = await withKey(key).post<{ status: string }>(EVENTS, EVENT);
    expect([draft.status, draft.body.status]).toEqual([201, 'draft']);
    expect((await withKey(key).post('/cal/events/v1/tags', { name: 'Tag' })).status).toBe(403);
    await expect(make({ can: ['manage_options'] })).rejects.toThrow('does not have manage_options');
    await server.app
      .get(DataSource)
      .getRepository(ApiKey)
      .update({ id }, { capabilities: '["manage_options","read"]' });
    expect((await withKey(key).get<{ capabilities: object }>(ME)).body.capabilities).toEqual({ read: true });
  });

  it('record the hour of their last use', async () => {
    const { id, key } = await make();
    expect((await rowOf(id)).usedAt).toBeNull();
    await withKey(key).get(EVENTS);
    const hour = Math.floor(server.clock.now() / 3_600_000) * 3_600_000;
    expect(Number((await rowOf(id)).usedAt)).toBe(hour);
    server.clock.advance(3_600_000);
    await withKey(key).get(EVENTS);
    expect(Number((await rowOf(id)).usedAt)).toBe(hour + 3_600_000);
  });

  it('end with their revocation at once, and with their time', async () => {
    const [revoked, expiring] = [await make(), await make({ days: 2 })];
    expect([await answer(revoked.key), await answer(expiring.key)]).toEqual(['200 ', '200 ']);
    expect(await admin.revoke(revoked.id)).toBe('Import');
    expect(await answer(revoked.key)).toBe('401 invalid_api_key');
    await expect(admin.revoke(revoked.id)).rejects.toThrow(StartError);
    server.clock.advance(2 * 86_400_000 - 1);
    expect(await answer(expiring.key)).toBe('200 ');
    server.clock.advance(1);
    expect(await answer(expiring.key)).toBe('401 expired_api_key');
    expect(lines).toContain(`Login rejected from 127.0.0.1 as "${expiring.id}" by api-key: expired_api_key`);
  });

  it('are 401 when they are wrong, whatever was cached, and limited by RATE_LIMIT', async () => {
    const { id, key } = await make();
    for (let time = 0; time < 3; time++) expect((await server.get(EVENTS)).status).toBe(200);
    const wrong = [
      'almk_',
      `almk_${id}_`,
      `almk_${id}_${'A'.repeat(43)}`,
      `almk_${'0'.repeat(16)}_${key.slice(-43)}`,
      `${key}A`,
      key.slice(0, -1),
      `almk_${id.toUpperCase()}_${key.slice(-43)}`.replace('almk', 'ALMK'),
    ];
    for (const text of wrong)
      expect(`${text} ${await answer(text)}`).toMatch(/ 401 invalid_(api_key|token)$/);
    const other = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };
    const statuses: string[] = [];
    for (let time = 0; time < 22; time++) statuses.push(await answer(`almk_${time}`, other));
    expect(statuses.slice(19)).toEqual([
      '401 invalid_api_key',
      '429 too_many_attempts',
      '429 too_many_attempts',
    ]);
    expect(await answer(key, other)).toBe('200 ');
    expect(await answer(key, { 'x-forwarded-for': '203.0.113.9' })).toBe('401 insecure_connection');
  });

  it('end with their user', async () => {
    const source = server.app.get(DataSource);
    await server.as('author').get(ME);
    const { key } = await admin.create({ login: 'test-author', name: 'x' });
    expect(await answer(key)).toBe('200 ');
    await source.query("DELETE FROM wp_users WHERE user_login = 'test-author'");
    expect(await answer(key)).toBe('401 unknown_user');
    const { headers } = await withKey(key).get(EVENTS);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
    expect(headers.get('cache-control')).toContain('no-store');
    expect((await admin.list()).some(({ login }) => login.startsWith('a deleted user'))).toBe(true);
    await expect(admin.create({ login: 'test-author', name: 'x' })).rejects.toThrow(StartError);
    await expect(admin.create({ login: 'admin', name: ' ' })).rejects.toThrow('1 to 100 characters');
  });
});

describeEither('almanac api-key', (database) => {
  it('creates its table on an existing site, and lists and revokes what it created', async () => {
    const site = await makeSite(database);
    try {
      const run = (...words: string[]) => almanac(site.url, ['api-key', ...words]);
      expect((await run('list')).out).toBe('There is no API key.\n');
      expect((await run('revoke', 'x')).code).toBe(1);
      const created = await run(
        'create',
        'admin',
        '--name',
        'Import',
        '--can',
        'read, edit_tribe_events',
        '--days',
        '30',
      );
      expect(created.out).toMatch(/^Made the table of API keys \(CreateApiKeys1764000001000\)\.\n/);
      expect(created.out).toContain('Servers accept it with API_KEYS=on only.');
      const again = JSON.parse((await run('create', 'admin', '--name', 'Other', '--json')).out) as {
        id: string;
        key: string;
      };
      const list = (await run('list', 'admin')).out;
      expect(list).toContain('"Import" of admin');
      expect(list).toContain('may only read, edit_tribe_events');
      expect(list).not.toContain(again.key.slice(-43));
      expect((await run('revoke', again.id)).out).toBe('The API key "Other" is revoked.\n');
      expect(JSON.parse((await run('list', '--json')).out)).toHaveLength(1);
      expect((await run('create', 'nobody', '--name', 'x')).err).toContain('There is no user');
      expect((await run('create', 'admin')).code).toBe(2);
      expect((await run('create', 'admin', '--name', 'x', '--days', '0')).code).toBe(2);
    } finally {
      await site.drop();
    }
  });
});

describe('a server with API_KEYS=off', () => {
  it('has no table of keys, and treats one as anonymous', async () => {
    const server = await startTestServer();
    try {
      const key = `almk_${'0'.repeat(16)}_${'A'.repeat(43)}`;
      expect((await server.withHeaders({ authorization: `Bearer ${key}` }).get(EVENTS)).status).toBe(200);
      const [row] = await server.app
        .get(DataSource)
        .query("SELECT COUNT(*) AS count FROM sqlite_master WHERE name LIKE '%almanac_api_keys%'");
      expect(row.count).toBe(0);
    } finally {
      await server.close();
    }
  });
});

describe('an API key on a database that may only be read', () => {
  it('still signs in, and the log says once that its last use is not stored', async () => {
    const lines: string[] = [];
    const log = (message: unknown) => void lines.push(String(message));
    const server = await startTestServer({ env: { API_KEYS: 'on' }, logger: { log, warn: log, error: log } });
    try {
      await server.as('editor').get(ME);
      const { key } = await new ApiKeyAdmin(server.app).create({ login: 'test-editor', name: 'Kiosk' });
      await server.app.get(DataSource).query('PRAGMA query_only = 1');
      for (let time = 0; time < 3; time++) {
        const { status } = await server.withHeaders({ authorization: `Bearer ${key}` }).get(ME);
        expect(status).toBe(200);
      }
      expect(
        lines.filter((line) => line.startsWith('The last use of an API key was not stored')),
      ).toHaveLength(1);
    } finally {
      await server.close();
    }
  });
});
