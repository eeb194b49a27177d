import { Module } from '@nestjs/common';
import {
  AuthStrategy,
  EVENT,
  EventsModule,
  Hooks,
  type LoginRequest,
  type LoginResult,
  postHooks,
  siteUser,
  virtualUser,
} from 'almanac';
import { ChangesService } from '../src/changes/changes.service.js';
import { readSyncToken, writeSyncToken } from '../src/changes/sync-token.js';
import { request } from './support/calendar-client.js';
import { type ChangesSite, openChangesSite } from './support/changes-site.js';
import { EventStreamClient } from './support/event-stream-client.js';
import { describeEither } from './support/sites.js';
import { EVENT as FIELDS } from './support/write-fixture.js';

/** `X-Badge: anna editor` signs in a virtual user with a role, `#1 read` a user of the site with some capabilities. */
class Badges extends AuthStrategy {
  override readonly name = 'badge';
  override readonly headers = ['x-badge'];
  override readonly scheme = { type: 'apiKey', in: 'header', name: 'X-Badge' } as const;

  override authenticate(sent: LoginRequest): LoginResult | undefined {
    const [subject = '', ...rights] = sent.header('x-badge')?.split(' ') ?? [];
    const only = rights.length > 0 ? rights : undefined;
    if (subject.startsWith('#')) return siteUser({ id: Number(subject.slice(1)), only });
    return subject ? virtualUser({ subject, roles: rights }) : undefined;
  }
}

/** Events of members are for everyone who is signed in. */
@Module({ imports: [EventsModule], providers: [Badges] })
class MembersModule {
  constructor(hooks: Hooks) {
    hooks.addFilter(postHooks(EVENT).query, (list, { context }) =>
      context.access.signedIn ? list : list.withoutMeta('_members', ['1']),
    );
  }
}

describeEither('users that the site does not have', (database) => {
  let site: ChangesSite;
  const streams: EventStreamClient[] = [];
  beforeAll(async () => {
    site = await openChangesSite(database, { plugins: [MembersModule] });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const stream of streams.splice(0)) stream.close();
  });
  afterAll(() => site?.close());

  const send = (badge: string, method: string, path: string, body?: object, headers = {}) =>
    request(site.app.url, method, path, { ...(badge && { 'X-Badge': badge }), ...headers }, body);
  const stream = async (badge: string, since: string) => {
    const client = await EventStreamClient.open(`${site.app.url}/cal/events/v1/changes?since=${since}`, {
      'X-Badge': badge,
    });
    streams.push(client);
    return client;
  };
  const tokenOf = async (badge: string) =>
    String((await send(badge, 'GET', '/changes?since=now')).body['token']);
  const gone = 'sync_token_expired';

  it('have idempotency keys of their own', async () => {
    const key = { 'Idempotency-Key': 'shared' };
    const body = { ...FIELDS, title: 'Of one of two' };
    const anna = await send('anna editor', 'POST', '/events', body, key);
    const ben = await send('ben editor', 'POST', '/events', body, key);
    const again = await send('anna editor', 'POST', '/events', body, key);
    expect([anna.status, ben.status, again.status]).toEqual([201, 201, 201]);
    expect(ben.body['id']).not.toBe(anna.body['id']);
    expect(again.body).toEqual(anna.body);
    expect((await send('ben editor', 'POST', '/events', { title: 'Other' }, key)).status).toBe(422);
  });

  it('get no stored response with less rights, and write nothing either', async () => {
    const key = { 'Idempotency-Key': 'rights' };
    const body = { ...FIELDS, title: 'With all rights' };
    const first = await send('#1', 'POST', '/events', body, key);
    const limited = await send('#1 read', 'POST', '/events', body, key);
    const again = await send('#1', 'POST', '/events', body, key);
    expect([first.status, limited.status, again.status]).toEqual([201, 403, 201]);
    expect(again.body).toEqual(first.body);
    const rows = await site.ask(
      "SELECT COUNT(*) AS number FROM wp_posts WHERE post_title = 'With all rights' AND post_type = 'tribe_events'",
    );
    expect(Number(rows[0]?.['number'])).toBe(1);
  });

  it('have sync tokens of their own, also with the rights of an anonymous reader', async () => {
    const tokens = [
      await tokenOf(''),
      await tokenOf('anna'),
      await tokenOf('ben'),
      await tokenOf('anna editor'),
    ];
    for (const [at, badge] of ['', 'anna', 'ben', 'anna editor'].entries())
      for (const [of, since] of tokens.entries()) {
        const { status, body } = await send(badge, 'GET', `/changes?since=${since}`);
        expect([badge, of, status, body['code']]).toEqual([
          badge,
          of,
          of === at ? 200 : 410,
          of === at ? undefined : gone,
        ]);
      }
  });

  it('share no page of a stream with a caller who sends their token', async () => {
    const { send: asSite } = site;
    const since = await tokenOf('anna');
    const stolen = readSyncToken(since);
    if (!stolen) throw new Error('no token');
    const client = await stream('anna', since);
    expect(client.status).toBe(200);
    const service = site.app.nest.get(ChangesService, { strict: false });
    const list = service.list.bind(service);
    // Both read at the same time.
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const requested: number[] = [];
    jest.spyOn(service, 'list').mockImplementation(async (query, context) => {
      requested.push(Number(context.access.signedIn));
      if (context.access.signedIn) await held;
      return list(query, context);
    });
    const { body } = await asSite('admin', 'POST', '/events', { ...FIELDS, title: 'For members' });
    await site.ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${Number(body['id'])}, '_members', '1')`,
    );
    await client.until(() => client.isEnded || requested.includes(1));
    const thief = stream('', writeSyncToken(stolen));
    await new Promise((resolve) => setTimeout(resolve, 300));
    release();
    const answered = await thief;
    expect(answered.status).toBe(410);
    expect(answered.events).toEqual([]);
  });
});
