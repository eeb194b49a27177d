import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Semaphore } from '../src/cache/semaphore.js';
import { ImageImport } from '../src/wordpress/media/image-import.js';
import { ImageRejected, SafeFetch } from '../src/wordpress/media/safe-fetch.js';
import { imageBytes } from './support/image-bytes.js';
import { type ImageAnswer, ImageSite } from './support/image-site.js';
import { describeEither } from './support/sites.js';

/** Status, code and parameters of a rejected image. */
const rejection = ({ status, body }: ImageAnswer) => [status, body.code, Object.keys(body.data.params ?? {})];
const REJECTED = [400, 'rest_invalid_param', ['image']];

describeEither('rejected images', (database) => {
  let site: ImageSite;
  beforeAll(async () => {
    site = await ImageSite.start(database);
  });
  afterAll(() => site?.close());
  beforeEach(() => site.clear());

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['HTML', '<html></html>'],
    ['PHP behind an image name', '<?php system($_GET[0]);'],
    ['nothing', ''],
  ])('with the content %s leave no file or row', async (_, text) => {
    site.served.set('/evil.png', Buffer.from(text));
    const countsBefore = await site.counts();
    expect(rejection(await site.create(`${site.origin}/evil.png`))).toEqual(REJECTED);
    expect(await site.counts()).toEqual(countsBefore);
  });

  it.each([
    'hello',
    '0',
    '-5',
    '9999999',
    '53',
    '1e3',
    'ftp://x.test/a.png',
    'javascript:alert(1)',
    '//x.test/a.png',
    'http://127.0.0.1:1/x.jpg',
    'http://169.254.169.254/latest',
    'http://user:pass@127.0.0.1/x.png',
    `http://x.test/${'a'.repeat(3000)}`,
    `http://x.test/${'['.repeat(100_000)}`,
  ])('with the value %.40s return 400', async (image) => {
    expect(rejection(await site.create(image))).toEqual(REJECTED);
  });

  it.each([4, true, ['4'], { id: 4 }])('with the value %j, which is no string, return 400', async (image) => {
    expect((await site.create(image)).status).toBe(400);
  });

  it('by URL require upload_files, and by id do not', async () => {
    site.served.set('/mine.png', await imageBytes('png', 4, 4));
    expect(rejection(await site.create(`${site.origin}/mine.png`, 'contributor'))).toEqual(REJECTED);
    const byId = await site.create('4', 'contributor');
    expect([byId.status, byId.body.image['id']]).toEqual([201, 4]);
    expect(site.requests).toEqual([]);
  });

  it('by id are unknown while they belong to a record that the caller may not read', async () => {
    const { body: secret } = await site.create(undefined, 'admin');
    await site.sql(`UPDATE wp_posts SET post_status = 'private' WHERE ID = ${secret.id}`);
    const [before] = await site.sql<{ parent: number }>(
      'SELECT post_parent AS parent FROM wp_posts WHERE ID = 4',
    );
    await site.sql(`UPDATE wp_posts SET post_parent = ${secret.id} WHERE ID = 4`);
    try {
      const countsBefore = await site.counts();
      expect(rejection(await site.create('4', 'contributor'))).toEqual(REJECTED);
      expect(await site.counts()).toEqual(countsBefore);
      expect((await site.create('4', 'admin')).status).toBe(201);
    } finally {
      await site.sql(`UPDATE wp_posts SET post_parent = ${before?.parent} WHERE ID = 4`);
    }
  });

  it('are not fetched for callers who may not write', async () => {
    const { body } = await site.create(undefined, 'admin');
    expect((await site.create(`${site.origin}/x.png`, 'nobody')).status).toBe(400);
    const update = await site.post(`/events/${body.id}`, { image: `${site.origin}/x.png` }, 'author');
    expect(update.status).toBe(403);
    expect(site.requests).toEqual([]);
  });

  it('by URL return 400 without UPLOADS_DIR', async () => {
    const { status, body } = await site.create(`${site.origin}/new.png`, 'admin', site.withoutFolder);
    expect([status, body.data.params?.['image']]).toEqual([400, expect.stringContaining('UPLOADS_DIR')]);
    expect(site.requests).toEqual([]);
  });

  describe('while downloads are pending', () => {
    let startedDownloads: string[] = [];
    let rejectDownloads: () => void = () => undefined;
    let originalFetch: SafeFetch;
    beforeEach(() => {
      startedDownloads = [];
      const fetcher = site.app.get(SafeFetch);
      originalFetch = Object.assign(Object.create(SafeFetch.prototype), fetcher);
      const pendingDownload = new Promise<never>((_, reject) => {
        rejectDownloads = () => reject(new ImageRejected('never came.'));
      });
      pendingDownload.catch(() => undefined);
      const download = (url: string) => {
        startedDownloads.push(url);
        return pendingDownload;
      };
      Object.assign(fetcher, { download });
    });
    afterEach(() => {
      rejectDownloads();
      Object.assign(site.app.get(SafeFetch), originalFetch, { download: SafeFetch.prototype.download });
    });

    it('return 503 once too many wait, and are not fetched after the client has disconnected', async () => {
      const countsBefore = await site.counts();
      const server: Server = site.app.getHttpServer();
      const connections = () =>
        new Promise<number>((resolve) => void server.getConnections((_, count) => resolve(count)));
      const queue = (site.app.get(ImageImport) as unknown as { downloads: Semaphore }).downloads;
      const abortController = new AbortController();
      const ask = (signal?: AbortSignal) => site.create(`${site.origin}/a.png`, 'admin', site.app, signal);
      const waiting = [ask(), ask(), ask()];
      await until(() => startedDownloads.length === 3);
      waiting.push(...Array.from({ length: 10 }, () => ask()));
      const aborted = Promise.allSettled(Array.from({ length: 20 }, () => ask(abortController.signal)));
      await until(() => queue.queued === 30);
      const rejected = await ask();
      expect([rejected.status, rejected.body.code]).toEqual([503, 'too_many_requests']);
      abortController.abort();
      await aborted;
      await until(async () => (await connections()) <= 14);
      rejectDownloads();
      for (const one of await Promise.all(waiting)) expect(rejection(one)).toEqual(REJECTED);
      await until(() => queue.queued === 0);
      expect(startedDownloads.length).toBe(13);
      expect(await site.counts()).toEqual(countsBefore);
    });
  });

  it('leave no file when the write fails', async () => {
    site.served.set('/failed.png', await imageBytes('png', 400, 400));
    const countsBefore = await site.counts();
    const { status } = await site.post('/events', {
      title: 'Ends before it starts',
      start_date: '2091-05-01 12:00:00',
      end_date: '2091-05-01 10:00:00',
      image: `${site.origin}/failed.png`,
    });
    expect([status, site.requests]).toEqual([400, ['/failed.png']]);
    expect(await site.counts()).toEqual(countsBefore);
  });
});

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}
