import { setTimeout as sleep } from 'node:timers/promises';
import type { Semaphore } from '../src/cache/semaphore.js';
import { EventsService } from '../src/resources/events/events.service.js';
import { type Caller, credentials } from './support/calendar-client.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const FIELDS = {
  title: 'Not stored <b>yet</b>',
  start_date: '2091-05-07 20:00:00',
  end_date: '2091-05-07 22:30:00',
  timezone: 'Europe/Berlin',
};

describeEither('the preview of an event', (database) => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  const post = (caller: Caller, body: string, query = '') =>
    fetch(`${fixture.app.url}/editor/preview/events${query}`, {
      method: 'POST',
      headers: { ...credentials(caller), 'Content-Type': 'application/json' },
      body,
    });
  const ask = (caller: Caller, fields: unknown, query?: string) =>
    fixture.unchanged(() => post(caller, JSON.stringify(fields), query));
  const page = async (caller: Caller, fields: object, query?: string) => {
    const response = await ask(caller, { ...FIELDS, ...fields }, query);
    const text = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    return text;
  };
  const rejection = async (caller: Caller, fields: unknown) => {
    const response = await ask(caller, fields);
    const { code, data } = (await response.json()) as { code: string; data?: { params?: object | string[] } };
    const { params = [] } = data ?? {};
    return [response.status, code, ...(Array.isArray(params) ? params : Object.keys(params))].join(' ');
  };

  it('is the public page with its texts, dates, terms and linked records, and writes nothing', async () => {
    const { body: venue } = await fixture.send('admin', 'POST', '/venues', {
      venue: 'Preview Hall',
      status: 'publish',
    });
    const { body: term } = await fixture.send('admin', 'POST', '/categories', { name: 'Previewed' });
    const description = '<p>Only <em>typed</em>.</p>';
    const html = await page('editor', {
      description,
      cost: '12',
      venue: venue['id'],
      categories: [term['id']],
    });
    expect(html).toContain('<h1>Not stored yet</h1>');
    expect(html).toContain('<p>Only <em>typed</em>.</p>');
    expect(html).toMatch(/May 7, 2091/);
    expect(html).toContain('Preview Hall');
    expect(html).toContain('Previewed');
    expect(html).toMatch(/12/);
  });

  it('cleans texts as a create by the same user does', async () => {
    const description =
      '<p onclick="alert(1)">Hello</p><script>alert(2)</script><iframe src="https://example.org"></iframe>';
    const title = 'Hi <img src=x onerror=alert(3)>';
    const html = await page('author', { title, description });
    expect(html).toContain('<p>Hello</p>');
    expect(html).not.toMatch(/onclick|onerror|alert\(2\)<\/script>|<iframe/);
    const created = await fixture.create({ ...FIELDS, title, description }, 'author');
    const stored = await fetch(new URL(new URL(String(created['url'])).pathname, fixture.app.url));
    const textIn = (text: string) => /<div class="description">([\s\S]*?)<\/div>/.exec(text)?.[1];
    expect(stored.status === 200 ? textIn(html) : undefined).toBe(textIn(await stored.text()));
  });

  it('has addresses that are relative to the editor, with or without a slash behind', async () => {
    expect(await page('editor', {})).toContain('href="./favicon.svg"');
    expect(await page('editor', {}, '?root=../')).toContain('href="../favicon.svg"');
    expect(await page('editor', {}, '?root=https://example.org/')).toContain('href="./favicon.svg"');
  });

  it('is sent with a policy against scripts, for no cache and no search engine', async () => {
    const { headers } = await ask('editor', FIELDS);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual(['no-store', 'noindex']);
  });

  it.each([
    ['anonymous', 401],
    ['subscriber', 403],
  ] as const)('is refused to the caller %s', async (caller, status) => {
    expect(await rejection(caller, FIELDS)).toBe(`${status} rest_forbidden`);
  });

  it('is refused for another author to a user who may not edit the events of others', async () => {
    expect(await rejection('author', { ...FIELDS, author: 1 })).toMatch(/^403 /);
  });

  it('names what is wrong with the fields, as a create does', async () => {
    expect(await rejection('editor', { ...FIELDS, start_date: 'soon', cost: [] })).toMatch(
      /^400 rest_invalid_param .*start_date/,
    );
    expect(await rejection('editor', { title: 'No dates' })).toBe(
      '400 rest_missing_callback_param start_date end_date',
    );
    expect(await rejection('editor', [])).toMatch(/^400 rest_missing_callback_param title/);
    expect(await rejection('editor', { ...FIELDS, title: 'x'.repeat(70_000) })).toMatch(/^4\d\d /);
  });

  it('is rejected by the rules of JSON bodies: nested too deeply, or with half a character', async () => {
    const rejected = (body: string) =>
      fixture.unchanged(async () => {
        const response = await post('editor', body);
        const { code, data } = (await response.json()) as { code: string; data?: { params?: object } };
        return [response.status, code, Object.keys(data?.params ?? {})];
      });
    for (const name of ['title', 'venue', 'cost', 'recurrence'])
      expect(await rejected(`{"${name}":${'['.repeat(60_000)}${']'.repeat(60_000)}}`)).toEqual([
        400,
        'rest_invalid_param',
        [name],
      ]);
    expect(await rejected(JSON.stringify({ ...FIELDS, title: 'x' }).replace('"x"', '"x\\ud800"'))).toEqual([
      400,
      'rest_invalid_json',
      [],
    ]);
    expect(await rejected('{"title":')).toEqual([400, expect.any(String), []]);
  });

  it('creates few terms at a time, and no more than some wait, so that writes go on', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `Fleeting ${at}`);
    expect(await rejection('contributor', { ...FIELDS, tags: names(101) })).toBe(
      '400 rest_invalid_param tags',
    );
    const queue = fixture.app.nest.get(EventsService)['previews'] as Semaphore;
    await queue.acquire();
    const answers = await fixture.unchanged(async () => {
      const sent = Array.from({ length: 8 }, () =>
        post('contributor', JSON.stringify({ ...FIELDS, tags: names(100) })),
      );
      try {
        let refused = 0;
        for (const one of sent) one.then(() => refused++);
        while (refused < 3) await sleep(20);
        expect([refused, queue.queued]).toEqual([3, 5]);
      } finally {
        queue.release();
      }
      return Promise.all(sent);
    });
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 503, 503, 503]);
    for (const { status, headers } of answers)
      if (status === 503) expect(headers.get('retry-after')).toBe('1');
  });

  it('leaves out new linked records, the rule and the address of an image that is not here', async () => {
    const html = await page('editor', {
      image: 'https://example.org/picture.png',
      venue: { venue: 'Never created' },
    });
    expect(html).not.toContain('Never created');
    expect(html).not.toContain('picture.png');
  });
});
