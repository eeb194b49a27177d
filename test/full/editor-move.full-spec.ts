import { findings } from '../support/axe.js';
import { describeInEditor } from '../support/editor-browser.js';

describeInEditor('moving events of the editor without dragging, in a browser', (editor) => {
  const { status, titles } = editor;
  const button = (name: string) => editor.page.getByRole('button', { name, exact: true });
  const dialog = () => editor.page.getByRole('dialog');
  const block = (title: string) => editor.page.locator('.month-grid .ev').filter({ hasText: title }).first();
  const times = async (id: unknown) => {
    const { body } = await editor.fixture.send('editor', 'GET', `/events/${id}`);
    return [body['start_date'], body['end_date']];
  };
  /** What has the focus, once it is this. */
  const focused = (name: string) =>
    editor.page.waitForFunction((wanted) => {
      const { activeElement } = document;
      const text = activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
      return activeElement !== document.body && text.includes(wanted);
    }, name);
  /** Starts of what a search lists, sorted. */
  async function starts(search: string): Promise<unknown[]> {
    const query = `search=${search}&start_date=2090-01-01&per_page=50&status=publish,draft`;
    const { body } = await editor.fixture.send('editor', 'GET', `/events?${query}`);
    return (body['events'] as Record<string, unknown>[]).map((event) => event['start_date']).sort();
  }
  const weekly = (title: string, fields: Record<string, unknown> = {}) =>
    editor.fixture.create({
      title,
      start_date: '2091-03-06 19:00:00',
      end_date: '2091-03-06 21:00:00',
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE:20910320T190000'],
      ...fields,
    });
  const WEEKLY = ['2091-03-06 19:00:00', '2091-03-13 19:00:00', '2091-03-27 19:00:00'];

  async function answer(label: string): Promise<void> {
    await dialog().getByLabel(label, { exact: true }).check();
    await dialog().getByRole('button', { name: 'Move', exact: true }).click();
  }

  it('moves an event of the list by weeks and days with the keyboard alone; after Undo the focus is in its row', async () => {
    const { fixture, page } = editor;
    const { id } = await fixture.create({
      title: 'Echidna night',
      start_date: '2091-02-10 20:00:00',
      end_date: '2091-02-12 01:30:00',
    });
    await fixture.create({ title: 'Echidna other' });
    await editor.open('#/events?tab=all&search=Echidna');
    await titles(2);
    await button('Move Echidna night').focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('move-day');
    expect(await page.getByLabel('New day').inputValue()).toBe('2091-02-10');
    expect(await findings(page)).toEqual([]);
    for (const [step, times] of [
      ['1 week later', 2],
      ['1 day earlier', 1],
    ] as const) {
      await button(step).focus();
      for (let time = 0; time < times; time++) await page.keyboard.press('Space');
    }
    await dialog().getByText('New time: 23 Feb 2091, 20:00 – 25 Feb 2091, 01:30').waitFor();
    await button('Move').focus();
    await page.keyboard.press('Enter');
    await status('Echidna night was moved to 23 Feb 2091');
    expect(await times(id)).toEqual(['2091-02-23 20:00:00', '2091-02-25 01:30:00']);
    await page.locator('tbody tr').filter({ hasText: '23 Feb 2091' }).waitFor();
    await focused('Echidna night');
    await button('Undo').focus();
    await page.keyboard.press('Enter');
    await status('Echidna night is back at 10 Feb 2091');
    expect(await times(id)).toEqual(['2091-02-10 20:00:00', '2091-02-12 01:30:00']);
    await focused('Echidna night');
    expect(await page.evaluate(() => document.activeElement?.closest('tr')?.textContent)).toContain('10 Feb');
  });

  it('moves to a typed day, asks for another one than before, and Escape moves nothing', async () => {
    const { fixture, page } = editor;
    const { id } = await fixture.create({
      title: 'Dunnart day',
      all_day: true,
      start_date: '2091-02-10',
      end_date: '2091-02-11',
    });
    const before = await times(id);
    await editor.open('#/events?tab=all&search=Dunnart');
    await button('Move Dunnart day').click();
    await button('Move').click();
    await dialog().getByText('Choose another day.').waitFor();
    await page.getByLabel('New day').fill('');
    await button('Move').click();
    await dialog().getByText('The day is missing.').waitFor();
    await page.getByLabel('New day').fill('2092-02-29');
    await dialog().getByText('New time: 29 Feb – 1 Mar 2092').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(await times(id)).toEqual(before);
    await focused('Move Dunnart day');
    await button('Move Dunnart day').click();
    await page.getByLabel('New day').fill('2092-02-29');
    await page.keyboard.press('Enter');
    await status('Dunnart day was moved to 29 Feb 2092');
    expect((await times(id)).map((time) => String(time).slice(0, 10))).toEqual(['2092-02-29', '2092-03-01']);
  });

  it('moves nothing to a time that clocks skip, or that somebody else has changed meanwhile', async () => {
    const { fixture, page } = editor;
    const { id } = await fixture.create({
      title: 'Kowari early',
      start_date: '2027-03-21 02:30:00',
      end_date: '2027-03-21 04:00:00',
      timezone: 'Europe/Berlin',
    });
    await editor.open('#/events?tab=all&search=Kowari');
    await fixture.unchanged(async () => {
      await button('Move Kowari early').click();
      await button('1 week later').click();
      await button('Move').click();
      await page.getByText('Kowari early was not moved: clocks in Europe/Berlin are set forward').waitFor();
    });
    await focused('Kowari early');
    fixture.app.clock.pass(1000);
    await fixture.update(id, { cost: '7' });
    await button('Move Kowari early').click();
    await button('1 day later').click();
    await fixture.unchanged(async () => {
      await button('Move').click();
      await page.getByText('Kowari early was changed by somebody else meanwhile').waitFor();
    });
    // The list is read again, so the next attempt knows the change.
    await focused('Kowari early');
    await button('Move Kowari early').click();
    await button('1 day later').click();
    await button('Move').click();
    await status('Kowari early was moved to 22 Mar 2027');
    fixture.app.clock.pass(1000);
    await fixture.update(id, { cost: '8' });
    await fixture.unchanged(async () => {
      await button('Undo').click();
      await page.getByText('Kowari early was changed by somebody else meanwhile').waitFor();
    });
  });

  it.each([
    {
      label: 'Only this date',
      said: 'Ningaui was moved to 14 Mar 2091',
      after: ['2091-03-06 19:00:00', '2091-03-14 19:00:00', '2091-03-27 19:00:00'],
    },
    {
      label: 'This date and all following',
      said: 'This and the following dates of Ningaui were moved, this one to 14 Mar 2091',
      after: ['2091-03-06 19:00:00', '2091-03-14 19:00:00', '2091-03-28 19:00:00'],
    },
    {
      label: 'All dates',
      said: 'All dates of Ningaui were moved, this one to 14 Mar 2091',
      after: ['2091-03-07 19:00:00', '2091-03-14 19:00:00', '2091-03-28 19:00:00'],
    },
  ])('moves a date of a series for "$label", and undoes it with its rule', async ({ label, said, after }) => {
    const { fixture, page } = editor;
    const { id } = await weekly('Ningaui');
    const lines = async () => {
      const { body } = await fixture.send('editor', 'GET', `/events/${id}?recurrence=true`);
      return Object(body['recurrence']).lines;
    };
    const rule = await lines();
    await editor.open('#/events?tab=all&search=Ningaui');
    await titles(3);
    await page
      .getByRole('row')
      .filter({ hasText: '13 Mar 2091' })
      .getByRole('button', { name: 'Move' })
      .click();
    await dialog().getByText('You will be asked which of its dates move.').waitFor();
    await button('1 day later').click();
    await button('Move').click();
    await dialog().getByText('Move which dates of Ningaui?').waitFor();
    expect(await findings(page)).toEqual([]);
    await answer(label);
    await status(said);
    expect(await starts('Ningaui')).toEqual(after);
    await page.locator('tbody tr').filter({ hasText: '14 Mar 2091' }).locator(':focus').waitFor();
    await button('Undo').click();
    await status('Ningaui is back at 13 Mar 2091');
    expect(await starts('Ningaui')).toEqual(WEEKLY);
    expect(await lines()).toEqual(rule);
    await page.locator('tbody tr').filter({ hasText: '13 Mar 2091' }).locator(':focus').waitFor();
    await fixture.send('admin', 'DELETE', `/events/${id}`);
  });

  it('moves nothing without an answer, and does not undo what was changed since', async () => {
    const { fixture, page } = editor;
    const { id } = await weekly('Planigale');
    await editor.open('#/events?tab=all&search=Planigale');
    await titles(3);
    const row = page.getByRole('row').filter({ hasText: '6 Mar 2091' });
    const move = async () => {
      await row.getByRole('button', { name: 'Move' }).click();
      await button('1 week earlier').click();
      await button('Move').click();
      await dialog().getByText('Move which dates of Planigale?').waitFor();
    };
    await fixture.unchanged(async () => {
      await move();
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
    });
    await move();
    await answer('All dates');
    await status('All dates of Planigale were moved');
    fixture.app.clock.pass(1000);
    await fixture.update(id, { cost: '5' });
    await fixture.unchanged(async () => {
      await button('Undo').click();
      await page.getByText('Planigale was changed by somebody else meanwhile').waitFor();
    });
  });

  it('moves from the page of an event, which then shows the new day, unless something there is not saved', async () => {
    const { fixture, page } = editor;
    const { id } = await fixture.create({
      title: 'Mulgara talk',
      start_date: '2091-02-10 20:00:00',
      end_date: '2091-02-10 22:00:00',
    });
    await editor.edit(id);
    await page.getByLabel('Cost', { exact: true }).fill('5');
    await button('Move…').click();
    await page.getByText('Save or drop your other changes first.').waitFor();
    await page.getByLabel('Cost', { exact: true }).fill('');
    await button('Move…').click();
    await button('1 day later').click();
    await button('Move').click();
    await status('Mulgara talk was moved to 11 Feb 2091');
    await focused('Move…');
    expect(await page.getByLabel('Start: day').inputValue()).toBe('2091-02-11');
    await button('Undo').click();
    await status('Mulgara talk is back at 10 Feb 2091');
    await focused('Move…');
    expect(await page.getByLabel('Start: day').inputValue()).toBe('2091-02-10');
  });

  it('moves one date from its page, which then is that of the event that it became', async () => {
    const { page } = editor;
    const { id } = await weekly('Quoll');
    await editor.open('#/events?tab=all&search=Quoll');
    await page
      .getByRole('row')
      .filter({ hasText: '13 Mar 2091' })
      .getByRole('rowheader')
      .getByRole('link')
      .click();
    await button('Move…').click();
    await button('1 day later').click();
    await button('Move').click();
    await answer('Only this date');
    await status('Quoll was moved to 14 Mar 2091');
    await page.getByRole('heading', { name: 'Edit event' }).waitFor();
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[type="date"]')?.value === '2091-03-14',
    );
    await button('Undo').click();
    await status('Quoll is back at 13 Mar 2091');
    expect(await starts('Quoll')).toEqual(WEEKLY);
    await page.waitForFunction((whole) => location.hash === `#/events/${whole}`, id);
  });

  it('opens an event of the month by Enter, and moves it by M; the focus follows it', async () => {
    const { fixture, page } = editor;
    const on = (day: string) => ({ start_date: `${day} 20:00:00`, end_date: `${day} 22:00:00` });
    const { id } = await fixture.create({ title: 'Dibbler show', ...on('2091-05-10') });
    await page.setViewportSize({ width: 1440, height: 1000 });
    await editor.open('#/events?view=month&month=2091-05');
    await block('Dibbler show').focus();
    await page.keyboard.press('m');
    await button('1 week later').click();
    await button('Move').click();
    await status('Dibbler show was moved to 17 May 2091');
    await page.locator('[data-date="2091-05-17"] .ev:focus').waitFor();
    await button('Undo').click();
    await status('Dibbler show is back at 10 May 2091');
    await page.locator('[data-date="2091-05-10"] .ev:focus').waitFor();
    expect(await times(id)).toEqual(['2091-05-10 20:00:00', '2091-05-10 22:00:00']);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Edit event' }).waitFor();
  });

  it('offers no move to users who may not edit the event', async () => {
    const { fixture, page } = editor;
    await fixture.create({ title: 'Bettong of another' });
    await button('Sign out').click();
    await editor.signIn('contributor');
    await editor.open('#/events?search=Bettong');
    const row = page.locator('tbody tr').filter({ hasText: 'Bettong of another' });
    await row.waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
  });
});
