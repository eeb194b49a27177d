import { clientOf, type Send } from './support/calendar-client.js';
import { almanac } from './support/command.js';
import { describeEither } from './support/sites.js';
import { allowReceivers } from './support/webhook-receiver.js';
import { openWebhookSite, type WebhookSite } from './support/webhook-site.js';
import { openWriteFixture } from './support/write-fixture.js';

const URL_OF = 'https://example.org/hook';
const SECRET = `whsec_${Buffer.alloc(24, 'k').toString('base64')}`;

describeEither('the management of webhooks', (database) => {
  let opened: WebhookSite;
  let send: Send;
  const rows = () => opened.app.dataSource.query('SELECT * FROM wp_almanac_webhooks ORDER BY id');
  const make = async (fields: object = {}) =>
    (await send('admin', 'POST', '/webhooks', { url: URL_OF, ...fields })).body;
  beforeAll(async () => {
    opened = await openWebhookSite(database, { env: { SCHEDULER: 'off' } });
    send = clientOf(opened.app.url);
    process.env['CHANGES'] = 'on';
  });
  afterEach(() => opened.app.dataSource.query('DELETE FROM wp_almanac_webhooks'));
  afterAll(async () => {
    delete process.env['CHANGES'];
    await opened?.close();
  });

  it('creates a webhook for all changes, and shows the secret in no other response', async () => {
    const { status, body } = await send('admin', 'POST', '/webhooks', { url: URL_OF });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        url: URL_OF,
        types: ['*'],
        description: '',
        enabled: true,
        disabled_reason: null,
        created: expect.stringMatching(/^\d{4}-.*Z$/),
        pending: 0,
        delivered: 0,
        failed_attempts: 0,
        last_delivered: null,
        missed_changes: 0,
        last_missed: null,
        rest_url: `http://calendar.example.org/wp-json/cal/events/v1/webhooks/${body['id']}`,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    ]);
    const { secret, ...visible } = body;
    const path = `/webhooks/${body['id']}`;
    const list = await send('admin', 'GET', '/webhooks');
    expect(list.body).toEqual({ rest_url: expect.any(String), total: 1, webhooks: [visible] });
    expect((await send('admin', 'GET', path)).body).toEqual(visible);
    expect((await send('admin', 'PATCH', path, { secret: SECRET })).body).toEqual(visible);
    expect((await send('admin', 'DELETE', path)).body).toEqual(visible);
    expect(secret).toBeDefined();
    expect(await rows()).toEqual([]);
  });

  it('stores the fields of a create, and only those of an update that are sent', async () => {
    const fields = {
      types: ['event.*', 'venue.deleted'],
      description: 'Rebuilds',
      enabled: false,
      secret: SECRET,
    };
    const created = await make(fields);
    expect(created).toMatchObject({ url: URL_OF, ...fields });
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const { status, body } = await send('admin', method, `/webhooks/${created['id']}`, { types: method });
      expect([status, body['code']]).toEqual([400, 'rest_invalid_param']);
      const changed = await send('admin', method, `/webhooks/${created['id']}`, { types: 'tag.created,*' });
      const { secret: _, ...rest } = fields;
      expect(changed.body).toMatchObject({ ...rest, types: ['tag.created', '*'] });
    }
  });

  it('rejects every field that cannot be used with 400 and writes nothing', async () => {
    const { id } = await make();
    const before = await rows();
    const invalid: [fields: object, name: string][] = [
      [{ url: 'ftp://example.org/' }, 'url'],
      [{ url: 'example.org' }, 'url'],
      [{ url: '/hook' }, 'url'],
      [{ url: 'https://me:secret@example.org/' }, 'url'],
      [{ url: `https://example.org/${'a'.repeat(1990)}` }, 'url'],
      [{ url: ['https://example.org/'] }, 'url'],
      [{ url: '' }, 'url'],
      [{ types: ['event.sold'] }, 'types'],
      [{ types: ['concert.created'] }, 'types'],
      [{ types: ['event.*', { a: 1 }] }, 'types'],
      [{ secret: 'whsec_' }, 'secret'],
      [{ secret: 'whsec_c2hvcnQ=' }, 'secret'],
      [{ secret: Buffer.alloc(24, 'k').toString('base64') }, 'secret'],
      [{ secret: `whsec_${Buffer.alloc(65).toString('base64')}` }, 'secret'],
      [{ secret: '' }, 'secret'],
      [{ enabled: 'maybe' }, 'enabled'],
      [{ description: ['a'] }, 'description'],
    ];
    for (const [fields, name] of invalid)
      for (const [method, path] of [
        ['POST', '/webhooks'],
        ['PATCH', `/webhooks/${id}`],
      ] as const) {
        const sent = method === 'POST' ? { url: URL_OF, ...fields } : fields;
        const { status, body } = await send('admin', method, path, sent);
        const { params } = body['data'] as { params: object };
        expect([fields, method, status, body['code'], Object.keys(params)]).toEqual([
          fields,
          method,
          400,
          'rest_invalid_param',
          [name],
        ]);
        expect(JSON.stringify(body)).not.toContain('me:secret');
      }
    const missing = await send('admin', 'POST', '/webhooks', {});
    expect([missing.status, missing.body['code']]).toEqual([400, 'rest_missing_callback_param']);
    expect(await rows()).toEqual(before);
  });

  it('rejects users who may not manage options with 401 and 403 on every route, and writes nothing', async () => {
    const { id } = await make();
    const before = await rows();
    const routes: [method: string, path: string, body?: object][] = [
      ['GET', '/webhooks'],
      ['POST', '/webhooks', { url: URL_OF }],
      ['GET', `/webhooks/${id}`],
      ['GET', '/webhooks/999'],
      ['PATCH', `/webhooks/${id}`, { enabled: false }],
      ['PUT', `/webhooks/${id}`, { enabled: false }],
      ['POST', `/webhooks/${id}`, { enabled: false }],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/test`],
      ['GET', `/webhooks/${id}/deliveries`],
      ['POST', `/webhooks/${id}/deliveries/msg_1/redeliver`],
    ];
    for (const [method, path, body] of routes)
      for (const [caller, status] of [
        ['anonymous', 401],
        ['editor', 403],
      ] as const) {
        const reply = await send(caller, method, path, body);
        expect([method, path, reply.status, reply.body['code']]).toEqual([
          method,
          path,
          status,
          'rest_forbidden',
        ]);
      }
    expect(await rows()).toEqual(before);
    expect(opened.receiver.received).toEqual([]);
  });

  it('rejects unknown webhooks and messages with 404', async () => {
    const { id } = await make();
    for (const [method, path] of [
      ['GET', '/webhooks/999999'],
      ['PATCH', '/webhooks/999999'],
      ['DELETE', '/webhooks/999999'],
      ['POST', '/webhooks/999999/test'],
      ['GET', '/webhooks/999999/deliveries'],
      ['POST', '/webhooks/999999/deliveries/msg_1/redeliver'],
    ] as const) {
      const { status, body } = await send('admin', method, path, method === 'PATCH' ? {} : undefined);
      expect([path, status, body['code']]).toEqual([path, 404, 'rest-webhook-not-found']);
    }
    const { status, body } = await send('admin', 'POST', `/webhooks/${id}/deliveries/msg_1/redeliver`);
    expect([status, body['code']]).toEqual([404, 'rest-webhook-message-not-found']);
    expect((await send('admin', 'GET', '/webhooks/first')).status).toBe(404);
    const page = await send('admin', 'GET', `/webhooks/${id}/deliveries?status=lost&per_page=0`);
    expect([page.status, Object.keys((page.body['data'] as { params: object }).params).sort()]).toEqual([
      400,
      ['per_page', 'status'],
    ]);
  });

  it('accepts fifty webhooks and rejects another one with 400', async () => {
    for (let created = 0; created < 50; created += 1) await make();
    const { status, body } = await send('admin', 'POST', '/webhooks', { url: URL_OF });
    expect([status, body['code'], (await rows()).length]).toEqual([400, 'too_many_webhooks', 50]);
  });

  it('lists its routes in the index, as changes are journaled', async () => {
    const { body } = await send('anonymous', 'GET', '/');
    const own = Object.keys(body['routes'] as object).filter((pattern) => pattern.includes('webhooks'));
    expect(own.map((pattern) => pattern.replace('/cal/events/v1/webhooks', ''))).toEqual([
      '',
      '/(?P<id>\\d+)',
      '/(?P<id>\\d+)/test',
      '/(?P<id>\\d+)/deliveries',
      '/(?P<id>\\d+)/deliveries/(?P<message>[^/]+)/redeliver',
    ]);
  });

  it('rejects all of it with 400 changes_disabled where changes are not journaled, and lists no route', async () => {
    const fixture = await openWriteFixture(database);
    try {
      for (const [method, path, body] of [
        ['GET', '/webhooks'],
        ['POST', '/webhooks', { url: URL_OF }],
        ['DELETE', '/webhooks/1'],
        ['POST', '/webhooks/1/test'],
      ] as const) {
        const reply = await fixture.send('admin', method, path, body);
        expect([path, reply.status, reply.body['code']]).toEqual([path, 400, 'changes_disabled']);
        expect(reply.body['message']).toContain('CHANGES=on');
        expect(reply.body['message']).toContain('almanac migrate');
      }
      const { body } = await fixture.send('anonymous', 'GET', '/');
      expect(JSON.stringify(body)).not.toContain('webhooks');
    } finally {
      await fixture.close();
    }
  });

  describe('almanac webhook', () => {
    const run = (...words: string[]) => almanac(opened.site.url, ['webhook', ...words]);

    it('creates, lists, disables, enables and deletes', async () => {
      expect((await run('list')).out).toContain('There is no webhook');
      const created = await run(
        'create',
        URL_OF,
        '--types',
        'event.*',
        'venue.*',
        '--description',
        'A',
        '--json',
      );
      const { id, secret, ...rest } = JSON.parse(created.out);
      expect([created.code, rest]).toEqual([0, { url: URL_OF, types: ['event.*', 'venue.*'] }]);
      const [{ secret: stored }] = await rows();
      expect(secret).toBe(stored);
      expect((await run('disable', `${id}`)).out).toBe(`Webhook ${id} (${URL_OF}) is disabled.\n`);
      const list = await run('list');
      expect(list.out).toContain(`${id}  ${URL_OF}  event.*, venue.*, disabled`);
      expect(list.out).not.toContain(secret);
      expect((await run('enable', `${id}`)).out).toBe(`Webhook ${id} (${URL_OF}) is enabled.\n`);
      expect(JSON.parse((await run('list', '--json')).out)).toMatchObject([{ id, enabled: true }]);
      expect((await run('delete', `${id}`)).out).toContain('is deleted');
      expect(await rows()).toEqual([]);
    });

    it('takes a secret from standard input', async () => {
      const { out, code } = await almanac(
        opened.site.url,
        ['webhook', 'create', URL_OF, '--ask-secret'],
        SECRET,
      );
      expect([code, out.includes(SECRET)]).toEqual([0, true]);
      expect(await rows()).toMatchObject([{ secret: SECRET }]);
    });

    it('ends with 1 for what cannot be done, and with 2 for what is not understood', async () => {
      expect(await run('create', 'ftp://example.org')).toMatchObject({
        code: 1,
        err: expect.stringContaining('url'),
      });
      expect(await run('delete', '99')).toMatchObject({ code: 1, err: expect.stringContaining('99') });
      expect(await run('delete', 'all')).toMatchObject({ code: 2 });
      process.env['CHANGES'] = 'off';
      const off = await run('list');
      process.env['CHANGES'] = 'on';
      expect(off).toMatchObject({ code: 1, err: expect.stringContaining('CHANGES=on') });
    });

    it('says what a test comes to: private addresses are not reached', async () => {
      const { id } = await make({ url: opened.receiver.url });
      const { code, out } = await run('test', `${id}`);
      expect([code, out]).toEqual([
        3,
        expect.stringMatching(
          /^msg_\w+ {2}webhook\.test {2}failed \(attempts: 1\): The address must be on a public address/,
        ),
      ]);
      const listed = JSON.parse((await run('deliveries', `${id}`, '--json')).out);
      expect(listed).toMatchObject({ total: 1, deliveries: [{ type: 'webhook.test', status: 'failed' }] });
      expect((await run('deliveries', `${id}`, '--status', 'pending')).out).toContain(
        'There is no such message.',
      );
      const again = await run('redeliver', `${id}`, listed.deliveries[0].id, '--json');
      expect([again.code, JSON.parse(again.out)]).toMatchObject([3, { attempts: 2, status: 'failed' }]);
      expect(opened.receiver.received).toEqual([]);
      allowReceivers(opened.app.nest, opened.receiver.port);
    });
  });
});
