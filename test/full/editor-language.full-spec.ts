import type { Browser, Page } from 'playwright-core';
import { EDITOR_EN } from '../../src/pages/texts/editor-en.js';
import { editorTexts } from '../../src/pages/texts/editor-texts.js';
import { fill } from '../../src/pages/texts/fill.js';
import { findings } from '../support/axe.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';
import { loadRecording } from '../support/replay.js';
import { openWriteFixture, type WriteFixture } from '../support/write-fixture.js';

const { users } = loadRecording('site-a/write');
const { login = '', password = '' } = users['editor'] ?? {};

const WIDTHS = [1440, 768, 390];

interface Language {
  locale: string;
  /** The browser's language. */
  browser: string;
  direction: string;
  /** `start_of_week` and the name of that day. */
  week: readonly [string, string];
  /** The first date of a weekly event on 14 January 2091, and its rule. */
  date: string;
  rule: string;
}

const LANGUAGES: readonly Language[] = [
  {
    locale: 'de_DE',
    browser: 'de-AT',
    direction: 'ltr',
    week: ['0', 'Sonntag'],
    date: 'Jän. 2091',
    rule: 'Jeden Sonntag: ohne Ende.',
  },
  {
    locale: 'ar',
    browser: 'en-GB',
    direction: 'rtl',
    week: ['6', 'السبت'],
    date: 'يناير',
    rule: 'كل الأحد: بلا نهاية.',
  },
];

/** Texts that name what a plugin declares fit titles of events, too. */
const AMBIGUOUS = /Other$/;

/** English texts with a translation, as patterns of whole texts; those without words of their own are none. */
function englishPatterns(lang: string): RegExp[] {
  const translated: Readonly<Record<string, Readonly<Record<string, string>>>> = editorTexts(lang);
  return Object.entries<Readonly<Record<string, string>>>(EDITOR_EN).flatMap(([area, texts]) =>
    Object.entries(texts)
      .filter(([key, text]) => !AMBIGUOUS.test(key) && translated[area]?.[key] !== text)
      .flatMap(([, text]) =>
        text.includes('|') ? text.split('|').map((form) => form.replace(/^\w+:/, '')) : text,
      )
      .filter((text) => /\p{L}/u.test(text.replace(/\{\w+\}/g, '')))
      .map((text) => {
        const parts = text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
        return new RegExp(`^${parts.join('.+')}$`, 's');
      }),
  );
}

/** What people see and hear of a page: its texts, names and placeholders. */
const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.parentElement?.closest('script, .ProseMirror') === null) found.push(node.textContent ?? '');
    for (const element of document.querySelectorAll('[aria-label], [placeholder]'))
      found.push(element.getAttribute('aria-label') ?? '', element.getAttribute('placeholder') ?? '');
    return [...new Set(found.map((text) => text.trim()))].filter((text) => text !== '');
  });

describe.each(LANGUAGES)('the editor of a site in $locale', (language) => {
  describeInBrowser('in a browser', () => {
    const T = editorTexts(language.locale.slice(0, 2));
    const english = englishPatterns(language.locale.slice(0, 2));
    let browser: Browser;
    let fixture: WriteFixture;
    let page: Page;
    const faults: string[] = [];

    beforeAll(async () => {
      browser = await startBrowser();
      const options = { WPLANG: language.locale, start_of_week: language.week[0] };
      const prepare = async (ask: WriteFixture['ask']) => {
        for (const [name, value] of Object.entries(options)) {
          await ask(`DELETE FROM wp_options WHERE option_name = '${name}'`);
          await ask(
            `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('${name}', '${value}', 'yes')`,
          );
        }
      };
      fixture = await openWriteFixture('SQLite', prepare, { RECURRENCE: 'on' });
      const context = await browser.newContext({ locale: language.browser });
      page = await context.newPage();
      page.setDefaultTimeout(20_000);
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('dialog', (dialog) => dialog.accept());
      await page.goto(`${fixture.app.url}/editor`);
    });
    afterEach(() => expect(faults.splice(0)).toEqual([]));
    afterAll(async () => {
      await browser?.close();
      await fixture?.close();
    });

    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const field = (label: string) => page.getByLabel(label, { exact: true });
    const status = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
    const day = (label: string) => field(fill(T.form.day, { label }));
    const time = (label: string) => field(fill(T.form.time, { label }));

    /** Checks the screen that is open in all widths: its language, its width, and what axe finds. */
    async function checkScreen(): Promise<void> {
      const found = await textsOf(page);
      expect(found.filter((text) => english.some((pattern) => pattern.test(text)))).toEqual([]);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([width, Math.max(0, overflow)]).toEqual([width, 0]);
        expect([width, ...(await findings(page))]).toEqual([width]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    }

    it('asks for a sign-in, refuses a wrong one and lists events in that language and direction', async () => {
      const root = page.locator('html');
      expect([await root.getAttribute('lang'), await root.getAttribute('dir')]).toEqual([
        language.locale.replace('_', '-'),
        language.direction,
      ]);
      await field(T.frame.login).fill(login);
      await field(T.frame.password).fill('wrong');
      await button(T.frame.signIn).click();
      await page.getByRole('alert').filter({ hasText: T.frame.wrongPassword }).waitFor();
      await checkScreen();
      await field(T.frame.password).fill(password);
      await button(T.frame.signIn).click();
      await page.getByRole('table').waitFor();
      expect(await page.locator('h1').textContent()).toBe(T.fields.events);
      await checkScreen();
    });

    it('names the field of a refused save, then saves an event with a rule in words', async () => {
      await page.evaluate(() => {
        location.hash = '#/events/new';
      });
      await page.getByRole('heading', { name: T.fields.newEvent }).waitFor();
      await checkScreen();
      await button(T.fields.publishEvent).click();
      const alert = page.getByRole('alert');
      const missing = fill(T.form.missing, { label: T.fields.title });
      await alert.filter({ hasText: `${T.fields.title}: ${missing}` }).waitFor();
      await checkScreen();
      await page.locator('#form-title').fill('Choir');
      await day(T.fields.start).fill('2091-01-14');
      await time(T.fields.start).fill('19:00');
      await page.locator('#form-timezone').fill('nowhere');
      await button(T.fields.publishEvent).click();
      await alert.filter({ hasText: `${T.fields.zone}: ` }).waitFor();
      expect((await fixture.ask("SELECT ID FROM wp_posts WHERE post_title = 'Choir'")).length).toBe(0);
      await page.locator('#form-timezone').fill('Europe/Berlin');
      await field(T.fields.repeats).selectOption(T.recurrence.custom);
      await field(T.recurrence.ends).selectOption(T.recurrence.endsAfter);
      await page.locator('.weekdays').waitFor();
      expect(await page.locator('.weekdays input').first().getAttribute('aria-label')).toBe(language.week[1]);
      await field(T.recurrence.count).fill('3');
      await checkScreen();
      await field(T.recurrence.ends).selectOption(T.recurrence.endsNever);
      await page.locator('.dates p', { hasText: language.rule }).waitFor();
      expect(await page.locator('.dates ol li').first().textContent()).toContain(language.date);
      await button(T.fields.publishEvent).click();
      await status(fill(T.form.created, { title: 'Choir' }));
      await page.getByRole('heading', { name: T.fields.editEvent }).waitFor();
      await button(T.form.saveChanges).waitFor();
      await checkScreen();
    });

    it('asks in that language which dates are saved, and before text is lost', async () => {
      await page.evaluate(() => {
        location.hash = '#/events?tab=all&search=Choir';
      });
      await page.locator('tbody th a').nth(1).click();
      await field(T.fields.cost).fill('5');
      await button(T.form.saveChanges).click();
      await page.getByRole('dialog', { name: T.recurrence.saveWhich }).waitFor();
      await checkScreen();
      await field(T.recurrence.onlyThis).check();
      await button(T.recurrence.save).click();
      await status(fill(T.form.saved, { title: 'Choir' }));
      await field(T.fields.cost).fill('6');
      await page.locator('header nav a').nth(1).click();
      await page.getByRole('dialog', { name: T.frame.leaveTitle }).waitFor();
      await checkScreen();
      await button(T.frame.leave).click();
      await page.getByRole('heading', { name: T.fields.venues }).waitFor();
    });
  });
});
