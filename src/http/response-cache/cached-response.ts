import { createHash, hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { EventLoopYielder } from '../../common/event-loop.js';
import type { Environment } from '../../config/env.js';
import type { SiteSettings } from '../../wordpress/options/site-settings.js';
import type { Timespan } from '../request-time.js';
import { corsHeaders } from '../serialize-response.js';
import { type Chunk, lengthOf, type SerializedResponse, textOf } from '../serialized-response.js';

/** What a response depends on, and so how long it is valid. */
interface Validity extends Timespan {
  /** `TableSnapshot.contentVersion` and the settings of before it was made; undefined where it depends on neither. */
  contentVersion?: number;
  settings?: SiteSettings;
  /** When the content last changed, in epoch seconds; undefined where unknown. */
  changedAt?: number;
  /** The pattern of its route. */
  route?: string;
}

type Encoding = 'br' | 'gzip';

const COMPRESS: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: promisify(gzip),
};
const ACCEPTS: readonly [Encoding, RegExp][] = [
  ['br', /(?:^|,)\s*br\s*(?:,|$|;\s*q=(?:0?\.0*[1-9]|1))/i],
  ['gzip', /(?:^|,)\s*gzip\s*(?:,|$|;\s*q=(?:0?\.0*[1-9]|1))/i],
];
/** Bytes below which compressing gains nothing. */
const COMPRESSION_THRESHOLD = 1024;
/** Bytes that are joined and hashed without yielding, in less than a millisecond. */
const ONE_PASS_BYTES = 262_144;
/** Bytes of a response beside its body. */
const OVERHEAD = 3072;

const PER_REQUEST_HEADERS = new Set([
  ...Object.keys(corsHeaders(null, 'https://example.org', true)),
  'Cache-Control',
  'Content-Type',
  'X-WP-Nonce',
]);

/** The bytes of a public response: sent whole, compressed, or as 304. */
export class CachedResponse {
  /** Flat list of names and values that are the same for all requests: cheaper for `writeHead` than an object. */
  private readonly headers: readonly string[];
  private readonly type?: string;
  private readonly modified?: number;
  /** `Vary` without `Origin`. */
  private readonly vary: string;
  private readonly compressed: Partial<Record<Encoding, Buffer>> = {};
  private readonly requestCounts = new Map<Encoding, number>();
  /** Bytes of its body. */
  readonly length: number;
  private body?: Buffer;
  private sends = 0;

  private constructor(
    private readonly status: number,
    private readonly all: Readonly<Record<string, string>>,
    private chunks: readonly Chunk[],
    body: Buffer,
    private readonly hash: string,
    readonly validity: Validity,
    private readonly origins: Environment['corsOrigins'],
  ) {
    this.body = body;
    this.length = body.length;
    // The time of change of a response that expires is unknown.
    if (validity.changedAt !== undefined && validity.until === Number.POSITIVE_INFINITY)
      this.modified = validity.changedAt * 1000;
    const modified = this.modified === undefined ? undefined : new Date(this.modified).toUTCString();
    const own: string[] = [];
    for (const name in all)
      if (!PER_REQUEST_HEADERS.has(name) && (name !== 'Last-Modified' || modified === undefined))
        own.push(name, all[name] ?? '');
    own.push('Cache-Control', 'no-cache');
    if (modified !== undefined) own.push('Last-Modified', modified);
    this.headers = own;
    this.type = all['Content-Type'];
    const vary = (all['Vary'] ?? '').split(', ').filter((name) => name !== '' && name !== 'Origin');
    this.vary = [...vary, 'Accept-Encoding'].join(', ');
  }

  /** Copies and hashes the text, yielding to other requests: it may have many megabytes. */
  static async of(
    { status, headers, chunks }: SerializedResponse,
    validity: Validity,
    origins: Environment['corsOrigins'] = null,
  ): Promise<CachedResponse> {
    const length = lengthOf(chunks);
    if (length < ONE_PASS_BYTES) {
      const tag = etagOf(chunks, hash('sha1', chunks.map(hashOf).join(''), 'base64url'));
      return new CachedResponse(status, headers, chunks, joinChunks(chunks, length), tag, validity, origins);
    }
    const body = Buffer.allocUnsafeSlow(length);
    const whole = createHash('sha1');
    const yielder = new EventLoopYielder();
    let at = 0;
    for (const chunk of chunks) {
      at += body.write(textOf(chunk), at, 'latin1');
      whole.update(hashOf(chunk));
      if (yielder.shouldYield) await yielder.yield();
    }
    const tag = etagOf(chunks, whole.digest('base64url'));
    return new CachedResponse(status, headers, chunks, body, tag, validity, origins);
  }

  /** The same wrapped in a JSONP callback, whose name differs by client; a response that is no JSON stays as it is. */
  inCallback(callback: string): CachedResponse {
    if (!this.all['Content-Type']?.startsWith('application/json')) return this;
    const body = Buffer.concat([Buffer.from(`/**/${callback}(`), this.bytes(), Buffer.from(')')]);
    const headers = { ...this.all, 'Content-Type': 'application/javascript; charset=UTF-8' };
    const tag = hash('sha1', `${callback}(${this.hash}`, 'base64url');
    return new CachedResponse(this.status, headers, [], body, tag, this.validity, this.origins);
  }

  /** Bytes of memory, including compressed forms. */
  get size(): number {
    return this.length * 2 + OVERHEAD;
  }

  /** Sends it with headers of this request. */
  send(request: IncomingMessage, response: ServerResponse, own: Readonly<Record<string, string>> = {}): void {
    const encoding =
      this.length < COMPRESSION_THRESHOLD ? undefined : accepted(request.headers['accept-encoding']);
    const whole = this.bytes();
    const body = (encoding && this.compressedBody(encoding, whole)) ?? whole;
    const isCompressed = body !== whole;
    const isNotModified = this.isNotModified(request);
    const headers = isNotModified || this.type === undefined ? [] : ['Content-Type', this.type];
    const add = (name: string, value = '') => headers.push(name, value);
    for (let at = 0; at < this.headers.length; at += 2) {
      const name = this.headers[at] ?? '';
      if (own[name] === undefined) add(name, this.headers[at + 1]);
    }
    // As recorded, the response to a HEAD has CORS headers only if it names an origin.
    const cors = corsHeaders(this.origins, request.headers.origin, request.method === 'GET');
    for (const name in cors) if (name !== 'Vary') add(name, cors[name]);
    add('Vary', cors['Vary'] === undefined ? this.vary : `${cors['Vary']}, ${this.vary}`);
    add('ETag', isCompressed ? `"${this.hash}-${encoding}"` : `"${this.hash}"`);
    for (const name in own) add(name, own[name]);
    if (!isNotModified && isCompressed) add('Content-Encoding', encoding);
    if (!isNotModified) add('Content-Length', String(body.length));
    writeHead(response, isNotModified ? 304 : this.status, headers);
    response.end(isNotModified ? undefined : body);
  }

  /**
   * The body. Most lists are requested once: small ones share the strings of their records, and a buffer is stored on the
   * second hit. A single chunk is not shared and smaller as bytes.
   */
  private bytes(): Buffer {
    const body = this.body ?? joinChunks(this.chunks, this.length);
    this.sends += 1;
    if (this.sends === 1 && this.length < ONE_PASS_BYTES && this.chunks.length > 1) this.body = undefined;
    else {
      this.body = body;
      this.chunks = [];
    }
    return body;
  }

  /** Whether the client has this response; its compressed forms count as the same. */
  private isNotModified({ headers }: IncomingMessage): boolean {
    const tags = headers['if-none-match'];
    if (tags !== undefined)
      return tags
        .split(',')
        .some(
          (tag) =>
            tag.trim() === '*' || /^(?:W\/)?"([\w-]{27})(?:-\w+)?"$/.exec(tag.trim())?.[1] === this.hash,
        );
    // Any other time may be of a response that was made in the same second as a change.
    return this.modified !== undefined && Date.parse(headers['if-modified-since'] ?? '') === this.modified;
  }

  /** The compressed body, made on another thread at the second request; undefined unless it is at most half as long. */
  private compressedBody(encoding: Encoding, body: Buffer): Buffer | undefined {
    const sends = (this.requestCounts.get(encoding) ?? 0) + 1;
    this.requestCounts.set(encoding, sends);
    if (sends === 2)
      COMPRESS[encoding](body).then(
        (compressed) => {
          if (compressed.length <= body.length / 2) this.compressed[encoding] = compressed;
        },
        () => undefined,
      );
    return this.compressed[encoding];
  }
}

/** Sends status and a flat list of headers, which replace those that were set before. */
function writeHead(response: ServerResponse, status: number, headers: string[]): void {
  if (response.getHeaderNames().length === 0) {
    response.writeHead(status, headers);
    return;
  }
  response.statusCode = status;
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
}

function joinChunks(chunks: readonly Chunk[], length: number): Buffer {
  const body = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const chunk of chunks) at += body.write(textOf(chunk), at, 'latin1');
  return body;
}

/** A text without shared chunks has the same hash as if it was one. */
function etagOf(chunks: readonly Chunk[], digest: string): string {
  const isText = chunks.every((chunk) => typeof chunk === 'string');
  return isText ? hash('sha1', `\0${digest}`, 'base64url') : digest;
}

const hashOf = (chunk: Chunk): string => (typeof chunk === 'string' ? chunk : chunk.hash);

function accepted(header: string | undefined): Encoding | undefined {
  return header === undefined ? undefined : ACCEPTS.find(([, pattern]) => pattern.test(header))?.[0];
}
