import { createHash, hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { EventLoopYielder } from '../../common/event-loop.js';
import type { Environment } from '../../config/env.js';
import type { SiteSettings } from '../../wordpress/options/site-settings.js';
import { corsHeaders } from '../serialize-response.js';
import { type Chunk, lengthOf, type SerializedResponse, textOf } from '../serialized-response.js';

/** What an answer was made of, and so how long it holds. */
export interface Validity {
  /** `Versions.content` and the settings that were looked up before the answer was begun; undefined where it follows from neither. */
  content?: number;
  settings?: SiteSettings;
  /** Epoch milliseconds by the clock between which the present makes no difference; until Infinity it never does. */
  from?: number;
  until: number;
  /** When the content last changed, in epoch seconds; undefined where that is not known to the second. */
  changedAt?: number;
  /** The pattern of the route that it answers. */
  route?: string;
}

/** Whether the present makes no difference to what was made then; a clock may be set back. */
export const isTimely = ({ from = 0, until }: Pick<Validity, 'from' | 'until'>, now: number): boolean =>
  until === Number.POSITIVE_INFINITY || (from <= now && now < until);

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
/** Bytes that are put together and hashed in one go: less than a millisecond's work. */
const ONE_PASS_BYTES = 262_144;
/** Bytes that an answer takes beside its body. */
const OVERHEAD = 3072;

/** Headers that depend on who asks, or are those of what is kept. */
const PER_REQUEST_HEADERS = new Set([
  ...Object.keys(corsHeaders(null, 'https://example.org', true)),
  'Cache-Control',
  'Content-Type',
  'X-WP-Nonce',
]);

/** An answer to anybody, as bytes: sent whole, compressed, or as 304 to who has it already. */
export class CachedResponse {
  /** Names and values in turn, of those that are the same for all who ask: Node takes an object of them apart each time. */
  private readonly headers: readonly string[];
  private readonly type?: string;
  private readonly modified?: number;
  /** What the answer depends on besides its address and the origin. */
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
    // What follows from the present alone has no time of change.
    if (validity.changedAt !== undefined && validity.until === Number.POSITIVE_INFINITY)
      this.modified = validity.changedAt * 1000;
    // What pages of other origins are told depends on who asks now, not on who asked first.
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

  /** Copies and hashes the text, giving way to other requests: it may have many megabytes. */
  static async of(
    { status, headers, chunks }: SerializedResponse,
    validity: Validity,
    origins: Environment['corsOrigins'] = null,
  ): Promise<CachedResponse> {
    const length = lengthOf(chunks);
    if (length < ONE_PASS_BYTES) {
      const mark = hash('sha1', chunks.map(hashOf).join(''), 'base64url');
      const tag = etagOf(chunks, mark);
      return new CachedResponse(status, headers, chunks, joinChunks(chunks, length), tag, validity, origins);
    }
    const body = Buffer.allocUnsafeSlow(length);
    const whole = createHash('sha1');
    const breather = new EventLoopYielder();
    let at = 0;
    for (const piece of chunks) {
      at += body.write(textOf(piece), at, 'latin1');
      whole.update(hashOf(piece));
      if (breather.shouldYield) await breather.yield();
    }
    const tag = etagOf(chunks, whole.digest('base64url'));
    return new CachedResponse(status, headers, chunks, body, tag, validity, origins);
  }

  /** The same with a callback around it, which each client calls by another name. */
  inCallback(callback: string): CachedResponse {
    const body = Buffer.concat([Buffer.from(`/**/${callback}(`), this.bytes(), Buffer.from(')')]);
    const headers = { ...this.all, 'Content-Type': 'application/javascript; charset=UTF-8' };
    const tag = hash('sha1', `${callback}(${this.hash}`, 'base64url');
    return new CachedResponse(this.status, headers, [], body, tag, this.validity, this.origins);
  }

  /** The pattern of the route that it answers. */
  get route(): string | undefined {
    return this.validity.route;
  }

  /** Bytes of memory, with all compressed forms. */
  get size(): number {
    return this.length * 2 + OVERHEAD;
  }

  /** Sends it, with headers that are of this request alone. */
  send(request: IncomingMessage, response: ServerResponse, own: Readonly<Record<string, string>> = {}): void {
    const encoding =
      this.length < COMPRESSION_THRESHOLD ? undefined : accepted(request.headers['accept-encoding']);
    const whole = this.bytes();
    const body = (encoding && this.compressedBody(encoding, whole)) ?? whole;
    const isCompressed = body !== whole;
    const isKnown = this.isKnownTo(request);
    const headers = isKnown || this.type === undefined ? [] : ['Content-Type', this.type];
    const add = (name: string, value = '') => headers.push(name, value);
    for (let at = 0; at < this.headers.length; at += 2) {
      const name = this.headers[at] ?? '';
      if (own[name] === undefined) add(name, this.headers[at + 1]);
    }
    // As recorded, a HEAD says nothing of origins unless it names one.
    const cors = corsHeaders(this.origins, request.headers.origin, request.method === 'GET');
    for (const name in cors) if (name !== 'Vary') add(name, cors[name]);
    add('Vary', cors['Vary'] === undefined ? this.vary : `${cors['Vary']}, ${this.vary}`);
    add('ETag', isCompressed ? `"${this.hash}-${encoding}"` : `"${this.hash}"`);
    for (const name in own) add(name, own[name]);
    if (!isKnown && isCompressed) add('Content-Encoding', encoding);
    if (!isKnown) add('Content-Length', String(body.length));
    begin(response, isKnown ? 304 : this.status, headers);
    response.end(isKnown ? undefined : body);
  }

  /**
   * All of it. Most lists are asked for once: until somebody asks again, a small answer has nothing of its own but what
   * stands between its records, whose texts others have as well. A single piece is nobody else's: as bytes it is smaller.
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

  /** The forms of one answer are the same to who asks for changes. */
  private isKnownTo({ headers }: IncomingMessage): boolean {
    const tags = headers['if-none-match'];
    if (tags !== undefined)
      return tags
        .split(',')
        .some(
          (tag) =>
            tag.trim() === '*' || /^(?:W\/)?"([\w-]{27})(?:-\w+)?"$/.exec(tag.trim())?.[1] === this.hash,
        );
    // Any other time than ours may be of an answer that had none, made in the same second as a change.
    return this.modified !== undefined && Date.parse(headers['if-modified-since'] ?? '') === this.modified;
  }

  /** Compressed once it is asked for again, if that at least halves it; the work is done on another thread. */
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

/** Sends status and headers, names and values in turn, in place of those of these names that were set before. */
function begin(response: ServerResponse, status: number, headers: string[]): void {
  if (response.getHeaderNames().length === 0) {
    response.writeHead(status, headers);
    return;
  }
  response.statusCode = status;
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
}

function joinChunks(pieces: readonly Chunk[], length: number): Buffer {
  const body = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const piece of pieces) at += body.write(textOf(piece), at, 'latin1');
  return body;
}

/** A text that was made for this answer has the hash that it would have as a piece that was known. */
function etagOf(pieces: readonly Chunk[], mark: string): string {
  const isNew = pieces.every((piece) => typeof piece === 'string');
  return isNew ? hash('sha1', `\0${mark}`, 'base64url') : mark;
}

/** What is hashed for a piece; together they are the same for the same text alone. */
const hashOf = (piece: Chunk): string => (typeof piece === 'string' ? piece : piece.hash);

function accepted(header: string | undefined): Encoding | undefined {
  return header === undefined ? undefined : ACCEPTS.find(([, pattern]) => pattern.test(header))?.[0];
}
