import type { Requests } from './ask.js';
import { noCalendar, toError } from './error.js';
import type { CallOptions } from './resource.js';

/** One write of a batch. */
export interface BatchWrite {
  /** By default POST. */
  method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the namespace, such as `/events/53`. */
  path: string;
  body?: object;
  ifMatch?: string;
}

/** How a batch is sent. */
export interface BatchOptions extends CallOptions {
  /** Whether nothing is written unless all writes are valid. */
  allOrNothing?: boolean;
  /** Made by the caller for this batch: sent again with it, no write is done twice. */
  idempotencyKey?: string;
}

/** What became of one write. */
export interface BatchResponse {
  status: number;
  body: unknown;
  headers: Readonly<Record<string, string>>;
}

/** What became of a batch. */
export interface BatchResult {
  /** Whether nothing was written, as some writes are not valid. */
  isRefused: boolean;
  /** By write; null for a valid one of a refused batch. */
  responses: (BatchResponse | null)[];
}

/** Sends batches; `requests` are those of the REST root. */
export function batching(requests: Requests, namespace: string) {
  return async (
    writes: readonly BatchWrite[],
    { signal, allOrNothing = false, idempotencyKey: key }: BatchOptions = {},
  ): Promise<BatchResult> => {
    const { data, error, response } = await requests.request('post', '/batch/v1', {
      body: {
        validation: allOrNothing ? 'require-all-validate' : 'normal',
        requests: writes.map(({ path, ifMatch, ...write }) => ({
          ...write,
          path: `/${namespace}${path}`,
          headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch },
        })),
      },
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
      signal,
      redirect: 'manual',
      parseAs: 'json',
    });
    if (!response.ok) throw toError(response, error);
    const { failed, responses } = Object(data) as { failed?: string; responses?: (BatchResponse | null)[] };
    if (!Array.isArray(responses)) throw noCalendar();
    return { isRefused: failed !== undefined, responses };
  };
}
