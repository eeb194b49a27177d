import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { basic } from './calendar-client.js';
import type { ImageSite } from './image-site.js';
import { loadRecording } from './replay.js';

/** The members of a response of `wp/v2/media` that tests read. */
interface MediaBody {
  [member: string]: unknown;
  id: number;
  code?: string;
  title: { raw: string; rendered: string };
  media_details: { file: string; sizes: Record<string, { file: string }> };
}

export interface MediaRequest {
  /** The user; by default the administrator. */
  as?: string;
  headers?: Record<string, string>;
  body?: BodyInit;
  app?: NestExpressApplication;
}

/** Sends requests to `wp/v2/media` of a site. */
export class MediaClient {
  constructor(private readonly site: ImageSite) {}

  url(path: string, app = this.site.app): string {
    return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}${path}`;
  }

  async send(method: string, path: string, { as = 'admin', headers = {}, body, app }: MediaRequest = {}) {
    const user = loadRecording('site-a/write').users[as];
    const response = await fetch(this.url(`/wp/v2/media${path}`, app), {
      method,
      headers: { ...(user && basic(user.login, user.password)), ...headers },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as MediaBody };
  }
}

/** A form with fields and a file. */
export function multipart(
  bytes: Buffer,
  name: string,
  fields: Record<string, string> = {},
): { body: FormData } {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  return { body: form };
}

/** A file as the whole body. */
export function rawBody(bytes: Buffer, disposition: string) {
  return {
    body: new Uint8Array(bytes),
    headers: { 'Content-Type': 'image/png', 'Content-Disposition': disposition },
  };
}
