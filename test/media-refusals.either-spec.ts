import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Semaphore } from '../src/cache/semaphore.js';
import { ImageImport } from '../src/wordpress/media/image-import.js';
import { ImageRejected } from '../src/wordpress/media/image-rejected.js';
import { SafeFetch } from '../src/wordpress/media/safe-fetch.js';
import { imageBytes } from './support/image-bytes.js';
import { type ImageAnswer, ImageSite } from './support/image-site.js';
import { describeEither } from './support/sites.js';

/** What of an answer shows that the image was refused. */
const refusal = ({ status, body }: ImageAnswer) => [status, body.code, Object.keys(body.data.params ?? {})];
const REFUSED = [400, 'rest_invalid_param', ['image']];

describeEither('images that are refused', (database) => {
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
  ])('hold %s: nothing is left of them', async (_, text) => {
    site.served.set('/evil.png', Buffer.from(text));
    const was = await site.counts();
    expect(refusal(await site.create(`${site.origin}/evil.png`))).toEqual(REFUSED);
    expect(await site.counts()).toEqual(was);
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
  ])('are named %.40s', async (image) => {
    expect(refusal(await site.create(image))).toEqual(REFUSED);
  });

  it.each([4, true, ['4'], { id: 4 }])('are named %j, which is no text', async (image) => {
    expect((await site.create(image)).status).toBe(400);
  });

  it('need the right to upload, ids do not', async () => {
    site.served.set('/mine.png', await imageBytes('png', 4, 4));
    expect(refusal(await site.create(`${site.origin}/mine.png`, 'contributor'))).toEqual(REFUSED);
    const byId = await site.create('4', 'contributor');
    expect([byId.status, byId.body.image['id']]).toEqual([201, 4]);
    expect(site.requests).toEqual([]);
  });

  it('are not fetched for somebody who may not write', async () => {
    const { body } = await site.create(undefined, 'admin');
    expect((await site.create(`${site.origin}/x.png`, 'nobody')).status).toBe(400);
    const update = await site.post(`/events/${body.id}`, { image: `${site.origin}/x.png` }, 'author');
    expect(update.status).toBe(403);
    expect(site.requests).toEqual([]);
  });

  it('need UPLOADS_DIR', async () => {
    const { status, body } = await site.create(`${site.origin}/new.png`, 'admin', site.withoutFolder);
    expect([status, body.data.params?.['image']]).toEqual([400, expect.stringContaining('UPLOADS_DIR')]);
    expect(site.requests).toEqual([]);
  });

  describe('while others are fetched', () => {
    let begun: string[] = [];
    let answer: () => void = () => undefined;
    let real: SafeFetch;
    beforeEach(() => {
      begun = [];
      const fetcher = site.app.get(SafeFetch);
      real = Object.assign(Object.create(SafeFetch.prototype), fetcher);
      const held = new Promise<never>((_, reject) => {
        answer = () => reject(new ImageRejected('never came.'));
      });
      held.catch(() => undefined);
      const download = (url: string) => {
        begun.push(url);
        return held;
      };
      Object.assign(fetcher, { download });
    });
    afterEach(() => {
      answer();
      Object.assign(site.app.get(SafeFetch), real, { download: SafeFetch.prototype.download });
    });

    it('are asked to come back once too many wait, and are not fetched for who has gone', async () => {
      const was = await site.counts();
      const server: Server = site.app.getHttpServer();
      const connections = () =>
        new Promise<number>((resolve) => void server.getConnections((_, count) => resolve(count)));
      const queue = (site.app.get(ImageImport) as unknown as { downloads: Semaphore }).downloads;
      const gone = new AbortController();
      const ask = (signal?: AbortSignal) => site.create(`${site.origin}/a.png`, 'admin', site.app, signal);
      const patient = [ask(), ask(), ask()];
      await until(() => begun.length === 3);
      patient.push(...Array.from({ length: 10 }, () => ask()));
      const impatient = Promise.allSettled(Array.from({ length: 20 }, () => ask(gone.signal)));
      await until(() => queue.queued === 30);
      const late = await ask();
      expect([late.status, late.body.code]).toEqual([503, 'too_many_requests']);
      gone.abort();
      await impatient;
      await until(async () => (await connections()) <= 14);
      answer();
      for (const one of await Promise.all(patient)) expect(refusal(one)).toEqual(REFUSED);
      await until(() => queue.queued === 0);
      expect(begun.length).toBe(13);
      expect(await site.counts()).toEqual(was);
    });
  });

  it('leave no file behind when the write fails', async () => {
    site.served.set('/failed.png', await imageBytes('png', 400, 400));
    const was = await site.counts();
    const { status } = await site.post('/events', {
      title: 'Ends before it starts',
      start_date: '2091-05-01 12:00:00',
      end_date: '2091-05-01 10:00:00',
      image: `${site.origin}/failed.png`,
    });
    expect([status, site.requests]).toEqual([400, ['/failed.png']]);
    expect(await site.counts()).toEqual(was);
  });
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}
