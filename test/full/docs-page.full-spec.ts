import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { REST_BASE_URL, startApp, type TestApp } from '../support/app.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';
import { startProxy } from '../support/prefix-proxy.js';
import { loadRecording } from '../support/replay.js';
import { makeSite, type Site } from '../support/sites.js';

const AXE = readFileSync(join(__dirname, '..', '..', 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

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
  async function open(address: string) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const requested: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(address);
    await page.waitForSelector('.opblock');
    return { page, requested, complaints };
  }

  /** Executes an operation with its default form; returns the displayed response. */
  async function execute(page: Page, id: string) {
    const block = page.locator(`#operations-${id}`);
    await block.locator('.opblock-summary-control').click();
    await block.locator('.try-out__btn').click();
    await block.locator('.execute').click();
    const row = block.locator('.live-responses-table tbody .response').first();
    const status = (await row.locator('.response-col_status').textContent())?.trim();
    return { status, body: await row.locator('.response-col_description').textContent() };
  }

  async function authorize(page: Page) {
    await page.locator('.btn.authorize').first().click();
    const dialog = page.locator('.dialog-ux');
    await dialog.getByLabel('Username').fill(admin.login);
    await dialog.getByLabel('Password').fill(admin.password);
    await dialog.locator('button[type="submit"]').click();
    await dialog.locator('.btn-done').click();
  }

  it.each([
    ['on another name', () => app.url.replace('127.0.0.1', 'localhost')],
    ['below the path of a proxy', () => proxy.url],
  ])('sends %s requests to the server that serves the page, and they succeed unchanged', async (_, root) => {
    const { page, requested, complaints } = await open(`${root()}/docs`);
    // Cookies that the site's host gets from a logged-in browser.
    await page.context().addCookies([{ name: 'wordpress_logged_in_1', value: 'x', url: root() }]);
    const list = await execute(page, 'events-listEvents');
    expect(list).toEqual({ status: '200', body: expect.stringContaining('"events"') });
    await authorize(page);
    const [created, sent] = await Promise.all([
      execute(page, 'events-createEvent'),
      page.waitForRequest((request) => request.method() === 'POST'),
    ]);
    expect(created).toEqual({ status: '201', body: expect.stringContaining('"title": "Summer concert"') });
    // With the cookie the server would ignore the password.
    expect(Object.keys(await sent.allHeaders())).not.toContain('cookie');
    expect(requested.filter((url) => !url.startsWith(`${root()}/`) && !url.startsWith('data:'))).toEqual([]);
    expect(requested.filter((url) => url.includes('/cal/events/v1/events'))).toHaveLength(2);
    expect(complaints).toEqual([]);
    const stored = await page.evaluate('[localStorage.length, sessionStorage.length]');
    expect(stored).toEqual([0, 0]);
    await page.context().close();
  });

  it('shows the server, required logins and the user; opens at an operation and by keyboard', async () => {
    const { page, complaints } = await open(`${app.url}/docs/#/events/createEvent`);
    expect(await page.title()).toMatch(/^.+: calendar interface \d+\.\d+\.\d+$/);
    expect(await page.locator('#servers option').allTextContents()).toEqual([
      './cal/events/v1 - This server',
      `${REST_BASE_URL}/cal/events/v1 - Public address`,
    ]);
    const locks = (id: string) => page.locator(`#operations-events-${id} .authorization__btn`).count();
    expect([await locks('listEvents'), await locks('createEvent')]).toEqual([0, 1]);
    await page.waitForSelector('#operations-events-createEvent .try-out__btn');
    const first = page.locator('#operations-events-listEvents');
    for (let tabs = 0; tabs < 30; tabs++) {
      await page.keyboard.press('Tab');
      if (await first.locator('.opblock-summary-control:focus').count()) break;
    }
    await page.keyboard.press('Enter');
    await first.locator('.try-out__btn').waitFor();
    await page.evaluate(AXE);
    const found = await page.evaluate(
      `axe.run({ exclude: ['#swagger-ui'] }).then(({ violations }) => violations.map(({ id }) => id))`,
    );
    // docs/behaviour/documents.md#the-page-at-docs lists the axe violations of Swagger UI itself.
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
