import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.js';
import { findings } from '../support/axe.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';
import { setOptions } from '../support/site-options.js';

const NOW = '2026-10-14T09:30:00Z';
const WIDTHS = [1440, 768, 390];
/** Half of 1440 pixels, as a browser shows a window of that width at 200 %. */
const ZOOMED: BrowserContextOptions = { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 };
const VIEWS = ['list', 'month', 'week', 'day'].map((view) => `/calendar?view=${view}`);

describeInBrowser('the way of a visitor through the pages', () => {
  let browser: Browser;
  let server: TestServer;
  let root: string;
  let records: string[];

  beforeAll(async () => {
    browser = await startBrowser();
    server = await startTestServer({ demo: true, now: NOW });
    root = await server.app.getUrl();
    const answer = await fetch(`${root}/cal/events/v1/events?per_page=50`);
    const { events } = (await answer.json()) as {
      events: { url: string; venue: { url?: string }; organizer: { url: string }[] }[];
    };
    const event = events.find(({ venue, organizer }) => venue.url && organizer.length > 0);
    records = [event?.url, event?.venue.url, event?.organizer[0]?.url].map(
      (url) => new URL(url ?? '').pathname,
    );
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    server.clock.set(NOW);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function newPage(options: BrowserContextOptions): Promise<Page> {
    const page = await (await browser.newContext({ locale: 'en-US', ...options })).newPage();
    if (options.javaScriptEnabled !== false) await page.clock.setFixedTime(server.clock.now());
    return page;
  }
  async function open(page: Page, path: string): Promise<void> {
    await page.goto(root + path);
    if (path.startsWith('/calendar'))
      await page.locator('#calendar:not([hidden], .drawing), #events[aria-busy="false"]').first().waitFor();
  }
  /** How far the page is wider than its window, in pixels. */
  const overflow = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

  it.each(['light', 'dark'] as const)(
    'has no axe findings and fits each width and 200 % zoom, in %s colours',
    async (colorScheme) => {
      const windows = [...WIDTHS.map((width) => ({ viewport: { width, height: 900 } })), ZOOMED];
      for (const options of windows) {
        const page = await newPage({ ...options, colorScheme });
        for (const path of [...VIEWS, ...records, '/no/such/page', '/docs']) {
          await open(page, path);
          const found = { path, options, findings: await findings(page), overflow: await overflow(page) };
          expect(found).toEqual({ path, options, findings: [], overflow: 0 });
        }
      }
    },
  );

  it.each(WIDTHS)('leads from a search without a match to the next match at %d pixels', async (width) => {
    const page = await newPage({ viewport: { width, height: 900 } });
    await open(page, '/calendar?view=day&date=2026-10-12&search=Jazz');
    await page.locator('#status').getByRole('link').or(page.locator('#status').getByRole('button')).click();
    await page.locator('#calendar .ev', { hasText: 'Jazz' }).first().waitFor();
    expect(new URL(page.url()).searchParams.get('date')).toBe('2026-10-13');
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });

  it('shows today by the clock of the site, at three times of day in three zones', async () => {
    const zones = { 'America/New_York': '-04:00', 'Europe/Berlin': '+02:00', 'Pacific/Auckland': '+13:00' };
    for (const [zone, offset] of Object.entries(zones)) {
      await setOptions(server, { timezone_string: zone });
      for (const time of ['09:00', '14:30', '23:59']) {
        server.clock.set(`2026-10-14T${time}:00${offset}`);
        const page = await newPage({ viewport: { width: 1440, height: 900 }, timezoneId: zone });
        await open(page, '/calendar?view=month');
        const today = page.locator('#calendar [aria-current="date"]');
        await today.first().waitFor();
        const rendered = (await today.first().textContent())?.match(/\d+/)?.[0];
        expect({ zone, time, rendered }).toEqual({ zone, time, rendered: '14' });
        await page.context().close();
      }
    }
    await setOptions(server, { timezone_string: 'Europe/Berlin' });
  });

  it.each([
    ['de_DE', 'ltr'],
    ['ar', 'rtl'],
  ])('has no axe findings and fits each width in %s', async (locale, direction) => {
    await setOptions(server, { WPLANG: locale });
    for (const width of WIDTHS) {
      const page = await newPage({ viewport: { width, height: 900 } });
      for (const path of [...VIEWS, ...records, '/no/such/page']) {
        await open(page, path);
        const dir = (await page.locator('html').getAttribute('dir')) ?? 'ltr';
        const found = { path, width, dir, findings: await findings(page), overflow: await overflow(page) };
        expect(found).toEqual({ path, width, dir: direction, findings: [], overflow: 0 });
      }
    }
    await setOptions(server, { WPLANG: '' });
  });

  it.each(WIDTHS)(
    'goes from the list to an event and its venue without scripts at %d pixels',
    async (width) => {
      const page = await newPage({ viewport: { width, height: 900 }, javaScriptEnabled: false });
      await page.goto(`${root}/calendar`);
      expect(await page.locator('.item').count()).toBeGreaterThan(3);
      for (const path of records) {
        const response = await page.goto(root + path);
        expect([path, response?.status()]).toEqual([path, 200]);
        expect(await page.locator('h1').isVisible()).toBe(true);
      }
      expect((await page.goto(`${root}/no/such/page`))?.status()).toBe(404);
    },
  );
});
