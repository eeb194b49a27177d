import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMPORT_SOURCE_KEY } from '../src/calendar/register-calendar.js';
import { notWritten, unconfirmed } from '../src/database/database-errors.js';
import { Transactions } from '../src/database/transactions.js';
import type { WriteContext } from '../src/http/request-context.js';
import { withImages } from '../src/resources/base/images.js';
import { ImageImport } from '../src/wordpress/media/image-import.js';
import { SettingsService } from '../src/wordpress/options/settings.service.js';
import { RECORDED_NOW } from './support/app.js';
import { describeImage, imageBytes, movingGif } from './support/image-bytes.js';
import { type ImageAnswer, ImageSite, UPLOADS } from './support/image-site.js';
import { describeEither } from './support/sites.js';

describeEither('images by URL', (database) => {
  let site: ImageSite;
  beforeAll(async () => {
    site = await ImageSite.start(database);
  });
  afterAll(() => site?.close());
  beforeEach(() => site.clear());

  it('become attachments with files, rows and sizes', async () => {
    site.served.set('/a/Great%20Hall.jpeg', await imageBytes('jpeg', 1600, 1200));
    const url = `${site.origin}/a/Great%20Hall.jpeg`;
    const { status, body } = await site.create(url, 'author');
    expect(status).toBe(201);
    const { id, filesize, sizes, ...image } = body.image;
    expect(image).toEqual({
      url: `${UPLOADS}/2091/03/Great-Hall.jpeg`,
      extension: 'jpeg',
      width: 1600,
      height: 1200,
    });
    expect(filesize).toBe(site.served.get('/a/Great%20Hall.jpeg')?.length);
    expect(Object.keys(sizes as object)).toEqual([
      'medium',
      'large',
      'thumbnail',
      'medium_large',
      '1536x1536',
    ]);
    expect(await site.files()).toEqual(
      ['', '-1024x768', '-150x150', '-1536x1152', '-300x225', '-768x576']
        .map((end) => `Great-Hall${end}.jpeg`)
        .sort(),
    );
    const thumbnail = join(site.uploads, '2091/03/Great-Hall-150x150.jpeg');
    expect(await describeImage(thumbnail)).toEqual({ width: 150, height: 150, format: 'jpeg' });
    const { row, meta } = await site.rowsOf(Number(id));
    expect(row).toMatchObject({
      post_author: 3,
      post_type: 'attachment',
      post_status: 'inherit',
      post_mime_type: 'image/jpeg',
      post_title: 'Great-Hall',
      post_name: 'great-hall',
      post_parent: 0,
      comment_status: 'open',
      ping_status: 'closed',
      guid: `${UPLOADS}/2091/03/Great-Hall.jpeg`,
    });
    expect(meta.map(([key, value]) => [key, key === '_wp_attachment_metadata' ? '' : value])).toEqual([
      ['_wp_attached_file', '2091/03/Great-Hall.jpeg'],
      ['_wp_attachment_metadata', ''],
      ['_tribe_importer_original_url', url],
    ]);
    const metadata = await site.metadataOf(Number(id));
    expect(Object.keys(metadata)).toEqual(['width', 'height', 'file', 'filesize', 'sizes', 'image_meta']);
    expect(metadata.sizes['thumbnail']).toMatchObject({
      file: 'Great-Hall-150x150.jpeg',
      'mime-type': 'image/jpeg',
    });
  });

  it('are imported once', async () => {
    site.served.set('/once.png', await imageBytes('png', 20, 10));
    const first = await site.create(`${site.origin}/once.png`);
    const repeated = await site.create(`${site.origin}/once.png`);
    const guid = await site.create(`${UPLOADS}/2091/03/once.png`);
    const other = await site.create(`${site.origin}/once.png`, 'admin', site.withoutFolder);
    expect([repeated, guid, other].map(({ body }) => body.image['id'])).toEqual(
      Array(3).fill(first.body.image['id']),
    );
    expect(site.requests).toEqual(['/once.png']);
    // URLs are case-sensitive.
    site.served.set('/ONCE.png', await imageBytes('png', 20, 10));
    const upper = await site.create(`${site.origin}/ONCE.png`);
    expect(upper.body.image['url']).toBe(`${UPLOADS}/2091/03/ONCE-1.png`);
  });

  it('are imported once when requested concurrently', async () => {
    site.served.set('/twins.png', await imageBytes('png', 20, 10));
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => site.create(`${site.origin}/twins.png`)),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(responses.map(({ body }) => body.image['id'])).size).toBe(1);
    expect((await site.files()).filter((name) => name.startsWith('twins'))).toEqual(['twins.png']);
  });

  it.each(['venues', 'organizers'])('are accepted for %s', async (plural) => {
    site.served.set(`/${plural}.webp`, await imageBytes('webp', 400, 300));
    const name = plural.slice(0, -1);
    const { status, body } = await site.post(`/${plural}`, {
      [name]: 'Pictured',
      image: `${site.origin}/${plural}.webp`,
    });
    expect([status, body.image['url']]).toEqual([201, `${UPLOADS}/2091/03/${plural}.webp`]);
    const cleared = await site.post(`/${plural}/${body.id}`, { image: '' });
    expect([cleared.status, cleared.body.image]).toEqual([200, undefined]);
  });

  it('are stored with a created inline record and not with an unchanged one (W9)', async () => {
    for (const [plural, singular] of [
      ['venues', 'venue'],
      ['organizers', 'organizer'],
    ] as const) {
      const created = await site.post(`/${plural}`, { [singular]: `Of the admin, ${singular}` });
      site.served.set(`/alone-${singular}.png`, await imageBytes('png', 400, 400));
      site.served.set(`/own-${singular}.png`, await imageBytes('png', 400, 400));
      const event = { title: 'Inline', start_date: '2091-05-01 10:00:00', end_date: '2091-05-01 12:00:00' };
      const send = (name: string, image: string) =>
        site.post(
          '/events',
          { ...event, [singular]: { [singular]: name, image: `${site.origin}/${image}-${singular}.png` } },
          'author',
        );
      const linkedRecord = ({ body }: ImageAnswer) =>
        [(body as unknown as Record<string, unknown>)[singular]].flat()[0];
      const alone = await send(`Of the admin, ${singular}`, 'alone');
      expect([alone.status, linkedRecord(alone)]).toEqual([
        201,
        expect.objectContaining({ id: created.body.id }),
      ]);
      expect(linkedRecord(alone)).not.toHaveProperty('image');
      const url = `${UPLOADS}/2091/03/own-${singular}.png`;
      expect(linkedRecord(await send(`Of the author, ${singular}`, 'own'))).toMatchObject({ image: { url } });
      const attachments = await site.sql<{ post_name: string }>(
        `SELECT post_name FROM wp_posts WHERE post_type = 'attachment' AND post_name LIKE '%-${singular}'`,
      );
      expect(attachments).toEqual([{ post_name: `own-${singular}` }]);
      expect((await site.files()).filter((name) => name.startsWith(`alone-${singular}`))).toEqual([]);
    }
  });

  it('are scaled down when very large and rotated upright', async () => {
    site.served.set('/huge.jpg', await imageBytes('jpeg', 3000, 2000, { orientation: 6 }));
    site.served.set('/turned.jpg', await imageBytes('jpeg', 1000, 800, { orientation: 8 }));
    const large = await site.create(`${site.origin}/huge.jpg`);
    expect(large.body.image).toMatchObject({
      url: `${UPLOADS}/2091/03/huge-scaled.jpg`,
      width: 1707,
      height: 2560,
      original_image: 'huge.jpg',
    });
    const metadata = await site.metadataOf(Number(large.body.image['id']));
    expect(metadata.sizes['2048x2048']).toMatchObject({
      file: 'huge-1365x2048.jpg',
      width: 1365,
      height: 2048,
    });
    expect(metadata['image_meta']).toMatchObject({ orientation: 1 });
    const { row } = await site.rowsOf(Number(large.body.image['id']));
    expect(row).toMatchObject({ post_title: 'huge', guid: `${UPLOADS}/2091/03/huge.jpg` });
    const rotated = await site.create(`${site.origin}/turned.jpg`);
    expect(rotated.body.image).toMatchObject({
      url: `${UPLOADS}/2091/03/turned-rotated.jpg`,
      width: 800,
      height: 1000,
      original_image: 'turned.jpg',
    });
    const stored = join(site.uploads, '2091/03/turned-rotated.jpg');
    expect(await describeImage(stored)).toMatchObject({ width: 800, height: 1000 });
  });

  it('remain animated', async () => {
    const bytes = await movingGif(2600, 40);
    site.served.set('/anim.gif', bytes);
    const { body } = await site.create(`${site.origin}/anim.gif`);
    expect(body.image).toMatchObject({
      url: `${UPLOADS}/2091/03/anim.gif`,
      width: 2600,
      filesize: bytes.length,
    });
  });

  it('that cannot be decoded are stored without sizes', async () => {
    const validBytes = await imageBytes('png', 800, 600);
    site.served.set('/broken.png', Buffer.concat([validBytes.subarray(0, 40), Buffer.alloc(2000)]));
    const { status, body } = await site.create(`${site.origin}/broken.png`);
    expect([status, body.image['width'], body.image['sizes']]).toEqual([201, 800, undefined]);
  });

  it('get their type from the bytes, not from the name', async () => {
    site.served.set('/x.php', await imageBytes('avif', 64, 48));
    const { body } = await site.create(`${site.origin}/x.php`);
    expect(body.image).toMatchObject({ url: `${UPLOADS}/2091/03/x.avif`, extension: 'avif', width: 64 });
  });

  it('are retried with entities decoded', async () => {
    site.served.set('/q.png?a=1&b=2', await imageBytes('png', 4, 4));
    expect((await site.create(`${site.origin}/q.png?a=1&amp;b=2`)).status).toBe(201);
    expect(site.requests).toEqual(['/q.png?a=1&amp;b=2', '/q.png?a=1&b=2']);
  });

  it('never replace a file', async () => {
    await mkdir(join(site.uploads, '2091/03'), { recursive: true });
    await writeFile(join(site.uploads, '2091/03/kept.png'), 'mine');
    site.served.set('/kept.png', await imageBytes('png', 4, 4));
    const { body } = await site.create(`${site.origin}/kept.png`);
    expect(body.image['url']).toBe(`${UPLOADS}/2091/03/kept-1.png`);
  });

  it('get the permissions of the uploads folder (W26)', async () => {
    await rm(join(site.uploads, '2091'), { recursive: true });
    await chmod(site.uploads, 0o2775);
    site.served.set('/shared.png', await imageBytes('png', 200, 200));
    expect((await site.create(`${site.origin}/shared.png`)).status).toBe(201);
    const mode = async (path: string) => ((await stat(join(site.uploads, path))).mode & 0o7777).toString(8);
    expect([await mode('2091'), await mode('2091/03')]).toEqual(['2775', '2775']);
    for (const name of await site.files())
      expect([name, await mode(`2091/03/${name}`)]).toEqual([name, '664']);
    expect(await site.files()).toHaveLength(2);
  });

  it('are not written through a symbolic link out of the uploads folder', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'almanac-outside-'));
    try {
      await rm(join(site.uploads, '2091'), { recursive: true, force: true });
      await symlink(outside, join(site.uploads, '2091'));
      site.served.set('/out.png', await imageBytes('png', 4, 4));
      site.app.useLogger(false);
      const countsBefore = await site.counts();
      const { status, body } = await site.create(`${site.origin}/out.png`);
      expect([status, body.code]).toEqual([500, 'internal_server_error']);
      expect(await site.counts()).toEqual(countsBefore);
      expect(await readdir(outside)).toEqual([]);
    } finally {
      await rm(join(site.uploads, '2091'), { recursive: true });
      await rm(outside, { recursive: true });
    }
  });

  it('survive a retried transaction and leave no work folder', async () => {
    site.served.set('/again.png', await imageBytes('png', 400, 400));
    const [images, transactions] = [site.app.get(ImageImport, { strict: false }), site.app.get(Transactions)];
    const settings = await site.app.get(SettingsService, { strict: false }).current();
    const writeContext = { settings, now: Date.parse(RECORDED_NOW), access: { user: { id: 1 } } };
    const image = await images.prepare(`${site.origin}/again.png`, {
      mayUpload: true,
      sourceKey: IMPORT_SOURCE_KEY,
    });
    if (!('download' in image)) throw new Error('nothing was downloaded');
    const failedAttempt = transactions.run(async (transaction) => {
      await images.store(transaction, image, writeContext);
      throw new Error('rolled back');
    });
    await expect(failedAttempt).rejects.toThrow('rolled back');
    const id = await transactions.run((transaction) => images.store(transaction, image, writeContext));
    expect(existsSync(image.download.file.workFolder)).toBe(true);
    await images.release(image);
    expect(existsSync(image.download.file.workFolder)).toBe(false);
    expect((await site.rowsOf(id)).row).toMatchObject({ post_title: 'again' });
    const created = (await site.files()).filter((name) => name.startsWith('again'));
    expect(created).toEqual(['again-150x150.png', 'again-300x300.png', 'again.png']);
  });

  it('remain when the commit is unconfirmed, as their rows may exist', async () => {
    site.served.set('/unconfirmed.png', await imageBytes('png', 4, 4));
    const [images, transactions] = [site.app.get(ImageImport, { strict: false }), site.app.get(Transactions)];
    const settings = await site.app.get(SettingsService, { strict: false }).current();
    const access = { can: () => true, user: { id: 1 } };
    const context = { settings, now: Date.parse(RECORDED_NOW), access } as unknown as WriteContext;
    const url = `${site.origin}/unconfirmed.png`;
    const storeThenThrow = (error: Error) =>
      withImages(images, [url], context, (store) =>
        transactions.run(async (transaction) => {
          await store(transaction, url);
          throw error;
        }),
      );
    await expect(storeThenThrow(notWritten('it was full'))).rejects.toMatchObject({ kind: 'busy' });
    expect(await site.files()).not.toContain('unconfirmed.png');
    await expect(storeThenThrow(unconfirmed('it was lost'))).rejects.toMatchObject({ kind: 'unconfirmed' });
    expect(await site.files()).toContain('unconfirmed.png');
  });
});
