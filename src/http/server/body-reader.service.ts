import { AsyncResource } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { forbidden, RestException } from '../../common/errors/rest-exception.js';
import { Environment } from '../../config/env.js';
import { AllowedMethods } from '../allowed-methods.js';
import { ARRIVAL_TIME, MAX_HELD, SMALL_BODY } from '../params/limits.js';
import { type RestRequest, restOf } from '../rest-request.js';
import { type Body, bringsBody, noBody, parseBody } from './read-body.js';

/** Bytes that are made room for at first. */
const FIRST_ROOM = 16 * 1024;
/** Chunks that are taken before others get their turn. */
const CHUNKS_AT_ONCE = 500;

/**
 * Reads the body of a request when somebody needs its fields: after its route was found, never more than `BODY_LIMIT` bytes,
 * and of who may not write only a small one (W24).
 */
@Injectable()
export class BodyReader {
  /** Bytes that are held of bodies inside the interface, and outside, where anybody may send large ones: those keep nobody from writing. */
  private readonly held = { inside: 0, outside: 0 };

  constructor(
    private readonly env: Environment,
    private readonly allowed: AllowedMethods,
  ) {}

  /**
   * The body's fields, read once. Throws `Refusal`: 413 for a large body, 401 or 403 for one that its sender may not
   * write, 400 for one that breaks off or can not be read, 503 while too many are under way.
   */
  async read(request: Request): Promise<Body> {
    const rest = restOf(request);
    if (!rest) throw new Error('a body was asked for outside the interface');
    const { headers, method } = request;
    if (!bringsBody(headers)) return noBody();
    rest.body ??= this.collect(request, rest).then((bytes) =>
      parseBody(bytes, { headers, method, sentAs: rest.sentAs }),
    );
    return rest.body;
  }

  /** The bytes of a body outside the interface, whoever sends it; throws as `read` does. */
  bytes(request: Request): Promise<Buffer> {
    return this.collect(request);
  }

  private async collect(request: Request, rest?: RestRequest): Promise<Buffer> {
    const announced = Number(request.headers['content-length'] ?? 0);
    const place = rest ? 'inside' : 'outside';
    this.checkSize(announced, place);
    await this.checkRights(request, rest, announced);
    const arriving = new ArrivingBody(request);
    let counted = 0;
    // Asked once: by the announced size, or when more has come.
    let isTrusted = announced > SMALL_BODY;
    try {
      await arriving.end(async (size) => {
        this.held[place] += arriving.room - counted;
        counted = arriving.room;
        this.checkSize(size, place);
        if (isTrusted || size <= SMALL_BODY) return;
        await this.checkRights(request, rest, size);
        isTrusted = true;
      });
      return arriving.bytes;
    } finally {
      this.held[place] -= counted;
    }
  }

  private checkSize(bytes: number, place: keyof BodyReader['held']): void {
    const { bodyLimit } = this.env;
    if (bytes > bodyLimit)
      throw new RestException(
        'too_large',
        'rest_content_too_large',
        `A body may hold at most ${bodyLimit} bytes.`,
      );
    if (this.held[place] > MAX_HELD)
      throw new RestException('busy', 'too_many_requests', 'Too many bodies are being sent.');
  }

  private async checkRights(request: Request, rest: RestRequest | undefined, bytes: number): Promise<void> {
    const { method } = request;
    // Who has a login cookie may have to be read before anybody knows who that is.
    if (bytes <= SMALL_BODY || method === 'GET' || method === 'HEAD' || rest?.user === undefined) return;
    const methods = (await this.allowed.header(request))?.split(', ') ?? [];
    if (!methods.includes(method)) throw forbidden('You may not write here.');
  }
}

const tooLate = () => new RestException('timeout', 'rest_bad_request', 'The body did not arrive in time.');
const brokenOff = () => new RestException('invalid', 'rest_bad_request', 'The body broke off.');

/** A body on its way, in one buffer that grows: a million chunks of one byte must not be a million buffers. */
class ArrivingBody {
  private buffer = Buffer.allocUnsafe(FIRST_ROOM);
  private size = 0;
  private chunks = 0;

  constructor(private readonly request: Request) {}

  /** Bytes of memory that it takes. */
  get room(): number {
    return this.buffer.length;
  }

  get bytes(): Buffer {
    return this.buffer.subarray(0, this.size);
  }

  /** Resolves with the last byte; `check` is asked then, and whenever more room was made: it may refuse the rest. */
  end(check: (size: number) => Promise<void>): Promise<void> {
    const { request } = this;
    // Events come as nobody's work.
    const asked = AsyncResource.bind(check);
    return new Promise((resolve, reject) => {
      let isRefused = false;
      const onData = (chunk: Buffer) => {
        const grows = !isRefused && this.append(chunk);
        this.chunks += 1;
        if (!grows && this.chunks % CHUNKS_AT_ONCE > 0) return;
        request.pause();
        const goOn = () => request.resume();
        (grows ? asked(this.size) : setImmediate()).then(goOn, stop);
      };
      const onEnd = () => {
        clearTimeout(timer);
        asked(this.size).then(resolve, reject);
      };
      const stop = (error: unknown) => {
        clearTimeout(timer);
        isRefused = true;
        request.off('end', onEnd).resume();
        reject(error);
      };
      const timer = setTimeout(stop, ARRIVAL_TIME, tooLate());
      request.on('data', onData);
      request.once('end', onEnd);
      request.once('close', () => {
        clearTimeout(timer);
        if (!request.readableEnded) reject(brokenOff());
      });
    });
  }

  /** Says whether it needed more room. */
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
