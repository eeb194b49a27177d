import type { Browser, Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.js';
import { findings } from '../support/axe.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';
import { setOptions } from '../support/site-options.js';

const NOW = '2026-10-14T09:30:00Z';

describeInBrowser('the calendar page in another language', () => {
  let browser: Browser;
  let server: TestServer;
  let page: Page;

  beforeAll(async () => {
    browser = await startBrowser();
    server = await startTestServer({ demo: true, now: NOW });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  beforeEach(async () => {
    page = await browser.newPage({ locale: 'en-US' });
    await page.clock.setFixedTime(NOW);
  });
  afterEach(() => page.close());

  const open = async (query = '') => page.goto(`${await server.app.getUrl()}/calendar${query}`);

  it('shows German texts and begins the week on the day of the site setting', async () => {
    await setOptions(server, { WPLANG: 'de_DE', start_of_week: '0', time_format: 'H:i' });
    await open();
    await page.locator('.ev', { hasText: '20:30' }).first().waitFor();
    expect(await page.locator('#title').textContent()).toBe('Oktober 2026');
    expect(await page.locator('[role="columnheader"]').first().textContent()).toBe('So');
    await page.getByRole('button', { name: 'Woche' }).click();
    await page.locator('.column').first().waitFor();
    const week = await page.locator('#calendar').innerText();
    expect([week.includes('Mi., 14.10.'), /^0?9:00$/m.test(week), /uhr|\bpm\b/i.test(week)]).toEqual([
      true,
      true,
      false,
    ]);
    await page.getByRole('button', { name: 'Liste' }).click();
    await page.locator('.item', { hasText: 'Mittwoch' }).first().waitFor();
  });

  it('renders Arabic right to left without English words, in a zone that is only an offset', async () => {
    await setOptions(server, { WPLANG: 'ar', start_of_week: '6', timezone_string: '', gmt_offset: '5.75' });
    await server.asAdmin().post('/cal/events/v1/events', {
      title: 'On this clock',
      start_date: '2031-05-06 10:00:00',
      end_date: '2031-05-06 11:00:00',
    });
    await open('?date=2031-05');
    await page.locator('.ev', { hasText: 'On this clock' }).waitFor();
    const heads = page.locator('[role="columnheader"]');
    expect(await heads.first().textContent()).toBe('السبت');
    const [first, last] = [await heads.first().boundingBox(), await heads.last().boundingBox()];
    expect(first?.x).toBeGreaterThan(last?.x ?? 0);
    expect(await findings(page)).toEqual([]);
    await open('?view=list&date=2031-05-06');
    // The clock of the calendar itself needs no name, however it is stored.
    expect(await page.locator('.item .when').textContent()).not.toContain('UTC');
    await page.locator('.item').getByRole('link').click();
    await page.getByRole('dialog').getByText('(UTC+05:45)').waitFor();
    await open('?view=list&date=2032-05');
    await page.locator('.note', { hasText: 'لا توجد فعاليات هنا.' }).waitFor();
    for (const part of ['#toolbar', '#filters label > span', '#events', '#sharing summary'])
      for (const text of await page.locator(part).allInnerTexts())
        expect([part, text]).toEqual([part, expect.not.stringMatching(/[a-z]/i)]);
  });
});
