import { hash } from 'node:crypto';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { imageBytes } from './support/image-bytes.js';
import { ImageSite, UPLOADS } from './support/image-site.js';
import { MediaClient, type MediaRequest, multipart, rawBody } from './support/media-client.js';
import { describeEither } from './support/sites.js';

describeEither('uploads', (database) => {
  let site: ImageSite;
  beforeAll(async () => {
    site = await ImageSite.start(database);
  });
  afterAll(() => site?.close());

  const send: MediaClient['send'] = (...sent) => new MediaClient(site).send(...sent);
  const urlOf = (path: string) => new MediaClient(site).url(path);

  it('of a multipart form become an attachment with texts, sizes and files', async () => {
    const form = multipart(await imageBytes('jpeg', 400, 300), 'Große Halle.jpg', {
      title: 'The <b>hall</b> \\ stage',
      caption: 'Full house',
      alt_text: 'A hall <i>full</i> of people',
    });
    const { status, headers, body } = await send('POST', '', { ...form, as: 'author' });
    expect([status, body.code]).toEqual([201, undefined]);
    expect(headers.get('location')).toMatch(new RegExp(`/wp/v2/media/${body.id}$`));
    expect(body).toMatchObject({
      title: { raw: 'The <b>hall</b> \\ stage' },
      caption: { raw: 'Full house' },
      alt_text: 'A hall full of people',
      media_type: 'image',
      mime_type: 'image/jpeg',
      author: 3,
      status: 'inherit',
      post: null,
    });
    const { row, meta } = await site.rowsOf(body.id);
    expect(row).toMatchObject({
      post_type: 'attachment',
      post_status: 'inherit',
      post_parent: 0,
      post_author: 3,
    });
    expect(meta.map(([key]) => key)).toEqual([
      '_wp_attached_file',
      '_wp_attachment_metadata',
      '_wp_attachment_image_alt',
    ]);
    expect(Object.keys((await site.metadataOf(body.id)).sizes)).toEqual(['medium', 'thumbnail']);
    const { file, sizes } = body.media_details;
    expect(await site.files()).toEqual(
      [file.slice('2091/03/'.length), sizes['medium']?.file, sizes['thumbnail']?.file].sort(),
    );
  });

  it('as the whole body take their name from Content-Disposition, and fields from the query', async () => {
    const bytes = await imageBytes('png', 20, 10);
    const file = rawBody(bytes, 'attachment; filename="../../etc/My Plan.php.png"');
    const sum = { ...file.headers, 'Content-MD5': hash('md5', bytes) };
    const { status, body } = await send('POST', '?alt_text=A+plan', { ...file, headers: sum });
    expect([status, body['alt_text'], body.title.raw]).toEqual([
      201,
      'A plan',
      expect.stringContaining('My-Plan'),
    ]);
    expect(body['source_url']).toBe(`${UPLOADS}/2091/03/${body.title.raw}.png`);
  });

  it('larger than BODY_LIMIT are accepted of users who may upload, and 413 of others', async () => {
    const noise = Buffer.concat([await imageBytes('png', 8, 8), Buffer.alloc(2_000_000, 7)]);
    expect((await send('POST', '', multipart(noise, 'large.png'))).status).toBe(201);
    const before = await site.counts();
    const anonymous = await send('POST', '', { ...multipart(noise, 'large.png'), as: 'nobody' });
    expect([anonymous.status, anonymous.body.code]).toEqual([413, 'rest_content_too_large']);
    const huge = await send('POST', '', multipart(Buffer.alloc(11_000_000), 'huge.png'));
    expect([huge.status, huge.body.code]).toEqual([413, 'rest_content_too_large']);
    expect(await site.counts()).toEqual(before);
  });

  it('are rejected with their code, and write nothing', async () => {
    const png = await imageBytes('png', 4, 4);
    const named = 'attachment; filename="a.png"';
    const text = (content: string) => multipart(Buffer.from(content), 'a.png');
    const before = await site.counts();
    const cases: [string, number, string, MediaRequest][] = [
      ['anonymous', 401, 'rest_cannot_create', { ...multipart(png, 'a.png'), as: 'nobody' }],
      ['contributor', 403, 'rest_cannot_create', { ...multipart(png, 'a.png'), as: 'contributor' }],
      ['no body', 400, 'rest_upload_no_data', {}],
      ['JSON', 400, 'rest_upload_no_data', { body: '{}', headers: { 'Content-Type': 'application/json' } }],
      ['SVG', 400, 'rest_upload_file_type_not_supported', text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
      ['PHP', 400, 'rest_upload_file_type_not_supported', text('<?php system($_GET[0]);')],
      ['HTML', 400, 'rest_upload_file_type_not_supported', text('<script>alert(1)</script>')],
      [
        'no disposition',
        400,
        'rest_upload_no_content_disposition',
        { body: new Uint8Array(png), headers: { 'Content-Type': 'image/png' } },
      ],
      ['no name', 400, 'rest_upload_invalid_disposition', rawBody(png, 'attachment')],
      [
        'another hash',
        412,
        'rest_upload_hash_mismatch',
        {
          body: new Uint8Array(png),
          headers: { 'Content-Type': 'image/png', 'Content-Disposition': named, 'Content-MD5': 'abc' },
        },
      ],
      ['unknown parent', 400, 'rest_invalid_param', multipart(png, 'a.png', { post: '99999999' })],
    ];
    const found: unknown[] = [];
    for (const [name, , , options] of cases) {
      const { status, body } = await send('POST', '', options);
      found.push([name, status, body.code]);
    }
    expect(found).toEqual(cases.map(([name, status, code]) => [name, status, code]));
    expect(await site.counts()).toEqual(before);
  });

  it('have no route without UPLOADS_DIR, and Allow does not name POST', async () => {
    const app = site.withoutFolder;
    const { status, body } = await send('POST', '', {
      ...multipart(await imageBytes('png', 4, 4), 'a.png'),
      app,
    });
    expect([status, body.code]).toEqual([404, 'rest_no_route']);
    const allow = async (options: MediaRequest) => (await send('OPTIONS', '', options)).headers.get('allow');
    expect(await allow({ app })).toBe('GET');
    expect(await allow({})).toBe('GET, POST');
    expect(await allow({ as: 'contributor' })).toBe('GET');
  });

  it('are served at the address in source_url with cache headers, and other files are not', async () => {
    const bytes = await imageBytes('png', 30, 20);
    const { body } = await send('POST', '', multipart(bytes, 'served.png'));
    const path = new URL(String(body['source_url'])).pathname;
    const response = await fetch(urlOf(path));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    const again = await fetch(urlOf(path), {
      headers: {
        'If-Modified-Since': response.headers.get('last-modified') ?? '',
        // Otherwise fetch sends no-cache.
        'Cache-Control': 'max-age=0',
      },
    });
    expect(again.status).toBe(304);
    const folder = path.slice(0, path.indexOf('2091'));
    for (const other of ['2091/03/none.png', '..%2f..%2fetc/a.png', 'private/served.png', '.hidden.png'])
      expect([other, (await fetch(urlOf(folder + other))).status]).toEqual([other, 404]);
    expect((await fetch(urlOf(`${folder}%ff.png`))).status).toBe(400);
  });

  it('are 404 if a symbolic link leads out of the folder, or to a file that is not served', async () => {
    const outside = join(dirname(site.uploads), 'outside.png');
    const links = {
      'out.png': outside,
      'loop.png': 'loop.png',
      'hidden.png': 'private/plan.png',
      'text.png': 'a.txt',
    };
    const image = await imageBytes('png', 20, 10);
    const added = Object.keys(links).concat('private', 'a.txt', 'real.png', 'inside.png');
    try {
      await mkdir(join(site.uploads, 'private'));
      for (const path of [
        outside,
        ...['private/plan.png', 'a.txt', 'real.png'].map((name) => join(site.uploads, name)),
      ])
        await writeFile(path, image);
      for (const [name, target] of Object.entries({ ...links, 'inside.png': 'real.png' }))
        await symlink(target, join(site.uploads, name));
      const statusOf = async (name: string) => (await fetch(urlOf(`/wp-content/uploads/${name}`))).status;
      for (const name of Object.keys(links)) expect([name, await statusOf(name)]).toEqual([name, 404]);
      expect([await statusOf('real.png'), await statusOf('inside.png')]).toEqual([200, 200]);
    } finally {
      for (const name of added) await rm(join(site.uploads, name), { recursive: true, force: true });
      await rm(outside, { force: true });
    }
  });

  it('have names in UTF-8, also in the encoded form of a multipart header', async () => {
    for (const [header, name] of [
      ['filename="Größe 日本.png"', 'Grose-日本'],
      ["filename*=utf-8''Caf%C3%A9%20%E6%97%A5.png", 'Cafe-日'],
    ] as const) {
      const body = Buffer.concat([
        Buffer.from(`--x\r\nContent-Disposition: form-data; name="file"; ${header}\r\n\r\n`),
        await imageBytes('png', 9, 9),
        Buffer.from('\r\n--x--\r\n'),
      ]);
      const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
      const sent = await send('POST', '', { as: 'author', headers, body });
      expect([sent.status, Object(sent.body.title)['raw']]).toEqual([201, name]);
    }
  });

  it('with more than 1,000 fields are rejected, and write nothing', async () => {
    const form = new FormData();
    for (let at = 0; at < 1001; at++) form.append(`f${at}`, 'x');
    form.append('post', '999999');
    form.append('file', new File([new Uint8Array(await imageBytes('png', 9, 9))], 'many.png'));
    const filesBefore = await site.files();
    const { status, body } = await send('POST', '', { as: 'author', body: form });
    expect([status, body.code]).toEqual([413, 'rest_content_too_large']);
    expect(await site.files()).toEqual(filesBefore);
  });

  it('can be changed and deleted by those who may, with all files and references', async () => {
    const { body } = await send('POST', '', {
      ...multipart(await imageBytes('png', 400, 300), 'mine.png'),
      as: 'author',
    });
    const path = `/${body.id}`;
    const headers = { 'Content-Type': 'application/json' };
    const change = JSON.stringify({ alt_text: 'New', title: 'Other', caption: 'C' });
    const denied = await send('PATCH', path, { as: 'contributor', headers, body: change });
    expect([denied.status, denied.body.code]).toEqual([403, 'rest_cannot_edit']);
    const changed = await send('PATCH', path, { as: 'author', headers, body: change });
    expect(changed.body).toMatchObject({ alt_text: 'New', title: { raw: 'Other' }, caption: { raw: 'C' } });
    const outdated = { ...headers, 'If-Match': '"000000000000000000000000000"' };
    const conflict = await send('PATCH', path, { as: 'author', headers: outdated, body: '{"title":"Lost"}' });
    expect([conflict.status, conflict.body.code]).toEqual([412, 'rest_precondition_failed']);
    const current = { ...headers, 'If-Match': changed.headers.get('etag') ?? '' };
    const matched = await send('PATCH', path, { as: 'author', headers: current, body: '{"title":"Third"}' });
    expect([matched.status, matched.body.title]).toEqual([200, expect.objectContaining({ raw: 'Third' })]);
    const [revisions] = await site.sql<{ n: number }>(
      `SELECT COUNT(*) AS n FROM wp_posts WHERE post_parent = ${body.id}`,
    );
    expect(Number(revisions?.n)).toBe(0);
    const event = await site.create(String(body.id));
    expect(event.body.image['id']).toBe(body.id);
    const unforced = await send('DELETE', path, { as: 'author' });
    expect([unforced.status, unforced.body.code]).toEqual([400, 'rest_trash_not_supported']);
    const foreign = await send('DELETE', `${path}?force=true`, { as: 'contributor' });
    expect([foreign.status, foreign.body.code]).toEqual([403, 'rest_cannot_delete']);
    expect((await site.files()).filter((name) => name.startsWith('mine'))).toHaveLength(3);
    const deleted = await send('DELETE', `${path}?force=true`, { as: 'author' });
    expect([deleted.status, deleted.body['deleted']]).toEqual([200, true]);
    expect((await site.files()).filter((name) => name.startsWith('mine'))).toEqual([]);
    const { row, meta } = await site.rowsOf(body.id);
    expect([row, meta]).toEqual([undefined, []]);
    const response = await fetch(urlOf(`/cal/events/v1/events/${event.body.id}`));
    expect(((await response.json()) as { image: unknown }).image).toBe(false);
    expect((await send('DELETE', `${path}?force=true`)).status).toBe(404);
  });
});
