import { Database, type EventJson } from 'almanac';
import { startTestServer, type TestServer } from 'almanac/testing';
import sql from 'sql-template-tag';
import CompanyLoginModule from '../src/company-login.module.js';
import { Issuer } from './issuer.js';

const EVENTS = '/cal/events/v1/events';
const ME = '/wp/v2/users/me';
const ball = { title: 'Ball', start_date: '2030-01-20 20:00:00', end_date: '2030-01-20 23:00:00' };
const ada = { sub: 'ada', name: 'Ada', groups: ['communications'] };

interface Failure {
  code: string;
}
type TokenOptions = Omit<Parameters<Issuer['token']>[1], 'now'>;

let issuer: Issuer;
let other: Issuer;
let server: TestServer;

beforeAll(async () => {
  issuer = await new Issuer().start();
  other = await new Issuer().start();
  process.env['COMPANY_ISSUER'] = issuer.url; // the option `env` reaches Almanac only
  server = await startTestServer({
    plugins: [CompanyLoginModule],
    env: {
      OIDC_ISSUER: other.url,
      OIDC_AUDIENCE: 'calendar',
      OIDC_ROLE_CLAIM: 'roles',
    },
  });
});
afterAll(async () => {
  delete process.env['COMPANY_ISSUER'];
  await server?.close();
  await Promise.all([issuer, other].map((each) => each?.close()));
});

const withToken = (token: string) => server.withHeaders({ authorization: `Bearer ${token}` });

async function signedIn(claims: object, options: TokenOptions = {}) {
  return withToken(await issuer.token(claims, { now: server.clock.now(), ...options }));
}

/** All rows that a write of an event or of a user changes. */
async function rows(): Promise<unknown[]> {
  const database = server.app.get(Database);
  const tables = ['posts', 'postmeta', 'tec_events', 'users', 'usermeta', 'options'];
  return Promise.all(tables.map((table) => database.query(sql`SELECT * FROM ${database.table(table)}`)));
}

/** Expects that a create and a read of public events are both refused, and that nothing is written. */
async function expectRefused(
  claims: object,
  options: TokenOptions,
  status: number,
  code: string,
): Promise<void> {
  const client = await signedIn(claims, options);
  const before = await rows();
  for (const response of [await client.post<Failure>(EVENTS, ball), await client.get<Failure>(EVENTS)]) {
    expect([response.status, response.body.code]).toEqual([status, code]);
  }
  expect(await rows()).toEqual(before);
}

it('the server does not start without an issuer', async () => {
  const { COMPANY_ISSUER: address } = process.env;
  delete process.env['COMPANY_ISSUER'];
  await expect(startTestServer({ plugins: [CompanyLoginModule] })).rejects.toThrow(
    'COMPANY_ISSUER must name',
  );
  process.env['COMPANY_ISSUER'] = address;
});

describe('a good token', () => {
  it('signs in a virtual user with the roles of its groups', async () => {
    const client = await signedIn(ada);
    const me = await client.get<{ id: number; name: string }>(ME);
    expect([me.status, me.body.id, me.body.name]).toEqual([200, 0, 'Ada']);
    const { status, body } = await client.post<EventJson>(EVENTS, ball);
    expect([status, body.author, body.status]).toEqual([201, '0', 'publish']);
  });

  it('gives no more rights than the group has', async () => {
    const client = await signedIn({ ...ada, groups: ['staff'] });
    const { body } = await client.post<EventJson>(EVENTS, ball);
    expect(body.status).toBe('draft');
    const refused = await client.delete<Failure>(`${EVENTS}/${body.id}`);
    expect([refused.status, refused.body.code]).toEqual([403, 'rest_forbidden']);
  });

  it('signs in the user of the site who has the employee number', async () => {
    const { id } = (await server.as('author').get<{ id: number }>(ME)).body;
    const { manager } = server.app.get(Database).source;
    const table = server.app.get(Database).nameOf('usermeta');
    const row = `(${id}, 'employee_number', '4711')`;
    await manager.query(`INSERT INTO ${table} (user_id, meta_key, meta_value) VALUES ${row}`);
    const employee = await signedIn({ ...ada, employee_number: '4711' });
    expect((await employee.get<{ id: number }>(ME)).body.id).toBe(id);
    expect((await employee.post<EventJson>(EVENTS, ball)).body.author).toBe(String(id));
    const unknown = await signedIn({ ...ada, employee_number: '4712' });
    expect((await unknown.get<{ id: number }>(ME)).body.id).toBe(0);
  });
});

describe('a token is refused', () => {
  it('with a wrong audience', () => expectRefused(ada, { audience: 'payroll' }, 401, 'invalid_token'));

  it('when it has expired', () => expectRefused(ada, { seconds: -61 }, 401, 'invalid_token'));

  it('with the signature of another key', () => {
    const key = { ...other.key, kid: issuer.key.kid };
    return expectRefused(ada, { key }, 401, 'invalid_token');
  });

  it('of an unknown issuer', () =>
    expectRefused(ada, { issuer: 'https://evil.example.org' }, 401, 'invalid_token'));

  it.each([[['cooks']], [[]], [undefined], ['staff']])('with the groups %j', (groups) =>
    expectRefused({ ...ada, groups }, {}, 403, 'unknown_group'),
  );

  it('with a group that is unknown, although the employee is a user of the site', () =>
    expectRefused({ ...ada, employee_number: '4711', groups: ['cooks'] }, {}, 403, 'unknown_group'));
});

it('a token outlives its key by no more than the next reading of keys', async () => {
  const former = await issuer.rotate('second');
  server.clock.advance(30_000); // unknown keys are read at most twice a minute, and this clock stands still
  expect((await (await signedIn(ada)).get(ME)).status).toBe(200);
  expect(issuer.keyReads).toBe(2);
  await expectRefused(ada, { key: former }, 401, 'invalid_token');
});

describe('other credentials', () => {
  it('still work: application passwords and tokens of OIDC_ISSUER', async () => {
    expect((await server.asAdmin().get<{ id: number }>(ME)).body.id).toBe(1);
    const token = await other.token({ sub: 'bob', roles: ['editor'] }, { now: server.clock.now() });
    expect((await withToken(token).post<EventJson>(EVENTS, ball)).status).toBe(201);
  });

  it('are refused when they are wrong', async () => {
    const before = await rows();
    const basic = `Basic ${Buffer.from('admin:wrong').toString('base64')}`;
    for (const [authorization, code] of [
      [basic, 'incorrect_password'],
      ['Bearer no-token', 'invalid_token'],
    ] as const) {
      const { status, body } = await server.withHeaders({ authorization }).post<Failure>(EVENTS, ball);
      expect([status, body.code]).toEqual([401, code]);
    }
    expect(await rows()).toEqual(before);
  });
});

describe('anonymous requests', () => {
  it('still read, and may not write', async () => {
    const read = await server.get(EVENTS);
    expect(read.status).toBe(200);
    expect(read.headers.get('vary')?.toLowerCase()).toContain('authorization');
    const before = await rows();
    const { status, body } = await server.post<Failure>(EVENTS, ball);
    expect([status, body.code]).toEqual([401, 'rest_forbidden']);
    expect(await rows()).toEqual(before);
  });

  it('get no cached answer of a user, nor does a bad token get theirs', async () => {
    const editor = await signedIn(ada);
    const { id } = (await editor.post<EventJson>(EVENTS, { ...ball, title: 'Secret', status: 'private' }))
      .body;
    const titles = async (client: Pick<TestServer, 'get'>) =>
      (await client.get<{ events: EventJson[] }>(`${EVENTS}?per_page=50`)).body.events.map(
        ({ title }) => title,
      );
    for (let round = 0; round < 3; round++) {
      expect((await editor.get(`${EVENTS}/${id}`)).status).toBe(200);
      const { status, body } = await server.get<Failure>(`${EVENTS}/${id}`);
      expect([status, body.code]).toEqual([403, 'event-not-accessible']);
      expect(await titles(editor)).toContain('Secret');
      expect(await titles(server)).not.toContain('Secret');
    }
    await server.get(EVENTS); // a cached anonymous response hides no refusal
    await expectRefused(ada, { audience: 'payroll' }, 401, 'invalid_token');
  });
});
