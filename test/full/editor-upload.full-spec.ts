import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { findings } from '../support/axe.js';
import { describeInEditor } from '../support/editor-browser.js';

const uploads = mkdtempSync(join(tmpdir(), 'almanac-uploads-'));
afterAll(() => rmSync(uploads, { recursive: true, force: true }));

describeInEditor(
  'uploads in the editor in a browser',
  (editor) => {
    const { edit, status } = editor;
    const button = (name: string) => editor.page.getByRole('button', { name, exact: true });
    const field = () => editor.page.getByLabel('A new one');
    const png = () =>
      sharp({ create: { width: 640, height: 480, channels: 3, background: 'teal' } })
        .png()
        .toBuffer();
    const images = async () =>
      Number(
        (
          await editor.fixture.ask("SELECT COUNT(*) AS count FROM wp_posts WHERE post_type = 'attachment'")
        )[0]?.['count'],
      );
    const imageOf = async (id: unknown) =>
      ((await editor.fixture.send('editor', 'GET', `/events/${id}`)).body['image'] as { url?: string }).url;
    /** Drops a file on an element, as a browser does. */
    async function drop(selector: string, name: string, type: string, bytes: Buffer): Promise<void> {
      await editor.page.evaluate(
        ([to, file, mime, base64]) => {
          const data = Uint8Array.from(atob(base64 ?? ''), (one) => one.charCodeAt(0));
          const transfer = new DataTransfer();
          transfer.items.add(new File([data], file ?? '', { type: mime }));
          for (const event of ['dragover', 'drop'])
            document
              .querySelector(to ?? '')
              ?.dispatchEvent(
                new DragEvent(event, { dataTransfer: transfer, bubbles: true, cancelable: true }),
              );
        },
        [selector, name, type, bytes.toString('base64')] as const,
      );
    }

    it('store a chosen file, whose picture the event then has', async () => {
      const { page, fixture } = editor;
      const { id } = await fixture.create({ title: 'With a picture' });
      await edit(id);
      await field().setInputFiles({ name: 'harbour.png', mimeType: 'image/png', buffer: await png() });
      await status('harbour.png was uploaded. It is used once you save.');
      await page.locator('img.preview').waitFor({ state: 'attached' });
      expect(await findings(page)).toEqual([]);
      await button('Save changes').click();
      await status('was saved');
      expect(await imageOf(id)).toMatch(/harbour\.png$/);
    });

    it('take a file that is dropped on the field, and none that is dropped beside', async () => {
      const { page, fixture } = editor;
      const { id } = await fixture.create({ title: 'Dropped' });
      await edit(id);
      const before = await images();
      await drop('h1', 'beside.png', 'image/png', await png());
      expect([await images(), new URL(page.url()).hash]).toEqual([before, `#/events/${id}`]);
      await drop('.drop', 'dropped.png', 'image/png', await png());
      await status('dropped.png was uploaded.');
      expect(await images()).toBe(before + 1);
      await button('Save changes').click();
      await status('was saved');
      expect(await imageOf(id)).toMatch(/dropped\.png$/);
    });

    it('take a picture that is pasted into the field, and announce it', async () => {
      const { page, fixture } = editor;
      const { id } = await fixture.create({ title: 'Pasted' });
      await edit(id);
      const before = await images();
      const paste = (selector: string, bytes: Buffer) =>
        page.evaluate(
          ([to, base64]) => {
            const data = Uint8Array.from(atob(base64 ?? ''), (one) => one.charCodeAt(0));
            const clipboardData = new DataTransfer();
            clipboardData.items.add(new File([data], 'pasted.png', { type: 'image/png' }));
            const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
            document.querySelector(to ?? '')?.dispatchEvent(event);
          },
          [selector, bytes.toString('base64')] as const,
        );
      await paste('#form-title', await png());
      await paste('#form-image', await png());
      await status('pasted.png was uploaded.');
      expect(await images()).toBe(before + 1);
      await button('Save changes').click();
      await status('was saved');
      expect(await imageOf(id)).toMatch(/pasted\.png$/);
    });

    it('have an alternative text, which is saved on leaving its field, and loaded with every record with the image', async () => {
      const { page, fixture } = editor;
      const { id } = await fixture.create({ title: 'Described' });
      await edit(id);
      await field().setInputFiles({ name: 'boats.png', mimeType: 'image/png', buffer: await png() });
      const alt = () => page.getByLabel('Alternative text', { exact: true });
      await alt().fill('Three boats <b>at</b> the quay');
      await alt().press('Enter');
      await status('The alternative text was saved.');
      expect(await findings(page)).toEqual([]);
      await button('Save changes').click();
      await status('Described was saved.');
      const image = await page.getByLabel('Its number or address').inputValue();
      expect(await fixture.ask(`SELECT post_title AS title FROM wp_posts WHERE ID = ${image}`)).toEqual([
        { title: 'boats' },
      ]);
      const other = await fixture.create({ title: 'Described as well', image });
      await edit(other['id']);
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('#form-title')?.value === 'Described as well',
      );
      await alt().waitFor();
      expect(await alt().inputValue()).toBe('Three boats at the quay');
      const publicPage = await (await fetch(`${fixture.app.url}/event/${other['slug']}/`)).text();
      expect(publicPage).toContain('alt="Three boats at the quay"');
    });

    it('say that an alternative text was not saved, and store none, without the right to change the image', async () => {
      const { page, fixture } = editor;
      const { body } = await fixture.send('editor', 'GET', '/events?per_page=1');
      expect(body['total']).toBeGreaterThan(0);
      const [row] = await fixture.ask(
        "SELECT ID AS id FROM wp_posts WHERE post_type = 'attachment' AND post_author = 1 ORDER BY ID LIMIT 1",
      );
      const image = Number(row?.['id']);
      await page.context().clearCookies();
      await page.reload();
      await editor.signIn('author');
      await editor.open('#/events/new');
      await page.getByLabel('Its number or address').fill(String(image));
      await page.getByLabel('Alternative text', { exact: true }).fill('Not mine');
      await page.getByLabel('Its number or address').focus();
      await status('You may not change this file.');
      expect(
        await fixture.ask(
          `SELECT meta_value FROM wp_postmeta WHERE post_id = ${image} AND meta_value = 'Not mine'`,
        ),
      ).toEqual([]);
    });

    it('say why a file is rejected, and store nothing', async () => {
      const { page, fixture } = editor;
      const { id } = await fixture.create({ title: 'Rejected' });
      await edit(id);
      const before = await images();
      await field().setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('text') });
      await page.getByRole('alert').filter({ hasText: 'a.txt is no JPEG' }).waitFor();
      await field().setInputFiles({ name: 'false.png', mimeType: 'image/png', buffer: Buffer.from('text') });
      await page.getByRole('alert').filter({ hasText: 'The file' }).waitFor();
      await status('false.png was not uploaded.');
      expect([await images(), await page.locator('img.preview').count()]).toEqual([before, 0]);
      expect(await findings(page)).toEqual([]);
    });
  },
  { UPLOADS_DIR: uploads },
);
