import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { serialize, toPhp } from '../src/lib/wordpress-text/php-serialize.js';
import { imageBytes } from './support/image-bytes.js';
import { ImageSite } from './support/image-site.js';
import { MediaClient, multipart, rawBody } from './support/media-client.js';
import { describeEither } from './support/sites.js';

describeEither('files of uploads', (database) => {
  let site: ImageSite;
  let client: MediaClient;
  beforeAll(async () => {
    site = await ImageSite.start(database);
    client = new MediaClient(site);
  });
  afterAll(() => site?.close());

  it('stay below the uploads folder with an extension of their type, whatever name is sent', async () => {
    const png = await imageBytes('png', 4, 4);
    const names = [
      '../../outside.png',
      String.raw`..\..\outside.png`,
      '/etc/cron.d/outside.png',
      '%2e%2e%2foutside.png',
      'page.html',
      'shell.php',
      'shell.php.png',
      'drawing.svg',
      '.htaccess',
      '..',
      `${'long'.repeat(200)}.png`,
    ];
    const stored: unknown[] = [];
    for (const name of names)
      for (const body of [
        multipart(png, name),
        rawBody(png, `attachment; filename*=UTF-8''${encodeURIComponent(name)}`),
      ]) {
        const answer = await client.send('POST', '', body);
        stored.push([
          name,
          answer.status,
          /^2091\/03\/[\w-]+(?:\.php_)?(?:-\d+)?\.png$/.test(answer.body.media_details?.file),
        ]);
      }
    expect(stored).toEqual(names.flatMap((name) => [0, 1].map(() => [name, 201, true])));
    expect(await readdir(site.uploads)).toEqual(['2091']);
    expect(existsSync(join(dirname(site.uploads), 'outside.png'))).toBe(false);
    expect((await site.files()).filter((name) => !name.endsWith('.png'))).toEqual([]);
  });

  it('are served with their own type and without scripts, also an image that holds HTML', async () => {
    const gif = Buffer.concat([await imageBytes('gif', 4, 4), Buffer.from('<script>alert(1)</script>')]);
    const { status, body } = await client.send('POST', '', multipart(gif, 'page.html'));
    expect(status).toBe(201);
    const url = client.url(new URL(String(body['source_url'])).pathname);
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await fetch(url, { method });
      expect(headers.get('content-type')).toBe('image/gif');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    }
    const part = await fetch(url, { headers: { Range: 'bytes=0-2' } });
    expect([part.status, await part.text()]).toEqual([206, 'GIF']);
  });

  it('are not served from other folders, of other types, or to other methods', async () => {
    const places = [
      'private/a.png',
      '2091/03/extra/a.png',
      '2091/03/a.html',
      '2091/03/a.svg',
      '2091/03/.a.png',
    ];
    for (const place of places) {
      await mkdir(dirname(join(site.uploads, place)), { recursive: true });
      await writeFile(join(site.uploads, place), await imageBytes('png', 2, 2));
    }
    await writeFile(join(site.uploads, '2091/03/a.png'), await imageBytes('png', 2, 2));
    const ask = async (place: string, method = 'GET') =>
      (await fetch(client.url(`/wp-content/uploads/${place}`), { method })).status;
    const found = await Promise.all(places.map(async (place) => [place, await ask(place)]));
    expect(found).toEqual(places.map((place) => [place, 404]));
    const escaping = [
      '2091/03/..%2f..%2fprivate/a.png',
      '2091%2f..%2fprivate%2fa.png',
      '..%5ca.png',
      '%00.png',
    ];
    expect(await Promise.all(escaping.map((place) => ask(place)))).toEqual([404, 404, 404, 404]);
    expect([await ask('2091/03/a.png'), await ask('2091/03/a.png', 'POST')]).toEqual([200, 404]);
  });

  it('outside of the uploads folder remain when a damaged row names them', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'almanac-outside-'));
    const foreign = join(outside, 'foreign.png');
    await writeFile(foreign, 'foreign');
    const path = `../${outside.split('/').at(-1)}/foreign.png`;
    const { body } = await client.send('POST', '', multipart(await imageBytes('png', 4, 4), 'row.png'));
    const metadata = serialize(
      toPhp({ file: path, original_image: `../../${path}`, sizes: { x: { file: `../${path}` } } }),
    );
    await site.sql(
      `UPDATE wp_postmeta SET meta_value = '${path}' WHERE meta_key = '_wp_attached_file' AND post_id = ${body.id}`,
    );
    await site.sql(
      `UPDATE wp_postmeta SET meta_value = '${metadata}' WHERE meta_key = '_wp_attachment_metadata' AND post_id = ${body.id}`,
    );
    expect((await client.send('DELETE', `/${body.id}?force=true`)).status).toBe(200);
    expect(existsSync(foreign)).toBe(true);
    expect(await site.files()).toContain('row.png');
  });

  it('remain when another attachment shares them', async () => {
    const { body } = await client.send(
      'POST',
      '',
      multipart(await imageBytes('png', 200, 200), 'shared.png'),
    );
    const copy = await client.send('POST', '', multipart(await imageBytes('png', 2, 2), 'copy.png'));
    await site.sql(
      `UPDATE wp_postmeta SET meta_value = '2091/03/shared.png' WHERE meta_key = '_wp_attached_file' AND post_id = ${copy.body.id}`,
    );
    expect((await client.send('DELETE', `/${body.id}?force=true`)).status).toBe(200);
    expect((await site.files()).filter((name) => name.startsWith('shared'))).toEqual([
      'shared-150x150.png',
      'shared.png',
    ]);
    expect((await client.send('DELETE', `/${copy.body.id}?force=true`)).status).toBe(200);
    expect(await site.files()).not.toContain('shared.png');
  });

  it('and their rows are gone when the database rejects the attachment', async () => {
    const before = [await site.counts(), await leftInTemporaryFolder()];
    const body = database === 'SQLite' ? "SELECT RAISE(ABORT, 'refused');" : "SIGNAL SQLSTATE '45000';";
    await site.sql(`CREATE TRIGGER refuse BEFORE INSERT ON wp_postmeta FOR EACH ROW BEGIN ${body} END`);
    const { status } = await client.send(
      'POST',
      '',
      multipart(await imageBytes('png', 400, 400), 'gone.png'),
    );
    await site.sql('DROP TRIGGER refuse');
    expect(status).toBe(500);
    expect([await site.counts(), await leftInTemporaryFolder()]).toEqual(before);
  });

  it('cannot be uploaded by a batch, which writes nothing', async () => {
    const before = await site.counts();
    const requests = [{ method: 'POST', path: '/wp/v2/media', body: { title: 'No file' } }];
    const { headers, ...rest } = {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ requests }),
    };
    const { body } = await client.send('POST', '/../../../batch/v1', { ...rest, headers });
    expect(body).toMatchObject({ responses: [{ status: 400, body: { code: 'rest_batch_not_allowed' } }] });
    expect(await site.counts()).toEqual(before);
  });

  it('can be sent to a path with a slash at the end', async () => {
    const { status } = await client.send('POST', '/', multipart(await imageBytes('png', 4, 4), 'slash.png'));
    expect(status).toBe(201);
  });

  it('get the slug and the record that are sent, and no record that the caller may not read', async () => {
    const event = await site.create('');
    const png = await imageBytes('png', 4, 4);
    const { body } = await client.send(
      'POST',
      '',
      multipart(png, 'a.png', { slug: 'Stage Left', post: `${event.body.id}` }),
    );
    expect(body).toMatchObject({ slug: 'stage-left', post: event.body.id });
    const before = await site.counts();
    const foreign = await client.send('POST', '', {
      ...multipart(png, 'a.png', { post: `${event.body.id}` }),
      as: 'author',
    });
    expect([foreign.status, foreign.body.code]).toEqual([403, 'rest_cannot_edit']);
    await site.sql(`UPDATE wp_posts SET post_status = 'draft' WHERE ID = ${event.body.id}`);
    const hidden = await client.send('POST', '', {
      ...multipart(png, 'a.png', { post: `${event.body.id}` }),
      as: 'author',
    });
    expect([hidden.status, hidden.body.code]).toEqual([400, 'rest_invalid_param']);
    expect(await site.counts()).toEqual(before);
  });
});

/** Working folders of images, which must be removed. */
async function leftInTemporaryFolder(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('almanac-image-')).sort();
}
