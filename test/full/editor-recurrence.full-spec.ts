import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { describeInBrowser, startBrowser } from '../support/browser.js';
import { loadRecording } from '../support/replay.js';
import { type DateRow, dateRows, metaValues } from '../support/series-rows.js';
import { openWriteFixture, type WriteFixture } from '../support/write-fixture.js';

const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
const { login = '', password = '' } = loadRecording('site-a/write').users['editor'] ?? {};
const BASE = 10_000_000;
/** 16 October 2091 is a Tuesday; the clocks of Berlin change on the 28th. */
const CHOIR = {
  title: 'Choir',
  timezone: 'Europe/Berlin',
  start_date: '2091-10-16 19:00:00',
  end_date: '2091-10-16 21:00:00',
  cost: '5',
  recurrence: { rrule: ['FREQ=WEEKLY;COUNT=4'] },
};
const DATES = ['2091-10-16', '2091-10-23', '2091-10-30', '2091-11-06'];
/** Zones of browsers, with what their clocks show. */
const CLOCKS = [
  ['Europe/Berlin', '2091-10-15T21:30:00Z', '23:30, the day before'],
  ['Pacific/Auckland', '2091-10-15T11:00:00Z', 'midnight'],
  [
    'America/Los_Angeles',
    '2091-10-28T01:15:00Z',
    '18:15, a day behind Berlin, hours before its clocks change',
  ],
  ['Asia/Kathmandu', '2091-10-28T01:15:00Z', '7:00, minutes after the clocks of Berlin changed'],
] as const;

describeInBrowser('recurring events in the editor', () => {
  let fixture: WriteFixture;
  let off: TestApp;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
    fixture = await openWriteFixture('SQLite', undefined, { RECURRENCE: 'on' });
    off = await startApp({ databaseUrl: fixture.databaseUrl, env: { RECURRENCE: 'off' } });
  });
  afterAll(async () => {
    await browser?.close();
    await off?.close();
    await fixture?.close();
  });
  afterEach(async () => {
    await page?.context().close();
    expect(faults.splice(0)).toEqual([]);
  });

  /** Opens the editor, signed in, at a part of it. */
  async function open(
    hash: string,
    { timezoneId = 'America/New_York', now = '2091-10-10T12:00:00Z', url = '' } = {},
  ) {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId });
    await context.clock.install({ time: new Date(now) });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${url || fixture.app.url}/editor${hash}`);
    await page.getByLabel('User name').fill(login);
    await page.getByLabel('Application password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Sign in' }).waitFor();
  }

  const rowsOf = (id: unknown) => dateRows(fixture.ask, id);
  const daysOf = async (id: unknown) => (await rowsOf(id)).map(({ start }) => start.slice(0, 10));
  const make = async (fields: object = {}) => {
    const { id } = await fixture.create({ ...CHOIR, ...fields }, 'editor');
    return { id: Number(id), rows: await rowsOf(id) };
  };
  const dateHash = (row?: DateRow) => `#/events/${BASE + Number(row?.id)}`;
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const status = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
  const repeats = () => page.getByLabel('Repeats', { exact: true });
  const summary = (text: string | RegExp) =>
    page.locator('#form-recurrence-summary').filter({ hasText: text }).waitFor();
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const listedDates = () => page.locator('.dates ol li').allTextContents();
  const focused = (selector: string) => page.locator(`${selector}:focus`).waitFor();

  async function accessible(): Promise<void> {
    await page.evaluate(AXE);
    const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
      'axe.run()',
    );
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
      [],
    );
  }

  it.each(CLOCKS)('writes a series with a browser in %s at %s (%s)', async (timezoneId, now) => {
    await open('#/events/new', { timezoneId, now });
    expect(await repeats().isDisabled()).toBe(true);
    await page.getByLabel('Title').fill('Rehearsal');
    await page.getByLabel('Start: day').fill('2091-10-16');
    await page.getByLabel('Start: time').fill('23:30');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    expect((await repeats().locator('option').allTextContents()).slice(0, 7)).toEqual([
      'Does not repeat',
      'Every day',
      'Every Tuesday',
      'Every second Tuesday',
      'Every month on day 16',
      'Every month on the third Tuesday',
      'Every year on 16 October',
    ]);
    await repeats().selectOption('Every second Tuesday');
    await summary('Every second Tuesday: no end.');
    await page.getByLabel('Ends').selectOption('on a day');
    await page.getByLabel('Last day').fill('2091-12-11');
    await summary(
      'Every second Tuesday until 11 December: 5 dates, the last one on Tue, 11 Dec 2091, 23:30.',
    );
    await button('Leave out Tue, 13 Nov 2091, 23:30').click();
    await summary('Every second Tuesday until 11 December, not on 13 November: 4 dates');
    await page.getByLabel('Add a date', { exact: true }).fill('2091-11-14');
    await button('Add a date: add').click();
    await summary('not on 13 November: 5 dates');
    // Dates that are over on the browser's clock are not the next ones.
    const isOver = now > '2091-10-16T22:30:00Z';
    expect((await listedDates()).map((text) => text.replace('Leave out', ''))).toEqual([
      ...(isOver ? [] : ['Tue, 16 Oct 2091, 23:30']),
      'Tue, 30 Oct 2091, 23:30',
      'Wed, 14 Nov 2091, 23:30',
      'Tue, 27 Nov 2091, 23:30',
      'Tue, 11 Dec 2091, 23:30',
    ]);
    await button('Publish event').click();
    await status('Rehearsal was created');
    const id = Number(/#\/events\/(\d+)$/.exec(page.url())?.[1]);
    const rows = await rowsOf(id);
    expect(rows.map(({ start, utc }) => [start, utc])).toEqual([
      ['2091-10-16 23:30:00', '2091-10-16 21:30:00'],
      ['2091-10-30 23:30:00', '2091-10-30 22:30:00'],
      ['2091-11-14 23:30:00', '2091-11-14 22:30:00'],
      ['2091-11-27 23:30:00', '2091-11-27 22:30:00'],
      ['2091-12-11 23:30:00', '2091-12-11 22:30:00'],
    ]);
    // The stored recurrence reads as it was chosen, also by the id of one date.
    await page.getByText('the whole event with all of its dates').waitFor();
    for (const hash of [`#/events/${id}`, dateHash(rows[1])]) {
      await page.evaluate(`location.hash = '${hash}'`);
      await summary(
        'Every second Tuesday until 11 December, also on 14 November, not on 13 November: 5 dates',
      );
      expect(await repeats().inputValue()).toBe('FREQ=WEEKLY;INTERVAL=2');
      expect(await page.getByText('Not saved yet').count()).toBe(0);
    }
    await accessible();
  });

  it('asks for the dates with the keyboard alone, and Escape writes nothing', async () => {
    const { id, rows } = await make();
    await open(dateHash(rows[1]));
    await page.getByLabel('Cost').fill('7');
    await page.keyboard.press('Enter');
    const ask = dialog('Save which dates?');
    await ask.waitFor();
    await focused('#scope-this');
    await accessible();
    await fixture.unchanged(async () => {
      await page.keyboard.press('Escape');
      await ask.waitFor({ state: 'detached' });
      await button('Save changes').waitFor();
    });
    expect(await page.getByLabel('Cost').inputValue()).toBe('7');
    // The focus is in the form again.
    await page.getByLabel('Cost').press('Enter');
    await ask.waitFor();
    await page.keyboard.press('ArrowDown');
    await focused('#scope-following:checked');
    await page.keyboard.press('Tab');
    await focused('dialog button[type="button"]');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await status('Choir was saved');
    expect(await daysOf(id)).toEqual(DATES.slice(0, 1));
    const [series] = await fixture.ask(
      `SELECT post_id AS id FROM wp_tec_occurrences WHERE occurrence_id = ${Number(rows[1]?.id)}`,
    );
    const following = series as { id: number };
    expect(await daysOf(following.id)).toEqual(DATES.slice(1));
    expect(await metaValues(fixture.ask, following.id, '_EventCost')).toEqual(['7']);
    expect(await metaValues(fixture.ask, id, '_EventCost')).toEqual(['5']);
    expect(page.url()).toContain(dateHash(rows[1]));
  });

  it('saves one date as an event of its own, and all dates at another time', async () => {
    const { id, rows } = await make();
    await open(dateHash(rows[2]));
    await page.getByLabel('Start: time').fill('20:00');
    await page.getByLabel('End: time').fill('22:00');
    await page.locator('.dates ol li').filter({ hasText: 'Tue, 30 Oct 2091, 20:00' }).waitFor();
    await button('Save changes').click();
    await dialog('Save which dates?').getByLabel('Only this date').check();
    await dialog('Save which dates?').getByRole('button', { name: 'Save' }).click();
    await status('Choir was saved');
    const own = Number(/#\/events\/(\d+)$/.exec(page.url())?.[1]);
    expect((await rowsOf(own)).map((row) => [row.id, row.start])).toEqual([
      [rows[2]?.id, '2091-10-30 20:00:00'],
    ]);
    expect(await daysOf(id)).toEqual([DATES[0], DATES[1], DATES[3]]);
    expect(await repeats().inputValue()).toBe('none');

    await page.evaluate(`location.hash = '${dateHash(rows[3])}'`);
    await summary('Every Tuesday, 4 times, not on 30 October: 3 dates');
    await page.getByLabel('Start: time').fill('18:00');
    await page.getByLabel('End: time').fill('20:00');
    await button('Save changes').click();
    await dialog('Save which dates?').getByLabel('All dates').check();
    await dialog('Save which dates?').getByRole('button', { name: 'Save' }).click();
    await status('Choir was saved');
    expect((await rowsOf(id)).map((row) => [row.id, row.start])).toEqual(
      [rows[0], rows[1], rows[3]].map((row) => [row?.id, row?.start.replace('19:00', '18:00')]),
    );
  });

  it('writes another rule for this and the following dates, or for all', async () => {
    const { id, rows } = await make({ recurrence: { rrule: ['FREQ=WEEKLY;COUNT=6'] } });
    await open(dateHash(rows[2]));
    await repeats().selectOption('Every second Tuesday');
    await button('Save changes').click();
    const ask = dialog('Save which dates?');
    await ask.getByText('How it repeats cannot be changed for one date').waitFor();
    expect(await ask.getByLabel('Only this date').isDisabled()).toBe(true);
    await ask.getByText('Tue, 30 Oct 2091, 19:00: 6 dates, the last one on Tue, 8 Jan 2092, 19:00').waitFor();
    await ask
      .getByText('Tue, 16 Oct 2091, 19:00: 6 dates, the last one on Tue, 25 Dec 2091, 19:00')
      .waitFor();
    await accessible();
    await focused('#scope-following:checked');
    await page.keyboard.press('Enter');
    await status('Choir was saved');
    expect(await daysOf(id)).toEqual(DATES.slice(0, 2));
    const [series] = await fixture.ask(
      `SELECT post_id AS id FROM wp_tec_occurrences WHERE occurrence_id = ${Number(rows[2]?.id)}`,
    );
    expect(await daysOf((series as { id: number }).id)).toEqual([
      ...['2091-10-30', '2091-11-13', '2091-11-27', '2091-12-11', '2091-12-25', '2092-01-08'],
    ]);
  });

  it('leaves an added date before this one to the dates before it', async () => {
    const rdates = ['2091-10-18 19:00:00'];
    const { id, rows } = await make({ recurrence: { rrule: ['FREQ=WEEKLY;COUNT=4'], rdates } });
    await open(dateHash(rows[3]));
    await repeats().selectOption('Every day');
    await button('Save changes').click();
    const ask = dialog('Save which dates?');
    await ask.getByText('Tue, 30 Oct 2091, 19:00: 4 dates, the last one on Fri, 2 Nov 2091, 19:00').waitFor();
    await page.keyboard.press('Enter');
    await status('Choir was saved');
    expect(await daysOf(id)).toEqual(['2091-10-16', '2091-10-18', '2091-10-23']);
  });

  it('keeps a date left out where its rule and then its time change', async () => {
    const exdates = ['2091-10-23 19:00:00'];
    const { id } = await make({ recurrence: { rrule: ['FREQ=WEEKLY;COUNT=4'], exdates } });
    await open(`#/events/${id}`);
    await page.getByLabel('Number of dates').fill('3');
    await page.getByLabel('Start: time').fill('20:00');
    await page.getByLabel('End: time').fill('22:00');
    await summary('Every Tuesday, 3 times, not on 23 October: 2 dates');
    await button('Save changes').click();
    await status('Choir was saved');
    expect((await rowsOf(id)).map(({ start }) => start)).toEqual([
      '2091-10-16 20:00:00',
      '2091-10-30 20:00:00',
    ]);
  });

  it('trashes one date from the list, and restores it', async () => {
    const { id, rows } = await make({ title: 'Bell ringing' });
    await open('#/events?search=Bell+ringing');
    const table = page.getByRole('table');
    await table.getByText('every Tuesday, 4 times').first().waitFor();
    expect(await table.getByRole('row').count()).toBe(5);
    await table.getByRole('button', { name: 'Trash Bell ringing' }).nth(1).click();
    const ask = dialog('Trash which dates of Bell ringing?');
    await ask.waitFor();
    await accessible();
    await ask.getByRole('button', { name: 'Cancel' }).click();
    expect(await daysOf(id)).toEqual(DATES);
    await table.getByRole('button', { name: 'Trash Bell ringing' }).nth(1).click();
    await ask.getByRole('button', { name: 'Move to trash' }).click();
    await status('This date of Bell ringing was moved to the trash');
    expect(await daysOf(id)).toEqual([DATES[0], DATES[2], DATES[3]]);
    await page.getByRole('link', { name: 'Trash', exact: true }).click();
    await table.getByRole('button', { name: 'Restore Bell ringing' }).click();
    await status('Bell ringing is back as a draft');
    const restored = () =>
      fixture.ask(
        `SELECT p.post_status AS status, o.start_date AS start FROM wp_tec_occurrences o JOIN wp_posts p ON p.ID = o.post_id
         WHERE o.occurrence_id = ${Number(rows[1]?.id)}`,
      );
    expect(await restored()).toEqual([{ status: 'draft', start: '2091-10-23 19:00:00' }]);

    // All of them go and come back together.
    await page.evaluate("location.hash = '#/events?search=Bell+ringing'");
    await table.getByRole('button', { name: 'Trash Bell ringing' }).first().click();
    await ask.getByLabel('All dates').check();
    await ask.getByRole('button', { name: 'Move to trash' }).click();
    await status('All dates of Bell ringing were moved to the trash');
    await page.getByRole('link', { name: 'Trash', exact: true }).click();
    await table.getByRole('button', { name: 'Restore Bell ringing' }).first().click();
    await status('back as a draft, with all of its dates');
    expect(await fixture.ask(`SELECT post_status AS status FROM wp_posts WHERE ID = ${id}`)).toEqual([
      { status: 'draft' },
    ]);
    expect(await daysOf(id)).toEqual([DATES[0], DATES[2], DATES[3]]);
  });

  it('makes a rule of its own parts, says where it does not fit, and shows what the server rejects', async () => {
    await open('#/events/new');
    await page.getByLabel('Title').fill('Custom');
    await page.getByLabel('Start: day').fill('2091-10-31');
    await page.getByLabel('Start: time').fill('19:00');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await repeats().selectOption('Custom …');
    await page.getByLabel('Unit').selectOption('month');
    await page.getByLabel('Every', { exact: true }).fill('3');
    await page.getByLabel('On', { exact: true }).selectOption('every month on the last day');
    await summary('Every 3 months on the last day: no end.');
    expect((await listedDates())[1]).toContain('Thu, 31 Jan 2092, 19:00');
    await page.getByLabel('Unit').selectOption('weeks');
    await page.getByLabel('Every', { exact: true }).fill('1');
    await page.getByRole('checkbox', { name: 'Friday' }).check();
    await summary('Every week on Wednesday and Friday: no end.');
    await page.getByRole('checkbox', { name: 'Wednesday' }).uncheck();
    expect(await page.getByRole('checkbox', { name: 'Friday' }).isDisabled()).toBe(true);
    await page.getByText('Its first date would be Fri, 2 Nov 2091, 19:00').waitFor();
    await page.getByLabel('Ends').selectOption('after a number of dates');
    await page.getByLabel('Number of dates').fill('3');
    await accessible();
    await fixture.unchanged(async () => {
      await button('Publish event').click();
      await page.getByRole('alert').filter({ hasText: 'Repeats: Does not fit start_date' }).waitFor();
    });
    expect(await page.locator('#form-recurrence-error').textContent()).toContain(
      'the first date of the rule is 2091-11-02 19:00:00',
    );
    await page.waitForFunction(() => document.activeElement?.id === 'form-recurrence');
    await button('Begin on Fri, 2 Nov 2091, 19:00').click();
    await page.locator('.dates ol:focus').waitFor();
    expect(await page.getByLabel('Start: day').inputValue()).toBe('2091-11-02');
    expect(await page.getByLabel('End: day').inputValue()).toBe('2091-11-02');
    await button('Publish event').click();
    await status('Custom was created');
    const id = /#\/events\/(\d+)$/.exec(page.url())?.[1];
    expect(await daysOf(id)).toEqual(['2091-11-02', '2091-11-09', '2091-11-16']);
  });

  it('shows how long an added date lasts, and keeps it where the event moves and its rule changes', async () => {
    const rdates = ['2091-10-20 20:00:00/PT1H'];
    const { id } = await make({ recurrence: { rrule: ['FREQ=WEEKLY;COUNT=4'], rdates } });
    await open(`#/events/${id}`);
    await button('Remove Sat, 20 Oct 2091, 20:00–21:00').waitFor();
    await page.getByLabel('Start: day').fill('2091-10-17');
    await page.getByLabel('End: day').fill('2091-10-17');
    await button('Remove Sun, 21 Oct 2091, 20:00–21:00').waitFor();
    await page.getByLabel('Number of dates').fill('2');
    await button('Save changes').click();
    await status('Choir was saved');
    expect((await rowsOf(id)).map(({ start, end }) => [start, end])).toEqual([
      ['2091-10-17 19:00:00', '2091-10-17 21:00:00'],
      ['2091-10-21 20:00:00', '2091-10-21 21:00:00'],
      ['2091-10-24 19:00:00', '2091-10-24 21:00:00'],
    ]);
  });

  it('keeps a rule that it has no words for until another one is chosen', async () => {
    const rule = 'FREQ=MONTHLY;COUNT=5;BYMONTHDAY=16,18,20;BYDAY=TU,TH';
    const { id } = await make({ title: 'Imported', recurrence: { rrule: [rule] } });
    const before = await metaValues(fixture.ask, id, '_almanac_recurrence');
    await open(`#/events/${id}`);
    await page.locator('.recurrence code').filter({ hasText: rule }).waitFor();
    expect(await repeats().inputValue()).toBe('kept');
    await page.getByLabel('Cost').fill('9');
    await button('Save changes').click();
    await status('Imported was saved');
    expect(await metaValues(fixture.ask, id, '_almanac_recurrence')).toEqual(before);
    await repeats().selectOption('Every day');
    await page.getByLabel('Ends').selectOption('after a number of dates');
    await page.getByLabel('Number of dates').fill('2');
    await repeats().selectOption('kept');
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    await repeats().selectOption('Does not repeat');
    await button('Save changes').click();
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    await button('Save changes').waitFor();
    expect(await daysOf(id)).toEqual(['2091-10-16']);
    expect(await metaValues(fixture.ask, id, '_almanac_recurrence')).toEqual([]);
  });

  it('writes whole days on dates chosen one by one, and trashes the whole event after a question', async () => {
    await open('#/events/new', { timezoneId: 'Pacific/Honolulu', now: '2091-10-16T09:30:00Z' });
    await page.getByLabel('Title').fill('Market');
    await page.getByLabel('Lasts all day').check();
    await page.getByLabel('Start: day').fill('2091-10-27');
    await page.getByLabel('End: day').fill('2091-10-28');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await repeats().selectOption('On dates chosen one by one');
    await page.getByText('Add a date: without one it does not repeat').waitFor();
    for (const day of ['2091-11-10', '2091-11-24', '2091-12-08']) {
      await page.getByLabel('Add a date', { exact: true }).fill(day);
      await page.getByText('2091 is not added yet').waitFor();
      await page.keyboard.press('Enter');
      await page.locator('#form-recurrence-add:focus').waitFor();
    }
    await button('Leave out Sat, 24 Nov 2091').click();
    await page.locator('.dates ol:focus').waitFor();
    await summary('On 27 October, 10 November and 8 December: 3 dates, the last one on Sat, 8 Dec 2091');
    await button('Publish event').click();
    await status('Market was created');
    const id = Number(/#\/events\/(\d+)$/.exec(page.url())?.[1]);
    expect((await rowsOf(id)).map(({ start, end }) => [start, end])).toEqual(
      [
        ['2091-10-27', '2091-10-28'],
        ['2091-11-10', '2091-11-11'],
        ['2091-12-08', '2091-12-09'],
      ].map(([start, end]) => [`${start} 00:00:00`, `${end} 23:59:59`]),
    );
    expect(await repeats().inputValue()).toBe('dates');
    await button('Move to trash').click();
    const ask = dialog('Trash Market?');
    await ask.getByText('All of its dates go with it').waitFor();
    await page.keyboard.press('Escape');
    await ask.waitFor({ state: 'detached' });
    expect(await daysOf(id)).toHaveLength(3);
    await button('Move to trash').click();
    await ask.getByRole('button', { name: 'Move to trash' }).click();
    await status('Market is in the trash');
  });

  it('leaves dates without a known rule alone, and names what the server rejects about one of them', async () => {
    const { id, rows } = await make({ title: 'Fair' });
    // As the premium add-on before it stores its lines.
    await fixture.ask(`DELETE FROM wp_postmeta WHERE post_id = ${id} AND meta_key LIKE '_almanac%'`);
    await fixture.ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_EventRecurrence', 'a:1:{s:5:"rules";a:1:{i:0;a:1:{s:4:"type";s:5:"Every";}}}')`,
    );
    await open(dateHash(rows[1]));
    expect(await repeats().inputValue()).toBe('kept');
    await page.locator('option', { hasText: 'As it is: on several dates' }).waitFor({ state: 'attached' });
    await page.getByLabel('Cost').fill('3');
    await fixture.unchanged(async () => {
      await button('Save changes').click();
      await dialog('Save which dates?').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').filter({ hasText: 'Which dates: Cannot be used' }).waitFor();
    });
    await button('Save changes').click();
    await dialog('Save which dates?').getByLabel('All dates').check();
    await dialog('Save which dates?').getByRole('button', { name: 'Save' }).click();
    await status('Fair was saved');
    expect(await daysOf(id)).toEqual(DATES);
  });

  it('does not overwrite what another user has saved meanwhile', async () => {
    const { id, rows } = await make();
    await open(dateHash(rows[1]));
    await page.getByLabel('Website').fill('https://example.org/mine');
    fixture.app.clock.pass(2000);
    await fixture.update(id, { recurrence: { rrule: ['FREQ=WEEKLY;COUNT=3'] } });
    await button('Save changes').click();
    const conflict = page.getByRole('alert').filter({ hasText: 'Somebody else has saved this record' });
    await conflict.filter({ hasText: 'They changed: Repeats' }).waitFor();
    await conflict.getByRole('button', { name: 'Save mine all the same' }).click();
    await dialog('Save which dates?').getByRole('button', { name: 'Save' }).click();
    await status('Choir was saved');
    expect(await daysOf(id)).toEqual([DATES[0], DATES[2]]);
  });

  it('is disabled with the reason where recurring events are not written', async () => {
    const { rows } = await make();
    await open('#/events/new', { url: off.url });
    expect(await repeats().isDisabled()).toBe(true);
    await page.getByText('RECURRENCE=off disables writes of recurring events').waitFor();
    await accessible();
    await page.evaluate(`location.hash = '${dateHash(rows[1])}'`);
    await page.getByText('How it repeats cannot be changed from here').waitFor();
    await page.getByLabel('Cost').fill('8');
    await button('Save changes').click();
    const ask = dialog('Save which dates?');
    await ask.waitFor();
    for (const name of ['Only this date', 'This date and all following'])
      expect(await ask.getByLabel(name).isDisabled()).toBe(true);
    await accessible();
    await ask.getByRole('button', { name: 'Save' }).click();
    await status('Choir was saved');
  });

  it('fits a phone, by touch and in the dark', async () => {
    const { rows } = await make({ recurrence: { rrule: ['FREQ=WEEKLY;BYDAY=TU,TH;COUNT=12'] } });
    await open(dateHash(rows[1]));
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await summary('Every week on Tuesday and Thursday, 12 times');
    await page.getByRole('checkbox', { name: 'Sunday' }).check();
    await accessible();
    const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
    expect(await width()).toBeLessThanOrEqual(360);
    await button('Save changes').click();
    await dialog('Save which dates?').waitFor();
    await accessible();
    expect(await width()).toBeLessThanOrEqual(360);
  });
});
