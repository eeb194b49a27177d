import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** How the server fails; each but `bucket-gone` and `denied` breaks the connection or its timing. */
export type S3Fault = 'bucket-gone' | 'denied' | 'internal' | 'cut-upload' | 'cut-download' | 'no-bytes';

interface Stored {
  bytes: Buffer;
  headers: Record<string, string>;
  modified: Date;
}

const BUCKET = 'calendar-uploads';

/** The environment with which a program uses the server. */
export const S3_LOGIN = { AWS_ACCESS_KEY_ID: 'AKIATEST', AWS_SECRET_ACCESS_KEY: 'secret' };

/** A store that speaks the part of S3's REST interface that uploads use, on a port of its own, for one bucket. */
export class S3Server {
  /** Objects by key. */
  readonly objects = new Map<string, Stored>();
  /** Requests as `PUT key`. */
  readonly requests: string[] = [];
  fault: S3Fault | undefined;
  /** Applies the fault to requests whose `PUT key` matches; by default to all. */
  faultAt = /./;
  private readonly sockets = new Set<Socket>();

  private constructor(readonly close: () => Promise<void>) {}

  endpoint = '';

  static async start(): Promise<S3Server> {
    const server = createServer((request, response) => void store.handle(request, response));
    const store = new S3Server(async () => {
      for (const socket of store.sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    server.on('connection', (socket) => {
      store.sockets.add(socket);
      socket.once('close', () => store.sockets.delete(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    store.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return store;
  }

  /** The variables of a site that stores its uploads here. */
  get env(): Record<string, string> {
    return {
      UPLOADS_S3_BUCKET: BUCKET,
      UPLOADS_S3_ENDPOINT: this.endpoint,
      UPLOADS_S3_PATH_STYLE: 'true',
      UPLOADS_S3_PREFIX: 'site/uploads',
    };
  }

  clear(): void {
    this.objects.clear();
    this.requests.length = 0;
    this.fault = undefined;
    this.faultAt = /./;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    const url = new URL(request.url ?? '', this.endpoint);
    const [, bucket, ...rest] = url.pathname.split('/').map(decodeURIComponent);
    const key = rest.join('/');
    const isList = url.searchParams.get('list-type') === '2';
    const name = isList ? `LIST ${url.searchParams.get('prefix')}` : `${method} ${key}`;
    this.requests.push(name);
    const fault = this.faultAt.test(name) ? this.fault : undefined;
    if (fault === 'cut-upload') return void request.socket.destroy();
    const bytes = Buffer.concat(await request.toArray());
    if (!isSigned(headers.authorization, headers['x-amz-content-sha256'], bytes))
      return fail(response, 403, 'SignatureDoesNotMatch');
    if (bucket !== BUCKET || fault === 'bucket-gone') return fail(response, 404, 'NoSuchBucket');
    if (fault === 'denied') return fail(response, 403, 'AccessDenied');
    if (fault === 'internal') return fail(response, 500, 'InternalError');
    if (isList) return this.list(url.searchParams, response);
    switch (method) {
      case 'PUT': {
        const { 'content-type': type = '', 'cache-control': cache = '' } = headers;
        const modified = new Date(Math.floor(Date.now() / 1000) * 1000);
        this.objects.set(key, {
          bytes,
          headers: { 'Content-Type': type, 'Cache-Control': cache },
          modified,
        });
        return void response.writeHead(200, { ETag: etag(bytes) }).end();
      }
      case 'DELETE':
        this.objects.delete(key);
        return void response.writeHead(204).end();
      case 'GET':
      case 'HEAD':
        return void this.get(key, request, response, fault);
      default:
        return fail(response, 405, 'MethodNotAllowed');
    }
  }

  private list(search: URLSearchParams, response: ServerResponse): void {
    const prefix = search.get('prefix') ?? '';
    const after = search.get('continuation-token') ?? '';
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, PAGE);
    const next =
      keys.length > PAGE
        ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>`
        : '';
    const contents = page.map((key) => `<Contents><Key>${escaped(key)}</Key></Contents>`).join('');
    response
      .writeHead(200, { 'Content-Type': 'application/xml' })
      .end(
        `<ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${next}${contents}</ListBucketResult>`,
      );
  }

  private get(key: string, request: IncomingMessage, response: ServerResponse, fault?: S3Fault): unknown {
    const object = this.objects.get(key);
    if (!object) return fail(response, 404, 'NoSuchKey');
    const { bytes, modified } = object;
    const { 'if-none-match': none, 'if-modified-since': since, 'if-match': match, range } = request.headers;
    const tag = etag(bytes);
    if (match && match !== tag) return fail(response, 412, 'PreconditionFailed');
    if (none ? none === tag : since && Date.parse(since) >= modified.getTime())
      return response.writeHead(304).end();
    const headers = { ...object.headers, ETag: tag, 'Last-Modified': modified.toUTCString() };
    const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
    const start = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from);
    const end = from === '' || to === '' ? bytes.length : Math.min(bytes.length, Number(to) + 1);
    if (range && start >= bytes.length) return fail(response, 416, 'InvalidRange');
    const part = range ? bytes.subarray(start, end) : bytes;
    response.writeHead(range ? 206 : 200, {
      ...headers,
      'Content-Length': part.length,
      ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${bytes.length}` }),
    });
    if (fault === undefined) return response.end(part);
    response.flushHeaders();
    if (fault === 'cut-download') response.write(part.subarray(0, part.length / 2));
    // After a pause, as a connection that breaks while a file arrives.
    return setTimeout(() => response.destroy(), 200);
  }
}

/** Objects per page of a list; few, so that tests get several pages. */
const PAGE = 3;

/** Whether a request has the headers of AWS's signature, version 4, and the hash of its body. */
function isSigned(authorization = '', sum: string | string[] = '', bytes: Buffer): boolean {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=AKIATEST\/\d{8}\/[\w-]+\/s3\/aws4_request, SignedHeaders=[\w;-]+, Signature=[0-9a-f]{64}$/;
  return pattern.test(authorization) && (sum === 'UNSIGNED-PAYLOAD' || sum === hash('sha256', bytes));
}

const etag = (bytes: Buffer) => `"${hash('md5', bytes)}"`;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function fail(response: ServerResponse, status: number, code: string): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  response.writeHead(status, { 'Content-Type': 'application/xml' }).end(body);
}
