import type { Browser, Page } from 'playwright-core';
import { findings } from '../support/axe.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';
import { loadRecording } from '../support/replay.js';
import { openWriteFixture, type WriteFixture } from '../support/write-fixture.js';

const { users } = loadRecording('site-a/write');

describeInBrowser('lists and drafts of the editor in a browser', () => {
  let fixture: WriteFixture;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
    fixture = await openWriteFixture('SQLite');
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
    const { login = '', password = '' } = users['editor'] ?? {};
    await page.getByLabel('User name').fill(login);
    await page.getByLabel('Application password').fill(password);
    await button('Sign in').click();
    await page.getByRole('table').waitFor();
  });
  afterEach(async () => {
    await page.context().close();
    expect(faults.splice(0)).toEqual([]);
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const status = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
  const open = async (hash: string) => {
    await page.evaluate(`location.hash = '${hash}'`);
  };
  const edit = async (id: unknown) => {
    await open(`#/events/${id}`);
    await button('Save changes').waitFor();
  };
  const stored = async (id: unknown) =>
    (
      await fixture.ask(`SELECT post_title AS title, post_status AS status FROM wp_posts WHERE ID = ${id}`)
    )[0];
  /** Titles of the list once it has as many rows. */
  const titles = async (count: number) => {
    await page.waitForFunction(`document.querySelectorAll('table tbody tr').length === ${count}`);
    return page.locator('tbody th a').allTextContents();
  };

  it('saves with Ctrl+S, and undoes a move by a week', async () => {
    const { id } = await fixture.create({
      title: 'Harbour festival',
      start_date: '2091-05-04 10:00:00',
      end_date: '2091-05-06 18:00:00',
    });
    await edit(id);
    await page.getByLabel('Start: day').fill('2091-05-11');
    await page.getByLabel('End: day').fill('2091-05-13');
    await page.keyboard.press('Control+s');
    await status('was saved');
    const times = async () => {
      const { body } = await fixture.send('editor', 'GET', `/events/${id}`);
      return [body['start_date'], body['end_date']];
    };
    expect(await times()).toEqual(['2091-05-11 10:00:00', '2091-05-13 18:00:00']);
    await button('Undo').click();
    await status('The change was undone.');
    expect(await times()).toEqual(['2091-05-04 10:00:00', '2091-05-06 18:00:00']);
    expect(await page.getByLabel('Start: day').inputValue()).toBe('2091-05-04');
  });

  it('duplicates an event as a draft with its times and links', async () => {
    const { body: venue } = await fixture.send('admin', 'POST', '/venues', { venue: 'The pier' });
    const { id } = await fixture.create({
      title: 'Regatta',
      cost: '$5',
      venue: venue['id'],
      slug: 'regatta',
    });
    await edit(id);
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: 'New event' }).waitFor();
    await button('Save draft').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Regatta (copy)');
    await button('Save draft').click();
    await status('was created');
    await button('Save changes').waitFor();
    const copy = Number(/(\d+)$/.exec(page.url())?.[1]);
    expect(copy).not.toBe(id);
    const [source, copied] = await Promise.all(
      [id, copy].map(async (one) => (await fixture.send('editor', 'GET', `/events/${one}`)).body),
    );
    expect(copied).toMatchObject({
      status: 'draft',
      cost: '$5',
      start_date: source?.['start_date'],
      end_date: source?.['end_date'],
      venue: { id: venue['id'] },
    });
    expect(await stored(id)).toEqual({ title: 'Regatta', status: 'publish' });
  });

  it('offers what was typed before a reload, and forgets it once it is saved or the user signs out', async () => {
    const { id } = await fixture.create({ title: 'Typed twice' });
    await edit(id);
    await page.getByLabel('Title').fill('Typed and not saved');
    await page.waitForFunction('localStorage.length === 1');
    await page.reload();
    await page.getByText('was not saved').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Typed twice');
    expect(await findings(page)).toEqual([]);
    await button('Restore it').click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Typed and not saved');
    await button('Save changes').click();
    await status('was saved');
    expect(await stored(id)).toMatchObject({ title: 'Typed and not saved' });
    await page.waitForFunction('localStorage.length === 0');

    await page.getByLabel('Title').fill('Dropped');
    await page.waitForFunction('localStorage.length === 1');
    await page.reload();
    await button('Discard it').click();
    await page.waitForFunction('localStorage.length === 0');
    await page.getByLabel('Title').fill('Typed at the end');
    await page.waitForFunction('localStorage.length === 1');
    await button('Sign out').click();
    await button('Leave without saving').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
    expect(await stored(id)).toMatchObject({ title: 'Typed and not saved' });
  });

  it('lists all statuses, sorted by title, of one month and one category', async () => {
    const { body: category } = await fixture.send('admin', 'POST', '/categories', { name: 'Quokkas' });
    const on = (day: string) => ({ start_date: `${day} 10:00:00`, end_date: `${day} 11:00:00` });
    for (const [title, day, status, categories] of [
      ['C first', '2091-07-01', 'publish', [category['id']]],
      ['A last', '2091-07-31', 'draft', [category['id']]],
      ['B other month', '2091-08-01', 'publish', [category['id']]],
      ['D other category', '2091-07-15', 'publish', []],
    ] as const)
      await fixture.create({ title: `Quokka ${title}`, status, categories, ...on(day) });
    await open('#/events?tab=all&search=Quokka');
    expect(await titles(4)).toEqual([
      'Quokka B other month',
      'Quokka A last',
      'Quokka D other category',
      'Quokka C first',
    ]);
    await page.getByText('Filter and sort').click();
    await page.getByLabel('Month').fill('2091-07');
    expect(await titles(3)).toEqual(['Quokka A last', 'Quokka D other category', 'Quokka C first']);
    await page.getByRole('combobox', { name: 'Category' }).fill('Quokkas');
    await page.getByRole('option', { name: 'Quokkas' }).click();
    expect(await titles(2)).toEqual(['Quokka A last', 'Quokka C first']);
    expect(await findings(page)).toEqual([]);
    await page.reload();
    await button('Remove Quokkas').waitFor();
    expect(await titles(2)).toEqual(['Quokka A last', 'Quokka C first']);
    await button('Clear filters').click();
    await page.getByLabel('Sort by').selectOption({ label: 'Title' });
    await page.waitForFunction("document.querySelector('tbody th a').textContent === 'Quokka A last'");
    expect(await titles(4)).toEqual([
      'Quokka A last',
      'Quokka B other month',
      'Quokka C first',
      'Quokka D other category',
    ]);
  });

  it('moves several events to the trash, and undoes it with the statuses that they had', async () => {
    const ids: unknown[] = [];
    for (const status of ['publish', 'draft', 'private'])
      ids.push((await fixture.create({ title: `Numbat ${status}`, status }))['id']);
    const statuses = () => Promise.all(ids.map(async (id) => Object(await stored(id)).status));
    await open('#/events?tab=all&search=Numbat');
    await titles(3);
    await page.getByLabel('Select all on this page').check();
    await page.getByText('3 selected').waitFor();
    expect(await findings(page)).toEqual([]);
    await button('Move to trash').click();
    await status('3 records were moved to the trash.');
    expect(await statuses()).toEqual(['trash', 'trash', 'trash']);
    await button('Undo').click();
    await status('That was undone.');
    expect(await statuses()).toEqual(['publish', 'draft', 'private']);
    await titles(3);
    await page.getByLabel('Select Numbat draft').check();
    await button('Publish').click();
    await status('1 record was published.');
    expect(await statuses()).toEqual(['publish', 'publish', 'private']);
  });
});
