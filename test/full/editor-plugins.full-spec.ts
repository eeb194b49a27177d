import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { findings } from '../support/axe.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';
import { type Caller, clientOf, type Send } from '../support/calendar-client.js';
import { CoursesModule } from '../support/courses-plugin.js';
import { loadRecording } from '../support/replay.js';
import { makeSite, type Site } from '../support/sites.js';

const { users } = loadRecording('site-a/write');
const PHONE = { width: 390, height: 844 };

describeInBrowser("the editor with plugins' fields and resources", () => {
  let site: Site;
  let app: TestApp;
  let send: Send;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  const loaded: string[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
    site = await makeSite('SQLite');
    app = await startApp({
      databaseUrl: site.url,
      plugins: [CoursesModule],
      env: { EMPTY_TRASH_DAYS: '30' },
    });
    send = clientOf(app.url);
    await send('admin', 'POST', '/venues', { venue: 'Grand Hotel' });
    await send('admin', 'POST', '/organizers', { organizer: 'Ada Host' });
    await send('admin', 'POST', '/organizers', { organizer: 'Ben Host' });
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await site?.drop();
  });
  beforeEach(async () => {
    page = await open(app.url);
  });
  afterEach(async () => {
    await page.context().close();
    expect(faults.splice(0)).toEqual([]);
  });

  async function open(url: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    loaded.length = 0;
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    const opened = await context.newPage();
    opened.setDefaultTimeout(20_000);
    opened.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    opened.on('pageerror', (error) => faults.push(error.message));
    opened.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text());
    });
    await opened.goto(`${url}/editor`);
    return opened;
  }

  async function signIn(caller: Caller): Promise<void> {
    const { login = '', password = '' } = users[caller] ?? {};
    await page.getByLabel('User name').fill(login);
    await page.getByLabel('Application password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor();
  }

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const group = (name: string | RegExp) => page.getByRole('group', { name, exact: true });
  const status = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
  const alert = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text }).waitFor();
  const focused = (id: string) => page.locator(`[id="${id}"]:focus`).waitFor();
  const accessible = async () => expect(await findings(page)).toEqual([]);
  /** Nothing is wider than the phone. */
  const fits = async () =>
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
  async function follow(name: string): Promise<void> {
    await link(name).click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
  }
  async function choose(label: string | RegExp, words: string, option: string): Promise<void> {
    const input = page.getByRole('combobox', { name: label, exact: true });
    await input.fill(words);
    await page.getByRole('option', { name: option, exact: true }).waitFor();
    await input.press('ArrowDown');
    await input.press('Enter');
    await status(`${option} is chosen.`);
  }
  const recordId = () => Number(/\/(\d+)$/.exec(page.url())?.[1]);

  it('creates and changes an event with a field of each type, and shows errors at the field', async () => {
    await signIn('editor');
    await follow('New event');
    await field('Title (required)').fill('With everything');
    for (const name of ['Budget', 'Approved']) expect([name, await field(name).count()]).toEqual([name, 0]);
    await page.getByLabel('Start: day').fill('2091-06-01');
    await page.getByLabel('Start: time').fill('18:00');

    await field('Ticket code').fill('A \\ "b" & c');
    await field('Seats').fill('many');
    await field('Price').fill('12.5');
    expect(await field('Indoors').isChecked()).toBe(true);
    await field('Indoors').uncheck();
    await page.getByLabel('Doors: day').fill('2091-05-31');
    await page.getByLabel('Doors: time').fill('23:30');
    await page.getByText('When the doors open. On the clock of Asia/Tokyo.').waitFor();
    await field('Level').selectOption('hard');
    await choose('Hotel', 'Grand', 'Grand Hotel');
    await group('Address').getByLabel('Street (required)').fill('A street that is too long');
    await group('Address').getByLabel('Number').fill('seven');
    await choose('Host', 'Ada', 'Ada Host');
    await button('Add to Colors').click();
    await focused('form-colors.0');
    await field('Colors 1').fill('red');
    await button('Add to Colors').press('Enter');
    await focused('form-colors.1');
    await field('Colors 2').fill('Not a color!');
    await button('Add to Contacts').click();
    await focused('form-contacts.0.name');
    await page.keyboard.type('Mara');
    await field('At door').check();
    await accessible();
    await page.setViewportSize(PHONE);
    await fits();
    await page.evaluate("document.documentElement.dir = 'rtl'");
    await fits();
    await accessible();
    await page.evaluate("document.documentElement.dir = 'ltr'");
    await page.setViewportSize({ width: 1280, height: 720 });

    await button('Publish event').click();
    await alert('Seats: This is no whole number.');
    await focused('form-seats');
    await field('Seats').fill('40');
    await button('Publish event').click();
    await alert('Address, Number: Is not of type integer.');
    await focused('form-address.number');
    await field('Number').fill('7');
    await button('Publish event').click();
    await alert(/Address, Street: .*10/);
    await alert('Colors, 2: Must match');
    await focused('form-address.street');
    expect(await field('Street (required)').getAttribute('aria-describedby')).toBe(
      'form-address.street-error',
    );
    expect(await field('Colors 2').getAttribute('aria-invalid')).toBe('true');
    expect(await field('Colors 1').getAttribute('aria-invalid')).toBe('false');
    await accessible();
    await page.getByRole('alert').getByRole('button', { name: 'Colors, 2' }).click();
    await focused('form-colors.1');
    await button('Remove Colors 2').click();
    await status('Colors 2 is removed.');
    await field('Street (required)').fill('Main St');
    await button('Publish event').click();
    await alert('Ticket code: Holds characters that are not stored');
    await field('Ticket code').fill('A "b" & c');
    await button('Publish event').click();
    await status('was created');
    await button('Save changes').waitFor();

    const id = recordId();
    const read = async () => (await send('admin', 'GET', `/events/${id}`)).body;
    const [venue] = (await send('admin', 'GET', '/venues?search=Grand')).body['venues'] as { id: number }[];
    const [host] = (await send('admin', 'GET', '/organizers?search=Ada')).body['organizers'] as {
      id: number;
    }[];
    expect(await read()).toMatchObject({
      code: 'A "b" & c',
      seats: 40,
      price: 12.5,
      indoors: false,
      doors: '2091-05-31T23:30:00+09:00',
      level: 'hard',
      hotel: venue?.id,
      address: { street: 'Main St', number: 7, host: host?.id },
      colors: ['red'],
      contacts: [{ name: 'Mara', at_door: true }],
      budget: null,
      approved: false,
    });

    expect(await page.getByLabel('Doors: time').inputValue()).toBe('23:30');
    expect(await field('Ticket code').inputValue()).toBe('A "b" & c');
    await button('Remove Grand Hotel').waitFor();
    await button('Remove Ada Host').waitFor();
    await accessible();
    await button('Remove Grand Hotel').click();
    await field('Level').selectOption('');
    await page.getByLabel('Doors: day').fill('');
    await page.getByLabel('Doors: time').fill('');
    await field('Street (required)').fill('');
    await field('Number').fill('');
    await button('Remove Ada Host').click();
    await button('Remove Contacts 1').click();
    await field('Seats').fill('');
    await button('Save changes').click();
    await status('was saved');
    expect(await read()).toMatchObject({
      code: 'A "b" & c',
      seats: null,
      doors: null,
      level: null,
      hotel: null,
      address: null,
      colors: ['red'],
      contacts: [],
    });

    await send('admin', 'POST', '/events', {
      title: 'Another',
      start_date: '2091-06-01 10:00:00',
      end_date: '2091-06-01 11:00:00',
      code: 'TAKEN',
    });
    await field('Ticket code').fill('TAKEN');
    await button('Save changes').click();
    await alert('Ticket code: Must be unique');
    await focused('form-code');
    expect(await read()).toMatchObject({ code: 'A "b" & c' });
  });

  it('writes the field of a category as it was typed', async () => {
    await signIn('editor');
    await follow('Categories');
    await follow('New category');
    await field('Name (required)').fill('Knots');
    await field('Motto').fill('Over \\ "under"');
    await accessible();
    await button('Create category').click();
    await status('was created');
    await button('Save changes').waitFor();
    expect(await field('Motto').inputValue()).toBe('Over \\ "under"');
    const path = `/categories/${recordId()}`;
    expect((await send('admin', 'GET', path)).body['motto']).toBe('Over \\ "under"');
    await field('Motto').fill('');
    await button('Save changes').click();
    await status('was saved');
    expect((await send('admin', 'GET', path)).body['motto']).toBeNull();
  });

  it('asks before it overwrites a field that another user changed', async () => {
    const { body } = await send('admin', 'POST', '/events', {
      title: 'Of two',
      start_date: '2091-06-01 10:00:00',
      end_date: '2091-06-01 11:00:00',
      seats: 1,
    });
    await page.goto(`${app.url}/editor#/events/${body['id']}`);
    const { login = '', password = '' } = users['editor'] ?? {};
    await page.getByLabel('User name').fill(login);
    await page.getByLabel('Application password').fill(password);
    await button('Sign in').click();
    await field('Seats').waitFor();
    await send('admin', 'PUT', `/events/${body['id']}`, { seats: 2, colors: ['red'] });
    await field('Seats').fill('3');
    await button('Save changes').click();
    await alert('They changed: Seats, Colors.');
    expect((await send('admin', 'GET', `/events/${body['id']}`)).body['seats']).toBe(2);
  });

  it('lists, creates, changes, trashes and restores records of a resource with relations on a phone', async () => {
    await page.setViewportSize(PHONE);
    await signIn('editor');
    await follow('Courses');
    await page.getByText('No courses here.').waitFor();
    await accessible();
    await follow('New course');
    await field('Title (required)').fill('Knots \\ "ropes"');
    await field('Description').fill('<p>All of them</p>');
    await button('Publish course').click();
    await alert('Place: Place is missing.');
    await focused('form-place');
    await choose('Place (required)', 'Grand', 'Grand Hotel');
    await choose('Teachers', 'Ben', 'Ben Host');
    await choose('Teachers', 'Ada', 'Ada Host');
    await accessible();
    await fits();
    await button('Publish course').click();
    await status('was created');
    await button('Save changes').waitFor();
    expect(await page.getByRole('link', { name: 'In the calendar' }).count()).toBe(0);
    expect(await field('Title (required)').inputValue()).toBe('Knots \\ "ropes"');
    expect(await field('Description').inputValue()).toBe('<p>All of them</p>');
    await button('Remove Ben Host').click();
    await field('Status').selectOption('draft');
    await button('Save changes').click();
    await status('was saved');
    const id = recordId();
    const { body } = await send('admin', 'GET', `/acme-courses/${id}?_embed=1`);
    expect(body).toMatchObject({
      status: 'draft',
      _embedded: { place: [{ venue: 'Grand Hotel' }], teachers: [{ organizer: 'Ada Host' }] },
    });
    await button('Move to trash').click();
    await status('is in the trash');
    await link('Trash').click();
    await button(/^Restore Knots/).click();
    await status('is back as a draft');
    await link('Drafts').click();
    await page.getByRole('searchbox').fill('knots');
    await button('Search').click();
    await status('1 found.');
    await accessible();
  });

  it('offers no resource to a user who may not edit any, and no field that he may not write', async () => {
    await signIn('subscriber');
    await link('Venues').waitFor();
    expect(await link('Courses').count()).toBe(0);
    await link('Venues').click();
    await page.getByRole('heading', { name: 'Venues', exact: true }).waitFor();
    await page.goto(`${app.url}/editor#/acme-courses/new`);
    await page.getByRole('heading', { name: 'Not allowed', exact: true }).waitFor();
    await page.getByText('You may not create records of this kind.').waitFor();
  });

  it('loads the forms of plugins only where a plugin declares something', async () => {
    await signIn('editor');
    expect(loaded.filter((path) => /forms|declared/.test(path))).toHaveLength(2);
    const withForms = loaded.filter((path) => path.startsWith('/assets/'));
    const plain = await startApp({ databaseUrl: site.url });
    try {
      await page.context().close();
      page = await open(plain.url);
      await signIn('editor');
      expect(loaded.filter((path) => /forms|declared/.test(path))).toEqual([]);
      const without = loaded.filter((path) => path.startsWith('/assets/'));
      expect(withForms).toEqual(expect.arrayContaining(without));
      expect(withForms).toHaveLength(without.length + 2);
    } finally {
      await plain.close();
    }
  });
});
