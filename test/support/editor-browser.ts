import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, startBrowser } from './browser.js';
import type { Caller } from './calendar-client.js';
import { loadRecording } from './replay.js';
import { openWriteFixture, type WriteFixture } from './write-fixture.js';

const { users } = loadRecording('site-a/write');

/** A server and a browser window with its editor; the page is another one in each test. */
export interface EditorWindow {
  readonly fixture: WriteFixture;
  readonly page: Page;
  /** Types a login and its password into the page, and waits for the part of the editor that was open. */
  signIn(caller: Caller): Promise<void>;
  /** Types them into the form over the page. */
  signInAgain(): Promise<void>;
  /** Opens a part of the editor by the part of the address behind `#`. */
  open(hash: string): Promise<void>;
  /** Opens the form of an event. */
  edit(id: unknown): Promise<void>;
  /** Waits for a message. */
  status(text: string): Promise<void>;
  /** Titles of the list once it has as many rows. */
  titles(count: number): Promise<string[]>;
}

/** Tests of the editor in a browser, signed in as an editor; an error of the page's scripts fails them. */
export function describeInEditor(
  name: string,
  tests: (editor: EditorWindow) => void,
  env: Readonly<Record<string, string>> = {},
): void {
  describeInBrowser(name, () => {
    let fixture: WriteFixture;
    let browser: Browser;
    let page: Page;
    const faults: string[] = [];
    beforeAll(async () => {
      browser = await startBrowser();
      fixture = await openWriteFixture('SQLite', undefined, { RECURRENCE: 'on', ...env });
    });
    afterAll(async () => {
      await browser?.close();
      await fixture?.close();
    });
    beforeEach(async () => {
      const context = await browser.newContext({ locale: 'en-GB' });
      page = await context.newPage();
      page.setDefaultTimeout(20_000);
      page.on('pageerror', (error) => faults.push(error.message));
      // Browsers ask before a page with unsaved text is left.
      page.on('dialog', (dialog) => dialog.accept());
      await page.goto(`${fixture.app.url}/editor`);
      await signIn('editor');
    });
    afterEach(async () => {
      await page.context().close();
      expect(faults.splice(0)).toEqual([]);
    });

    async function typeLogin(caller: Caller): Promise<void> {
      const { login = '', password = '' } = users[caller] ?? {};
      await page.getByLabel('User name').fill(login);
      await page.getByLabel('Application password').fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    }
    async function signIn(caller: Caller): Promise<void> {
      await typeLogin(caller);
      await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Sign in' }).waitFor();
    }
    const open = async (hash: string) => {
      await page.evaluate(`location.hash = '${hash}'`);
    };
    tests({
      get fixture() {
        return fixture;
      },
      get page() {
        return page;
      },
      signIn,
      signInAgain: () => typeLogin('editor'),
      open,
      edit: async (id) => {
        await open(`#/events/${id}`);
        await page.getByRole('button', { name: 'Save changes' }).waitFor();
      },
      status: (text) => page.getByRole('status').filter({ hasText: text }).waitFor(),
      titles: async (count) => {
        await page.locator(`tbody tr:nth-child(${count}):last-child`).waitFor();
        return page.locator('tbody th a').allTextContents();
      },
    });
  });
}
