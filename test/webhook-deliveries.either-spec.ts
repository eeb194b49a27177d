import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { doctor } from '../src/cli/doctor.js';
import { Hooks } from '../src/common/hooks/hooks.js';
import { readEnvironment } from '../src/config/env.js';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { Metrics } from '../src/observability/metrics/metrics.service.js';
import { postHooks } from '../src/resources/base/resource-hooks.js';
import { EVENT as EVENTS } from '../src/resources/events/event-type.js';
import { WebhookDispatcher } from '../src/webhooks/webhook-dispatcher.service.js';
import { clientOf, type Send } from './support/calendar-client.js';
import { describeEither } from './support/sites.js';
import { type Received, verified } from './support/webhook-receiver.js';
import { openWebhookSite, type WebhookSite } from './support/webhook-site.js';
import { EVENT } from './support/write-fixture.js';

const HOUR = 3_600_000;

describeEither('messages to webhooks', (database) => {
  let opened: WebhookSite;
  let send: Send;
  const lines: string[] = [];
  beforeAll(async () => {
    opened = await openWebhookSite(database, { env: { METRICS: '9464' } });
    send = clientOf(opened.app.url);
    jest
      .spyOn(Logger.prototype, 'warn')
      .mockImplementation((...words: unknown[]) => void lines.push(String(words[0])));
  });
  beforeEach(() => {
    opened.receiver.received.length = 0;
    opened.receiver.answer();
    lines.length = 0;
  });
  afterEach(async () => {
    const { body } = await send('admin', 'GET', '/webhooks');
    for (const { id } of body['webhooks'] as { id: number }[])
      await send('admin', 'DELETE', `/webhooks/${id}`);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await opened?.close();
  });

  const subscribe = async (fields: object = {}) =>
    (await send('admin', 'POST', '/webhooks', { url: `${opened.receiver.url}/hook`, ...fields })).body;
  const create = async (fields: object = {}, path = '/events') =>
    (await send('admin', 'POST', path, { ...EVENT, ...fields })).body;
  const update = (event: Record<string, unknown>, fields: object) =>
    send('admin', 'PATCH', `/events/${event['id']}`, fields);
  const hookOf = async ({ id }: Record<string, unknown>) =>
    (await send('admin', 'GET', `/webhooks/${id}`)).body;
  const deliveriesOf = async ({ id }: Record<string, unknown>, query = '') => {
    const { body } = await send('admin', 'GET', `/webhooks/${id}/deliveries${query}`);
    return body['deliveries'] as Record<string, unknown>[];
  };
  const types = (messages: readonly Received[]) => messages.map(({ body }) => body.type);
  /** Waits for a state of a webhook, which only the dispatcher changes. */
  const until = async (hook: Record<string, unknown>, members: Record<string, unknown>) => {
    for (const giveUp = Date.now() + 30_000; ; await sleep(20)) {
      const found = await hookOf(hook);
      if (Object.entries(members).every(([name, value]) => found[name] === value)) return found;
      if (Date.now() > giveUp) throw new Error(`${JSON.stringify(members)}: ${JSON.stringify(found)}`);
    }
  };
  const pass = (milliseconds: number) => {
    opened.app.clock.pass(milliseconds);
    opened.app.nest.get(WebhookDispatcher).wake();
  };

  it('tell of each change of an event, with the record as anonymous callers see it, signed', async () => {
    const hook = await subscribe();
    const event = await create({ title: 'Choir' });
    await opened.receiver.until(1);
    await update(event, { title: 'Choir and band' });
    await opened.receiver.until(2);
    await update(event, { start_date: '2091-05-01 11:00:00' });
    await opened.receiver.until(3);
    await send('admin', 'DELETE', `/events/${event['id']}`);
    await opened.receiver.until(4);
    await update(event, { status: 'publish' });
    const messages = await opened.receiver.until(5);
    expect(types(messages)).toEqual(
      ['created', 'updated', 'rescheduled', 'trashed', 'restored'].map((change) => `event.${change}`),
    );
    const [created, updated, , trashed] = messages;
    expect(created?.body).toEqual({
      type: 'event.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: {
        id: event['id'],
        type: 'events',
        change: 'created',
        slug: 'choir',
        modified: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        rest_url: `http://calendar.example.org/wp-json/cal/events/v1/events/${event['id']}`,
        record: expect.objectContaining({ id: event['id'], title: 'Choir' }),
      },
    });
    expect(updated?.body.data['record']).toMatchObject({ title: 'Choir and band' });
    expect(trashed?.body.data).toMatchObject({ slug: 'choir', record: null });
    for (const message of messages) {
      expect(verified(String(hook['secret']), message)).toEqual(message.body);
      expect(message.headers['content-type']).toBe('application/json');
    }
    expect(new Set(messages.map(({ id }) => id)).size).toBe(5);
    expect(await until(hook, { delivered: 5 })).toMatchObject({ pending: 0, failed_attempts: 0 });
  });

  it('tell of changes by other programs, and of events that show a changed venue', async () => {
    const { id: venue } = await create({ venue: 'Old hall' }, '/venues');
    const event = await create({ venue });
    await subscribe({ types: ['event.*'] });
    await send('admin', 'PATCH', `/venues/${venue}`, { venue: 'New hall' });
    const [linked] = await opened.receiver.until(1);
    expect(linked?.body).toMatchObject({
      type: 'event.updated',
      data: { id: event['id'], record: { venue: { venue: 'New hall' } } },
    });
    const env = readEnvironment({ DATABASE_URL: opened.site.url });
    const php = await new DataSource(dataSourceOptions(env)).initialize();
    await php.query(
      `UPDATE wp_posts SET post_title = 'By PHP', post_modified_gmt = '2091-01-01 00:00:00' WHERE ID = ${event['id']}`,
    );
    await php.destroy();
    const [, foreign] = await opened.receiver.until(2);
    expect(foreign?.body.data).toMatchObject({ id: event['id'], record: { title: 'By PHP' } });
  });

  it('are those of the subscribed types only', async () => {
    await subscribe({ url: `${opened.receiver.url}/all` });
    await subscribe({ url: `${opened.receiver.url}/venues`, types: ['venue.*'] });
    await subscribe({ url: `${opened.receiver.url}/some`, types: ['event.updated', 'tag.created'] });
    const event = await create();
    await create({ venue: 'A hall' }, '/venues');
    await create({ name: 'A new tag' }, '/tags');
    await update(event, { title: 'Another title' });
    const at = (path: string) => (message: Received) => message.path === path;
    expect(types(await opened.receiver.until(4, at('/all'))).toSorted()).toEqual([
      'event.created',
      'event.updated',
      'tag.created',
      'venue.created',
    ]);
    expect(types(await opened.receiver.until(1, at('/venues')))).toEqual(['venue.created']);
    expect(types(await opened.receiver.until(2, at('/some'))).toSorted()).toEqual([
      'event.updated',
      'tag.created',
    ]);
  });

  it('of a private record have neither its text nor its slug', async () => {
    await subscribe();
    const event = await create({ title: 'Secret plans', slug: 'secret-plans', status: 'draft' });
    const published = await create({ title: 'Public plans' });
    await update(published, { status: 'private', title: 'Hidden plans' });
    await send('admin', 'DELETE', `/events/${event['id']}?force=true`);
    const messages = await opened.receiver.until(4);
    for (const { body, text } of messages.filter(({ body }) => body.data['id'] === event['id'])) {
      expect(body.data).toMatchObject({ slug: null, record: null });
      expect(text).not.toMatch(/secret/i);
    }
    const hidden = messages.find(({ body }) => body.type === 'event.updated');
    expect(hidden?.body.data).toMatchObject({ id: published['id'], slug: null, record: null });
  });

  it('are signed by the former secret too for a day after it was replaced', async () => {
    const hook = await subscribe();
    const secret = `whsec_${Buffer.alloc(32, 'n').toString('base64')}`;
    await send('admin', 'PATCH', `/webhooks/${hook['id']}`, { secret });
    await create();
    const [message] = await opened.receiver.until(1);
    if (!message) throw new Error('no message');
    expect(verified(String(hook['secret']), message)).toEqual(message.body);
    expect(verified(secret, message)).toEqual(message.body);
    pass(25 * HOUR);
    await create();
    const [, later] = await opened.receiver.until(2);
    expect(
      [message, later].map((one) => String(one?.headers['webhook-signature']).split(' ').length),
    ).toEqual([2, 1]);
  });

  it('are tried again after a failure, in order per record, while other records go on', async () => {
    const hook = await subscribe();
    let isBroken = true;
    const event = await create({ title: 'First' });
    await until(hook, { delivered: 1 });
    opened.receiver.answer(({ body }, response) => {
      const fails = isBroken && body.data['id'] === event['id'];
      response.writeHead(fails ? 503 : 200).end();
    });
    await update(event, { title: 'Second' });
    await update(event, { title: 'Third' });
    const other = await create({ title: 'Other' });
    await until(hook, { delivered: 2, failed_attempts: 1 });
    const [, second] = await deliveriesOf(hook, '?status=pending');
    expect(second).toMatchObject({
      type: 'event.updated',
      record: event['id'],
      attempts: 1,
      response_status: 503,
      error: 'The receiver answered 503.',
      next_attempt: expect.any(String),
    });
    isBroken = false;
    pass(10_000);
    await until(hook, { delivered: 4, pending: 0 });
    const accepted = opened.receiver.received.map(({ body }) => [body.type, body.data['id']]);
    expect(accepted).toEqual([
      ['event.created', event['id']],
      ['event.updated', event['id']],
      ['event.created', other['id']],
      ['event.updated', event['id']],
      ['event.updated', event['id']],
    ]);
    const [, failed, , again] = opened.receiver.received;
    expect(again?.id).toBe(failed?.id);
  });

  it('fail for redirects, cut connections and private addresses, and say so', async () => {
    const { receiver } = opened;
    const answers: [name: string, answer: Parameters<typeof receiver.answer>[0], error: RegExp][] = [
      [
        'redirect',
        (_, response) => response.writeHead(302, { Location: `${receiver.url}/x` }).end(),
        /302, and redirects/,
      ],
      ['cut', (_, response) => response.socket?.destroy(), /^The connection failed: ECONNRESET\.$/],
      [
        'half',
        (_, response) =>
          response.writeHead(200, { 'Content-Length': 9 }).write('half', () => response.socket?.destroy()),
        /^The connection failed: /,
      ],
    ];
    for (const [name, answer, error] of answers) {
      receiver.answer(answer);
      const hook = await subscribe({ url: `${receiver.url}/${name}` });
      const { body } = await send('admin', 'POST', `/webhooks/${hook['id']}/test`);
      expect([name, body]).toEqual([
        name,
        expect.objectContaining({ status: 'failed', error: expect.stringMatching(error) }),
      ]);
    }
    expect(receiver.received.map(({ path }) => path)).toEqual(['/redirect', '/cut', '/half']);
    for (const url of [
      'http://169.254.169.254/',
      'http://[::1]/',
      'http://127.0.0.1:1/',
      'http://10.0.0.1/',
    ]) {
      const hook = await subscribe({ url });
      const { body } = await send('admin', 'POST', `/webhooks/${hook['id']}/test`);
      expect([url, body['status'], body['error']]).toEqual([
        url,
        'failed',
        'The address must be on a public address, on port 80, 443 or 8080.',
      ]);
    }
  });

  it('end with a large response, of which a part is read', async () => {
    let sent = 0;
    opened.receiver.answer((_, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const { id } = await subscribe();
    const { body } = await send('admin', 'POST', `/webhooks/${id}/test`);
    expect(body).toMatchObject({ status: 'delivered', response_status: 200 });
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  it('are no longer sent after a 410, which disables the webhook at once', async () => {
    const hook = await subscribe();
    opened.receiver.answer((_, response) => response.writeHead(410).end());
    await create();
    const found = await until(hook, { enabled: false });
    expect(found['disabled_reason']).toBe('The receiver answered 410: it wants no more messages.');
    await create();
    pass(HOUR);
    await sleep(300);
    expect(opened.receiver.received).toHaveLength(1);
    expect(lines).toContainEqual(
      expect.stringMatching(/^Webhook \d+ \(127\.0\.0\.1:\d+\) is disabled: .*410/),
    );
    expect(lines.join()).not.toContain('/hook');
  });

  it('stay pending where their webhook is enabled while one is sent again without success', async () => {
    const hook = await subscribe();
    opened.receiver.answer((_, response) => response.writeHead(410).end());
    await create();
    await until(hook, { enabled: false });
    const [message] = await deliveriesOf(hook);
    expect(message?.['status']).toBe('failed');
    // What enabling does first, without the attempt that follows.
    opened.receiver.answer(async (_, response) => {
      await opened.app.dataSource.query(
        "UPDATE wp_almanac_deliveries SET status = 'pending' WHERE status = 'failed'",
      );
      response.writeHead(500).end();
    });
    const path = `/webhooks/${hook['id']}/deliveries/${message?.['id']}/redeliver`;
    expect((await send('admin', 'POST', path)).body).toMatchObject({
      status: 'pending',
      response_status: 500,
    });
  });

  it('disable the webhook after two days of failures; enabled again, all that waited is delivered in order', async () => {
    const { receiver, app, site } = opened;
    const hook = await subscribe();
    receiver.answer((_, response) => response.writeHead(500).end());
    const begun = app.clock.now();
    const event = await create({ title: 'Late' });
    await update(event, { title: 'Later' });
    for (let attempts = 1; attempts <= 10; attempts += 1) {
      await until(hook, { failed_attempts: attempts });
      if (attempts === 10) break;
      const [, pending] = await deliveriesOf(hook);
      pass(Date.parse(String(pending?.['next_attempt'])) - app.clock.now());
    }
    expect((app.clock.now() - begun) / HOUR).toBeGreaterThan(48);
    expect(await hookOf(hook)).toMatchObject({
      enabled: false,
      disabled_reason: 'A message could not be delivered for two days. The receiver answered 500.',
      pending: 1,
    });
    expect(types(receiver.received)).toEqual(Array(10).fill('event.created'));
    expect(lines).toContainEqual(expect.stringContaining('is disabled: A message could not be delivered'));
    expect(await app.nest.get(Metrics).registry.metrics()).toMatch(
      /almanac_webhook_attempts_total\{result="disabled"\} [1-9]/,
    );
    const env = readEnvironment({ DATABASE_URL: site.url, CHANGES: 'on' });
    const { findings } = await doctor({ env });
    expect(findings.filter(({ kind }) => kind === 'webhooks')).toMatchObject([
      { name: 'webhooks-disabled', examples: [hook['id']] },
    ]);
    const third = await create({ title: 'Third' });
    receiver.answer();
    receiver.received.length = 0;
    const { body } = await send('admin', 'PATCH', `/webhooks/${hook['id']}`, { enabled: true });
    expect(body).toMatchObject({ enabled: true, disabled_reason: null });
    await until(hook, { delivered: 3, pending: 0 });
    const of = (id: unknown) => types(receiver.received.filter(({ body: { data } }) => data['id'] === id));
    expect([of(event['id']), of(third['id'])]).toEqual([
      ['event.created', 'event.updated'],
      ['event.created'],
    ]);
  });

  it('of a deleted webhook are not sent any more', async () => {
    const hook = await subscribe();
    opened.receiver.answer((_, response) => response.writeHead(500).end());
    await create();
    await until(hook, { failed_attempts: 1 });
    await send('admin', 'DELETE', `/webhooks/${hook['id']}`);
    pass(HOUR);
    await create();
    await sleep(500);
    expect(opened.receiver.received).toHaveLength(1);
    expect(await opened.app.dataSource.query('SELECT * FROM wp_almanac_deliveries')).toEqual([]);
  });

  it('begin with what changes after the webhook was made', async () => {
    await create({ title: 'Before' });
    await subscribe();
    const after = await create({ title: 'After' });
    const messages = await opened.receiver.until(1);
    expect(messages.map(({ body }) => body.data['id'])).toEqual([after['id']]);
  });

  it('tell of a gap where the journal was trimmed before', async () => {
    const hook = await subscribe();
    await send('admin', 'PATCH', `/webhooks/${hook['id']}`, { enabled: false });
    for (const title of ['One', 'Two', 'Three']) await create({ title });
    await opened.app.dataSource.query(
      'DELETE FROM wp_almanac_changes WHERE seq < (SELECT head FROM (SELECT MAX(seq) AS head FROM wp_almanac_changes) h)',
    );
    await send('admin', 'PATCH', `/webhooks/${hook['id']}`, { enabled: true });
    const messages = await opened.receiver.until(2);
    expect(messages.map(({ body: { type, data } }) => [type, data['missed']]).toSorted()).toEqual([
      ['event.created', undefined],
      ['webhook.gap', 2],
    ]);
    expect(await until(hook, { delivered: 2 })).toMatchObject({
      missed_changes: 2,
      last_missed: expect.any(String),
    });
    expect(lines).toContainEqual(expect.stringContaining('missed 2 changes'));
  });

  it('go on after the journal was made anew, of which a gap tells', async () => {
    const hook = await subscribe();
    const { dataSource } = opened.app;
    const { id } = await create({ title: 'Of the former journal' });
    await until(hook, { delivered: 1 });
    const [entry] = await deliveriesOf(hook);
    await send('admin', 'PATCH', `/webhooks/${hook['id']}`, { enabled: false });
    await dataSource.query('DELETE FROM wp_almanac_changes');
    await send('admin', 'PATCH', `/webhooks/${hook['id']}`, { enabled: true });
    await opened.receiver.until(2);
    await update({ id }, { title: 'Of the new one' });
    const messages = await opened.receiver.until(3);
    expect(messages.slice(1).map(({ body: { type, data } }) => [type, data['missed']])).toEqual([
      ['webhook.gap', 0],
      ['event.updated', undefined],
    ]);
    await until(hook, { delivered: 3 });
    const listed = await deliveriesOf(hook);
    expect(listed.map(({ seq }) => seq)).toEqual([1, null, null]);
    expect(listed.at(-1)).toEqual({ ...entry, seq: null });
  });

  it('are listed in pages, and are sent again on request with the same id', async () => {
    const hook = await subscribe();
    for (const title of ['One', 'Two', 'Three']) await create({ title });
    await until(hook, { delivered: 3 });
    const path = `/webhooks/${hook['id']}/deliveries`;
    const { body, headers } = await send('admin', 'GET', `${path}?per_page=2`);
    expect([body['total'], body['total_pages'], headers.get('x-tec-total')]).toEqual([3, 2, '3']);
    expect(body['next_rest_url']).toContain(`${path}/?page=2`);
    expect(await deliveriesOf(hook, '?per_page=2&page=2')).toHaveLength(1);
    const [last] = await deliveriesOf(hook);
    const again = await send('admin', 'POST', `${path}/${last?.['id']}/redeliver`);
    expect([again.status, again.body]).toMatchObject([
      200,
      { status: 'delivered', attempts: 2, response_status: 204 },
    ]);
    expect(opened.receiver.received.at(-1)?.id).toBe(last?.['id']);
    opened.receiver.answer((_, response) => response.writeHead(500).end());
    const failed = await send('admin', 'POST', `${path}/${last?.['id']}/redeliver`);
    expect(failed.body).toMatchObject({
      status: 'delivered',
      attempts: 3,
      error: 'The receiver answered 500.',
    });
    await create({ title: 'Four' });
    await until(hook, { pending: 1, failed_attempts: 2 });
    const [pending] = await deliveriesOf(hook, '?status=pending');
    const early = await send('admin', 'POST', `${path}/${pending?.['id']}/redeliver`);
    expect([early.status, early.body['code']]).toEqual([400, 'webhook_message_pending']);
  });

  it('cost no statement where there is no webhook', async () => {
    const { app } = opened;
    await sleep(200);
    app.statements();
    await create();
    await sleep(1_500);
    const { sql } = app.statements();
    expect(sql.filter((text) => text.includes('almanac_changes'))).not.toEqual([]);
    expect(sql.filter((text) => /almanac_(webhooks|deliveries)/.test(text))).toEqual([]);
  });

  it('have no slug of a removed record that a plugin may have hidden', async () => {
    opened.app.nest
      .get(Hooks)
      .addFilter(postHooks(EVENTS).query, (list, { context }) =>
        context.access.signedIn ? list : list.withoutMeta('_members', ['1']),
      );
    await subscribe({ types: 'event.*' });
    const { id } = await create({ title: 'Board meeting' });
    await opened.app.dataSource.query(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${Number(id)}, '_members', '1')`,
    );
    await send('admin', 'DELETE', `/events/${id}`);
    const isTrashed = ({ body }: Received) => body.type === 'event.trashed';
    const [message] = await opened.receiver.until(1, isTrashed);
    expect(message?.body.data).toMatchObject({ id, slug: null, record: null });
  });
});
