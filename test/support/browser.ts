import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { buildPages } from './web-pages.js';

/** Where Chromium is, as Debian and others install it; undefined where it is not. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** `describe` for what needs a browser: skipped without one, but a failure in CI, which installs it. */
export const describeInBrowser: jest.Describe =
  CHROMIUM === undefined && !process.env['CI'] ? describe.skip : describe;

/** A headless Chromium; the pages' files are built before, once per run. */
export async function startBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('no Chromium: install the package chromium');
  await buildPages();
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}
