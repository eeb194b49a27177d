import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.js';
import { findings } from '../support/axe.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';

const NOW = '2026-10-14T09:30:00Z';
const DESKTOP: BrowserContextOptions = {
  viewport: { width: 1280, height: 900 },
  timezoneId: 'America/New_York',
};
const PHONE: BrowserContextOptions = {
  viewport: { width: 375, height: 720 },
  hasTouch: true,
  isMobile: true,
};

/** Runs in the page before its scripts: adds up layout shifts, and looks whether neither view was visible at any time. */
function observeLoad(): void {
  const load = { shift: 0, wasEmpty: false };
  Object.assign(globalThis, { load });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) load.shift += Reflect.get(entry, 'value');
  }).observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    const view = document.querySelector('#events:not([hidden]), #calendar:not([hidden], .drawing)');
    if (document.readyState === 'complete' && !view) load.wasEmpty = true;
    requestAnimationFrame(look);
  };
  look();
}

describeInBrowser('the calendar page in a browser', () => {
  let server: TestServer;
  let url: string;
  let browser: Browser;
  /** The errors of all pages, and the requested hosts. */
  const troubles: string[] = [];
  const hosts = new Set<string>();

  beforeAll(async () => {
    browser = await startBrowser();
    server = await startTestServer({ demo: true, now: NOW });
    url = await server.app.getUrl();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Opens a page with the browser's clock at the server's time. */
  async function open(path: string, options: BrowserContextOptions = DESKTOP): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-US', ...options });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) troubles.push(`${path}: ${message.text()}`);
    });
    page.on('pageerror', ({ message }) => troubles.push(`${path}: ${message}`));
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    if (options.javaScriptEnabled !== false) await page.clock.setFixedTime(NOW);
    await page.goto(url + path);
    return page;
  }

  const visible = (page: Page, title: string) => page.locator('#calendar .ev', { hasText: title }).first();
  const listed = (page: Page, title: string) => page.locator('.item', { hasText: title }).first();
  const settled = (page: Page) => page.locator('#calendar[aria-busy="false"]').waitFor();
  const search = (page: Page) => new URL(page.url()).search;

  it('shows a month, a week and a list, and stores the view in the URL', async () => {
    const page = await open('/calendar');
    await visible(page, 'Tuesday Night Jazz').waitFor();
    expect(await page.locator('#title').textContent()).toBe('October 2026');
    expect(await page.locator('#events').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Next' }).click();
    expect(new URL(page.url()).search).toBe('?date=2026-11');
    await visible(page, 'Riverside Film Festival').waitFor();
    await page.getByRole('button', { name: 'Week' }).click();
    await page.locator('.column').first().waitFor();
    expect(await page.locator('#title').textContent()).toContain('November');
    await page.getByRole('button', { name: 'List' }).click();
    await page.locator('.item').first().waitFor();
    await page.getByRole('button', { name: 'Today' }).click();
    await listed(page, 'German Conversation').waitFor();
    // An exhibition over many days is listed once.
    expect(await page.locator('.item', { hasText: 'Night Shift' }).count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?view=list');
    await page.goBack();
    await page.goBack();
    await page.goBack();
    expect(new URL(page.url()).search).toBe('?date=2026-11');
    await visible(page, 'Riverside Film Festival').waitFor();
    expect(await page.getByRole('button', { name: 'Month' }).getAttribute('aria-pressed')).toBe('true');
    await page.goto(`${page.url().split('?')[0]}?view=month&date=2031-01`);
    await page.locator('#status', { hasText: 'No events here.' }).waitFor();
    await page.getByLabel('Search').fill('nowhere');
    await page.locator('#status', { hasText: 'No events match these filters.' }).waitFor();
    await page.context().close();
  });

  it('filters and searches, also by links', async () => {
    const page = await open('/calendar');
    await visible(page, 'Tuesday Night Jazz').waitFor();
    await page.getByLabel('Category').selectOption({ label: 'Film' });
    await visible(page, 'Tuesday Night Jazz').waitFor({ state: 'detached' });
    await visible(page, 'Film Club').waitFor();
    expect(new URL(page.url()).search).toBe('?category=film');
    await page.getByLabel('Search').fill('Ferry');
    await visible(page, 'A Letter').waitFor({ state: 'detached' });
    expect(await page.locator('#calendar .ev').count()).toBe(1);
    const link = page.url();
    await page.getByText('Clear filters').click();
    await visible(page, 'Tuesday Night Jazz').waitFor();
    await page.goto(link);
    await visible(page, 'The Second Ferry').waitFor();
    await settled(page);
    expect(await page.locator('#calendar .ev').count()).toBe(1);
    expect(await page.getByLabel('Search').inputValue()).toBe('Ferry');
    const feed = await page.locator('#webcal').getAttribute('href');
    expect(feed).toMatch(
      /^webcal:.*\/events\.ics\?categories=film&search=Ferry$|^webcal:.*search=Ferry&categories=film$/,
    );
    const answer = await fetch(feed?.replace('webcal:', 'http:') ?? '');
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('The Second Ferry')]);
    await page.context().close();
  });

  it('opens an event by keyboard and returns the focus on closing', async () => {
    const page = await open('/calendar?view=list');
    const jazz = listed(page, 'Tuesday Night Jazz').getByRole('link');
    await jazz.waitFor();
    for (let at = 0; at < 60; at++) {
      await page.keyboard.press('Tab');
      if (await jazz.evaluate((element) => element.matches(':focus'))) break;
    }
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Tuesday Night Jazz' });
    await dialog.getByText('Mainzer Straße 212').waitFor();
    expect(await dialog.getByText('Show on a map').getAttribute('href')).toMatch(
      /^https:\/\/www\.openstreetmap\.org\/\?mlat=52\.48&mlon=13\.427#/,
    );
    const ics = new URL((await dialog.getByText('Add to calendar').getAttribute('href')) ?? '', page.url());
    expect(await (await fetch(ics)).text()).toContain('SUMMARY:Tuesday Night Jazz');
    expect(new URL(page.url()).searchParams.get('event')).toMatch(/^\d+$/);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await findings(page)]).toEqual([colorScheme, []]);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.waitForURL((address) => !address.searchParams.has('event'));
    expect(await jazz.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.goForward();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'hidden' });
    await page.context().close();
  });

  it('shows times in three zones, and whole days unchanged', async () => {
    const page = await open('/calendar?view=list&search=Cherry');
    // 19:00 in New York, the visitor's zone; the calendar's is Berlin.
    const time = async () =>
      (await listed(page, 'The Cherry Lawn').locator('.when').textContent())?.replace(/\s+/g, ' ').trim();
    await listed(page, 'The Cherry Lawn').waitFor();
    expect(await time()).toBe('Friday, October 30, 2026, 7:00 – 9:45 PM (EDT)');
    await page.getByLabel('Time zone').selectOption('site');
    await page.waitForURL(/zone=site/);
    // Berlin has left summer time already, New York has not.
    await page.locator('.item', { hasText: '12:00' }).waitFor();
    expect(await time()).toBe('Saturday, October 31, 2026, 12:00 – 2:45 AM');
    await page.getByLabel('Time zone').selectOption('local');
    await page.locator('.item', { hasText: '7:00' }).waitFor();
    expect(await listed(page, 'The Cherry Lawn').locator('.day b').textContent()).toBe('30');
    await listed(page, 'The Cherry Lawn').getByRole('link').click();
    await page.getByRole('dialog').getByText('7:00 – 9:45 PM (EDT)').waitFor();
    for (const zone of ['site', 'local', 'event']) {
      await page.goto(`${url}/calendar?view=list&search=Brewery&zone=${zone}`);
      await listed(page, 'Open House').waitFor();
      expect(await listed(page, 'Open House').locator('.when').textContent()).toContain('October 25');
    }
    await page.context().close();
  });

  it('has no axe violations in any view, light or dark', async () => {
    for (const view of ['month', 'week', 'day', 'list'])
      for (const colorScheme of ['light', 'dark'] as const)
        for (const device of [DESKTOP, PHONE]) {
          const page = await open(`/calendar?view=${view}`, { ...device, colorScheme });
          await (view === 'list' ? listed : visible)(page, 'German Conversation').waitFor();
          if (view !== 'list') await settled(page);
          expect([view, colorScheme, device.viewport, await findings(page)]).toEqual([
            view,
            colorScheme,
            device.viewport,
            [],
          ]);
          await page.context().close();
        }
    const { events } = (await server.get<{ events: { id: number }[] }>('/cal/events/v1/events')).body;
    for (const path of [`/calendar?event=${events[0]?.id}`, '/calendar?event=9999999', '/calendar?view=x']) {
      const page = await open(path);
      expect([path, await findings(page)]).toEqual([path, []]);
      await page.context().close();
    }
    // The browser logs two of these failures.
    const rejected = troubles.filter((trouble) => /status of 40[04]/.test(trouble));
    for (const trouble of rejected) troubles.splice(troubles.indexOf(trouble), 1);
    expect(rejected).toHaveLength(2);
  });

  it('fits the width of a phone', async () => {
    for (const view of ['', '?view=month', '?view=week', '?view=day']) {
      const page = await open(`/calendar${view}`, PHONE);
      await (view === '' ? listed : visible)(page, 'German').waitFor();
      const [width, window] = await page.evaluate<number[]>(
        '[document.documentElement.scrollWidth, innerWidth]',
      );
      expect([view, width]).toEqual([view, window]);
      if (view === '') expect(await page.locator('.item').count()).toBeGreaterThan(10);
      if (view === '?view=month') {
        // The bars have names for screen readers only; a tap on the day shows the titles.
        const bar = visible(page, 'German').first();
        expect((await bar.boundingBox())?.height).toBeLessThan(12);
        await page.locator('[role=gridcell]', { hasText: 'German' }).first().tap();
        await listed(page, 'German').waitFor();
        expect(page.url()).toMatch(/view=list&date=\d{4}-\d\d(-\d\d)?$/);
      }
      await page.context().close();
    }
  });

  it('can be embedded by other pages with the displayed iframe line', async () => {
    const page = await open('/calendar?view=list&category=jazz');
    await listed(page, 'Tuesday Night Jazz').waitFor();
    await page.getByText('Embed', { exact: true }).first().click();
    const line = await page.locator('#iframe').inputValue();
    expect(line).toContain(`src="${url}/calendar?view=list&amp;category=jazz&amp;embed=1"`);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const other = createServer((_, response) =>
      response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>Other</title>${line}`),
    );
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/`);
    const frame = page.frameLocator('iframe');
    await frame.locator('.item', { hasText: 'Tuesday Night Jazz' }).first().waitFor();
    expect(await frame.locator('#iframe').count()).toBe(0);
    // The script beside the frame makes it as high as the list.
    await page.waitForFunction("/^\\d+px$/.test(document.querySelector('iframe').style.height)");
    await page.context().close();
    other.close();
    hosts.delete(`127.0.0.1:${port}`);
  });

  it('shows an error message on failure and tries again', async () => {
    const page = await open('/calendar');
    await visible(page, 'Tuesday Night Jazz').waitFor();
    await page.route('**/events?**', (route) => route.fulfill({ status: 503, json: {} }));
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('The server is busy.').waitFor();
    await page.unroute('**/events?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await visible(page, 'Riverside Film Festival').waitFor();
    await page.route('**/events?**', (route) => route.abort());
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('There is no connection to the server.').waitFor();
    const toHttpException = troubles.filter((trouble) => /503|ERR_FAILED/.test(trouble));
    for (const trouble of toHttpException) troubles.splice(troubles.indexOf(trouble), 1);
    await page.context().close();
  });

  it('shows a bounded number of events with a notice', async () => {
    const page = await open('/calendar?view=month&date=2026-12');
    await settled(page);
    let requestCount = 0;
    await page.route('**/events?**', async (route) => {
      requestCount += 1;
      const at = Number(new URL(route.request().url()).searchParams.get('page'));
      const events = Array.from({ length: 50 }, (_, number) => ({
        id: at * 100 + number,
        title: 'Many',
        all_day: false,
        start_date: '2027-01-13 10:00:00',
        end_date: '2027-01-13 11:00:00',
        utc_start_date: '2027-01-13 09:00:00',
        utc_end_date: '2027-01-13 10:00:00',
        timezone: 'Europe/Berlin',
        categories: [],
        venue: [],
      }));
      await route.fulfill({ json: { events, total: 5000, total_pages: 100 } });
    });
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('There are 5000 events here; the first 500 are shown.').waitFor();
    expect(requestCount).toBe(10);
    await page.context().close();
  });

  it('renders long titles, titles that look like code, and many events at one time', async () => {
    for (const title of [
      'L' + 'o'.repeat(600) + 'ng',
      '<b>Bold</b> <img src=x onerror="alert(1)"> & bare',
      ...Array.from({ length: 12 }, (_, number) => `At once ${number}`),
    ])
      await server.asAdmin().post('/cal/events/v1/events', {
        title,
        start_date: '2031-05-06 10:00:00',
        end_date: '2031-05-06 11:00:00',
      });
    for (const view of ['month', 'week', 'list'])
      for (const device of [DESKTOP, PHONE, { ...PHONE, javaScriptEnabled: false }]) {
        const page = await open(`/calendar?view=${view}&date=2031-05-06`, device);
        const isList = view === 'list' || device.javaScriptEnabled === false;
        const title = page.locator(isList ? '.item h3' : '.ev-title');
        await title.first().waitFor({ state: 'attached' });
        const [width, window] = await page.evaluate<number[]>(
          '[document.documentElement.scrollWidth, innerWidth]',
        );
        expect([view, width]).toEqual([view, window]);
        if (view === 'list') {
          const long = title.filter({ hasText: 'Looo' });
          expect(await long.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
          expect(await title.filter({ hasText: 'Bold' }).textContent()).toBe('Bold & bare');
        }
        if (view === 'week' && device === DESKTOP) {
          expect(await page.locator('.column').count()).toBe(2);
          await page.getByText('+12').click();
          await page.getByRole('dialog').getByText('At once 11').waitFor();
          expect(await findings(page)).toEqual([]);
        }
        await page.context().close();
      }
  });

  it('keeps its content in place while it loads, at three widths', async () => {
    for (const width of [1440, 768, 390]) {
      const context = await browser.newContext({ locale: 'en-US', viewport: { width, height: 900 } });
      const page = await context.newPage();
      await page.clock.setFixedTime(NOW);
      await page.addInitScript(observeLoad);
      await page.goto(`${url}/calendar`);
      const isPhone = width === 390;
      await (isPhone ? listed : visible)(page, 'German Conversation').waitFor();
      const { shift, wasEmpty } = await page.evaluate<{ shift: number; wasEmpty: boolean }>('window.load');
      expect([width, wasEmpty, shift < 0.05]).toEqual([width, false, true]);
      // The first view needs no further request.
      expect(await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")).toEqual(
        expect.not.arrayContaining([expect.stringContaining('/events?')]),
      );
      await context.close();
    }
  });

  it('leads from the number of a day to the day, and from an empty range to the nearest event', async () => {
    const page = await open('/calendar');
    await visible(page, 'Tuesday Night Jazz').waitFor();
    await page.getByRole('link', { name: 'October 13, 2026' }).click();
    await page.locator('.column', { hasText: 'Tuesday Night Jazz' }).waitFor();
    expect(search(page)).toBe('?view=day&date=2026-10-13');
    await page.goto(`${url}/calendar?view=month&date=2040-01`);
    await page.getByRole('button', { name: /^Latest: \w+ \d+, 20\d\d$/ }).click();
    await page.locator('#calendar .ev').first().waitFor();
    await page.goto(`${url}/calendar?view=month&date=2024-01`);
    await page.getByRole('button', { name: /^Next: \w+ \d+, 20\d\d$/ }).click();
    await page.locator('#calendar .ev').first().waitFor();
    expect(await page.locator('#status').textContent()).toBe('');
    // The neighbouring days of an empty one have events, which it does not show.
    await page.goto(`${url}/calendar?view=day&date=2026-10-07`);
    await page.getByText('No events here.').waitFor();
    await page.getByRole('button', { name: 'Next: October 8, 2026' }).click();
    await page.locator('.column').first().waitFor();
    await page.goto(`${url}/calendar?view=list&date=2040-01&search=jazz`);
    await page.getByRole('button', { name: /^Latest: \w+ \d+, 20\d\d$/ }).click();
    await page.locator('.item', { hasText: /jazz/i }).first().waitFor();
    await page.goto(`${url}/calendar`);
    await page.getByLabel('Go to date').fill('2026-11-05');
    await visible(page, 'Riverside Film Festival').waitFor();
    expect(search(page)).toBe('?date=2026-11-05');
    await page.context().close();
  });

  it('obeys single keys outside fields unless they are turned off, and remembers that and the view', async () => {
    const page = await open('/calendar');
    await visible(page, 'Tuesday Night Jazz').waitFor();
    await page.keyboard.press('w');
    await page.locator('.column').first().waitFor();
    await page.keyboard.press('n');
    await page.waitForURL('**/calendar?view=week&date=2026-10-19');
    await page.keyboard.press('t');
    await page.waitForURL('**/calendar?view=week');
    await page.keyboard.press('/');
    await page.keyboard.type('m');
    await page.waitForURL('**/calendar?view=week&search=m');
    expect(await page.getByLabel('Search').inputValue()).toBe('m');
    await page.getByLabel('Keyboard shortcuts').uncheck();
    await page.goto(`${url}/calendar`);
    const week = page.getByRole('button', { name: 'Week', pressed: true });
    await week.waitFor();
    expect(await page.getByLabel('Keyboard shortcuts').isChecked()).toBe(false);
    expect(await week.getAttribute('aria-keyshortcuts')).toBeNull();
    await page.keyboard.press('m');
    await page.keyboard.press('/');
    expect([search(page), await page.evaluate('document.activeElement.tagName')]).toEqual([
      '?view=week',
      'BODY',
    ]);
    await page.getByLabel('Keyboard shortcuts').check();
    expect(await week.getAttribute('aria-keyshortcuts')).toBe('w');
    await page.keyboard.press('m');
    await page.waitForURL('**/calendar?view=month');
    await page.context().close();
  });

  it('has whole words and lines in a week, a line for now, and titles in a month at 200 % zoom', async () => {
    for (const width of [1440, 768]) {
      const page = await open('/calendar?view=week', { ...DESKTOP, viewport: { width, height: 900 } });
      await page.locator('.column').first().waitFor();
      expect(await page.locator('.now').count()).toBe(1);
      const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('.column-inner')]
        .filter((inner) => inner.clientHeight % 16 !== 0 || inner.clientHeight === 0)
        .map((inner) => inner.textContent)`);
      expect([width, cut]).toEqual([width, []]);
      const heads = await page.locator('[role="columnheader"]').allInnerTexts();
      expect(heads.filter((head) => /\w/.test(head))).toEqual(
        ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((day, at) => `${day}, 10/${12 + at}`),
      );
      await page.context().close();
    }
    const zoomed = await open('/calendar?view=month', { ...DESKTOP, viewport: { width: 720, height: 450 } });
    const title = visible(zoomed, 'Tuesday Night Jazz').locator('.ev-title');
    await title.waitFor();
    expect((await title.boundingBox())?.height).toBeGreaterThan(10);
    await zoomed.context().close();
  });

  it('prints a month on one page', async () => {
    const page = await open('/calendar');
    await visible(page, 'Tuesday Night Jazz').waitFor();
    for (const landscape of [true, false]) {
      const pdf = await page.pdf({ format: 'A4', landscape });
      const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g);
      expect([landscape, pages?.length]).toEqual([landscape, 1]);
    }
    await page.context().close();
  });

  it('takes a theme and an accent colour from the URL', async () => {
    const page = await open('/calendar?view=list&theme=dark&accent=ffcc00');
    await listed(page, 'German Conversation').waitFor();
    const pressed = page.locator('[aria-pressed="true"]');
    const color = await pressed.evaluate((button) => getComputedStyle(button).backgroundColor);
    const scheme = await page.evaluate('getComputedStyle(document.documentElement).colorScheme');
    expect([scheme, color]).toEqual(['dark', 'rgb(255, 204, 0)']);
    await page.context().close();
  });

  it('has readable links in any accent colour, light and dark', async () => {
    for (const accent of ['b03060', 'ffcc00', '000000', 'ffffff', '777777'])
      for (const theme of ['light', 'dark']) {
        const page = await open(`/calendar?view=list&theme=${theme}&accent=${accent}`);
        await listed(page, 'German Conversation').waitFor();
        expect([accent, theme, await findings(page)]).toEqual([accent, theme, []]);
        await page.context().close();
      }
  });

  it('renders a paged list without JavaScript', async () => {
    const page = await open('/calendar', { ...DESKTOP, javaScriptEnabled: false });
    expect(await page.locator('.item').count()).toBe(20);
    expect(await page.locator('#toolbar').isVisible()).toBe(false);
    await page.getByLabel('Category').selectOption({ label: 'Jazz' });
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await page.locator('.item').first().textContent()).toContain('Jazz');
    await page.getByRole('link', { name: 'Tuesday Night Jazz' }).first().click();
    expect(await page.locator('h2').textContent()).toBe('Tuesday Night Jazz');
    await page.getByText('All events').click();
    await page.getByText('Earlier events').click();
    expect(await page.locator('.item').count()).toBeGreaterThan(0);
    await page.context().close();
  });

  it('requests no other host and violates no content security policy', () => {
    expect(troubles).toEqual([]);
    expect([...hosts]).toEqual([new URL(url).host]);
  });
});
