import { get as httpGet } from 'node:http';
import { serialize, toPhp } from '../src/lib/wordpress-text/php-serialize.js';
import { imageBytes } from './support/image-bytes.js';
import { ImageSite, UPLOADS } from './support/image-site.js';
import { MediaClient, multipart } from './support/media-client.js';
import { S3_LOGIN, type S3Fault, S3Server } from './support/s3-server.js';
import { describeEither } from './support/sites.js';

const FOLDER = 'site/uploads/2091/03/';

describeEither('uploads to a bucket', (database) => {
  let store: S3Server;
  let site: ImageSite;
  let client: MediaClient;
  const variables = { ...process.env };
  beforeAll(async () => {
    Object.assign(process.env, S3_LOGIN);
    store = await S3Server.start();
    site = await ImageSite.start(database, [], store.env);
    client = new MediaClient(site);
  });
  afterAll(async () => {
    await site?.close();
    await store?.close();
    for (const name of Object.keys(S3_LOGIN)) {
      if (variables[name] === undefined) delete process.env[name];
      else process.env[name] = variables[name];
    }
  });
  beforeEach(() => {
    store.clear();
    site.clear();
  });

  const keys = () => [...store.objects.keys()].sort();
  const upload = async (name: string, width = 400, height = 300) =>
    client.send('POST', '', multipart(await imageBytes('jpeg', width, height), name));
  const placeOf = (name: string) => client.url(`/wp-content/uploads/2091/03/${name}`);

  it('have the keys and sizes of WordPress, with their types and cache headers', async () => {
    const { status, body } = await upload('Great Hall.jpg');
    expect([status, body['source_url']]).toEqual([201, `${UPLOADS}/2091/03/Great-Hall.jpg`]);
    expect(keys()).toEqual(
      ['Great-Hall-150x150.jpg', 'Great-Hall-300x225.jpg', 'Great-Hall.jpg'].map((name) => FOLDER + name),
    );
    for (const { headers } of store.objects.values())
      expect(headers).toEqual({ 'Content-Type': 'image/jpeg', 'Cache-Control': 'public, max-age=86400' });
    expect(await site.files()).toEqual([]);
  });

  it('get a number when an image or a copy in the bucket has the name, also on a later page of the list', async () => {
    for (const name of [
      'hall.jpg',
      'hall-150x150.jpg',
      'hall-300x225.jpg',
      'hall-1-150x150.jpg',
      'hall-2.jpg',
    ])
      store.objects.set(FOLDER + name, { bytes: Buffer.from(name), headers: {}, modified: new Date() });
    const { body } = await upload('hall.jpg');
    expect(body.media_details.file).toBe('2091/03/hall-3.jpg');
    expect(store.objects.get(`${FOLDER}hall.jpg`)?.bytes.toString()).toBe('hall.jpg');
  });

  it('of an image by its URL are stored too, and removed when the write of the event fails', async () => {
    site.served.set('/photo.png', await imageBytes('png', 400, 200));
    const { status, body } = await site.create(`${site.origin}/photo.png`);
    expect([status, body.image['url']]).toEqual([201, `${UPLOADS}/2091/03/photo.png`]);
    expect(keys()).toEqual(
      ['photo-150x150.png', 'photo-300x150.png', 'photo.png'].map((name) => FOLDER + name),
    );
    site.served.set('/other.png', await imageBytes('png', 400, 200));
    const before = [keys(), await site.counts()];
    const failed = await site.post('/events', {
      title: 'Ends before it starts',
      start_date: '2091-05-01 12:00:00',
      end_date: '2091-05-01 10:00:00',
      image: `${site.origin}/other.png`,
    });
    expect([failed.status, [keys(), await site.counts()]]).toEqual([400, before]);
  });

  it('are deleted with all copies, and nothing else is, even when a damaged row names it', async () => {
    const { body } = await upload('first.jpg');
    const other = await upload('second.jpg');
    expect((await client.send('DELETE', `/${body.id}?force=true`)).status).toBe(200);
    expect(keys().map((key) => key.slice(FOLDER.length))).toEqual([
      'second-150x150.jpg',
      'second-300x225.jpg',
      'second.jpg',
    ]);
    store.objects.set('site/private.jpg', { bytes: Buffer.from('x'), headers: {}, modified: new Date() });
    const damaged = serialize(toPhp({ file: '../private.jpg', sizes: { x: { file: '../../private.jpg' } } }));
    for (const [key, value] of [
      ['_wp_attached_file', '../private.jpg'],
      ['_wp_attachment_metadata', damaged],
    ])
      await site.sql(
        `UPDATE wp_postmeta SET meta_value = '${value}' WHERE meta_key = '${key}' AND post_id = ${other.body.id}`,
      );
    expect((await client.send('DELETE', `/${other.body.id}?force=true`)).status).toBe(200);
    expect(keys()).toContain('site/private.jpg');
    expect(store.requests.filter((request) => request.includes('..'))).toEqual([]);
  });

  it('are served at the address of uploads like files of a folder, in parts and under conditions', async () => {
    const bytes = await imageBytes('gif', 4, 4);
    const { body } = await client.send('POST', '', multipart(bytes, 'page.html'));
    const url = client.url(new URL(String(body['source_url'])).pathname);
    const whole = await fetch(url);
    expect([whole.status, Buffer.from(await whole.arrayBuffer())]).toEqual([200, bytes]);
    const headers = Object.fromEntries(whole.headers);
    expect(headers).toMatchObject({
      'content-type': 'image/gif',
      'cache-control': 'public, max-age=86400',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'accept-ranges': 'bytes',
      'content-length': String(bytes.length),
    });
    const ask = (sent: Record<string, string>, method = 'GET') =>
      fetch(url, { method, headers: { 'Cache-Control': 'max-age=0', ...sent } });
    const head = await ask({}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    const part = await ask({ Range: 'bytes=0-2' });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      'GIF',
      `bytes 0-2/${bytes.length}`,
    ]);
    const requests: Record<string, string>[] = [
      { 'If-None-Match': headers['etag'] ?? '' },
      { 'If-Modified-Since': headers['last-modified'] ?? '' },
      { 'If-Match': '"other"' },
      { Range: 'bytes=9999-' },
      { Range: 'bytes=0-1,4-5' },
      { Range: 'bytes=0-2', 'If-Range': '"other"' },
      { Range: 'pages=1' },
    ];
    const statuses = await Promise.all(requests.map(async (sent) => (await ask(sent)).status));
    expect(statuses).toEqual([304, 304, 412, 416, 200, 200, 200]);
  });

  it('are 404 if they are missing, of other types or in other folders, without a request for these', async () => {
    for (const key of [
      'site/uploads/private/a.png',
      'site/uploads/a.html',
      'site/uploads/.a.png',
      'site/a.png',
    ])
      store.objects.set(key, { bytes: Buffer.from('x'), headers: {}, modified: new Date() });
    const places = [
      'private/a.png',
      'a.html',
      '.a.png',
      '..%2fa.png',
      '..%5ca.png',
      '%00.png',
      '2091/03/%0a.png',
    ];
    const ask = async (place: string) => (await fetch(client.url(`/wp-content/uploads/${place}`))).status;
    expect(await Promise.all(places.map(ask))).toEqual(places.map(() => 404));
    expect(store.requests).toEqual([]);
    expect([await ask('2091/03/none.png'), store.requests]).toEqual([404, [`GET ${FOLDER}none.png`]]);
  });

  const FAULTS: [S3Fault, number, string][] = [
    ['bucket-gone', 502, 'uploads_rejected'],
    ['denied', 502, 'uploads_rejected'],
    ['internal', 503, 'uploads_unavailable'],
    ['cut-upload', 503, 'uploads_unavailable'],
  ];

  it('fail with 502 or 503 and write nothing when the bucket rejects or breaks off', async () => {
    site.served.set('/failing.png', await imageBytes('png', 400, 200));
    const before = await site.counts();
    for (const [fault, status, code] of FAULTS) {
      store.fault = fault;
      // The copies are stored, the original is not.
      for (const faultAt of [/./, /^PUT .*(?:hall|failing)\.\w+$/]) {
        store.faultAt = faultAt;
        const uploaded = await upload('hall.jpg');
        const imported = await site.create(`${site.origin}/failing.png`);
        for (const answer of [uploaded, imported])
          expect([fault, answer.status, answer.body.code]).toEqual([fault, status, code]);
        expect(JSON.stringify([uploaded.body, imported.body])).not.toMatch(/AccessDenied|NoSuchBucket|\.js/);
        expect([fault, await site.counts(), keys()]).toEqual([fault, before, []]);
      }
    }
  });

  it('are 502 or 503 as plain text, never cached, when the bucket rejects or breaks off', async () => {
    await upload('hall.jpg');
    for (const [fault, status] of [...FAULTS, ['no-bytes', 503] as const]) {
      store.fault = fault;
      for (const method of ['GET', 'HEAD']) {
        const { headers, ...answer } = await ask(placeOf('hall.jpg'), method);
        expect([fault, method, answer.status, headers['cache-control'], headers['content-type']]).toEqual([
          fault,
          method,
          status,
          'no-store',
          'text/plain; charset=utf-8',
        ]);
        expect([fault, headers['retry-after']]).toEqual([fault, status === 503 ? '1' : undefined]);
        expect(answer.body).not.toMatch(/\.js|Error|AccessDenied/);
      }
    }
  });

  it('end the connection when the bucket breaks off within a file', async () => {
    await upload('hall.jpg', 1500, 1000);
    store.fault = 'cut-download';
    const answer = await ask(placeOf('hall.jpg'), 'GET');
    expect([answer.status, answer.isComplete]).toEqual([200, false]);
    store.fault = undefined;
    expect((await ask(placeOf('hall.jpg'), 'GET')).isComplete).toBe(true);
  });

  it('fail with 503 and write nothing while nothing listens at the endpoint', async () => {
    const gone = await S3Server.start();
    await gone.close();
    const closed = await ImageSite.start(database, [], gone.env);
    try {
      const before = await closed.counts();
      const lonely = new MediaClient(closed);
      const { status, headers, body } = await lonely.send(
        'POST',
        '',
        multipart(await imageBytes('png', 40, 30), 'hall.png'),
      );
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'uploads_unavailable', '1']);
      expect(await closed.counts()).toEqual(before);
      expect((await fetch(lonely.url('/wp-content/uploads/2091/03/hall.png'))).status).toBe(503);
    } finally {
      await closed.close();
    }
  });

  it('are linked at the public address if one is configured, and still served at the own one', async () => {
    const published = await ImageSite.start(database, [], {
      ...store.env,
      UPLOADS_S3_PUBLIC_URL: 'https://images.example.org/site/uploads/',
    });
    try {
      const media = new MediaClient(published);
      const { body } = await media.send('POST', '', multipart(await imageBytes('png', 40, 30), 'public.png'));
      expect(body['source_url']).toBe('https://images.example.org/site/uploads/2091/03/public.png');
      expect((await fetch(media.url('/wp-content/uploads/2091/03/public.png'))).status).toBe(200);
    } finally {
      await published.close();
    }
  });
});

/** Sends a request and reads as much of the response as arrives. */
function ask(url: string, method: string) {
  return new Promise<{
    status: number;
    headers: Record<string, unknown>;
    body: string;
    isComplete: boolean;
  }>((resolve, reject) => {
    httpGet(url, { method, agent: false }, (response) => {
      let body = '';
      response.setEncoding('latin1').on('data', (piece) => {
        body += piece;
      });
      response.on('error', () => undefined);
      response.on('close', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body,
          isComplete: response.complete,
        }),
      );
    }).on('error', reject);
  });
}
