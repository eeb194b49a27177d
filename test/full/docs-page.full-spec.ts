import type { Browser, Page } from 'playwright-core';
import { REST_BASE_URL, startApp, type TestApp } from '../support/app.js';
import { findings } from '../support/axe.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';
import { startProxy } from '../support/prefix-proxy.js';
import { loadRecording } from '../support/replay.js';
import { makeSite, type Site } from '../support/sites.js';

describeInBrowser('/docs in a browser', () => {
  const admin = loadRecording('site-a/read').users['admin'] ?? { login: '', password: '' };
  let site: Site;
  let app: TestApp;
  let browser: Browser;
  let proxy: Awaited<ReturnType<typeof startProxy>>;

  beforeAll(async () => {
    [browser, site] = await Promise.all([startBrowser(), makeSite('SQLite')]);
    app = await startApp({ databaseUrl: site.url });
    proxy = await startProxy(app.url, '/staging/almanac');
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.close();
    await app?.close();
    await site?.drop();
  });

  /** The page, its requests and its console errors. */
  async function open(address: string, options: Parameters<Browser['newContext']>[0] = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const requested: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(address);
    return { page, requested, complaints };
  }

  /** Sends the default form of an operation; returns the displayed response. */
  async function execute(page: Page, id: string) {
    const block = page.locator(`#${id}`);
    await block.locator('summary').click();
    await block.getByRole('button', { name: 'Send' }).click();
    await block.locator('pre').waitFor();
    const status = (await block.locator('.status').textContent())?.slice(0, 3);
    return { status, body: await block.locator('pre').textContent() };
  }

  it.each([
    ['on another name', () => app.url.replace('127.0.0.1', 'localhost')],
    ['below the path of a proxy', () => proxy.url],
  ])('sends %s requests to the server that serves the page, and they succeed unchanged', async (_, root) => {
    const { page, requested, complaints } = await open(`${root()}/docs`);
    // Cookies that the site's host gets from a logged-in browser.
    await page.context().addCookies([{ name: 'wordpress_logged_in_1', value: 'x', url: root() }]);
    await page.getByLabel('User name').fill(admin.login);
    await page.getByLabel('Application password').fill(admin.password);
    const list = await execute(page, 'listEvents');
    expect(list).toEqual({ status: '200', body: expect.stringContaining('"events"') });
    const [created, sent] = await Promise.all([
      execute(page, 'createEvent'),
      page.waitForRequest((request) => request.method() === 'POST'),
    ]);
    expect(created).toEqual({ status: '201', body: expect.stringContaining('"title": "Summer concert"') });
    // With the cookie the server would ignore the password.
    expect(Object.keys(await sent.allHeaders())).not.toContain('cookie');
    expect(requested.filter((url) => !url.startsWith(`${root()}/`))).toEqual([]);
    expect(complaints).toEqual([]);
    const stored = await page.evaluate('[localStorage.length, sessionStorage.length]');
    expect(stored).toEqual([0, 0]);
    await page.context().close();
  });

  it('filters operations, shows required logins, and opens at an operation', async () => {
    const { page, complaints } = await open(`${app.url}/docs/#/events/createEvent`);
    expect(await page.title()).toMatch(/^.+: calendar interface \d+\.\d+\.\d+$/);
    await page.locator('#createEvent textarea').waitFor();
    expect(await page.locator('#docs-server option').allTextContents()).toEqual([
      './cal/events/v1 – This server',
      `${REST_BASE_URL}/cal/events/v1 – Public address`,
    ]);
    const locks = (id: string) => page.locator(`#${id} .login`).count();
    expect([await locks('listEvents'), await locks('createEvent')]).toEqual([0, 1]);
    await page.getByLabel('Filter operations').fill('venue create');
    await page.locator('#listTags').waitFor({ state: 'hidden' });
    expect(await page.locator('#createVenue').isVisible()).toBe(true);
    expect(await page.locator('#docs-found').textContent()).toMatch(/^\d+ of \d+ operations$/);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('can be used by keyboard', async () => {
    const { page } = await open(`${app.url}/docs`);
    await page.locator('#docs-tools').waitFor();
    for (let tabs = 0; tabs < 30; tabs++) {
      await page.keyboard.press('Tab');
      if (await page.locator('#listEvents > summary:focus').count()) break;
    }
    await page.keyboard.press('Enter');
    await page.locator('#listEvents form').waitFor();
    await page.context().close();
  });

  it('describes every operation without scripts', async () => {
    const { page } = await open(`${app.url}/docs`, { javaScriptEnabled: false });
    await page.locator('#createEvent > summary').click();
    expect(await page.locator('#createEvent dt').count()).toBeGreaterThan(20);
    expect(await page.locator('#docs-tools').isVisible()).toBe(false);
    await page.context().close();
  });

  it.each([1440, 768, 390])(
    'has no axe findings and does not scroll sideways at %i pixels',
    async (width) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page } = await open(`${app.url}/docs`, { viewport: { width, height: 900 }, colorScheme });
        await execute(page, 'listEvents');
        expect(await findings(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        await page.context().close();
      }
    },
  );
});
