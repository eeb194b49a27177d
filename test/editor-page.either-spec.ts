import { PageAssets } from '../src/pages/page-assets.js';
import { startApp, type TestApp } from './support/app.js';
import type { Caller } from './support/calendar-client.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const ALL_DATES = 'start_date=0001-01-02&end_date=9999-12-30&per_page=50';
/** Headers of a browser that requests a page. */
const BROWSER = { Accept: 'text/html' };

describeEither('the editor page', (database) => {
  let fixture: WriteFixture;
  let withoutEditor: TestApp;
  beforeAll(async () => {
    fixture = await openWriteFixture(database);
    withoutEditor = await startApp({
      databaseUrl: fixture.databaseUrl,
      env: { EDITOR: 'off', PATH_PREFIX: '/wp-json' },
    });
  });
  afterAll(async () => {
    await withoutEditor?.close();
    await fixture?.close();
  });

  const page = async (path: string, url = fixture.app.url) => {
    const response = await fetch(url + path, { headers: BROWSER });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('is neither cached nor framed nor indexed and runs only its own scripts', async () => {
    const { status, headers, text } = await page('/editor');
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    const policy = headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' https: data: http://calendar.example.org",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]),
    );
    expect(policy?.join()).not.toContain('unsafe');
    expect(text).not.toMatch(/<style|<script(?! type="(module" src|application\/json"))|\son\w+=/);
  });

  it('contains the relative REST root and a notice that it needs JavaScript', async () => {
    const script = fixture.app.nest.get(PageAssets).address('editor.js');
    for (const [path, root] of [
      ['/editor', '.'],
      ['/editor/', '..'],
    ] as const) {
      const { text } = await page(path);
      expect(text).toContain(`data-rest="${root}" data-namespace="cal/events/v1"`);
      expect(text).toContain('data-read-only="false" data-trash-days="30" data-image-urls="false"');
      expect(text).toContain(script === undefined ? 'was not built' : `src="${root}/${script}"></script>`);
      if (script !== undefined) expect(text).toMatch(/<noscript><p>[^<]*needs JavaScript/);
    }
  });

  it('respects PATH_PREFIX, API_NAMESPACES, READ_ONLY, RECURRENCE and EMPTY_TRASH_DAYS', async () => {
    const app = await startApp({
      databaseUrl: fixture.databaseUrl,
      env: {
        PATH_PREFIX: '/wp-json',
        API_NAMESPACES: 'tribe/events/v1,cal/events/v1',
        READ_ONLY: 'true',
        EMPTY_TRASH_DAYS: '0',
        RECURRENCE: 'off',
      },
    });
    try {
      const { text } = await page('/editor', app.url);
      expect(text).toContain('data-rest="./wp-json" data-namespace="tribe/events/v1"');
      expect(text).toContain('data-read-only="true" data-trash-days="0"');
      expect(text).toContain('data-recurrence-off="setting"');
      expect((await fetch(new URL('./wp-json/tribe/events/v1/events', `${app.url}/editor`))).status).toBe(
        200,
      );
    } finally {
      await app.close();
    }
  });

  it('has the language of the site where it has a translation, else English from left to right', async () => {
    const root = async (locale: string) => {
      await fixture.ask("DELETE FROM wp_options WHERE option_name IN ('WPLANG', 'start_of_week')");
      await fixture.ask(
        `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('WPLANG', '${locale}', 'yes'), ('start_of_week', '6', 'yes')`,
      );
      const { text } = await page('/editor');
      expect(text).toContain('data-first-day="6"');
      return /<html (.*)>/.exec(text)?.[1];
    };
    try {
      expect(await root('de_DE_formal')).toBe('lang="de-DE" dir="ltr"');
      expect(await root('ar')).toBe('lang="ar" dir="rtl"');
      expect(await root('he_IL')).toBe('lang="en" dir="ltr"');
    } finally {
      await fixture.ask("UPDATE wp_options SET option_value = '' WHERE option_name = 'WPLANG'");
    }
  });

  it('is linked from / and gone with EDITOR=off', async () => {
    expect((await page('/')).text).toContain('href="./editor"');
    expect((await page('/', withoutEditor.url)).text).not.toContain('editor');
    for (const path of ['/editor', '/editor/']) {
      const { status, headers, text } = await page(path, withoutEditor.url);
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(text).toContain('This page does not exist.');
      expect(text).not.toContain('editor');
      const ofPrograms = await fetch(withoutEditor.url + path);
      expect([ofPrograms.status, ofPrograms.headers.get('content-type')]).toEqual([
        404,
        'application/json; charset=UTF-8',
      ]);
      expect(await ofPrograms.json()).toMatchObject({ code: 'rest_no_route', data: { status: 404 } });
    }
  });

  it('_raw=true adds stored texts for callers who may edit the record', async () => {
    const texts = {
      title: 'Tea & "Talk"',
      description: "<!-- wp:paragraph -->\n<p>It's [a_code]</p>\n<!-- /wp:paragraph -->",
      excerpt: 'One -- two',
    };
    const { id } = await fixture.create({ ...texts, status: 'draft' });
    const { body: venue } = await fixture.send('admin', 'POST', '/venues', {
      venue: 'Raw & ready',
      description: 'a "quoted" word',
    });
    const rawOf = async (path: string, caller: Caller) => {
      const { status, body } = await fixture.send(caller, 'GET', path);
      return status === 200 ? body['raw'] : `${status} ${body['code']}`;
    };
    const [post] = await fixture.ask(
      `SELECT post_title AS title, post_content AS description, post_excerpt AS excerpt FROM wp_posts WHERE ID = ${id}`,
    );
    expect(await rawOf(`/events/${id}?_raw=true`, 'admin')).toEqual({ ...(post as object) });
    expect(post).toMatchObject({ description: texts.description, excerpt: texts.excerpt });
    expect(await rawOf(`/events/${id}`, 'admin')).toBeUndefined();
    expect(await rawOf(`/events/${id}?_raw=false`, 'admin')).toBeUndefined();
    expect(await rawOf(`/venues/${venue['id']}?_raw=true`, 'editor')).toMatchObject({
      description: 'a "quoted" word',
    });
    expect(await rawOf(`/venues/by-slug/${venue['slug']}?_raw=1`, 'editor')).toHaveProperty('title');
    for (const [caller, response] of [
      ['anonymous', '401 rest_forbidden_context'],
      ['subscriber', '403 rest_forbidden_context'],
      ['contributor', '403 rest_forbidden_context'],
    ] as const)
      expect([caller, await rawOf(`/venues/${venue['id']}?_raw=true`, caller)]).toEqual([caller, response]);
    expect(await rawOf(`/events/${id}?_raw=true`, 'contributor')).toBe('403 event-not-accessible');
    const ignored = await fixture.send('admin', 'GET', `/events/${id}?_raw=perhaps`);
    expect([ignored.status, ignored.headers.get('x-almanac-ignored'), ignored.body['raw']]).toEqual([
      200,
      '_raw',
      undefined,
    ]);
  });

  it('with_hidden=true includes hidden events for callers who may edit them', async () => {
    const { id } = await fixture.create({ title: 'Behind the curtain', hide_from_listings: true });
    const listFor = async (caller: Caller, more: string) => {
      const { status, body } = await fixture.send(
        caller,
        'GET',
        `/events?${ALL_DATES}&search=Behind+the+curtain${more}`,
      );
      const events = body['events'] as { id: number }[];
      return [
        status,
        body['total'],
        events.map((event) => event.id),
        String(body['rest_url']).includes('with_hidden=true'),
      ];
    };
    for (const caller of ['admin', 'editor'] as const) {
      expect(await listFor(caller, '&with_hidden=true')).toEqual([200, 1, [id], true]);
      expect(await listFor(caller, '')).toEqual([200, 0, [], false]);
      expect(await listFor(caller, '&with_hidden=false')).toEqual([200, 0, [], false]);
    }
    for (const caller of ['anonymous', 'subscriber', 'contributor', 'author'] as const)
      expect(await listFor(caller, '&with_hidden=true')).toEqual([200, 0, [], true]);
    const [plain, more] = await Promise.all(
      ['', '&with_hidden=1'].map((requested) =>
        fixture.send('anonymous', 'GET', `/events?${ALL_DATES}${requested}`),
      ),
    );
    expect(more?.body['events']).toEqual(plain?.body['events']);
    const ignored = await fixture.send('admin', 'GET', '/events?with_hidden=perhaps');
    expect([ignored.status, ignored.headers.get('x-almanac-ignored')]).toEqual([200, 'with_hidden']);
  });
});
