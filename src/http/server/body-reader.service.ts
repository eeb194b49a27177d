import { AsyncResource } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { forbidden, RestException } from '../../common/errors/rest-exception.js';
import { Environment } from '../../config/env.js';
import { AllowedMethods } from '../allowed-methods.js';
import { ARRIVAL_TIME, MAX_HELD, MAX_UPLOAD, SMALL_BODY } from '../params/limits.js';
import { isUpload, type RestRequest, restOf } from '../rest-request.js';
import { type Body, bringsBody, noBody, parseBody } from './read-body.js';

/** Bytes of the buffer at first. */
const INITIAL_CAPACITY = 16 * 1024;
/** Chunks that are read before yielding to other requests. */
const CHUNKS_AT_ONCE = 500;

/**
 * Reads the body of a request when its fields are needed: after routing, at most `BODY_LIMIT` bytes, and only a small one of
 * users who may not write (W24).
 */
@Injectable()
export class BodyReader {
  /** Buffered bytes inside the interface, and outside, where anonymous large bodies must not block writes. */
  private readonly buffered = { inside: 0, outside: 0 };

  constructor(
    private readonly env: Environment,
    private readonly allowed: AllowedMethods,
  ) {}

  /**
   * The body's fields, read once. Throws `RestException`: 413 for a large body, 401 or 403 if the user may not write, 400 for
   * an incomplete or invalid one, 503 while too many are in transit.
   */
  async read(request: Request): Promise<Body> {
    const rest = restOf(request);
    if (!rest) throw new Error('a body was requested outside the interface');
    const { headers, method } = request;
    if (!bringsBody(headers)) return noBody();
    rest.body ??= this.bytes(request, rest).then((bytes) =>
      parseBody(bytes, { headers, method, sentAs: rest.sentAs, isUpload: isUpload(rest, method) }),
    );
    return rest.body;
  }

  /** The bytes of a body, outside the interface without `rest`; throws as `read` does. */
  async bytes(request: Request, rest?: RestRequest): Promise<Buffer> {
    const announced = Number(request.headers['content-length'] ?? 0);
    const area = rest ? 'inside' : 'outside';
    const limit = rest?.user && isUpload(rest, request.method) ? MAX_UPLOAD : this.env.bodyLimit;
    this.checkSize(announced, area, limit);
    await this.checkRights(request, rest, announced);
    const arriving = new ArrivingBody(request);
    let counted = 0;
    // Checked once: by the announced size, or when more has arrived.
    let isAllowed = announced > SMALL_BODY;
    try {
      await arriving.end(async (size) => {
        this.buffered[area] += arriving.capacity - counted;
        counted = arriving.capacity;
        this.checkSize(size, area, limit);
        if (isAllowed || size <= SMALL_BODY) return;
        await this.checkRights(request, rest, size);
        isAllowed = true;
      });
      return arriving.bytes;
    } finally {
      this.buffered[area] -= counted;
    }
  }

  private checkSize(bytes: number, area: keyof BodyReader['buffered'], limit: number): void {
    if (bytes > limit)
      throw new RestException(
        'too_large',
        'rest_content_too_large',
        `A body may hold at most ${limit} bytes.`,
      );
    if (this.buffered[area] > MAX_HELD)
      throw new RestException('busy', 'too_many_requests', 'Too many bodies are being sent.');
  }

  private async checkRights(request: Request, rest: RestRequest | undefined, bytes: number): Promise<void> {
    const { method } = request;
    // With a login cookie the nonce may have to be read before the user is known.
    if (bytes <= SMALL_BODY || method === 'GET' || method === 'HEAD' || rest?.user === undefined) return;
    const methods = (await this.allowed.header(request))?.split(', ') ?? [];
    if (!methods.includes(method)) throw forbidden('You may not write here.');
  }
}

/** A body in transit, in one growing buffer: a million chunks of one byte must not be a million buffers. */
class ArrivingBody {
  private buffer = Buffer.allocUnsafe(INITIAL_CAPACITY);
  private size = 0;
  private chunks = 0;

  constructor(private readonly request: Request) {}

  /** Bytes of memory. */
  get capacity(): number {
    return this.buffer.length;
  }

  get bytes(): Buffer {
    return this.buffer.subarray(0, this.size);
  }

  /** Resolves with the last byte; `check` runs then and whenever the buffer grows, and may reject the rest. */
  end(check: (size: number) => Promise<void>): Promise<void> {
    const { request } = this;
    // Events have no request store.
    const checkInContext = AsyncResource.bind(check);
    return new Promise((resolve, reject) => {
      let isRejected = false;
      const onData = (chunk: Buffer) => {
        const grows = !isRejected && this.append(chunk);
        this.chunks += 1;
        if (!grows && this.chunks % CHUNKS_AT_ONCE > 0) return;
        request.pause();
        const goOn = () => request.resume();
        (grows ? checkInContext(this.size) : setImmediate()).then(goOn, stop);
      };
      const onEnd = () => {
        clearTimeout(timer);
        checkInContext(this.size).then(resolve, reject);
      };
      const stop = (error: unknown) => {
        clearTimeout(timer);
        isRejected = true;
        request.off('end', onEnd).resume();
        reject(error);
      };
      const tooLate = new RestException('timeout', 'rest_bad_request', 'The body did not arrive in time.');
      const timer = setTimeout(stop, ARRIVAL_TIME, tooLate);
      request.on('data', onData);
      request.once('end', onEnd);
      request.once('close', () => {
        clearTimeout(timer);
        if (!request.readableEnded)
          reject(new RestException('invalid', 'rest_bad_request', 'The body broke off.'));
      });
    });
  }

  /** Returns whether the buffer grew. */
  private append(chunk: Buffer): boolean {
    const size = this.size + chunk.length;
    const grows = size > this.buffer.length;
    if (grows) {
      const larger = Buffer.allocUnsafe(Math.max(size, 2 * this.buffer.length));
      this.buffer.copy(larger, 0, 0, this.size);
      this.buffer = larger;
    }
    chunk.copy(this.buffer, this.size);
    this.size = size;
    return grows;
  }
}
