import { findings } from '../support/axe.js';
import { describeInEditor } from '../support/editor-browser.js';

describeInEditor('the way of an editor to a festival', (editor) => {
  const button = (name: string) => editor.page.getByRole('button', { name, exact: true });
  /** The axe findings and how far the page is wider than its window. */
  async function troubles(): Promise<unknown[]> {
    const root = 'document.documentElement';
    const overflow = await editor.page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`);
    return [...(await findings(editor.page)), ...(overflow === 0 ? [] : [`${overflow} pixels too wide`])];
  }
  /** Creates a linked record out of the form of an event, by keyboard. */
  async function make(label: string, kind: string, name: string): Promise<void> {
    const input = editor.page.getByRole('combobox', { name: label, exact: true });
    await input.fill(name);
    await editor.page.getByRole('option', { name: `Create the ${kind}` }).waitFor();
    await input.press('ArrowUp');
    await input.press('Enter');
    const dialog = editor.page.getByRole('dialog', { name: `New ${kind}` });
    await dialog.getByRole('button', { name: `Create ${kind}` }).press('Enter');
    await button(`Remove ${name}`).waitFor();
  }
  const rowOf = async (title: string) =>
    editor.fixture.ask(
      `SELECT meta_value AS start FROM wp_postmeta JOIN wp_posts ON ID = post_id
       WHERE post_title = '${title}' AND meta_key = '_EventStartDate' AND post_status <> 'trash' ORDER BY ID`,
    );

  it.each([1440, 768, 390])(
    'makes it with a new venue and two organizers, moves, copies and finds it, at %d pixels',
    async (width) => {
      const { page, open, status, titles } = editor;
      const title = `Festival ${width}`;
      await page.setViewportSize({ width, height: 900 });
      await open('#/events/new');
      await page.getByRole('heading', { name: 'New event' }).waitFor();
      await page.getByLabel('Title').fill(title);
      await page.getByLabel('Start: day').fill('2091-06-01');
      await page.getByLabel('Start: time').fill('18:00');
      await page.getByLabel('End: day').fill('2091-06-03');
      await page.getByLabel('End: time').fill('22:00');
      await make('Venues', 'venue', `Park ${width}`);
      await make('Organizers', 'organizer', `Choir ${width}`);
      await make('Organizers', 'organizer', `Band ${width}`);
      expect(await troubles()).toEqual([]);
      await button('Publish event').press('Enter');
      await page.getByRole('heading', { name: 'Edit event' }).waitFor();
      expect(await rowOf(title)).toEqual([{ start: '2091-06-01 18:00:00' }]);

      await page.getByLabel('Start: day').fill('2091-06-08');
      await page.getByLabel('End: day').fill('2091-06-10');
      await button('Save changes').press('Enter');
      await status('saved');
      expect(await rowOf(title)).toEqual([{ start: '2091-06-08 18:00:00' }]);

      await page.getByRole('link', { name: 'Duplicate' }).press('Enter');
      await page.getByRole('heading', { name: 'New event' }).waitFor();
      await button(`Remove Band ${width}`).waitFor();
      await page.getByLabel('Title').fill(`${title} again`);
      await button('Save draft').press('Enter');
      await page.getByRole('heading', { name: 'Edit event' }).waitFor();

      await open(`#/events?tab=all&search=Festival ${width}`);
      expect((await titles(2)).sort()).toEqual([title, `${title} again`]);
      expect(await troubles()).toEqual([]);
      await page.getByLabel(`Select ${title} again`, { exact: true }).check();
      await button('Move to trash').press('Enter');
      await status('1 record was moved to the trash.');
      expect(await rowOf(`${title} again`)).toEqual([]);
      await button('Undo').press('Enter');
      await status('That was undone.');
      expect(await rowOf(`${title} again`)).toHaveLength(1);
    },
  );
});
