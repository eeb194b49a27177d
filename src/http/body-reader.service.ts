import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Environment } from '../config/env.js';
import { CallerGone } from '../database/caller.js';
import { AllowedMethods } from './allowed-methods.js';
import { DROPPING_TIME, MOST_HELD, SMALL_BODY } from './limits.js';
import { type Body, noBody, parseBody } from './read-body.js';
import { forbidden, RestError } from './rest-error.js';
import { type RestRequest, restOf } from './rest-request.js';

/**
 * Reads the body of a request when somebody needs its fields: after its route was found, never more than `BODY_LIMIT`
 * bytes, and of who may not write only a small one (W24).
 */
@Injectable()
export class BodyReader {
  private held = 0;

  constructor(
    private readonly env: Environment,
    private readonly allowed: AllowedMethods,
  ) {}

  /**
   * The body's fields, read once. Throws `RestError`: 413 for a large body, 401 or 403 for one that its sender may not
   * write, 400 for one that can not be read, 503 while too many are under way.
   */
  async read(request: Request): Promise<Body> {
    const rest = restOf(request);
    if (!rest) throw new Error('a body was asked for outside the interface');
    const { headers, method } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
      return noBody();
    rest.body ??= this.collect(request, rest).then((bytes) =>
      parseBody(bytes, { headers, method, sentAs: rest.sentAs }),
    );
    return rest.body;
  }

  private async collect(request: Request, rest: RestRequest): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    const check = this.checks(request, rest);
    try {
      await check(Number(request.headers['content-length'] ?? 0));
      // The request is left alone when its body is refused: the answer must still be sent over it.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        size += chunk.length;
        this.held += chunk.length;
        await check(size);
      }
      return Buffer.concat(chunks);
    } catch (error) {
      if (!(error instanceof RestError)) throw new CallerGone();
      dropRest(request);
      throw error;
    } finally {
      this.held -= size;
    }
  }

  /** What is asked of a body that is announced as so many bytes, and again as it grows. */
  private checks(request: Request, rest: RestRequest): (bytes: number) => Promise<void> {
    let mayBeLarge = request.method === 'GET' || request.method === 'HEAD';
    return async (bytes) => {
      const { bodyLimit } = this.env;
      if (bytes > bodyLimit)
        throw new RestError('rest_content_too_large', 413, `A body may hold at most ${bodyLimit} bytes.`);
      if (this.held > MOST_HELD)
        throw new RestError(
          'too_many_requests',
          503,
          'Too many bodies are being sent at the moment.',
          {},
          {},
          {
            'Retry-After': '1',
          },
        );
      // Who has a login cookie may have to be read before anybody knows who that is.
      if (bytes <= SMALL_BODY || mayBeLarge || rest.user === undefined) return;
      const methods = (await this.allowed.header(request))?.split(', ') ?? [];
      if (!methods.includes(request.method)) throw forbidden(rest.user, 'You may not write here.');
      mayBeLarge = true;
    };
  }
}

/** Reads and drops what a client goes on sending, so that it sees the answer; not for ever. */
function dropRest(request: Request): void {
  request.resume();
  const { socket } = request;
  setTimeout(() => request.complete || socket.destroy(), DROPPING_TIME).unref();
}
