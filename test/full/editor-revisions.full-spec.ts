import { findings } from '../support/axe.js';
import { describeInEditor } from '../support/editor-browser.js';
import { enter } from '../support/keyboard.js';

describeInEditor('revisions in the editor in a browser', (editor) => {
  const { edit, status } = editor;
  const button = (name: string) => editor.page.getByRole('button', { name, exact: true });
  const stored = async (id: unknown) =>
    (
      await editor.fixture.ask(
        `SELECT post_title AS title, post_content AS content FROM wp_posts WHERE ID = ${id}`,
      )
    )[0];
  const revisions = () => editor.page.getByRole('list', { name: 'Revisions, the newest first' });

  /** An event whose title and description were changed once. */
  async function changedEvent(): Promise<unknown> {
    const { fixture } = editor;
    const { id } = await fixture.create({ title: 'Old name', description: 'One two three' });
    fixture.app.clock.pass(60_000);
    await fixture.update(id, { excerpt: 'A sentence' });
    fixture.app.clock.pass(60_000);
    await fixture.update(id, { title: 'New name', description: 'One 2 three' });
    return id;
  }

  it('are listed, compared by words and restored, which is undone', async () => {
    const { page } = editor;
    const id = await changedEvent();
    await edit(id);
    await page.getByText('Revisions', { exact: true }).click();
    await revisions().getByRole('button').nth(1).click();
    await page.getByText('Struck out').waitFor();
    // Each part is read out as what it is.
    expect(await page.locator('.difference del').allTextContents()).toEqual([
      ' only today: New',
      ' only today: 2',
    ]);
    expect(await page.locator('.difference ins').allTextContents()).toEqual([
      ' only in the revision: Old',
      ' only in the revision: two',
    ]);
    expect(await findings(page)).toEqual([]);
    await button('Restore these texts').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore these texts' }).click();
    await status('are restored.');
    expect(await stored(id)).toEqual({ title: 'Old name', content: 'One two three' });
    await page.getByLabel('Title').and(page.locator('input')).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Old name');
    await button('Undo').click();
    await status('The texts are as before.');
    expect(await stored(id)).toEqual({ title: 'New name', content: 'One 2 three' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('Revisions', { exact: true }).click();
    await revisions().getByRole('button').first().click();
    await page.getByText('These are the texts of today.').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('are opened, compared, restored and undone by keyboard alone', async () => {
    const { page } = editor;
    const id = await changedEvent();
    await edit(id);
    await enter(page, page.getByText('Revisions', { exact: true }));
    await enter(page, revisions().getByRole('button').nth(1));
    await page.getByText('Struck out').waitFor();
    await enter(page, button('Restore these texts'));
    await enter(page, page.getByRole('dialog').getByRole('button', { name: 'Restore these texts' }));
    await status('are restored.');
    expect(await stored(id)).toEqual({ title: 'Old name', content: 'One two three' });
    await enter(page, button('Undo'));
    await status('The texts are as before.');
    expect(await stored(id)).toEqual({ title: 'New name', content: 'One 2 three' });
  });

  it('restore nothing after a refusal, or if somebody else has saved the record meanwhile', async () => {
    const { page, fixture } = editor;
    const id = await changedEvent();
    await edit(id);
    await page.getByText('Revisions', { exact: true }).click();
    await revisions().getByRole('button').nth(1).click();
    await button('Restore these texts').click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await stored(id)).toEqual({ title: 'New name', content: 'One 2 three' });
    fixture.app.clock.pass(60_000);
    await fixture.update(id, { title: 'Theirs' });
    await button('Restore these texts').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore these texts' }).click();
    await page.getByText('Somebody else has saved this meanwhile, so nothing was restored.').waitFor();
    expect(await stored(id)).toEqual({ title: 'Theirs', content: 'One 2 three' });
  });

  it('restore nothing that was saved in the same second, and undo nothing beside unsaved changes', async () => {
    const { page, fixture } = editor;
    const id = await changedEvent();
    await edit(id);
    await page.getByText('Revisions', { exact: true }).click();
    await revisions().getByRole('button').nth(1).click();
    await button('Restore these texts').click();
    // Between the read and the write of the page, another user saves.
    const refusals: number[] = [];
    page.on('response', (answer) => {
      if (answer.request().method() !== 'GET' && answer.url().includes(`/events/${id}`))
        refusals.push(answer.status());
    });
    await page.route('**/events/*', async (route) => {
      if (route.request().method() !== 'GET') await fixture.update(id, { excerpt: 'In between' });
      await route.continue();
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Restore these texts' }).click();
    await page.getByText('Somebody else has saved this meanwhile, so nothing was restored.').waitFor();
    await page.unroute('**/events/*');
    expect(refusals).toEqual([412]);
    expect(await stored(id)).toEqual({ title: 'New name', content: 'One 2 three' });

    await page.reload();
    await page.getByText('Revisions', { exact: true }).click();
    await revisions().getByRole('button').nth(2).click();
    await button('Restore these texts').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore these texts' }).click();
    await status('are restored.');
    await page.getByLabel('Cost').fill('7');
    await button('Undo').click();
    await page.getByText('Save or drop your other changes first.').waitFor();
    expect(await stored(id)).toEqual({ title: 'Old name', content: 'One two three' });
  });

  it('are those of the whole event on one of its dates', async () => {
    const { page, fixture } = editor;
    const { id } = await fixture.create({ title: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] });
    const { body } = await fixture.send('editor', 'GET', `/events?search=Weekly&per_page=1`);
    const [date] = body['events'] as { id: number }[];
    expect(date?.id).not.toBe(id);
    await edit(date?.id);
    await page.getByText('Revisions', { exact: true }).click();
    await page.getByText('This is one date of an event. Revisions are kept of the whole event.').waitFor();
  });
});
