import type { Browser, Page } from 'playwright-core';
import { DataSource } from 'typeorm';
import { TableVersions } from '../../src/database/table-versions.service.js';
import { startTestServer, type TestServer } from '../../src/testing.js';
import { findings } from '../support/axe.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';

const NOW = '2026-10-14T09:30:00Z';
const WIDTHS = [1440, 768, 390];

interface Listed {
  id: number;
  url: string;
  title: string;
  venue: { url: string; venue: string };
  organizer: { url: string; organizer: string }[];
}

describeInBrowser('public pages in a browser', () => {
  let browser: Browser;
  let server: TestServer;
  let root: string;
  let event: Listed;

  beforeAll(async () => {
    browser = await startBrowser();
    server = await startTestServer({ demo: true, now: NOW });
    root = await server.app.getUrl();
    const response = await fetch(`${root}/cal/events/v1/events?per_page=50`);
    const { events } = (await response.json()) as { events: Listed[] };
    const found = events.find(
      ({ title, venue, organizer }) =>
        venue.url !== undefined && organizer.length > 0 && !/[&<]/.test(title + venue.venue),
    );
    if (!found) throw new Error('the demo has no event with a venue and an organizer');
    event = found;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const pathOf = (url: string) => new URL(url).pathname;
  const paths = () => [
    pathOf(event.url),
    pathOf(event.venue.url),
    pathOf(event.organizer[0]?.url ?? ''),
    '/no/such/page',
  ];
  const isWide = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  const setLanguage = async (locale: string) => {
    const rows = server.app.get(DataSource);
    await rows.query("DELETE FROM wp_options WHERE option_name = 'WPLANG'");
    await rows.query(
      `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('WPLANG', '${locale}', 'yes')`,
    );
    server.app.get(TableVersions).invalidate();
  };

  it.each(['light', 'dark'] as const)(
    'has no axe findings and fits three widths in %s colours',
    async (colorScheme) => {
      for (const width of WIDTHS) {
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
        for (const path of [...paths(), '/']) {
          await page.goto(root + path);
          expect([path, width, await findings(page), await isWide(page)]).toEqual([path, width, [], false]);
        }
        await page.close();
      }
    },
  );

  it('is read and left by keyboard, without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(root + pathOf(event.url));
    expect(await page.locator('h1').textContent()).toBe(event.title);
    await page.getByRole('link', { name: event.venue.venue }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(root + pathOf(event.venue.url));
    expect(await page.locator('h1').textContent()).toBe(event.venue.venue);
    await page.locator('.items a').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/event\//);
    await context.close();
  });

  it('is German or Arabic, and then right to left, by the language of the site', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await setLanguage('de_DE');
    await page.goto(`${root}/no/such/page`);
    expect(await page.locator('h1').textContent()).toBe('Diese Seite gibt es nicht.');
    await setLanguage('ar');
    for (const path of paths()) {
      await page.goto(root + path);
      expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
      expect([path, await findings(page), await isWide(page)]).toEqual([path, [], false]);
    }
    await setLanguage('');
    await page.close();
  });

  it('aligns headings with the page, and keeps addresses and phone numbers in their order, in Arabic', async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    /** From the left: the ends of an element, and of the first and last letter of its text. */
    const placesOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text;
          const placeOf = (at: number) => {
            const range = document.createRange();
            range.setStart(text, at);
            range.setEnd(text, at + 1);
            return Math.round(range.getBoundingClientRect().left);
          };
          const { left, right } = element.getBoundingClientRect();
          const [first, last] = [placeOf(0), placeOf(text.length - 1)];
          return { first, last, isAtRight: first - left > right - last };
        });
    await setLanguage('ar');
    for (const [path, selector] of [
      [pathOf(event.url), 'h1'],
      [`/calendar?event=${event.id}`, '#event-title'],
      [pathOf(event.venue.url), 'h1'],
    ] as const) {
      await page.goto(root + path);
      const { first, last, isAtRight } = await placesOf(selector);
      expect([path, first < last, isAtRight]).toEqual([path, true, true]);
    }
    await page.goto(root + pathOf(event.url));
    const address = await placesOf('dd bdi:not(:has(a))');
    expect(address.first).toBeLessThan(address.last);
    const response = await fetch(`${root}/cal/events/v1/venues?per_page=50`);
    const { venues } = (await response.json()) as { venues: { url: string; phone?: string }[] };
    await page.goto(root + pathOf(venues.find((venue) => venue.phone)?.url ?? ''));
    const phone = await placesOf('[href^="tel:"]');
    expect(phone.first).toBeLessThan(phone.last);
    await setLanguage('');
    await page.close();
  });

  it('has the details of an event in the middle of a wide window', async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${root}/calendar?event=${event.id}`);
    const [before, after] = await page.locator('#event').evaluate((article) => {
      const { left, right } = article.getBoundingClientRect();
      return [left, document.documentElement.clientWidth - right];
    });
    expect(Math.abs((before ?? 0) - (after ?? 0))).toBeLessThan(2);
    await page.close();
  });
});
