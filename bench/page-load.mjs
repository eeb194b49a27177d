// `npm run build && node bench/page-load.mjs`: five loads of the calendar page of the demo for each device, in a browser of this machine.
// Prints layout shift (CLS), first contentful paint, and the time that long tasks block the main thread (each beyond 50 ms), as Markdown.
import { chromium } from 'playwright-core';
import { startTestServer } from '../dist/testing.js';

const NOW = '2026-10-14T09:30:00Z';
const LOADS = 5;
const DEVICES = [
  { name: 'desktop, 1440 pixels', cpu: 1, options: { viewport: { width: 1440, height: 900 } } },
  { name: 'tablet, 768 pixels', cpu: 1, options: { viewport: { width: 768, height: 1024 } } },
  {
    name: 'phone, 390 pixels, CPU 4 times slower',
    cpu: 4,
    options: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  },
];

/** Runs in the page before its scripts: adds up shifts and long tasks. */
function observe() {
  window.load = { shift: 0, blocked: 0 };
  const add = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  add('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) window.load.shift += value;
  });
  add('longtask', ({ duration }) => {
    window.load.blocked += Math.max(0, duration - 50);
  });
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const server = await startTestServer({ demo: true, now: NOW });
const url = await server.app.getUrl();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  console.log('| | Layout shift, worst of five | First content, median | Blocked main thread, median |');
  console.log('|---|---|---|---|');
  for (const { name, cpu, options } of DEVICES) {
    const loads = [];
    for (let load = 0; load < LOADS; load++) {
      const context = await browser.newContext({ locale: 'en-US', ...options });
      const page = await context.newPage();
      await page.addInitScript(observe);
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
      await page.goto(`${url}/calendar`);
      await page.locator('#calendar:not([hidden], .drawing), #events[aria-busy="false"]').first().waitFor();
      await page.waitForTimeout(1_000);
      const paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime";
      loads.push({ ...(await page.evaluate('window.load')), paint: await page.evaluate(paint) });
      await context.close();
    }
    const shift = Math.max(...loads.map((load) => load.shift));
    const paint = median(loads.map((load) => load.paint));
    const blocked = median(loads.map((load) => load.blocked));
    console.log(`| ${name} | ${shift.toFixed(3)} | ${Math.round(paint)} ms | ${Math.round(blocked)} ms |`);
  }
} finally {
  await browser.close();
  await server.close();
}
