import type { Resource } from '../resources/base/resource.js';

const UPDATES = ['PUT', 'PATCH', 'DELETE'];

const header = (name: string, description: string, schema: object = {}) => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', ...schema },
});

/** Headers of writes (docs/behaviour/writes.md#conditional-writes). */
export const WRITE_HEADERS = {
  'If-Match': header(
    'If-Match',
    'The ETag of the record as the caller knows it: 412 if it has changed since.',
  ),
  'If-None-Match': header('If-None-Match', '`*`: 412 if a record with the `slug` that is sent exists.', {
    enum: ['*'],
  }),
  'Idempotency-Key': header(
    'Idempotency-Key',
    'Made by the caller: for 24 hours the same request with it gets the same response and writes nothing.',
    { maxLength: 257 },
  ),
};

/** The headers that a write of a resource takes. */
export function writeHeadersOf(method: string, isCollection: boolean): (keyof typeof WRITE_HEADERS)[] {
  const isUpdate = UPDATES.includes(method) || (method === 'POST' && !isCollection);
  const isKeyed = method === 'POST' || method === 'PATCH';
  return [
    ...(isUpdate ? (['If-Match'] as const) : []),
    ...(method === 'POST' && isCollection ? (['If-None-Match'] as const) : []),
    ...(isKeyed ? (['Idempotency-Key'] as const) : []),
  ];
}

/** The statuses of writes that these headers add. */
export function writeErrorsOf(resource: Resource | undefined, method: string): string[] {
  if (!resource || method === 'GET') return [];
  const isKeyed = method === 'POST' || method === 'PATCH';
  return isKeyed ? ['409', '412', '422'] : ['412'];
}

/** The header of a response with one record. */
export const ETAG = {
  ETag: { description: 'The state of the record, for `If-Match`.', schema: { type: 'string' } },
};
