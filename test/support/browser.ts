import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { buildPages } from './web-pages.js';

/** The path of Chromium where Debian and others install it; undefined without one. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** `describe` for tests with a browser: skipped without one, a failure in CI, which installs it. */
export const describeInBrowser: jest.Describe =
  CHROMIUM === undefined && !process.env['CI'] ? describe.skip : describe;

/** A headless Chromium; builds the files of the pages once per run. */
export async function startBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('no Chromium: install the package chromium');
  await buildPages();
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}
