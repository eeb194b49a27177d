import { toError } from './error.js';

/** What is sent besides the method and the path. */
export interface Call {
  params?: { path?: object; query?: object };
  body?: object;
  signal?: AbortSignal;
  redirect?: 'manual';
  headers?: Readonly<Record<string, string>>;
  parseAs: 'text' | 'json' | 'stream';
}

/** The part of openapi-fetch's client that is used, without its types, which know each path by itself. */
export interface Requests {
  request(
    method: string,
    path: string,
    call: Call,
  ): Promise<{ data?: unknown; error?: unknown; response: Response }>;
}

/** The ETags of received records; proxies that compress mark them as weak, which servers would refuse. */
const tags = new WeakMap<object, string>();

/** The ETag of a record that a caller who may write it has read or written by itself; undefined for those of lists. */
export const etagOf = (record: object): string | undefined => tags.get(record);

type Method = 'get' | 'post' | 'put' | 'delete';

/** Makes the function that sends a call and returns the JSON of its response; it throws an `AlmanacError` for any other. */
export function asking(requests: Requests) {
  return async <Answer>(method: Method, path: string, call: Omit<Call, 'parseAs'>): Promise<Answer> => {
    // A redirected write would come out as a read.
    const options = method === 'get' ? call : ({ ...call, redirect: 'manual' } as const);
    const { data, error, response } = await requests.request(method, path, { ...options, parseAs: 'text' });
    const body = response.ok ? parsed(data) : error;
    if (!response.ok || typeof body !== 'object' || body === null) throw toError(response, body);
    const tag = response.headers.get('ETag');
    if (tag !== null) tags.set(body, tag.replace(/^W\//, ''));
    return body as Answer;
  };
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
