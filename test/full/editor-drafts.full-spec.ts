import { findings } from '../support/axe.js';
import { describeInEditor } from '../support/editor-browser.js';

describeInEditor('drafts, copies and undo of the editor in a browser', (editor) => {
  const { edit, status } = editor;
  const button = (name: string) => editor.page.getByRole('button', { name, exact: true });
  const title = () => editor.page.getByLabel('Title');
  const stored = async (id: unknown) =>
    (
      await editor.fixture.ask(
        `SELECT post_title AS title, post_status AS status FROM wp_posts WHERE ID = ${id}`,
      )
    )[0];
  /** Waits until the browser holds as many drafts. */
  async function drafts(count: number): Promise<void> {
    while ((await editor.page.evaluate('localStorage.length')) !== count)
      await editor.page.waitForTimeout(50);
  }

  it('saves with Ctrl+S, and undoes a move by a week', async () => {
    const { page, fixture } = editor;
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
    const { page, fixture } = editor;
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
    expect(await title().inputValue()).toBe('Regatta (copy)');
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
    const { page, fixture } = editor;
    const { id } = await fixture.create({ title: 'Typed twice' });
    await edit(id);
    await title().fill('Typed and not saved');
    await drafts(1);
    await page.reload();
    await page.getByText('was not saved').waitFor();
    expect(await title().inputValue()).toBe('Typed twice');
    expect(await findings(page)).toEqual([]);
    await button('Restore it').click();
    expect(await title().inputValue()).toBe('Typed and not saved');
    await button('Save changes').click();
    await status('was saved');
    expect(await stored(id)).toMatchObject({ title: 'Typed and not saved' });
    await drafts(0);

    await title().fill('Dropped');
    await drafts(1);
    await page.reload();
    await button('Discard it').click();
    await drafts(0);
    await title().fill('Typed at the end');
    await drafts(1);
    await button('Sign out').click();
    await button('Leave without saving').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
    expect(await stored(id)).toMatchObject({ title: 'Typed and not saved' });
  });

  it('offers a draft to its own user only, says if the record was saved since, and forgets old ones', async () => {
    const { page, fixture } = editor;
    const { id } = await fixture.create({ title: 'Draft of one' });
    await edit(id);
    await page.getByLabel('Cost').fill('7');
    await drafts(1);
    await page.context().clearCookies();
    await page.reload();
    await editor.signIn('admin');
    await edit(id);
    expect(await page.getByText('was not saved').count()).toBe(0);
    await button('Sign out').click();
    await drafts(1);

    fixture.app.clock.pass(1000);
    await fixture.update(id, { title: 'Draft of two' });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await editor.signIn('editor');
    await edit(id);
    await page.getByText('was not saved. The record has been saved since.').waitFor();
    await button('Restore it').click();
    expect([await title().inputValue(), await page.getByLabel('Cost').inputValue()]).toEqual([
      'Draft of two',
      '7',
    ]);
    await drafts(1);

    await page.evaluate(`(() => {
      const [key] = Object.keys(localStorage);
      const draft = JSON.parse(localStorage.getItem(key));
      draft.at -= 31 * 86400000;
      localStorage.setItem(key, JSON.stringify(draft));
      for (let at = 1; at <= 25; at++)
        localStorage.setItem(key.replace(/\\d+$/, 1e6 + at), JSON.stringify({ ...draft, at }));
    })()`);
    await page.reload();
    await button('Save changes').waitFor();
    expect(await page.getByText('was not saved').count()).toBe(0);
    await title().fill('The last one');
    await drafts(20);
  });

  it('does not undo what another user has changed since, nor another rule', async () => {
    const { page, fixture } = editor;
    const { id } = await fixture.create({ title: 'Saved by two' });
    await edit(id);
    await page.getByLabel('Cost').fill('1');
    await button('Save changes').click();
    await status('was saved');
    fixture.app.clock.pass(1000);
    await fixture.update(id, { cost: '2' });
    await button('Undo').click();
    await status('Somebody else has saved this meanwhile, so nothing was undone.');
    expect((await fixture.send('editor', 'GET', `/events/${id}`)).body['cost']).toBe('$2');

    const { id: other } = await fixture.create({ title: 'Weekly from now on' });
    await edit(other);
    await page.getByLabel('Repeats', { exact: true }).selectOption('Every day');
    await button('Save changes').click();
    await status('was saved');
    expect(await button('Undo').count()).toBe(0);
  });

  it('brings a record back from the trash with its status and its address', async () => {
    const { page, fixture } = editor;
    const { id, slug } = await fixture.create({ title: 'Trashed by mistake' });
    await edit(id);
    await button('Move to trash').click();
    await status('is in the trash');
    expect(await stored(id)).toMatchObject({ status: 'trash' });
    await button('Undo').click();
    await status('is back');
    await page.getByRole('heading', { name: 'Edit event' }).waitFor();
    expect((await fixture.send('anonymous', 'GET', `/events/${id}`)).body).toMatchObject({
      status: 'publish',
      slug,
    });
  });

  it('copies one date of a series as an event that does not recur', async () => {
    const { page, fixture } = editor;
    const { id } = await fixture.create({ title: 'Choir', recurrence: { rrule: ['FREQ=WEEKLY;COUNT=3'] } });
    await editor.open('#/events?search=Choir');
    await editor.titles(3);
    await page.locator('tbody tr:nth-child(2) th a').click();
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: 'New event' }).waitFor();
    await button('Save draft').click();
    await status('was created');
    await button('Save changes').waitFor();
    const copy = Number(/(\d+)$/.exec(page.url())?.[1]);
    expect(copy).not.toBe(id);
    const { body } = await fixture.send('editor', 'GET', `/events/${copy}?recurrence=true`);
    expect(body).toMatchObject({ status: 'draft', start_date: '2091-05-08 10:00:00' });
    expect(body['recurrence'] ?? null).toBeNull();
  });

  it('points out a time that clocks skip and moves the event to one that exists, of the same length', async () => {
    const { page, fixture } = editor;
    await editor.open('#/events/new');
    await title().fill('Night walk');
    await page.getByLabel('Time zone').fill('europe/berlin');
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin');
    await page.getByLabel('Start: day').fill('2027-03-28');
    await page.getByLabel('Start: time').fill('02:30');
    await page.getByLabel('End: time').fill('03:30');
    await page.getByLabel('Website').fill('example.org/walk');
    await button('Publish event').click();
    const said = page
      .getByRole('alert')
      .filter({ hasText: 'Start: Clocks in Europe/Berlin are set forward then' });
    await said.waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await fixture.ask("SELECT ID FROM wp_posts WHERE post_title = 'Night walk'")).toEqual([]);
    await button('Use 03:30 instead').click();
    expect([
      await page.getByLabel('Start: time').inputValue(),
      await page.getByLabel('End: time').inputValue(),
    ]).toEqual(['03:30', '04:30']);
    await button('Publish event').click();
    await status('was created');
    const [event] = (
      await fixture.send('anonymous', 'GET', '/events?search=Night+walk&start_date=2027-01-01')
    ).body['events'] as Record<string, unknown>[];
    expect(event).toMatchObject({
      start_date: '2027-03-28 03:30:00',
      end_date: '2027-03-28 04:30:00',
      timezone: 'Europe/Berlin',
      website: 'https://example.org/walk',
    });
  });

  it('saves in the zones Asia/Kolkata and Europe/Kyiv', async () => {
    const { page, fixture } = editor;
    const { id } = await fixture.create({ title: 'Zones' });
    await edit(id);
    for (const zone of ['Asia/Kolkata', 'Europe/Kyiv']) {
      expect(await page.locator(`datalist option[value="${zone}"]`).count()).toBe(1);
      await page.getByLabel('Time zone').fill(zone);
      await button('Save changes').click();
      // The status of the save before may still be there.
      await page.getByText('Not saved yet').waitFor({ state: 'detached' });
      expect((await fixture.send('editor', 'GET', `/events/${id}`)).body['timezone']).toBe(zone);
      await page.getByLabel('Cost').fill(zone.slice(-4));
      await button('Save changes').click();
      await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    }
  });

  it('asks for a new sign-in when the session has ended, and keeps what was typed', async () => {
    const { page, fixture } = editor;
    const { id } = await fixture.create({ title: 'Session' });
    await edit(id);
    await title().fill('Typed before the session ended');
    await page.context().clearCookies();
    await button('Save changes').click();
    await page.getByRole('alert').filter({ hasText: 'Your sign-in has ended. Sign in again.' }).waitFor();
    expect(await stored(id)).toMatchObject({ title: 'Session' });
    await button('Sign in again').click();
    await editor.signInAgain();
    await status('signed in again');
    await button('Save changes').click();
    await status('was saved');
    expect(await stored(id)).toMatchObject({ title: 'Typed before the session ended' });
  });

  it('leaves the focus of the sign-in form where its user has put it already', async () => {
    const { page } = editor;
    // Nobody is earlier than this: the field has the focus as soon as it exists.
    await page.evaluate(() => {
      new MutationObserver((_changes, observer) => {
        const field = document.querySelector<HTMLInputElement>('#password');
        if (field) observer.disconnect();
        field?.focus();
      }).observe(document, { childList: true, subtree: true });
    });
    await button('Sign out').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const painted = async () =>
      page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))));
    for (let frame = 0; frame < 5; frame++) await painted();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('password');
    await page.keyboard.type('wrong');
    expect(await page.getByLabel('User name').inputValue()).toBe('');
  });

  it('stays signed in and says so where the server cannot end the session', async () => {
    const { page } = editor;
    await page.route('**/editor/session', (route) => route.abort());
    await button('Sign out').click();
    await status('The server cannot be reached, so you are still signed in.');
    await page.unroute('**/editor/session');
    await button('Sign out').click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('holds the password in memory where the server begins no session', async () => {
    const { page, fixture } = editor;
    const { id } = await fixture.create({ title: 'No session' });
    await button('Sign out').click();
    await page.route('**/editor/session', (route) => route.fulfill({ status: 404, json: {} }));
    await editor.signIn('editor');
    await edit(id);
    await title().fill('Saved without a session');
    await button('Save changes').click();
    await status('was saved');
    expect(await page.context().cookies()).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
