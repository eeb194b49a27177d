import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page, Route } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../support/browser.js';
import { type Caller, userId } from '../support/calendar-client.js';
import { loadRecording } from '../support/replay.js';
import { openWriteFixture, type WriteFixture } from '../support/write-fixture.js';

const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
const { users } = loadRecording('site-a/write');
/** The image host of the recorded site; no server of this test answers there. */
const SITE = 'http://calendar.example.org/';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
  'base64',
);
const HOSTILE = 'Tea <img src=x onerror="document.title=\'owned\'"> & "talk"';
const PHONE = { width: 390, height: 844 };

describeInBrowser('the editor in a browser', () => {
  let fixture: WriteFixture;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
    fixture = await openWriteFixture('SQLite', undefined, { RATE_LIMIT: '4/5m', TRUST_PROXY: 'true' });
  });
  afterAll(async () => {
    await browser?.close();
    await fixture?.close();
  });
  beforeEach(async () => {
    page = await open();
  });
  afterEach(async () => {
    await page.context().close();
    expect(faults.splice(0)).toEqual([]);
  });

  /** Opens a new window on the page and collects its errors. */
  async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    const opened = await context.newPage();
    opened.setDefaultTimeout(20_000);
    await opened.route('**/*', (route) => {
      const address = route.request().url();
      if (address.startsWith(SITE)) return route.fulfill({ contentType: 'image/png', body: PNG });
      if (!address.startsWith(`${fixture.app.url}/`)) faults.push(`asked for ${address}`);
      return route.continue();
    });
    opened.on('pageerror', (error) => faults.push(error.message));
    opened.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text());
    });
    await opened.goto(`${fixture.app.url}/editor`);
    return opened;
  }

  async function signIn(caller: Caller, on = page): Promise<void> {
    const { login = '', password = '' } = users[caller] ?? {};
    await on.getByLabel('User name').fill(login);
    await on.getByLabel('Application password').fill(password);
    await on.getByRole('button', { name: 'Sign in' }).click();
    await on.getByRole('table').waitFor();
  }

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  /** Follows a link and waits for the page of that name: the page before may have fields with the same labels. */
  async function follow(name: string): Promise<void> {
    await link(name).click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
  }
  const status = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
  /** The message appears first, the focus moves a moment later. */
  const focused = (id: string) => page.waitForFunction((wanted) => document.activeElement?.id === wanted, id);

  /** Runs axe on the current page, in light and dark. */
  async function accessible(): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // Through the debugger, to which the content security policy does not apply.
      await page.evaluate(AXE);
      const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
        'axe.run()',
      );
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      expect([colorScheme, ...found]).toEqual([colorScheme]);
    }
  }

  async function choose(label: string, words: string, option: string | RegExp): Promise<void> {
    const input = page.getByRole('combobox', { name: label, exact: true });
    await input.fill(words);
    await page.getByRole('option', { name: option }).waitFor();
    await input.press('ArrowUp');
    await input.press('Enter');
  }

  it('signs in, writes an event with links and image, shows an error and a conflict, trashes, restores, signs out', async () => {
    const [image] = await fixture.ask(
      "SELECT ID AS id, post_title AS title FROM wp_posts WHERE post_type = 'attachment' AND post_mime_type LIKE 'image/%' AND post_parent = 0 ORDER BY ID LIMIT 1",
    );
    const { id: imageNumber, title: imageTitle } = image as { id: number; title: string };
    const imageId = String(imageNumber);

    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await accessible();
    await button('Sign in').click();
    await focused('login');
    await page.getByLabel('User name').fill(users['editor']?.login ?? '');
    await page.getByLabel('Application password').fill('not the password');
    await button('Sign in').click();
    await page.getByRole('alert').filter({ hasText: 'not one of the application passwords' }).waitFor();
    await focused('password');
    await accessible();
    await signIn('editor');
    await accessible();

    await follow('New event');
    await button('Publish event').click();
    await page.getByRole('alert').filter({ hasText: 'Title: Title is missing' }).waitFor();
    await focused('form-title');
    expect(await page.getByLabel('Title').getAttribute('aria-describedby')).toBe('form-title-error');
    await accessible();

    await page.getByLabel('Title').fill(HOSTILE);
    await button('Edit as HTML').click();
    await page
      .getByLabel('Description')
      .fill('<p onclick="x()">Come</p>\n\n<!-- wp:x {"a":"\\u002d"} -->kept<!-- /wp:x -->');
    await page.getByLabel('Start: day').fill('2091-06-01');
    await page.getByLabel('Start: time').fill('18:00');
    expect(await page.getByLabel('End: day').inputValue()).toBe('2091-06-01');
    expect(await page.getByLabel('End: time').inputValue()).toBe('19:00');
    await page.getByLabel('End: time').fill('17:00');
    await button('Publish event').click();
    await page.getByRole('alert').filter({ hasText: 'End: The end is before the start' }).waitFor();
    await button('Move the end after the start').click();
    expect(await page.getByLabel('End: time').inputValue()).toBe('19:00');
    await page.getByLabel('Time zone').fill('America/New_York');
    await page.getByLabel('Cost').fill('$12');

    // Nothing is created before the search has found none.
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/venues?*', (route) => released.then(() => route.fallback()));
    const venues = page.getByRole('combobox', { name: 'Venues', exact: true });
    const requested = page.waitForRequest('**/venues?*');
    await venues.fill('The Rope');
    await requested;
    expect(await page.getByRole('option', { name: /Create the venue/ }).count()).toBe(0);
    release();
    await choose('Venues', 'The Rope Loft', /Create the venue/);
    const dialog = page.getByRole('dialog', { name: 'New venue' });
    expect(await dialog.getByLabel('Name').inputValue()).toBe('The Rope Loft');
    await dialog.getByLabel('City').fill('Bremen');
    await accessible();
    await dialog.getByRole('button', { name: 'Create venue' }).click();
    await button('Remove The Rope Loft').waitFor();
    await focused('form-venue');
    await choose('Categories', 'Rope nights', /Create the category/);
    await page.getByRole('dialog').getByRole('button', { name: 'Create category' }).click();
    await button('Remove Rope nights').waitFor();
    await choose('Tags', 'knots', /Create the tag/);
    await page.getByRole('dialog').getByRole('button', { name: 'Create tag' }).click();
    await button('Remove knots').waitFor();
    const images = page.getByRole('combobox', { name: 'One that was uploaded', exact: true });
    await images.fill('nothing of this name');
    await page.getByText('Nothing found.').filter({ visible: true }).waitFor();
    expect(await page.locator('#form-image-search-list').getByRole('option').count()).toBe(0);
    await images.fill(imageTitle.slice(1));
    await page.getByRole('option', { name: imageTitle, exact: true }).locator('img').waitFor();
    await accessible();
    await images.press('ArrowDown');
    await images.press('Enter');
    await status(`${imageTitle} is chosen.`);
    expect(await page.getByLabel('Its number or address').inputValue()).toBe(imageId);
    await page.locator('img.preview').waitFor();
    await page.getByLabel('Its number or address').fill('');
    await page.locator('img.preview').waitFor({ state: 'detached' });
    await page.getByLabel('Its number or address').fill(imageId);
    await page.locator('img.preview').waitFor();

    // Errors from the server appear at their fields too.
    await fixture.ask(
      "INSERT INTO wp_users (ID, user_login, user_nicename, user_email, user_registered, display_name) VALUES (9999, 'brief', 'brief', 'b@example.org', '2091-01-01 10:00:00', 'Brief Guest')",
    );
    await fixture.ask(
      "INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (9999, 'wp_capabilities', 'a:1:{s:6:\"author\";b:1;}')",
    );
    await choose('Author', 'guest', 'Brief Guest');
    await status('Brief Guest is chosen.');
    await fixture.ask('DELETE FROM wp_usermeta WHERE user_id = 9999');
    await fixture.ask('DELETE FROM wp_users WHERE ID = 9999');
    await button('Publish event').click();
    await page.getByRole('alert').filter({ hasText: 'Must be the id of an existing user' }).waitFor();
    await focused('form-author');
    await choose('Author', 'editor', 'editor1');
    const lose = (route: Route) => (route.request().method() === 'POST' ? route.abort() : route.fallback());
    await page.route('**/events', lose);
    await button('Publish event').click();
    await page.getByRole('alert').filter({ hasText: 'may have been saved' }).waitFor();
    await page.unroute('**/events', lose);
    await button('Publish event').click();
    await page.getByRole('heading', { name: 'Edit event' }).waitFor();
    await status('was created');
    await button('Save changes').waitFor();
    expect(await page.title()).not.toContain('owned');
    expect(await page.getByLabel('Title').inputValue()).toBe(HOSTILE);
    await accessible();

    const id = Number(/#\/events\/(\d+)$/.exec(page.url())?.[1]);
    const visible = page.getByRole('link', { name: 'In the calendar' });
    expect(await visible.getAttribute('href')).toBe(`./calendar?event=${id}`);
    const [row] = await fixture.ask(`SELECT * FROM wp_posts WHERE ID = ${id}`);
    expect(row).toMatchObject({ post_status: 'publish', post_title: HOSTILE, post_author: userId('editor') });
    const { body: event } = await fixture.send('editor', 'GET', `/events/${id}?_raw=true`);
    expect(event).toMatchObject({
      start_date: '2091-06-01 18:00:00',
      end_date: '2091-06-01 19:00:00',
      utc_start_date: '2091-06-01 22:00:00',
      timezone: 'America/New_York',
      cost: '$12',
      venue: { venue: 'The Rope Loft', city: 'Bremen' },
      categories: [{ name: 'Rope nights' }],
      tags: [{ name: 'knots' }],
      image: { id: Number(imageId) },
      raw: { description: '<p onclick="x()">Come</p>\n\n<!-- wp:x {"a":"\\u002d"} -->kept<!-- /wp:x -->' },
    });

    // A write whose response was lost is recognized as own, and not sent again.
    let sent = 0;
    const unanswered = async (route: Route) => {
      if (route.request().method() === 'GET') return route.fallback();
      sent += 1;
      await route.fetch();
      await route.abort();
    };
    await page.route(`**/events/${id}`, unanswered);
    await page.getByLabel('Excerpt').fill('مهرجان');
    expect(
      await page.evaluate<string>('getComputedStyle(document.querySelector("#form-excerpt")).direction'),
    ).toBe('rtl');
    await button('Save changes').click();
    await page.getByRole('alert').filter({ hasText: 'The server cannot be reached' }).waitFor();
    await button('Save changes').click();
    await status('was saved');
    await page.unroute(`**/events/${id}`, unanswered);
    expect(sent).toBe(1);
    expect((await fixture.send('editor', 'GET', `/events/${id}?_raw=true`)).body['raw']).toMatchObject({
      excerpt: 'مهرجان',
    });

    // Another user saves meanwhile: both are informed, and nothing is lost.
    await page.getByLabel('Cost').fill('$15');
    fixture.app.clock.pass(2000);
    await fixture.update(id, { website: 'https://example.org/theirs' });
    await button('Save changes').click();
    const conflictAlert = page.getByRole('alert').filter({ hasText: 'Somebody else has saved this record' });
    await conflictAlert.filter({ hasText: 'They changed: Website' }).waitFor();
    await accessible();
    expect((await fixture.send('editor', 'GET', `/events/${id}`)).body['cost']).toBe('$12');
    await button('Save mine all the same').click();
    await status('was saved');
    await page.locator('button[type="submit"]:focus').waitFor();
    expect(await page.getByLabel('Website').inputValue()).toBe('https://example.org/theirs');
    expect((await fixture.send('editor', 'GET', `/events/${id}`)).body).toMatchObject({
      cost: '$15',
      website: 'https://example.org/theirs',
    });

    // A revoked password loses no input.
    await page.getByLabel('Cost').fill('$18');
    await page.route('**/events/**', (route) =>
      route.fulfill({ status: 401, json: { code: 'incorrect_password', message: 'No.', data: {} } }),
    );
    await button('Save changes').click();
    await page.getByRole('alert').filter({ hasText: 'not accepted any more' }).waitFor();
    await page.unroute('**/events/**');
    await button('Sign in again').click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await accessible();
    await again.getByLabel('User name').fill(users['editor']?.login ?? '');
    await again.getByLabel('Application password').fill(users['editor']?.password ?? '');
    await again.getByRole('button', { name: 'Sign in' }).click();
    await status('signed in again');
    await button('Save changes').click();
    await status('was saved');
    expect((await fixture.send('editor', 'GET', `/events/${id}`)).body['cost']).toBe('$18');

    // Leaving with unsaved changes asks for confirmation.
    await page.getByLabel('Title').fill('Lost');
    await link('Venues').click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await accessible();
    await button('Stay here').click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Lost');
    await page.getByLabel('Title').fill(HOSTILE);

    await button('Move to trash').click();
    await status('is in the trash');
    await link('Trash').click();
    // Lists show rendered titles: with curly quotes, and tags as text.
    await page.getByText(/^Tea <img src=x onerror=/).waitFor();
    await button(/^Restore Tea/).click();
    await status('is back as a draft');
    const [restored] = await fixture.ask(`SELECT post_status, post_name FROM wp_posts WHERE ID = ${id}`);
    expect(restored).toMatchObject({ post_status: 'draft' });
    expect(String((restored as { post_name: string }).post_name)).not.toContain('trashed');
    await link('Drafts').click();
    await page.getByRole('link', { name: /^Tea <img/ }).waitFor();

    await page.reload();
    await page.getByRole('link', { name: /^Tea <img/ }).waitFor();
    const [session] = await page.context().cookies();
    expect(session).toMatchObject({
      name: 'almanac_session',
      httpOnly: true,
      sameSite: 'Strict',
      expires: -1,
    });
    await button('Sign out').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByLabel('Application password').inputValue()).toBe('');
    const stored = await page.evaluate<unknown>(
      '({ local: localStorage.length, session: sessionStorage.length, cookies: document.cookie, address: location.href })',
    );
    expect(stored).toEqual({
      local: 0,
      session: 0,
      cookies: '',
      address: expect.not.stringContaining(users['editor']?.login ?? 'editor'),
    });
    expect(await page.context().cookies()).toEqual([]);
  });

  it('writes venues, organizers and terms, and deletes terms permanently after a confirmation', async () => {
    await signIn('admin');
    await follow('Organizers');
    await accessible();
    await follow('New organizer');
    await page.getByLabel('Name').fill('Knot makers');
    await page.getByLabel('E-mail').fill('nobody');
    await page.getByText('does not look like an e-mail address').waitFor();
    await page.getByLabel('Status').selectOption('draft');
    await button('Save draft').click();
    await status('Knot makers was created');
    await accessible();
    const stored = () =>
      fixture.ask(
        `SELECT post_status AS status, meta_value AS email FROM wp_posts JOIN wp_postmeta ON post_id = ID
         WHERE post_title = 'Knot makers' AND meta_key = '_OrganizerEmail'`,
      );
    await page.getByLabel('E-mail').fill('knots@example.org');
    await button('Save changes').click();
    await status('Knot makers was saved');
    await button('Move to trash').click();
    await status('Knot makers is in the trash');
    expect(await stored()).toEqual([{ status: 'trash', email: 'knots@example.org' }]);
    await link('Trash').click();
    await button('Restore Knot makers').click();
    await status('Knot makers is back as a draft');
    expect(await stored()).toEqual([{ status: 'draft', email: 'knots@example.org' }]);
    await follow('Tags');
    await follow('New tag');
    await page.getByLabel('Name').fill('short lived');
    await button('Create tag').click();
    await status('short lived was created');
    const count = () => fixture.ask("SELECT COUNT(*) AS n FROM wp_terms WHERE name = 'short lived'");
    expect(await count()).toEqual([{ n: 1 }]);
    await page.getByLabel('Description').fill('For a day');
    await button('Save changes').click();
    await status('short lived was saved');
    expect(await fixture.ask("SELECT 1 FROM wp_term_taxonomy WHERE description = 'For a day'")).toHaveLength(
      1,
    );
    await button('Delete for good').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await count()).toEqual([{ n: 1 }]);
    await button('Delete for good').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await status('short lived was deleted');
    expect(await count()).toEqual([{ n: 0 }]);
  });

  it('saves a new event as a draft, publishes the draft, and says nothing of it on the next page', async () => {
    await signIn('editor');
    await follow('New event');
    await page.getByLabel('Title').fill('Draft beside');
    await page.getByLabel('Start: day').fill('2091-03-01');
    await page.getByLabel('Start: time').fill('10:00');
    await page.getByRole('button', { name: 'Save draft', exact: true }).click();
    await status('Draft beside was created.');
    const statusOf = async () =>
      (await fixture.ask("SELECT post_status AS status FROM wp_posts WHERE post_title = 'Draft beside'"))[0];
    expect(await statusOf()).toEqual({ status: 'draft' });
    expect(await page.getByRole('link', { name: 'View page' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await status('Draft beside was saved.');
    expect(await statusOf()).toEqual({ status: 'publish' });
    expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);
    const address = await page.getByRole('link', { name: 'View page' }).getAttribute('href');
    expect(new URL(address ?? '').pathname).toBe('/event/draft-beside/');
    await accessible();
    await follow('Venues');
    expect(await page.locator('[role="status"]').textContent()).toBe('');
  });

  it('ends the session once when “Sign out” is clicked twice', async () => {
    await signIn('editor');
    let ends = 0;
    await page.route('**/editor/session', async (route) => {
      if (route.request().method() === 'DELETE') ends++;
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.fallback();
    });
    await button('Sign out').dblclick();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(ends).toBe(1);
  });

  it('divides upcoming from past events at the current time, and lists hidden events', async () => {
    // Noon in New York, the calendar's zone.
    const before = fixture.app.clock.now();
    const noon = Date.parse('2091-03-04T17:00:00Z');
    fixture.app.clock.pass(noon - before);
    const at = (start: string, end: string) => ({
      start_date: `2091-03-04 ${start}`,
      end_date: `2091-03-04 ${end}`,
    });
    for (const [title, times] of [
      ['Noon: over', at('09:00:00', '11:00:00')],
      ['Noon: ends now', at('09:00:00', '12:00:00')],
      ['Noon: running', at('11:00:00', '13:00:00')],
      ['Noon: this evening', at('18:00:00', '20:00:00')],
    ] as const)
      for (const hide_from_listings of [false, true])
        await fixture.create({
          title: hide_from_listings ? `${title}, hidden` : title,
          ...times,
          hide_from_listings,
        });
    try {
      await signIn('editor');
      const visible = async (tab: string) => {
        const listed = page.waitForResponse((answer) => answer.url().includes('search=Noon'));
        await page.evaluate(`location.hash = '#/events?tab=${tab}&search=Noon'`);
        const { events } = (await (await listed).json()) as { events: unknown[] };
        const links = page.getByRole('table').getByRole('link', { name: /^Noon:/ });
        await page.waitForFunction(
          ([count, wanted]) =>
            document.querySelectorAll('table tbody tr').length === count &&
            document.querySelector('.tabs [aria-current]')?.textContent?.toLowerCase() === wanted,
          [events.length, tab] as const,
        );
        return (await links.allTextContents()).sort();
      };
      expect(await visible('upcoming')).toEqual([
        'Noon: running',
        'Noon: running, hidden',
        'Noon: this evening',
        'Noon: this evening, hidden',
      ]);
      expect(await visible('past')).toEqual([
        'Noon: ends now',
        'Noon: ends now, hidden',
        'Noon: over',
        'Noon: over, hidden',
      ]);
      // Half past two: this evening is still to come.
      fixture.app.clock.pass(9_000_000);
      expect(await visible('upcoming')).toEqual(['Noon: this evening', 'Noon: this evening, hidden']);
    } finally {
      fixture.app.clock.pass(before - fixture.app.clock.now());
    }
  });

  it('offers no writes to a user without the capability', async () => {
    await signIn('subscriber');
    await page.getByText('your account may not write events').waitFor();
    await accessible();
    for (const kind of ['Events', 'Venues', 'Organizers', 'Categories', 'Tags']) {
      await follow(kind);
      await page.getByRole('table').waitFor();
      expect(await page.getByRole('table').getByRole('button').count()).toBe(0);
      expect(await page.getByRole('table').getByRole('link').count()).toBe(0);
      expect(await page.getByRole('link', { name: /^New / }).count()).toBe(0);
    }
    await page.evaluate("location.hash = '#/events/new'");
    await page.getByText('You may not create records of this kind.').waitFor();
  });

  it('lets a contributor submit for review on a phone', async () => {
    await page.setViewportSize(PHONE);
    await signIn('contributor');
    await accessible();
    await follow('New event');
    await page.getByLabel('Title').fill('From a phone');
    await page.getByLabel('Lasts all day').check();
    await page.getByLabel('Start: day').fill('2091-07-01');
    await page.getByLabel('End: day').fill('2091-07-02');
    expect(await page.getByLabel('Start: time').count()).toBe(0);
    expect(await page.getByLabel('Status').locator('option').allTextContents()).toEqual([
      'Draft',
      'Pending review',
    ]);
    await page.getByLabel('Status').selectOption('pending');
    // Images are listed for users who may upload.
    await page.getByLabel('Its number or address').waitFor();
    expect(await page.getByLabel('One that was uploaded').count()).toBe(0);
    await accessible();
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(PHONE.width);
    await button('Submit for review').dblclick();
    await status('was created');
    expect(
      await fixture.ask(
        "SELECT post_status FROM wp_posts WHERE post_title = 'From a phone' AND post_type = 'tribe_events'",
      ),
    ).toEqual([{ post_status: 'pending' }]);
  });

  it('says why signing in fails', async () => {
    await page.context().setExtraHTTPHeaders({ 'X-Forwarded-For': '203.0.113.9' });
    await page.getByLabel('User name').fill(users['editor']?.login ?? '');
    await page.getByLabel('Application password').fill(users['editor']?.password ?? '');
    await button('Sign in').click();
    await page.getByText('over HTTPS only').waitFor();
    await page.context().setExtraHTTPHeaders({});
    await page.getByLabel('User name').fill('nobody-at-all');
    for (let attempt = 0; attempt < 4; attempt++) {
      await button('Sign in').click();
      await page.getByText('no user of this name').waitFor();
      await page.getByLabel('Application password').fill(`other ${attempt}`);
    }
    await button('Sign in').click();
    await page.getByText(/Too many failed attempts. Try again in [1-5] minutes|in \d+ seconds/).waitFor();
    const without = await open({ javaScriptEnabled: false });
    expect(await without.locator('body').textContent()).toContain('needs JavaScript');
    await without.context().close();
  });
});
