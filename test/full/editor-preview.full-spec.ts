import { findings } from '../support/axe.js';
import { describeInEditor } from '../support/editor-browser.js';

describeInEditor('the preview of the editor in a browser', (editor) => {
  const button = (name: string) => editor.page.getByRole('button', { name, exact: true });
  const dialog = () => editor.page.getByRole('dialog', { name: 'Preview of the form' });

  it.each([1440, 768, 390])(
    'is the public page of what is typed, and leaves the form as it was, at %d pixels',
    async (width) => {
      const { fixture, page, edit } = editor;
      const { id } = await fixture.create({ title: 'Stored title', description: '<p>Stored text</p>' });
      await page.setViewportSize({ width, height: 900 });
      await edit(id);
      await page.getByLabel('Title').fill('Typed title');
      await button('Preview').press('Enter');
      await dialog().waitFor();
      const frame = page.frameLocator('iframe[title="The page of the event"]');
      await frame.getByRole('heading', { name: 'Typed title' }).waitFor();
      expect(await frame.locator('body').innerText()).toContain('Stored text');
      const { fontFamily } = await frame.locator('h1').evaluate((element) => {
        return { fontFamily: getComputedStyle(element).fontFamily };
      });
      expect(fontFamily).not.toMatch(/^"?Times/);
      const box = await page.locator('.page-preview iframe').boundingBox();
      expect(box?.height).toBeGreaterThan(500);
      expect(await findings(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      expect(await button('Preview').evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await page.getByLabel('Title').inputValue()).toBe('Typed title');
      expect((await fixture.send('admin', 'GET', `/events/${id}`)).body['title']).toBe('Stored title');
      await page.getByText('Not saved yet').waitFor();
    },
  );

  it('is there for an event that was never saved, and says which field is wrong', async () => {
    const { fixture, page, open } = editor;
    await open('#/events/new');
    await page.getByRole('heading', { name: 'New event' }).waitFor();
    await page.getByLabel('Title').fill('Never stored');
    await page.getByLabel('Start: day').fill('');
    await button('Preview').press('Enter');
    await page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: /Start/ }).first().waitFor();
    expect(await dialog().count()).toBe(0);
    await page.getByLabel('Start: day').fill('2091-06-01');
    await page.getByLabel('Start: time').fill('18:00');
    await page.getByLabel('End: day').fill('2091-06-01');
    await page.getByLabel('End: time').fill('19:00');
    await fixture.unchanged(async () => {
      await button('Preview').press('Enter');
      const frame = page.frameLocator('iframe');
      await frame.getByRole('heading', { name: 'Never stored' }).waitFor();
    });
    await button('Close').press('Enter');
    await dialog().waitFor({ state: 'detached' });
  });
});
