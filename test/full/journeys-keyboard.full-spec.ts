import type { Browser, Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { TableVersions } from '../../src/database/table-versions.service.js';
import { startTestServer, type TestServer } from '../../src/testing.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';
import { enter, tabTo } from '../support/keyboard.js';

const NOW = '2026-10-14T09:30:00Z';
const WIDTHS = [1440, 768, 390];

describeInBrowser('the way of a visitor by keyboard alone', () => {
  let browser: Browser;
  let server: TestServer;
  let root: string;

  beforeAll(async () => {
    browser = await startBrowser();
    server = await startTestServer({ demo: true, now: NOW });
    root = await server.app.getUrl();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    await setLanguage('');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function open(path: string, width: number): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', viewport: { width, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    await page.clock.setFixedTime(NOW);
    await page.goto(root + path);
    return page;
  }
  async function setLanguage(locale: string): Promise<void> {
    const rows = server.app.get(DataSource);
    await rows.query("DELETE FROM wp_options WHERE option_name = 'WPLANG'");
    const row = `('WPLANG', '${locale}', 'yes')`;
    await rows.query(`INSERT INTO wp_options (option_name, option_value, autoload) VALUES ${row}`);
    server.app.get(TableVersions).invalidate();
  }
  const search = (page: Page) => new URL(page.url()).searchParams;

  it.each(['', 'de_DE', 'ar'].flatMap((locale) => WIDTHS.map((width) => [locale, width] as const)))(
    'leads through months and days to an event and back (language "%s", %d pixels)',
    async (locale, width) => {
      await setLanguage(locale);
      const page = await open('/calendar?view=month', width);
      await page.locator('#calendar .ev').first().waitFor();
      await enter(page, page.locator('[data-go="next"]'));
      await page.waitForURL((url) => url.searchParams.get('date') === '2026-11');
      await page.locator('#calendar .ev').first().waitFor();
      await enter(page, page.locator('[data-date="2026-11-05"] a').first());
      // Phones open the list from that day on.
      await page.waitForURL((url) => url.searchParams.get('date') === '2026-11-05');
      await page.locator('.column').or(page.locator('.item a')).first().waitFor();
      await enter(page, page.locator('#calendar .column, .item a'));
      const dialog = page.locator('#details[open]');
      await dialog.locator('#event-title').waitFor();
      const id = search(page).get('event');
      expect(id).toMatch(/^\d+$/);
      await tabTo(page, dialog.locator('.close'), 'Shift+Tab');
      await page.keyboard.press('Escape');
      await page.locator('#details[open]').waitFor({ state: 'detached' });
      await page.waitForURL((url) => !url.searchParams.has('event'));
      expect(await page.evaluate(() => document.activeElement?.closest('#calendar, #events') !== null)).toBe(
        true,
      );
    },
  );

  it.each(WIDTHS)(
    'leads from the filters to a match, and back to all events, at %d pixels',
    async (width) => {
      const page = await open('/calendar?view=list', width);
      await page.locator('.item').first().waitFor();
      if (width < 500) await enter(page, page.locator('#filtering > summary'));
      await tabTo(page, page.getByLabel('Search'));
      await page.keyboard.type('Jazz');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('search') === 'Jazz');
      await page.locator('.item', { hasText: 'Cherry' }).waitFor({ state: 'detached' });
      expect(await page.locator('.item', { hasText: /jazz/i }).count()).toBeGreaterThan(0);
      await tabTo(page, page.locator('#share'));
      await tabTo(page, page.locator('.item a').first(), 'Shift+Tab');
    },
  );

  it.each(WIDTHS)(
    'leads from the page of an event to its venue and organizer, at %d pixels',
    async (width) => {
      const answer = await fetch(`${root}/cal/events/v1/events?search=Jazz&per_page=1`);
      const { events } = (await answer.json()) as { events: { url: string; venue: { url: string } }[] };
      const page = await open(new URL(events[0]?.url ?? '').pathname, width);
      const venue = new URL(events[0]?.venue.url ?? '').pathname;
      await enter(page, page.locator(`main a[href$="${venue}"]`));
      await page.waitForURL((url) => url.pathname === venue);
      await enter(page, page.locator('main a[href*="/event/"]'));
      await page.waitForURL((url) => url.pathname !== venue);
    },
  );
});
