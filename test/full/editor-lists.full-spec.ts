import { findings } from '../support/axe.js';
import { describeInEditor } from '../support/editor-browser.js';

describeInEditor('lists of the editor in a browser', (editor) => {
  const { open, status, titles } = editor;
  const button = (name: string) => editor.page.getByRole('button', { name, exact: true });
  const statusOf = async (id: unknown) =>
    Object((await editor.fixture.ask(`SELECT post_status AS status FROM wp_posts WHERE ID = ${id}`))[0])
      .status;

  it('lists all statuses, sorted by title, of one month and one category', async () => {
    const { page, fixture } = editor;
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
    await page.getByLabel('Month', { exact: true }).fill('2091-07');
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
    await page.locator('tbody tr:first-child').getByText('Quokka A last').waitFor();
    expect(await titles(4)).toEqual([
      'Quokka A last',
      'Quokka B other month',
      'Quokka C first',
      'Quokka D other category',
    ]);
  });

  it('says that a search looked only at one tab or month, and searches all events on request', async () => {
    const { page, fixture } = editor;
    const at = { start_date: '2019-02-01 10:00:00', end_date: '2019-02-01 11:00:00' };
    await fixture.create({ title: 'Wallaby of long ago', ...at });
    await fixture.create({
      title: 'Wallaby draft',
      status: 'draft',
      ...at,
      end_date: '2019-02-02 11:00:00',
      start_date: '2019-02-02 10:00:00',
    });
    for (const [place, hint] of [
      ['?search=Wallaby', 'Searched in “Upcoming” only.'],
      ['?view=month&search=Wallaby', 'Searched in this month only.'],
    ] as const) {
      await open(`#/events${place}`);
      await page.getByText(hint).waitFor();
      expect(await findings(page)).toEqual([]);
      await page.getByRole('link', { name: 'Search all events' }).click();
      expect(await titles(2)).toEqual(['Wallaby draft', 'Wallaby of long ago']);
      expect(await page.getByText('Searched in').count()).toBe(0);
    }
  });

  it('leads from a row to the page of the record and to a copy of it, which says that it is not saved', async () => {
    const { page, fixture } = editor;
    const { slug } = await fixture.create({ title: 'Dingo day' });
    await fixture.create({ title: 'Dingo draft', status: 'draft' });
    await open('#/events?tab=all&search=Dingo');
    await titles(2);
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    expect(new URL((await link('View Dingo day').getAttribute('href')) ?? '').pathname).toBe(
      `/event/${slug}/`,
    );
    expect(await link('View Dingo draft').count()).toBe(0);
    await link('Duplicate Dingo day').click();
    await page.getByText('This copy is not saved yet.').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Dingo day (copy)');
    expect(await findings(page)).toEqual([]);
    await button('Save draft').click();
    await status('Dingo day (copy) was created.');
    expect(await page.getByText('This copy is not saved yet.').count()).toBe(0);
  });

  it('moves several events to the trash, and undoes it with the statuses that they had', async () => {
    const { page, fixture } = editor;
    const ids: unknown[] = [];
    for (const status of ['publish', 'draft', 'private'])
      ids.push((await fixture.create({ title: `Numbat ${status}`, status }))['id']);
    const statuses = () => Promise.all(ids.map(statusOf));
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

  it('narrows lists to a venue and an organizer, and sorts them by the last change and the newest', async () => {
    const { page, fixture } = editor;
    const { body: venue } = await fixture.send('admin', 'POST', '/venues', { venue: 'Bilby hall' });
    const { body: organizer } = await fixture.send('admin', 'POST', '/organizers', {
      organizer: 'Bilby club',
    });
    const ids: Record<string, unknown> = {};
    for (const [title, fields] of [
      ['hall', { venue: venue['id'] }],
      ['club', { organizer: organizer['id'] }],
      ['both', { venue: venue['id'], organizer: organizer['id'] }],
    ] as const) {
      ids[title] = (await fixture.create({ title: `Bilby ${title}`, ...fields }))['id'];
      fixture.app.clock.pass(1000);
    }
    await fixture.update(ids['hall'], { cost: '3' });
    await open('#/events?tab=all&search=Bilby');
    await titles(3);
    await page.getByText('Filter and sort').click();
    const sort = page.getByLabel('Sort by');
    const firstIs = (title: string) => page.locator('tbody tr:first-child th').getByText(title).waitFor();
    await sort.selectOption('Last changed');
    await firstIs('Bilby hall');
    await sort.selectOption('Newest');
    await firstIs('Bilby both');
    expect(await titles(3)).toEqual(['Bilby both', 'Bilby club', 'Bilby hall']);
    const choose = async (label: string, name: string) => {
      await page.getByRole('combobox', { name: label }).fill(name);
      await page.getByRole('option', { name }).click();
      await button(`Remove ${name}`).waitFor();
    };
    await choose('Venue', 'Bilby hall');
    expect(await titles(2)).toEqual(['Bilby both', 'Bilby hall']);
    await choose('Organizer', 'Bilby club');
    expect(await titles(1)).toEqual(['Bilby both']);
    await button('Remove Bilby hall').click();
    expect(await titles(2)).toEqual(['Bilby both', 'Bilby club']);

    await fixture.send('author', 'POST', '/events', {
      title: 'Bilby author',
      start_date: '2091-05-07 20:00:00',
      end_date: '2091-05-07 21:00:00',
      status: 'publish',
    });
    await button('Remove Bilby club').click();
    await titles(4);
    const writer = await page
      .locator('tbody tr', { hasText: 'Bilby author' })
      .locator('td[data-label="Author"]')
      .innerText();
    await choose('Author', writer);
    expect(await titles(1)).toEqual(['Bilby author']);
    await button(`Remove ${writer}`).click();

    await fixture.send('admin', 'POST', '/venues', { venue: 'Bilby attic' });
    await open('#/venues?search=Bilby&sort=title');
    await page.getByRole('heading', { name: 'Venues' }).waitFor();
    expect(await titles(2)).toEqual(['Bilby attic', 'Bilby hall']);
  });

  it('says which of several records were not changed, and undoes the others', async () => {
    const { page, fixture } = editor;
    const remaining = (await fixture.create({ title: 'Potoroo remaining' }))['id'];
    const gone = (await fixture.create({ title: 'Potoroo gone' }))['id'];
    await open('#/events?tab=all&search=Potoroo');
    await titles(2);
    await page.getByLabel('Select all on this page').check();
    expect((await fixture.send('admin', 'DELETE', `/events/${gone}`)).status).toBe(200);
    await fixture.ask(`DELETE FROM wp_posts WHERE ID = ${gone}`);
    await button('Make drafts').click();
    await status('1 of 2 were not changed');
    expect(await statusOf(remaining)).toBe('draft');
    await button('Undo').click();
    await status('That was undone.');
    expect(await statusOf(remaining)).toBe('publish');
  });

  it('offers several records only to users who may change them, and dates of a series one by one', async () => {
    const { page, fixture } = editor;
    await fixture.create({
      title: 'Wombat weekly',
      recurrence: { rrule: ['FREQ=WEEKLY;COUNT=2'] },
    });
    await fixture.create({ title: 'Wombat once' });
    await open('#/events?tab=all&search=Wombat');
    await titles(3);
    expect(await page.getByRole('checkbox', { name: /^Select Wombat/ }).count()).toBe(1);
    await button('Sign out').click();
    await editor.signIn('contributor');
    await open('#/events?tab=all&search=Wombat');
    await page.locator('tbody').getByText('Wombat once').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });
});
