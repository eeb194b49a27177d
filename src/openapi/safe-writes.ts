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

const part = (schema: object) => ({ type: 'object', properties: schema });

/** The path of batches, which is WordPress's own and outside of the namespaces. */
export function batchPath(prefix: string, signedIn: readonly object[]) {
  const request = {
    ...part({
      method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'], default: 'POST' },
      path: { type: 'string', description: 'Below the REST root, such as `/cal/events/v1/events`.' },
      body: { type: 'object' },
      headers: {
        type: 'object',
        description: 'Conditions and keys only.',
        additionalProperties: { type: 'string' },
      },
    }),
    required: ['path'],
  };
  const body = {
    ...part({
      validation: { type: 'string', enum: ['normal', 'require-all-validate'], default: 'normal' },
      requests: { type: 'array', minItems: 1, maxItems: 25, items: request },
    }),
    required: ['requests'],
  };
  const response = part({ body: {}, status: { type: 'integer' }, headers: { type: ['object', 'array'] } });
  const result = part({
    failed: { type: 'string', enum: ['validation'] },
    responses: { type: 'array', items: { anyOf: [response, { type: 'null' }] } },
  });
  const errors = ['400', '401', '403', '413', '429', '503'];
  return {
    '/batch/v1': {
      post: {
        tags: ['batches'],
        summary: 'Run up to 25 writes, one after the other',
        description:
          'Each has the response that it would have alone. With `require-all-validate` none runs unless all are valid.',
        operationId: 'runBatch',
        security: [...signedIn],
        parameters: [{ $ref: '#/components/parameters/Idempotency-Key' }],
        requestBody: { required: true, content: { 'application/json': { schema: body } } },
        responses: {
          ...Object.fromEntries(
            errors.map((status) => [status, { $ref: `#/components/responses/${status}` }]),
          ),
          207: { description: 'The responses.', content: { 'application/json': { schema: result } } },
          default: { $ref: '#/components/responses/default' },
        },
      },
      servers: [{ url: `.${prefix}` }],
    },
  };
}
