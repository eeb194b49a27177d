import { ERRORS } from './document-parts.js';

const REFERENCE = { $ref: '#/components/schemas/Error' };

const REFUSALS = {
  ...ERRORS,
  409: 'Another request with this `Idempotency-Key` is running, or another record has the value.',
  412: 'The record is not in the state that `If-Match` or `If-None-Match` names.',
  413: 'The body is larger than `BODY_LIMIT`.',
  422: 'This `Idempotency-Key` was sent with another request.',
  429: 'Too many failed logins from this address or for this user.',
  503: 'Too much is under way, or the database does not answer. Ask again later.',
};

type Status = keyof typeof REFUSALS;

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
};

/** An example error of each status. */
const EXAMPLES: Readonly<Record<Status, Readonly<Record<string, object>>>> = {
  400: {
    'not valid': {
      code: 'rest_invalid_param',
      message: 'Invalid parameter(s): page',
      data: { status: 400, params: { page: 'page must be a whole number above 0.' }, details: [] },
    },
    missing: {
      code: 'rest_missing_callback_param',
      message: 'Missing parameter(s): title',
      data: { status: 400, params: ['title'] },
    },
  },
  401: {
    'wrong login': refused(
      'incorrect_password',
      'The password is not an application password of this user.',
      401,
    ),
    'no login': refused('rest_forbidden', 'You may not create events.', 401),
  },
  403: { refused: refused('rest_forbidden', 'You may not create events.', 403) },
  404: { missing: refused('rest-event-not-found', 'There is no event with the id 9999.', 404) },
  409: {
    running: refused('idempotency_key_in_use', 'Another request with this key is running.', 409),
    taken: {
      code: 'duplicate_field_value',
      message: 'external_id must be unique: another record has this value.',
      data: {
        status: 409,
        params: { external_id: 'external_id must be unique: another record has this value.' },
      },
    },
  },
  410: { gone: refused('event-is-in-trash', 'The event is in the trash already.', 410) },
  412: { changed: refused('rest_precondition_failed', 'The record has changed.', 412) },
  413: { large: refused('rest_content_too_large', 'A body may hold at most 1048576 bytes.', 413) },
  422: { reused: refused('idempotency_key_reused', 'This key was sent with another request.', 422) },
  429: { locked: refused('too_many_attempts', 'Too many failed sign-ins. Try again in 60 seconds.', 429) },
  503: { busy: refused('too_many_requests', 'Too many bodies are being sent.', 503) },
};

function refused(code: string, message: string, status: number) {
  return { code, message, data: { status } };
}

/** Error responses that operations refer to by status. */
export function errorResponses(): Record<string, object> {
  const statuses = Object.keys(REFUSALS).map(Number) as Status[];
  const named = statuses.map((status) => [status, toResponse(status)] as const);
  return Object.fromEntries([
    ...named,
    ['default', { description: 'Any other refusal.', content: content({}) }],
  ]);
}

function toResponse(status: Status) {
  const examples = Object.entries(EXAMPLES[status]).map(([name, value]) => [name, { value }]);
  return {
    description: REFUSALS[status],
    ...((status === 429 || status === 503) && { headers: RETRY_AFTER }),
    content: content({ examples: Object.fromEntries(examples) }),
  };
}

const content = (more: object) => ({ 'application/json': { schema: REFERENCE, ...more } });
