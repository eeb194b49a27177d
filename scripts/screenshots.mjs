// `npm run build && node scripts/screenshots.mjs [NAME…]` takes the pictures of docs/images again, with a browser of this machine:
// the demo calendar at a fixed time, so that the same code gives the same pictures.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { startTestServer } from '../dist/testing.js';

const NOW = '2026-10-14T09:30:00Z';
const FOLDER = join(fileURLToPath(new URL('..', import.meta.url)), 'docs', 'images');

const DESKTOP = { viewport: { width: 1280, height: 1000 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const WINDOW = { viewport: { width: 1280, height: 860 } };
const docsAreThere = (page) => page.locator('details.operation').first().waitFor();
const listIsThere = (page) => page.locator('.item').first().waitFor();
const pageIsThere = (page) => page.locator('h1').waitFor();
const calendarIsThere = (page) => page.locator('#calendar .ev').first().waitFor();

/** Signs in, and waits for the list of events. */
async function openEditor(page) {
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Application password').fill(server.adminPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('tbody th a').nth(2).waitFor();
}

/** Signs in, and opens an event. */
async function openInEditor(page) {
  await openEditor(page);
  await page.locator('tbody th a').nth(2).click();
  await page.getByRole('textbox', { name: 'Description' }).waitFor();
}

/** Signs in, and opens the month. */
async function openMonth(page) {
  await openEditor(page);
  await page.getByText('Month', { exact: true }).first().click();
  await page.locator('.month-grid .ev').first().waitFor();
}

// The pictures of events.
const uploads = mkdtempSync(join(tmpdir(), 'almanac-screenshots-'));
const server = await startTestServer({ demo: true, now: NOW, env: { UPLOADS_DIR: uploads } });
const url = await server.app.getUrl();
/** The page of the next event with a picture and a venue. */
const eventPath = await (async () => {
  const { events } = await (await fetch(`${url}/cal/events/v1/events?per_page=50`)).json();
  const found = events.find(({ image, venue }) => image && venue.venue) ?? events[0];
  return new URL(found.url).pathname;
})();

/** One picture each: its name, the page, the window, and what is done before it is taken. */
const PICTURES = [
  { name: 'calendar-desktop', path: '/calendar?view=month', device: DESKTOP, ready: calendarIsThere },
  { name: 'calendar-phone', path: '/calendar', device: PHONE, ready: listIsThere },
  { name: 'editor', path: '/editor', device: WINDOW, ready: openInEditor },
  { name: 'editor-list', path: '/editor', device: WINDOW, ready: openEditor },
  { name: 'editor-month', path: '/editor', device: WINDOW, ready: openMonth },
  { name: 'event', path: eventPath, device: DESKTOP, ready: pageIsThere },
  { name: 'event-phone', path: eventPath, device: PHONE, ready: pageIsThere },
  { name: 'docs', path: '/docs', device: DESKTOP, ready: docsAreThere },
];

const wanted = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, path, device, ready, ...options } of PICTURES) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const context = await browser.newContext({
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
      ...device,
      ...options,
    });
    const page = await context.newPage();
    await page.clock.setFixedTime(NOW);
    // The home of the demo is another port.
    await page.route('**/wp-content/uploads/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: url + pathname }) });
    });
    await page.goto(url + path);
    await ready(page);
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    await context.close();
    console.log(`docs/images/${name}.png`);
  }
} finally {
  await browser.close();
  await server.close();
  rmSync(uploads, { recursive: true });
}
