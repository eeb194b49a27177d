import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { createServer as createAlmanac } from '../../src/app/create-server.js';
import { Clock } from '../../src/common/clock.js';
import { readEnvironment } from '../../src/config/env.js';
import { asMap, toPlain, unserialize } from '../../src/lib/wordpress-text/php-serialize.js';
import type { Plugin } from '../../src/plugins/plugin.js';
import { SafeFetch } from '../../src/wordpress/media/safe-fetch.js';
import { RECORDED_NOW, REST_BASE_URL, TestClock } from './app.js';
import { loadRecording } from './replay.js';
import { type DatabaseName, makeSite } from './sites.js';

/** The base URL of the test site's uploads. */
export const UPLOADS = 'http://calendar.example.org/wp-content/uploads';

/** The response for a record, or its error. */
export interface ImageAnswer {
  status: number;
  body: {
    id: number;
    code?: string;
    data: { params?: Record<string, string> };
    image: Record<string, unknown>;
  };
}

/** A site with an uploads folder, and an image server from which only this test may download. */
export class ImageSite {
  /** Paths requested from the image server. */
  readonly requests: string[] = [];

  private constructor(
    /** The root of the image server. */
    readonly origin: string,
    /** Responses of the image server, by path. */
    readonly served: Map<string, Buffer>,
    readonly uploads: string,
    readonly app: NestExpressApplication,
    /** The same site without UPLOADS_DIR. */
    readonly withoutFolder: NestExpressApplication,
    readonly close: () => Promise<void>,
  ) {}

  /** `store` replaces UPLOADS_DIR by the variables of a bucket. */
  static async start(
    database: DatabaseName,
    plugins: readonly Plugin[] = [],
    store?: Record<string, string>,
  ): Promise<ImageSite> {
    const served = new Map<string, Buffer>();
    const server = createServer(({ url = '' }, response) => {
      created.requests.push(url);
      const bytes = served.get(url);
      response.writeHead(bytes ? 200 : 404, { 'Content-Type': 'text/html' }).end(bytes);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const site = await makeSite(database);
    const uploads = await mkdtemp(join(tmpdir(), 'almanac-uploads-'));
    const app = await startApp(
      port,
      { DATABASE_URL: site.url, ...(store ?? { UPLOADS_DIR: uploads }) },
      plugins,
    );
    const withoutFolder = await startApp(port, { DATABASE_URL: site.url }, plugins);
    const close = async () => {
      await app.close();
      await withoutFolder.close();
      server.close();
      await site.drop();
      await rm(uploads, { recursive: true, force: true });
    };
    const created = new ImageSite(`http://127.0.0.1:${port}`, served, uploads, app, withoutFolder, close);
    return created;
  }

  /** Resets the image server's responses and requests. */
  clear(): void {
    this.requests.length = 0;
    this.served.clear();
  }

  async post(
    path: string,
    body: object,
    as = 'admin',
    app = this.app,
    signal?: AbortSignal,
  ): Promise<ImageAnswer> {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const user = loadRecording('site-a/write').users[as];
    const login = Buffer.from(`${user?.login}:${user?.password}`).toString('base64');
    const response = await fetch(`http://127.0.0.1:${port}/cal/events/v1${path}`, {
      method: 'POST',
      signal,
      headers: { 'Content-Type': 'application/json', ...(user && { Authorization: `Basic ${login}` }) },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as ImageAnswer['body'] };
  }

  /** Creates an event with an image. */
  create(
    image: unknown,
    as?: string,
    app?: NestExpressApplication,
    signal?: AbortSignal,
  ): Promise<ImageAnswer> {
    const event = {
      title: 'With an image',
      start_date: '2091-05-01 10:00:00',
      end_date: '2091-05-01 12:00:00',
    };
    return this.post('/events', { ...event, image }, as, app, signal);
  }

  sql<Row>(statement: string): Promise<Row[]> {
    return this.app.get(DataSource).query(statement);
  }

  /** The row of a post, and its metas in order. */
  async rowsOf(id: number) {
    const [row] = await this.sql<Record<string, unknown>>(`SELECT * FROM wp_posts WHERE ID = ${id}`);
    const meta = await this.sql<{ meta_key: string; meta_value: string }>(
      `SELECT meta_key, meta_value FROM wp_postmeta WHERE post_id = ${id} ORDER BY meta_id`,
    );
    return { row, meta: meta.map(({ meta_key, meta_value }) => [meta_key, meta_value] as const) };
  }

  async metadataOf(id: number) {
    const { meta } = await this.rowsOf(id);
    const [, text = ''] = meta.find(([key]) => key === '_wp_attachment_metadata') ?? [];
    return toPlain(asMap(unserialize(text))) as Record<string, unknown> & { sizes: Record<string, unknown> };
  }

  /** The file names of the month. */
  async files(): Promise<string[]> {
    return (await readdir(join(this.uploads, '2091/03')).catch(() => [])).sort();
  }

  /** The state that a rejected request must leave unchanged. */
  async counts() {
    const count = async (table: string) =>
      (await this.sql<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n;
    return [await count('wp_posts'), await count('wp_postmeta'), await this.files()];
  }
}

/** The shipped application with a test clock and permission to download from one local port. */
async function startApp(
  imagePort: number,
  env: Record<string, string>,
  plugins: readonly Plugin[],
): Promise<NestExpressApplication> {
  class RecordedClock {
    static readonly replaces = [{ provide: Clock, useValue: new TestClock(RECORDED_NOW) }];
  }
  const app = await createAlmanac({
    env: readEnvironment({ REST_BASE_URL, ...env }),
    plugins: [RecordedClock, ...plugins],
    logger: false,
  });
  const alsoAllow = (address: string, port: number) => address === '127.0.0.1' && port === imagePort;
  Object.assign(app.get(SafeFetch), new SafeFetch({ alsoAllow }));
  await app.listen(0, '127.0.0.1');
  return app;
}
