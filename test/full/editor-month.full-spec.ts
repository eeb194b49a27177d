import { findings } from '../support/axe.js';
import { describeInEditor } from '../support/editor-browser.js';

describeInEditor('the month of the editor in a browser', (editor) => {
  const { status } = editor;
  const button = (name: string) => editor.page.getByRole('button', { name, exact: true });
  const block = (title: string) => editor.page.locator('.month-grid .ev').filter({ hasText: title }).first();
  const day = (date: string) => editor.page.locator(`.month-grid [data-date="${date}"]`);
  const times = async (id: unknown) => {
    const { body } = await editor.fixture.send('editor', 'GET', `/events/${id}`);
    return [body['start_date'], body['end_date']];
  };
  async function openMonth(month: string): Promise<void> {
    await editor.page.setViewportSize({ width: 1440, height: 1300 });
    await editor.open(`#/events?view=month&month=${month}`);
    await editor.page.locator('.month-grid .ev').first().waitFor();
  }
  /** Drags an event to a day by the mouse. */
  async function drag(title: string, to: string): Promise<void> {
    const { page } = editor;
    const from = await block(title).boundingBox();
    const target = await day(to).boundingBox();
    if (!from || !target) throw new Error('not on the page');
    await page.mouse.move(from.x + 12, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + 30, from.y + from.height / 2 + 12, { steps: 4 });
    await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 8 });
    await page.mouse.up();
  }

  it('moves an event of three days by a week, at the same times of day, and undoes it', async () => {
    const { id } = await editor.fixture.create({
      title: 'Harbour days',
      start_date: '2091-05-07 20:00:00',
      end_date: '2091-05-09 23:30:00',
      timezone: 'Asia/Tokyo',
    });
    await openMonth('2091-05');
    await drag('Harbour days', '2091-05-14');
    await status('Harbour days was moved to 14 May 2091');
    expect(await times(id)).toEqual(['2091-05-14 20:00:00', '2091-05-16 23:30:00']);
    await button('Undo').click();
    await status('Harbour days is back at 7 May 2091');
    expect(await times(id)).toEqual(['2091-05-07 20:00:00', '2091-05-09 23:30:00']);
  });

  it('keeps the time of day where clocks change between the days', async () => {
    const { id } = await editor.fixture.create({
      title: 'Evening in Berlin',
      start_date: '2091-10-24 19:00:00',
      end_date: '2091-10-24 21:00:00',
      timezone: 'Europe/Berlin',
    });
    await openMonth('2091-10');
    await drag('Evening in Berlin', '2091-10-30');
    await status('was moved to 30 Oct 2091');
    expect(await times(id)).toEqual(['2091-10-30 19:00:00', '2091-10-30 21:00:00']);
  });

  it('moves nothing that somebody else has changed meanwhile, and shows the change', async () => {
    const { fixture, page } = editor;
    const { id } = await fixture.create({
      title: 'Read by two',
      start_date: '2091-06-05 10:00:00',
      end_date: '2091-06-05 11:00:00',
    });
    await openMonth('2091-06');
    fixture.app.clock.pass(1000);
    await fixture.update(id, { title: 'Changed by the other' });
    await drag('Read by two', '2091-06-20');
    await page
      .getByText('Read by two was changed by somebody else meanwhile, so nothing was moved.')
      .waitFor();
    expect(await times(id)).toEqual(['2091-06-05 10:00:00', '2091-06-05 11:00:00']);
    await block('Changed by the other').waitFor();
    expect(await day('2091-06-05').getByText('Changed by the other').count()).toBe(1);
  });

  it('asks which dates of a series are moved, and moves none without an answer', async () => {
    const { fixture, page } = editor;
    await fixture.create({
      title: 'Weekly choir',
      start_date: '2091-07-02 19:00:00',
      end_date: '2091-07-02 21:00:00',
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'],
    });
    await openMonth('2091-07');
    expect(await page.locator('.month-grid .ev').filter({ hasText: 'Weekly choir' }).count()).toBe(3);
    await drag('Weekly choir', '2091-07-03');
    await page.getByRole('dialog').getByText('Move which dates of Weekly choir?').waitFor();
    await page.keyboard.press('Escape');
    await day('2091-07-02').getByText('Weekly choir').waitFor();
    await drag('Weekly choir', '2091-07-03');
    await page.getByRole('dialog').getByLabel('Only this date').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click();
    await status('Weekly choir was moved to 3 Jul 2091');
    await day('2091-07-03').getByText('Weekly choir').waitFor();
    expect(await day('2091-07-09').getByText('Weekly choir').count()).toBe(1);
  });

  it('names drafts and hidden events, is turned by buttons, and leads to events and to a new one of a day', async () => {
    const { fixture, page } = editor;
    const times = { start_date: '2091-08-12 10:00:00', end_date: '2091-08-12 11:00:00' };
    await fixture.create({ title: 'Not ready', status: 'draft', ...times });
    await fixture.create({ title: 'Told to few', hide_from_listings: true, ...times });
    await editor.open('#/events');
    await page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: 'Month' }).click();
    await openMonth('2091-07');
    await button('Next month').click();
    await block('Draft: Not ready').waitFor();
    await block('Hidden: Told to few').waitFor();
    await page.getByRole('heading', { name: 'August 2091' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 768, height: 1024 });
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('link', { name: 'Hidden: Told to few' }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1440, height: 900 });
    await block('Not ready').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Edit event' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Not ready');
    await openMonth('2091-08');
    await day('2091-08-20').click();
    await page.getByRole('heading', { name: 'New event' }).waitFor();
    expect(await page.getByLabel('Start: day').inputValue()).toBe('2091-08-20');
  });

  it('marks what is not published for all in front of its title, and days by number lead to a new event', async () => {
    const { fixture, page } = editor;
    const times = { start_date: '2091-09-12 10:00:00', end_date: '2091-09-12 11:00:00' };
    for (const status of ['draft', 'pending', 'private', 'future'])
      await fixture.create({
        title: `Of ${status}`,
        status,
        ...times,
        ...(status === 'future' && { date: '2095-01-01 00:00:00' }),
        ...(status === 'private' && { hide_from_listings: true }),
      });
    await openMonth('2091-09');
    const found = await day('2091-09-12').locator('.ev').allTextContents();
    expect(found.map((text) => text.replace(/^.*?(?=[A-Z])/, '')).sort()).toEqual([
      'Draft: Of draft',
      'Pending review: Of pending',
      'Private, Hidden: Of private',
      'Scheduled: Of future',
    ]);
    const link = page.getByRole('link', { name: 'New event on 13 September 2091' });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New event' }).waitFor();
    expect(await page.getByLabel('Start: day').inputValue()).toBe('2091-09-13');
  });

  it('begins weeks as the site does, and has the today of the site', async () => {
    const { fixture, page } = editor;
    const names = "('start_of_week', 'timezone_string', 'gmt_offset')";
    const options = await fixture.ask(
      `SELECT option_name AS name, option_value AS value FROM wp_options WHERE option_name IN ${names}`,
    );
    const setOption = (name: unknown, value: unknown) =>
      fixture.ask(`UPDATE wp_options SET option_value = '${value}' WHERE option_name = '${name}'`);
    await setOption('start_of_week', 6);
    await setOption('timezone_string', '');
    await setOption('gmt_offset', '13.75');
    // The last day of October in UTC and in the browser is the first one of November there.
    await page.clock.setFixedTime('2091-10-31T12:00:00Z');
    await page.goto('about:blank');
    await page.goto(`${fixture.app.url}/editor#/events?view=month&search=Nobody`);
    await page.getByRole('heading', { name: 'November 2091' }).waitFor();
    expect(await page.locator('.month-grid [role="columnheader"]').first().textContent()).toContain('Sat');
    expect(await page.locator('.month-grid [aria-current="date"]').getAttribute('data-date')).toBe(
      '2091-11-01',
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('No events in this month.').waitFor();
    for (const { name, value } of options as { name: string; value: string }[]) await setOption(name, value);
  });

  it('has 500 events within reach of the keyboard, without a request for each, and fits a phone', async () => {
    const { fixture, page } = editor;
    for (let n = 1; n <= 25; n++)
      await fixture.create({
        title: `Crowd ${n}`,
        start_date: '2092-03-03 08:00:00',
        end_date: '2092-03-03 08:30:00',
        recurrence: ['RRULE:FREQ=DAILY;COUNT=20'],
      });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    // The recorded site has events of years.
    await openMonth('2092-03&search=Crowd');
    await page
      .getByRole('button', { name: /^\+\d+ more$/ })
      .nth(19)
      .waitFor();
    // Pages of fifty.
    expect(requests.filter((url) => url.includes('/events')).length).toBeLessThanOrEqual(12);
    expect(await findings(page)).toEqual([]);
    const reached = new Set<string | null>();
    for (let number = 3; number < 23; number++) {
      await day(`2092-03-${String(number).padStart(2, '0')}`)
        .getByRole('button')
        .focus();
      await page.keyboard.press('Enter');
      const links = page.getByRole('dialog').getByRole('link');
      await links.first().waitFor();
      for (const link of await links.all()) reached.add(await link.getAttribute('href'));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(reached.size).toBe(500);
    await day('2092-03-03').getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Monday 3 March' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await button('Move Crowd 20').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Move Crowd 20' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.textContent?.endsWith(' more'));

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('heading', { name: 'Monday 3 March' }).waitFor();
    expect(await page.locator('.day-events a').count()).toBe(500);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await button('Move Crowd 7').first().click();
    await button('1 week earlier').click();
    await button('Move').click();
    await button('Move').click();
    await status('Crowd 7 was moved to 25 Feb 2092');
    await page.waitForFunction(() => document.querySelectorAll('.day-events a').length === 499);
  });
});
