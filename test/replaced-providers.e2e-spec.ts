import type { AddressInfo } from 'node:net';
import { type Attempt, RateLimiter } from '../src/auth/rate-limiter.js';
import { IMPORT_SOURCE_KEY } from '../src/calendar/register-calendar.js';
import { Transactions } from '../src/database/transactions.js';
import { ImageImport } from '../src/wordpress/media/image-import.js';
import {
  type FileToStore,
  ImageStore,
  type StoredFiles,
  type UploadName,
} from '../src/wordpress/media/image-store.js';
import { ImageRejected } from '../src/wordpress/media/safe-fetch.js';
import { SettingsService } from '../src/wordpress/options/settings.service.js';
import { RECORDED_NOW } from './support/app.js';
import { imageBytes } from './support/image-bytes.js';
import { ImageSite, UPLOADS } from './support/image-site.js';
import { describeDatabases } from './support/sites.js';

/** A store in which every stem is taken; `fault` makes it fail, `rejection` makes it reject. */
class OtherStore extends ImageStore {
  readonly stored = new Set<string>();
  fault?: Error;
  rejection?: string;

  override check(): void {
    if (this.rejection) throw new ImageRejected(this.rejection);
  }
  override async add(name: UploadName, files: readonly FileToStore[]): Promise<StoredFiles> {
    if (this.fault) throw this.fault;
    const stem = `${name.stem}-7`;
    const paths = files.map(({ suffix }) => `bucket:${name.folder}${stem}${suffix}.${name.extension}`);
    for (const path of paths) this.stored.add(path);
    return { ...name, stem, paths };
  }
  override async remove(paths: readonly string[]): Promise<void> {
    for (const path of paths) this.stored.delete(path);
  }
}

/** A limiter with a fixed wait that records failed attempts. */
class OtherLimiter extends RateLimiter {
  readonly failed: string[] = [];
  wait = 0;

  override async begin(key: string): Promise<Attempt> {
    if (this.wait === 0) this.failed.push(key);
    return { secondsToWait: this.wait, forgive: async () => void this.failed.pop() };
  }
}

describeDatabases('providers replaced by a plugin', (database) => {
  const store = new OtherStore();
  const limiter = new OtherLimiter();
  let site: ImageSite;
  beforeAll(async () => {
    class Replacing {
      static readonly replaces = [
        { provide: ImageStore, useValue: store },
        { provide: RateLimiter, useValue: limiter },
      ];
    }
    site = await ImageSite.start(database, [Replacing]);
    site.served.set('/photo.png', await imageBytes('png', 400, 200));
    site.served.set('/again.png', await imageBytes('png', 400, 200));
  });
  afterAll(() => site.close());
  afterEach(() => {
    store.fault = undefined;
    store.rejection = undefined;
    limiter.wait = 0;
  });

  describe('ImageStore', () => {
    it('stores images without a folder of uploads', async () => {
      const { status, body } = await site.create(`${site.origin}/photo.png`, 'admin', site.withoutFolder);
      expect([status, body.image['url']]).toEqual([201, `${UPLOADS}/2091/03/photo-7.png`]);
      expect([...store.stored].sort()).toEqual([
        'bucket:2091/03/photo-7-150x150.png',
        'bucket:2091/03/photo-7-300x150.png',
        'bucket:2091/03/photo-7.png',
      ]);
      expect(await site.files()).toEqual([]);
    });

    it('rejects a URL with 400 and writes nothing', async () => {
      const before = await site.counts();
      store.rejection = 'is too much for today.';
      const { status, body } = await site.create(`${site.origin}/again.png`);
      expect([status, body.data.params]).toEqual([400, { image: 'image is too much for today.' }]);
      expect(await site.counts()).toEqual(before);
    });

    it('fails with 500 and writes nothing', async () => {
      const before = await site.counts();
      store.fault = new Error('the bucket is away');
      expect((await site.create(`${site.origin}/again.png`)).status).toBe(500);
      expect(await site.counts()).toEqual(before);
    });

    it('removes the files of a failed write', async () => {
      const stored = [...store.stored];
      const images = site.app.get(ImageImport, { strict: false });
      const now = Date.parse(RECORDED_NOW);
      const settings = await site.app.get(SettingsService, { strict: false }).current();
      const image = await images.prepare(`${site.origin}/again.png`, {
        mayUpload: true,
        sourceKey: IMPORT_SOURCE_KEY,
      });
      const failing = site.app.get(Transactions).run(async (transaction) => {
        await images.store(transaction, image, { settings, now, access: { user: { id: 1 } } });
        throw new Error('rolled back');
      });
      await expect(failing).rejects.toThrow('rolled back');
      expect(store.stored.size).toBeGreaterThan(stored.length);
      await images.release(image);
      expect([...store.stored]).toEqual(stored);
    });
  });

  describe('RateLimiter', () => {
    const tag = (as: string) => site.post('/tags', {}, as);
    const wrong = () =>
      fetch(`http://127.0.0.1:${portOf(site)}/cal/events/v1/tags`, {
        headers: { Authorization: `Basic ${Buffer.from('editor1:wrong').toString('base64')}` },
      });

    it('receives every attempt and forgives successful ones', async () => {
      limiter.failed.length = 0;
      expect((await tag('editor')).status).toBe(400);
      expect(limiter.failed).toEqual([]);
      expect((await wrong()).status).toBe(401);
      expect(limiter.failed).toEqual([expect.stringMatching(/^(::1|127\.0\.0\.1) \d+$/)]);
    });

    it('makes attempts wait with 429 and Retry-After and writes nothing', async () => {
      limiter.wait = 7;
      const response = await wrong();
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
      expect(await response.json()).toMatchObject({ code: 'too_many_attempts' });
      const before = await site.counts();
      expect((await tag('editor')).status).toBe(429);
      expect(await site.counts()).toEqual(before);
    });
  });
});

const portOf = ({ app }: ImageSite) => (app.getHttpServer().address() as AddressInfo).port;
