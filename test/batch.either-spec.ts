import { Controller, Module, Post } from '@nestjs/common';
import type { Request } from 'express';
import { ClientDisconnected, runFor } from '../src/common/context/abort.js';
import { AllowBatch } from '../src/http/allow-batch.decorator.js';
import { BatchService } from '../src/wp-core-api/batch/batch.service.js';
import { startApp } from './support/app.js';
import { type Caller, credentials } from './support/calendar-client.js';
import { makeJournalTables } from './support/journal-site.js';
import { type Ask, askOf, type ProtocolResponse } from './support/protocol-client.js';
import { describeEither } from './support/sites.js';
import { EVENT, openWriteFixture, type WriteFixture } from './support/write-fixture.js';

interface Part {
  status: number;
  body: Record<string, unknown>;
  headers: Record<string, string>;
}

const CAL = '/cal/events/v1';

let calls = 0;

/** Two routes of a plugin that write by themselves. */
@Controller('cal/events/v1/acme')
class AcmeController {
  @Post('closed')
  closed() {
    return { calls: ++calls };
  }

  @AllowBatch()
  @Post('open')
  open() {
    return { calls: ++calls };
  }
}

@Module({ controllers: [AcmeController] })
class AcmeModule {}

describeEither('POST /batch/v1', (database) => {
  let fixture: WriteFixture;
  let ask: Ask;

  beforeAll(async () => {
    fixture = await openWriteFixture(database, undefined, { CHANGES: 'on' });
    await makeJournalTables(fixture.databaseUrl);
    ask = askOf(fixture.app.url);
  });
  afterAll(() => fixture?.close());

  const batch = (
    requests: unknown,
    {
      validation,
      as = 'admin',
      headers,
    }: { validation?: string; as?: Caller; headers?: Record<string, string> } = {},
  ) => ask('/batch/v1', { method: 'POST', as, headers, json: { requests, validation } });
  const partsOf = ({ body }: ProtocolResponse) => body['responses'] as (Part | null)[];
  const outcomes = (reply: ProtocolResponse) =>
    partsOf(reply).map((part) => part && [part.status, part.body['code']].filter(Boolean).join(' '));
  const venue = (name: string, path = `${CAL}/venues`) => ({ path, body: { venue: name } });
  const titles = async (like: string) =>
    (
      await fixture.ask(
        `SELECT post_title AS title FROM wp_posts WHERE post_title LIKE '${like}' AND post_type <> 'revision' ORDER BY ID`,
      )
    ).map(({ title }) => title);

  it('runs writes of all kinds in their order, each with its response', async () => {
    const event = await fixture.create({ title: 'For a batch' });
    const reply = await batch([
      venue('Batch hall'),
      { method: 'PUT', path: `${CAL}/events/${event['id']}`, body: { title: 'Changed in a batch' } },
      { method: 'PATCH', path: `${CAL}/events/by-slug/${event['slug']}?_fields=title`, body: { cost: '5' } },
      { method: 'DELETE', path: `${CAL}/events/${event['id']}` },
      { method: 'DELETE', path: `${CAL}/events/${event['id']}` },
      { path: '/wp/v2/tags', body: { name: 'Batch tag' } },
      { path: `${CAL}/events`, body: { title: 'Without dates' } },
      { path: `${CAL}/nothing` },
    ]);
    expect(reply.status).toBe(207);
    expect(outcomes(reply)).toEqual([
      '201',
      '200',
      '200',
      '200',
      '410 event-is-in-trash',
      '201',
      '400 rest_missing_callback_param',
      '404 rest_no_route',
    ]);
    const [hall, changed, fields, , , tag] = partsOf(reply);
    expect(hall?.body['venue']).toBe('Batch hall');
    expect(hall?.headers).toMatchObject({ Allow: 'GET, POST', ETag: expect.stringMatching(/^"[\w-]{27}"$/) });
    expect(changed?.body['title']).toBe('Changed in a batch');
    expect(fields?.body).toEqual({ title: 'Changed in a batch' });
    expect(tag?.headers['Location']).toBe(
      `http://calendar.example.org/wp-json/wp/v2/tags/${tag?.body['id']}`,
    );
  });

  it('answers as single requests would', async () => {
    const [one] = partsOf(await batch([{ path: `${CAL}/venues`, body: { venue: 'Same a', city: 'Graz' } }]));
    const single = await ask(`${CAL}/venues`, {
      method: 'POST',
      as: 'admin',
      json: { venue: 'Same b', city: 'Graz' },
    });
    const members = (body: object) => Object.keys(body).toSorted();
    expect(members(one?.body ?? {})).toEqual(members(single.body));
  });

  it('with require-all-validate runs nothing unless all are valid', async () => {
    const target = await fixture.target();
    const valid = [
      venue('All or none'),
      { method: 'PUT', path: `${CAL}/events/${target}`, body: { title: 'All' } },
    ];
    const other = { path: `${CAL}/events`, body: { title: 'No dates' } };
    const refused = await fixture.unchanged(() =>
      batch([...valid, other], { validation: 'require-all-validate' }),
    );
    expect([refused.status, refused.body['failed'], outcomes(refused)]).toEqual([
      207,
      'validation',
      [null, null, '400 rest_missing_callback_param'],
    ]);
    const forbidden = await fixture.unchanged(() =>
      batch(valid, { validation: 'require-all-validate', as: 'contributor' }),
    );
    expect([forbidden.body['failed'], outcomes(forbidden)]).toEqual([
      'validation',
      [null, '403 rest_forbidden'],
    ]);
    const run = await batch(valid, { validation: 'require-all-validate' });
    expect([run.body['failed'], outcomes(run)]).toEqual([undefined, ['201', '200']]);
    expect(await titles('All or none')).toEqual(['All or none']);
  });

  it('passes conditions and keys of single requests on', async () => {
    const { id } = await fixture.create();
    const { headers } = await ask(`${CAL}/events/${id}`, { as: 'admin' });
    const update = (title: string) => ({
      method: 'PUT',
      path: `${CAL}/events/${id}`,
      body: { title },
      headers: { 'If-Match': headers['etag'] },
    });
    expect(outcomes(await batch([update('First'), update('Second')]))).toEqual([
      '200',
      '412 rest_precondition_failed',
    ]);
    const keyed = { ...venue('Keyed once'), headers: { 'idempotency-key': 'in-batch' } };
    const [a, b] = partsOf(await batch([keyed, keyed]));
    expect([a?.body['id'], b?.headers['Idempotency-Replayed']]).toEqual([b?.body['id'], 'true']);
  });

  it('a key of the batch makes each request run once', async () => {
    for (const validation of ['normal', 'require-all-validate']) {
      const requests = [venue(`Repeated ${validation} a`), venue(`Repeated ${validation} b`)];
      const headers = { 'Idempotency-Key': `whole-${validation}` };
      const first = await batch(requests, { headers, validation });
      const again = await fixture.unchanged(() => batch(requests, { headers, validation }));
      expect(outcomes(first)).toEqual(['201', '201']);
      expect(partsOf(again).map((part) => part?.body)).toEqual(partsOf(first).map((part) => part?.body));
      const other = await fixture.unchanged(() =>
        batch([requests[0], venue('Another')], { headers, validation }),
      );
      expect(outcomes(other)[1]).toBe('422 idempotency_key_reused');
      expect(await titles(`Repeated ${validation}%`)).toHaveLength(2);
    }
  });

  it('refuses what is no batch, and names the request', async () => {
    const good = venue('Refused');
    for (const [requests, text] of [
      [undefined, 'Missing'],
      ['a', 'must be a list'],
      [[], 'must be a list'],
      [{}, 'must be a list'],
      [Array.from({ length: 26 }, () => good), 'must be a list'],
      [[good, 'a'], 'requests[1] must be an object'],
      [[good, null], 'requests[1] must be an object'],
      [[{ ...good, method: 'GET' }], 'requests[0].method'],
      [[{ ...good, method: 'CONNECT' }], 'requests[0].method'],
      [[{ ...good, more: 1 }], 'requests[0] may only have'],
      [[{ ...good, body: 'a' }], 'requests[0].body'],
      [[{ ...good, body: [1] }], 'requests[0].body'],
      ...[
        undefined,
        5,
        '',
        'cal/events/v1/venues',
        '//example.org/cal/events/v1/venues',
        'http://example.org/',
        '/batch/v1',
        '/BATCH/V1/',
        '/livez',
        '/openapi.json',
        '/wp/batch',
        '/wp/feeds/events',
        '/cal/events/v1',
        '/cal/events/v10/venues',
        '/cal/events/v1/../../../livez',
        '/cal/events/v1/%2e%2E/venues',
        '/cal/events/v1\\venues',
        '/cal/events/v1/venues#a',
        '/cal/events/v1/ venues',
        '/cal/events/v1/venues\r\nX-A: b',
        '/cal/events/v1/venüs',
        '/cal/events/v1/venues?rest_route=/batch/v1',
        '/cal/events/v1/venues?%72est_route=/batch/v1',
        '/cal/events/v1/venues?a=1&rest_route[]=/batch/v1',
        '/cal/events/v1/venues?_method=GET',
        `/cal/events/v1/venues?${'a'.repeat(2000)}`,
      ].map((path) => [[{ ...good, path }], 'requests[0].path'] as const),
      ...[
        { Authorization: 'Basic YTpi' },
        { Host: 'example.org' },
        { 'X-Forwarded-For': '10.0.0.1' },
        { Cookie: 'a=b' },
        { 'X-WP-Nonce': 'a' },
        { 'X-HTTP-Method-Override': 'GET' },
        { 'Content-Length': '5' },
        { 'If-Match': 5 },
        { 'If-Match': 'a\r\nb: c' },
        { 'If-Match': 'a'.repeat(1001) },
        ['If-Match'],
      ].map((headers) => [[{ ...good, headers }], 'requests[0].headers'] as const),
    ] as const) {
      const { status, body } = await fixture.unchanged(() => batch(requests));
      expect([JSON.stringify(requests)?.slice(0, 120), status, JSON.stringify(body)]).toEqual([
        JSON.stringify(requests)?.slice(0, 120),
        400,
        expect.stringContaining(text),
      ]);
    }
    const { status, body } = await fixture.unchanged(() => batch([good], { validation: 'maybe' }));
    expect([status, body['code']]).toEqual([400, 'rest_invalid_param']);
  });

  it('takes long texts, as single requests do', async () => {
    const description = 'Long text. '.repeat(20_000);
    const requests = [1, 2, 3].map((number) => ({
      path: `${CAL}/events`,
      body: { ...EVENT, title: `Long ${number}`, description },
    }));
    const reply = await batch(requests);
    expect([reply.headers['allow'], outcomes(reply)]).toEqual(['POST', ['201', '201', '201']]);
    const anonymous = await fixture.unchanged(() => batch(requests, { as: 'anonymous' }));
    expect([anonymous.status, anonymous.body['code']]).toEqual([401, 'rest_forbidden']);
  });

  it('has the rights of its caller, and refuses a wrong login as a whole', async () => {
    const wrong = await fixture.unchanged(() =>
      batch([venue('No')], { headers: { Authorization: 'Basic YWRtaW46YmFk' } }),
    );
    expect([wrong.status, wrong.body['code']]).toEqual([401, 'incorrect_password']);
    for (const [as, outcome] of [
      ['anonymous', '401 rest_forbidden'],
      ['subscriber', '403 rest_forbidden'],
    ] as const)
      expect(outcomes(await fixture.unchanged(() => batch([venue('No')], { as })))).toEqual([outcome]);
  });

  it('answers GET and addresses below it as an unknown route', async () => {
    for (const path of ['/batch/v1', '/wp/batch', '/batch/v1/more']) {
      const method = path === '/batch/v1' ? 'GET' : 'POST';
      const { status, body } = await ask(path, {
        method,
        as: 'admin',
        json: method === 'POST' ? {} : undefined,
      });
      expect([path, status, body['code']]).toEqual([path, 404, 'rest_no_route']);
    }
  });

  it('runs routes of plugins that allow it, below a path prefix too', async () => {
    const app = await startApp({
      databaseUrl: fixture.databaseUrl,
      plugins: [AcmeModule],
      env: { PATH_PREFIX: '/wp-json' },
    });
    try {
      const reply = await askOf(app.url)('/wp-json/batch/v1', {
        method: 'POST',
        as: 'admin',
        json: { requests: [{ path: `${CAL}/acme/closed` }, { path: `${CAL}/acme/open` }] },
      });
      expect([outcomes(reply), calls]).toEqual([['400 rest_batch_not_allowed', '201'], 1]);
      expect((await askOf(app.url)('/batch/v1', { method: 'POST', as: 'admin', json: {} })).status).toBe(404);
    } finally {
      await app.close();
    }
  });

  it('runs nothing for a client that has disconnected before', async () => {
    const service = fixture.app.nest.get(BatchService, { strict: false });
    const requests = [venue('Too late')];
    const outer = { headers: {}, socket: {} } as Request;
    const run = () => service.run({ requests, validation: 'normal' }, outer);
    await expect(runFor({ aborted: true }, run)).rejects.toThrow(ClientDisconnected);
    expect(await titles('Too late')).toEqual([]);
  });

  it('stops when its client disconnects', async () => {
    const controller = new AbortController();
    const requests = Array.from({ length: 25 }, (_, index) => ({
      path: `${CAL}/events`,
      body: { ...EVENT, title: `Cut off ${index}`, venue: { venue: `Cut hall ${index}` } },
    }));
    const sent = fetch(`${fixture.app.url}/batch/v1`, {
      method: 'POST',
      headers: { ...credentials('admin'), 'Content-Type': 'application/json' },
      body: JSON.stringify({ requests }),
      signal: controller.signal,
    }).catch((error: Error) => error.name);
    while ((await titles('Cut off %')).length === 0) await new Promise(setImmediate);
    controller.abort();
    expect(await sent).toBe('AbortError');
    // A write that has begun may end.
    let count = -1;
    for (
      let now = (await titles('Cut off %')).length;
      now !== count;
      now = (await titles('Cut off %')).length
    ) {
      count = now;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(count).toBeLessThan(25);
  });
});
