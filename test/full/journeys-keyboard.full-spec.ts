import type { Browser, Locator, Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';
import { describeInEditor } from '../support/editor-browser.js';
import { enter, tabTo } from '../support/keyboard.js';
import { setOptions } from '../support/site-options.js';

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
    await setOptions(server, { WPLANG: '' });
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
  const search = (page: Page) => new URL(page.url()).searchParams;

  it.each(['', 'de_DE', 'ar'].flatMap((locale) => WIDTHS.map((width) => [locale, width] as const)))(
    'leads through months and days to an event and back (language "%s", %d pixels)',
    async (locale, width) => {
      await setOptions(server, { WPLANG: locale });
      const page = await open('/calendar?view=month', width);
      await page.locator('#calendar .ev').first().waitFor();
      await enter(page, page.locator('[data-go="next"]'));
      await page.waitForURL((url) => url.searchParams.get('date') === '2026-11');
      await page.locator('#calendar .ev').first().waitFor();
      await enter(page, page.locator('[data-date="2026-11-05"] a').first());
      // Phones open the list from that day on.
      await page.waitForURL((url) => url.searchParams.get('date') === '2026-11-05');
      const events = page.locator('#calendar .ev, .item a').filter({ visible: true });
      await events.first().waitFor();
      await enter(page, events.first());
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

describeInEditor('the way of an editor by keyboard alone', (editor) => {
  const button = (name: string) => editor.page.getByRole('button', { name, exact: true });
  /** Types into the field that Tab reaches; what is there is replaced. */
  async function type(target: Locator, text: string): Promise<void> {
    await tabTo(editor.page, target);
    await editor.page.keyboard.press('Control+A');
    await editor.page.keyboard.type(text);
  }

  it.each(WIDTHS)(
    'leads to a new event, its preview, a move, its undo and the list, at %d pixels',
    async (width) => {
      const { fixture, page, open, status } = editor;
      const title = `By keyboard ${width}`;
      await page.setViewportSize({ width, height: 800 });
      await open('#/venues');
      await page.getByRole('heading', { name: 'Venues', level: 1 }).waitFor();
      await open('#/events');
      await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
      await enter(page, page.getByRole('link', { name: 'New event', exact: true }));
      await page.getByRole('heading', { name: 'New event' }).waitFor();
      await type(page.getByLabel('Title'), title);
      // The parts of a date and a time are typed in the order of the region: days and months are equal.
      await tabTo(page, page.getByLabel('Start: day'));
      await page.keyboard.type('06062091');
      await tabTo(page, page.getByLabel('Start: time'));
      await page.keyboard.type('1800');
      await tabTo(page, page.getByLabel('End: day'));
      await page.keyboard.type('07072091');
      await enter(page, button('Preview'));
      await page.frameLocator('iframe').getByRole('heading', { name: title }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await enter(page, button('Publish event'));
      await status('was created.');
      const { body } = await fixture.send(
        'admin',
        'GET',
        `/events?search=${encodeURIComponent(title)}&start_date=2000-01-01`,
      );
      const [event] = body['events'] as { start_date: string; end_date: string }[];
      expect([event?.start_date, event?.end_date.slice(0, 10)]).toEqual([
        '2091-06-06 18:00:00',
        '2091-07-07',
      ]);

      await enter(page, button('Move…'));
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await enter(page, dialog.getByRole('button', { name: '1 week later' }));
      await enter(page, dialog.getByRole('button', { name: 'Move', exact: true }));
      await status('was moved to');
      await enter(page, button('Undo'));
      await status('is back at');
      await open(`#/events?tab=all&search=${title}`);
      await page.locator('tbody tr').first().waitFor();
      await enter(page, page.locator('tbody').getByRole('link', { name: title }).first());
      await button('Save changes').waitFor();
    },
  );
});
