import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.js';
import { findings } from '../support/axe.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';
import { setOptions } from '../support/site-options.js';

const NOW = '2031-05-14T09:30:00Z';
const DESKTOP: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};
/** Titles, both ends and other fields of all events; May 14, 2031 is a Wednesday. */
const EVENTS: readonly [string, string, string, object?][] = [
  ['Exhibition', '2031-05-01', '2031-06-20', { all_day: true }],
  ['Long show', '2031-03-01', '2031-04-04', { all_day: true }],
  ['Trade fair', '2031-05-13', '2031-05-15', { all_day: true }],
  ['Night party', '2031-05-14 22:00:00', '2031-05-15 03:00:00'],
  ['Hackathon', '2031-05-15 09:00:00', '2031-05-16 17:00:00'],
  ['Call from Tokyo', '2031-05-14 10:00:00', '2031-05-14 11:00:00', { timezone: 'Asia/Tokyo' }],
  ...[1, 2, 3].flatMap((number): [string, string, string][] =>
    ['2031-03-06', '2031-03-20'].map((day) => [
      `Lesson ${number}`,
      `${day} 1${number}:00:00`,
      `${day} 1${number}:30:00`,
    ]),
  ),
  ...[1, 2, 3].map((number): [string, string, string] => [
    `Stand ${number}`,
    '2031-05-17 12:00:00',
    '2031-05-17 13:00:00',
  ]),
  ['Antarctic explorers remember their longest winter', '2031-05-13 15:00:00', '2031-05-13 15:30:00'],
  ['Morning run', '2031-05-19 06:30:00', '2031-05-19 07:00:00'],
  ['After midnight', '2031-05-20 00:30:00', '2031-05-20 01:00:00'],
];

describeInBrowser('the grids of the calendar page', () => {
  let server: TestServer;
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
    server = await startTestServer({ now: NOW });
    url = await server.app.getUrl();
    await setOptions(server, { timezone_string: 'Europe/Berlin', blogname: 'Town Hall' });
    for (const [title, start_date, end_date, other] of EVENTS) {
      const event = { title, start_date, end_date, timezone: 'Europe/Berlin', ...other };
      expect([title, (await server.asAdmin().post('/cal/events/v1/events', event)).status]).toEqual([
        title,
        201,
      ]);
    }
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    await setOptions(server, { WPLANG: '' });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function open(path: string, options: BrowserContextOptions = DESKTOP): Promise<Page> {
    const page = await (await browser.newContext({ locale: 'en-US', ...options })).newPage();
    await page.clock.setFixedTime(NOW);
    await page.goto(`${url}/calendar${path}`);
    await page.locator('#calendar[aria-busy="false"]:not([hidden], .drawing)').waitFor();
    return page;
  }
  const drawn = (page: Page, title: string) => page.locator('#calendar .ev', { hasText: title });
  const box = async (page: Page, selector: string) => {
    const found = await page.locator(selector).first().boundingBox();
    if (!found) throw new Error(`${selector} is not there`);
    return found;
  };
  const pageCount = async (page: Page, landscape: boolean) =>
    (await page.pdf({ format: 'A4', landscape })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

  it('opens the details beside the tapped event in a frame as high as the whole list', async () => {
    const other = createServer((_, response) =>
      response
        .setHeader('Content-Type', 'text/html')
        .end(
          `<!doctype html><title>Other</title><style>iframe{width:100%;height:5000px}</style>` +
            `<iframe src="${url}/calendar?view=list&embed=1&date=2031-05"></iframe>`,
        ),
    );
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const page = await (await browser.newContext(PHONE)).newPage();
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const frame = page.frameLocator('iframe');
    const link = frame.locator('.item', { hasText: 'Trade fair' }).getByRole('link');
    await link.click();
    const dialog = frame.getByRole('dialog', { name: 'Trade fair' });
    await dialog.waitFor();
    const [tapped, opened] = [await link.boundingBox(), await dialog.boundingBox()];
    expect(Math.abs((opened?.y ?? 0) - (tapped?.y ?? 0))).toBeLessThan(20);
    await dialog.getByRole('button', { name: 'Close' }).click();
    // The last one has no room below it where the frame ends.
    await page.locator('iframe').evaluate((element) => element.style.setProperty('height', '900px'));
    await frame.locator('.item', { hasText: 'After midnight' }).getByRole('link').click();
    await frame.getByRole('dialog', { name: 'After midnight' }).waitFor();
    // It grows when its event has been loaded.
    const inside = await frame.getByRole('dialog').evaluate(async (element) => {
      const below = () => innerHeight - element.getBoundingClientRect().bottom;
      for (let frames = 0; frames < 120 && (below() < 0 || !element.querySelector('#event-title')); frames++)
        await new Promise(requestAnimationFrame);
      return element.querySelector('#event-title') ? below() : undefined;
    });
    expect(inside).toBeGreaterThanOrEqual(0);
    other.close();
  });

  it('has titles of all-day events and takes taps in the day view of a phone', async () => {
    const page = await open('?view=day&date=2031-05-14', PHONE);
    const title = drawn(page, 'Trade fair').locator('.ev-title');
    expect((await title.boundingBox())?.height).toBeGreaterThan(10);
    expect(await findings(page)).toEqual([]);
    await title.tap();
    await page.getByRole('dialog', { name: 'Trade fair' }).waitFor();
  });

  it.each([
    [1440, 900],
    [1366, 768],
  ])('has three events on each busy day of a month at %d × %d', async (width, height) => {
    const page = await open('?view=month&date=2031-03', { viewport: { width, height } });
    expect(await page.locator('#calendar .ev', { hasText: 'Long show' }).count()).toBe(6);
    for (const title of ['Lesson 1', 'Lesson 2']) {
      const visible = await drawn(page, title).evaluateAll(
        (all) => all.filter((event) => event.checkVisibility({ visibilityProperty: true })).length,
      );
      expect([title, visible]).toEqual([title, 2]);
    }
  });

  it('points the arrows outwards in Arabic', async () => {
    await setOptions(server, { WPLANG: 'ar' });
    const page = await open('?view=week', { viewport: { width: 768, height: 900 } });
    for (const arrow of await page.locator('.arrow').all())
      expect(await arrow.evaluate((element) => getComputedStyle(element).transform)).toBe('none');
  });

  it('begins a Latin title that is cut at its beginning in Arabic', async () => {
    await setOptions(server, { WPLANG: 'ar' });
    const page = await open('?view=week', { viewport: { width: 768, height: 900 } });
    const cut = await drawn(page, 'Antarctic')
      .locator('.ev-title')
      .evaluate((title) => {
        const range = document.createRange();
        range.setStart(title.firstChild as Node, 0);
        range.setEnd(title.firstChild as Node, 1);
        const [letter, around] = [range.getBoundingClientRect(), title.getBoundingClientRect()];
        return letter.left < around.left - 1 || letter.right > around.right + 1 || title.scrollWidth === 0;
      });
    expect(cut).toBe(false);
  });

  it.each(['', 'de_DE', 'ar'])(
    'keeps the headings of a week apart at 768 pixels, in "%s"',
    async (locale) => {
      await setOptions(server, { WPLANG: locale });
      const page = await open('?view=week', { viewport: { width: 768, height: 900 } });
      const heads = await page.locator('[role="columnheader"]').evaluateAll((elements) =>
        elements.map((element) => {
          let inner: Element = element;
          while (inner.firstElementChild) inner = inner.firstElementChild;
          const range = document.createRange();
          range.selectNodeContents(inner);
          const { left, right } = range.getBoundingClientRect();
          return { left, right };
        }),
      );
      expect(heads).toHaveLength(7);
      heads.sort((one, other) => one.left - other.left);
      for (const [at, { right }] of heads.entries())
        expect(heads[at + 1]?.left ?? Number.POSITIVE_INFINITY).toBeGreaterThan(right);
    },
  );

  it.each(['week', 'day'])('prints a %s on two pages at most', async (view) => {
    const page = await open(`?view=${view}&date=2031-05-20`);
    for (const landscape of [true, false])
      expect([landscape, (await pageCount(page, landscape)) <= 2]).toEqual([landscape, true]);
  });

  it('prints the whole event of an open dialog and nothing else', async () => {
    const description = Array.from({ length: 80 }, (_, at) => `<p>Paragraph ${at} of many.</p>`).join('');
    const event = { title: 'Long read', start_date: '2033-01-05 10:00:00', end_date: '2033-01-05 11:00:00' };
    await server.asAdmin().post('/cal/events/v1/events', { ...event, description });
    const page = await open('?view=month&date=2033-01');
    await drawn(page, 'Long read').click();
    await page.getByText('Paragraph 79 of many.').waitFor({ state: 'attached' });
    expect(await pageCount(page, false)).toBeGreaterThan(1);
    await page.emulateMedia({ media: 'print' });
    const dialog = await box(page, 'dialog');
    const last = await box(page, 'dialog p:has-text("Paragraph 79")');
    expect(last.y + last.height).toBeLessThanOrEqual(dialog.y + dialog.height);
    expect(await page.locator('#calendar').isVisible()).toBe(false);
    expect(await page.locator('.close').isVisible()).toBe(false);
  });

  it('has the real end of an event that goes on after midnight', async () => {
    for (const date of ['2031-05-14', '2031-05-15']) {
      const day = await open(`?view=day&date=${date}`);
      expect([date, await drawn(day, 'Night party').locator('.ev-time').textContent()]).toEqual([
        date,
        '10pm – 3am',
      ]);
    }
    const list = await open('?view=week', PHONE);
    const times = await drawn(list, 'Night party').locator('.ev-time').allTextContents();
    expect(new Set(times)).toEqual(new Set(['10pm – 3am']));
    expect(await drawn(list, 'Hackathon').locator('.ev-time').allTextContents()).toEqual(['9am –', '– 5pm']);
  });

  it('lists an event of several days on each of them in the week of a phone', async () => {
    const page = await open('?view=week', PHONE);
    const days = await page
      .locator('.list-day')
      .evaluateAll((all) => all.filter((day) => day.textContent?.includes('Trade fair')).length);
    expect(days).toBe(3);
    expect(await drawn(page, 'Exhibition').count()).toBe(7);
    expect(await findings(page)).toEqual([]);
  });

  it('names the zone of an event in another zone than the site, in each grid', async () => {
    for (const view of ['month', 'week', 'day']) {
      const page = await open(`?view=${view}`);
      expect([view, await drawn(page, 'Call from Tokyo').first().locator('.ev-time').textContent()]).toEqual([
        view,
        expect.stringMatching(/^10.*GMT\+9$/),
      ]);
      const party = drawn(page, 'Night party').first().locator('.ev-time');
      expect([view, await party.textContent()]).toEqual([view, expect.not.stringContaining('GMT')]);
    }
  });

  it('scrolls a week or a day to a little before its first event by day', async () => {
    for (const [path, first] of [
      ['?view=week&date=2031-05-19', 'Morning run'],
      ['?view=day&date=2031-05-20', 'After midnight'],
    ] as const) {
      const page = await open(path);
      const event = await drawn(page, first).boundingBox();
      const grid = await box(page, '#calendar');
      expect([first, (event?.y ?? 0) - grid.y > 0, (event?.y ?? 0) - grid.y < 400]).toEqual([
        first,
        true,
        true,
      ]);
      if (first === 'Morning run') {
        const late = await drawn(page, 'After midnight').boundingBox();
        expect(late?.y).toBeLessThan(event?.y ?? 0);
      }
      expect([path, await findings(page)]).toEqual([path, []]);
    }
    // Today begins before now.
    const today = await open('?view=day&date=2031-05-14', { viewport: { width: 1440, height: 700 } });
    const now = await box(today, '.now');
    const grid = await box(today, '#calendar');
    expect([now.y > grid.y, now.y < grid.y + grid.height]).toEqual([true, true]);
  });

  it('has events of a day and longer above the hours, and links to more beside the texts', async () => {
    const page = await open('?view=week');
    expect(await page.locator('.column', { hasText: 'Hackathon' }).count()).toBe(0);
    expect(await drawn(page, 'Hackathon').textContent()).toBe('9amHackathon');
    expect(await drawn(page, 'Hackathon').getAttribute('title')).toContain('5:00');
    const more = await box(page, '.column-more');
    const texts = page.locator('.column', { hasText: 'Stand' });
    expect(await texts.count()).toBe(2);
    for (const text of await texts.all()) {
      const { x, width } = (await text.boundingBox()) ?? { x: 0, width: 0 };
      expect(x + width).toBeLessThanOrEqual(more.x + 1);
    }
  });

  it('names the page by its heading, and by the event while its dialog is open', async () => {
    const page = await open('');
    expect(await page.title()).toBe('May 2031 – Town Hall');
    await page.getByRole('button', { name: 'Week' }).click();
    await page.locator('.column').first().waitFor();
    expect(await page.title()).toBe('May 12 – 18, 2031 – Town Hall');
    await drawn(page, 'Trade fair').click();
    await page.getByRole('dialog', { name: 'Trade fair' }).waitFor();
    expect(await page.title()).toBe('Trade fair – Town Hall');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    // The page hears of the close a moment later.
    await page.waitForFunction(() => document.title === 'May 12 – 18, 2031 – Town Hall');
  });

  it('adds one entry to the history for each other view, date and search', async () => {
    const page = await open('');
    const entries = () => page.evaluate(() => history.length);
    const before = await entries();
    for (const name of ['Today', 'Today']) await page.getByRole('button', { name }).click();
    expect((await entries()) - before).toBe(0);
    for (const name of ['Week', 'Week']) await page.getByRole('button', { name }).click();
    expect((await entries()) - before).toBe(1);
    await page.getByLabel('Go to date').focus();
    await page.keyboard.type('11222034');
    await page.waitForURL(/date=2034-11-22/);
    expect((await entries()) - before).toBe(2);
    await page.getByLabel('Search').focus();
    await page.keyboard.type('Les');
    await page.waitForURL(/search=Les$/);
    await page.keyboard.type('son');
    await page.waitForURL(/search=Lesson/);
    await page.keyboard.press('Enter');
    expect((await entries()) - before).toBe(3);
    await page.goBack();
    await page.waitForURL((address) => !address.searchParams.has('search'));
    expect(new URL(page.url()).search).toBe('?view=week&date=2034-11-22');
  });
});
