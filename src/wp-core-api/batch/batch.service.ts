import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { throwIfAborted } from '../../common/context/abort.js';
import { invalidParameter } from '../../common/errors/rest-exception.js';
import { CORE_NAMESPACE, Environment } from '../../config/env.js';
import { restOf } from '../../http/rest-request.js';
import { SubRequests, type SubResponse } from '../../http/server/sub-requests.service.js';
import type { BatchDto, BatchRequest } from './batch.dto.js';

/** A response within that of a batch, as WordPress sends it. */
interface BatchResponse {
  body: unknown;
  status: number;
  headers: Record<string, string> | [];
}

/** The headers of a response that are about its record, as WordPress spells them. */
const RECORD_HEADERS = [
  'Allow',
  'ETag',
  'Location',
  'Retry-After',
  'X-Almanac-Ignored',
  'Idempotency-Replayed',
];

/** Runs several writes one after the other, each as a single request would run (docs/behaviour/writes.md#batches). */
@Injectable()
export class BatchService {
  constructor(
    private readonly env: Environment,
    private readonly subRequests: SubRequests,
  ) {}

  async run({ requests, validation }: BatchDto, outer: Request): Promise<object> {
    const foreign = requests.findIndex(({ path }) => !this.isInside(path));
    if (foreign >= 0)
      throw invalidParameter('requests', `requests[${foreign}].path is outside of what a batch may run.`);
    if (validation === 'require-all-validate') {
      const checked = await this.sendAll(requests, outer, true);
      if (checked.some(isRefused))
        return {
          failed: 'validation',
          responses: checked.map((one) => (isRefused(one) ? toResponse(one) : null)),
        };
    }
    return { responses: (await this.sendAll(requests, outer, false)).map(toResponse) };
  }

  private isInside(path: string): boolean {
    const route = (path.split('?', 1)[0] ?? '').toLowerCase();
    return [...this.env.apiNamespaces, CORE_NAMESPACE].some((name) =>
      route.startsWith(`/${name.toLowerCase()}/`),
    );
  }

  /** Ends when the client of the batch disconnects. */
  private async sendAll(
    requests: readonly BatchRequest[],
    outer: Request,
    validatesOnly: boolean,
  ): Promise<SubResponse[]> {
    const disconnect = new AbortController();
    const abort = () => disconnect.abort();
    outer.res?.once('close', abort);
    try {
      const responses: SubResponse[] = [];
      for (const [index, { method = 'POST', path, body = {}, headers = {} }] of requests.entries()) {
        throwIfAborted();
        const sent = {
          method,
          url: `${this.env.pathPrefix}${path}`,
          headers: { ...nonceOf(outer), ...keyOf(outer, index), ...lowerCase(headers) },
          body: JSON.stringify(body),
          validatesOnly,
        };
        responses.push(await this.subRequests.send(outer, sent, disconnect.signal));
      }
      return responses;
    } catch (error) {
      throwIfAborted();
      throw error;
    } finally {
      outer.res?.off('close', abort);
    }
  }
}

const isRefused = ({ status }: SubResponse): boolean => status >= 400;

/** The renewed nonce of a batch, which may have been sent in its query or form. */
function nonceOf(outer: Request): Record<string, string> {
  const nonce = restOf(outer)?.freshNonce;
  return nonce === undefined ? {} : { 'x-wp-nonce': nonce };
}

/** The key of one request, derived from that of the batch. */
function keyOf({ headers }: IncomingMessage, index: number): Record<string, string> {
  const key = headers['idempotency-key'];
  return key === undefined
    ? {}
    : { 'idempotency-key': `batch-${hash('sha256', String(key), 'base64url')}-${index}` };
}

const lowerCase = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

function toResponse({ status, headers, text }: SubResponse): BatchResponse {
  const own = RECORD_HEADERS.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [[name, String(value)]];
  });
  return { body: parsed(text), status, headers: own.length > 0 ? Object.fromEntries(own) : [] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
